import Foundation
import GatehousePrimitives
import GatehouseWire

/// The release of libphonenumber, whose ranges of numbers are as old as its package.
enum PhoneLibrary {
  /// `libphonenumber 8.12 of 2022-11-24`: the version that the file's name ends with, and the day of the file.
  static var description: String {
    guard let path = PhoneNumber.libraryFile else { return "libphonenumber" }
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let version = file.firstRange(of: ".so.").map { " " + file[$0.upperBound...] } ?? ""
    let date = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    let day = date.map { " of \(Timestamp.text(seconds: Int($0.timeIntervalSince1970)).prefix(10))" } ?? ""
    return "libphonenumber\(version)\(day)"
  }
}
