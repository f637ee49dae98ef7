import Foundation
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// A disk of a quarter of a megabyte, with a tablespace of the test cluster on it.
struct SmallDisk {
  private let path: String
  private let name: String

  /// Whether this process may mount one.
  static let isPossible: Bool = {
    guard geteuid() == 0, let path = try? TestFolder.make("probe") else { return false }
    guard (try? run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", path)) == 0 else { return false }
    _ = try? run("umount", path)
    return true
  }()

  static func mount() async throws -> SmallDisk {
    let cluster = try await TestCluster.shared()
    let owner = try FileManager.default.attributesOfItem(atPath: cluster.socketDirectory)[.ownerAccountID] as? Int
    let disk = SmallDisk(
      path: try TestFolder.make("disk", forEverybody: true),
      name: "small_\(UUID().text.replacing("-", with: ""))")
    let options = "size=256k,mode=0700,uid=\(try #require(owner))"
    try #require(try run("mount", "-t", "tmpfs", "-o", options, "tmpfs", disk.path) == 0)
    try await disk.command("CREATE TABLESPACE \(disk.name) LOCATION '\(disk.path)'")
    return disk
  }

  /// Moves the empty table of a database here.
  func take(_ table: String, of database: TestDatabase) async throws {
    try await database.runAsSuperuser(script: "TRUNCATE gatehouse.\(table) CASCADE")
    try await database.runAsSuperuser(script: "ALTER TABLE gatehouse.\(table) SET TABLESPACE \(name)")
  }

  /// Moves it back.
  func giveBack(_ table: String, of database: TestDatabase) async throws {
    try await database.runAsSuperuser(script: "ALTER TABLE gatehouse.\(table) SET TABLESPACE pg_default")
  }

  /// Leaves no byte of room.
  func fill() throws {
    try Data().write(to: URL(fileURLWithPath: filler))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: filler))
    while (try? file.write(contentsOf: Data(count: 4096))) != nil {}
    try file.close()
  }

  /// Makes room again.
  func clear() throws { try FileManager.default.removeItem(atPath: filler) }

  /// Ends it; what the cluster still has there goes with it.
  func unmount() async {
    try? await command("DROP TABLESPACE \(name)")
    _ = try? SmallDisk.run("umount", "-l", path)
  }

  private var filler: String { path + "/filler" }

  /// A command that stands in no transaction.
  private func command(_ text: String) async throws {
    let cluster = try await TestCluster.shared()
    try await Administration.run(
      script: text, conninfo: cluster.conninfo(user: Embedded.superuser, database: "postgres"))
  }

  private static func run(_ command: String...) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
