import Foundation
import GatehousePrimitives

/// The operator's file of places.
enum GeoIPFile {
  /// Networks move: what an older file says of one is no better than a guess.
  static let oldDays = 365

  /// Nil where there is none.
  /// - Throws: exit 2 for one that is named and not there, or of no use.
  static func load(_ path: String?) throws(Failure) -> GeoIP? {
    guard let path else { return nil }
    return GeoIP(try read(path))
  }

  static func read(_ path: String) throws(Failure) -> GeoIPDatabase {
    do throws(GeoIPDatabase.Trouble) {
      return try GeoIPDatabase(path: path)
    } catch {
      throw Failure(.usage, "places: \(Quoted(path)) \(error)", hint: "gatehouse doctor")
    }
  }

  /// Days since a database was made.
  static func age(of database: GeoIPDatabase) -> Int { Int(Date().timeIntervalSince(database.builtAt) / 86_400) }
}
