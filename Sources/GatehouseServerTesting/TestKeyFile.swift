import Foundation
import GatehousePrimitives

/// The key-encryption key in a file where an installation looks for it. No command makes one: a test that runs the
/// built program before a server has run needs it first.
package enum TestKeyFile {
  /// The path of the file in this data directory.
  package static func path(in data: String) -> String { data + "/kek" }

  /// Puts a new key into a data directory, which is made where it is missing. A key that is there stays.
  package static func make(in data: String) throws {
    guard !FileManager.default.fileExists(atPath: path(in: data)) else { return }
    try FileManager.default.createDirectory(
      atPath: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try put(SecureRandom.bytes(32), in: data)
  }

  /// Puts this key in the place of any other.
  package static func put(_ key: [UInt8], in data: String) throws {
    let text = Data(key).base64EncodedString() + "\n"
    try Data(text.utf8).write(to: URL(filePath: path(in: data)), options: .atomic)
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path(in: data))
  }
}
