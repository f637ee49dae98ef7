import Foundation
import GatehouseTesting
import Glibc
import Testing

@testable import GatehousePrimitives

@Suite("Files that hold a secret")
struct SecretFileTests {
  private func file(mode: Int) throws -> String {
    let path = TestFolder.path("secret")
    try Data("secret".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  @Test("T142 a file that only its owner can read is kept", arguments: [0o400, 0o600])
  func kept(mode: Int) throws {
    #expect(SecretFile.exposedMode(of: try file(mode: mode)) == nil)
  }

  @Test(
    "T142 one that others can read or write is exposed, and its mode is told",
    arguments: [(0o644, "0644"), (0o604, "0604"), (0o620, "0620"), (0o402, "0402"), (0o4755, "4755")])
  func exposed(mode: Int, words: String) throws {
    #expect(SecretFile.exposedMode(of: try file(mode: mode)) == words)
  }

  @Test("T142 a group may read where root owns the file, and nowhere else", .enabled(if: geteuid() == 0))
  func group() throws {
    let path = try file(mode: 0o640)
    #expect(SecretFile.exposedMode(of: path) == nil)
    try #require(chown(path, 65_534, 65_534) == 0)
    #expect(SecretFile.exposedMode(of: path) == "0640")
  }

  @Test("T142 a pipe and a path with nothing behind it have no mode to judge")
  func others() throws {
    let path = TestFolder.path("pipe")
    try #require(mkfifo(path, 0o666) == 0)
    #expect(SecretFile.exposedMode(of: path) == nil && SecretFile.exposedMode(of: path + "x") == nil)
  }
}
