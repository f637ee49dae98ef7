import Foundation
import GatehousePostgres
import GatehouseServerTesting
import Testing

@testable import gatehouse

@Suite("The doctor's finding about backups")
struct BackupFindingTests {
  private func finding(_ age: Int?, isArchived: Bool = false, isOwn: Bool = true, isDevelopment: Bool = false)
    -> Finding?
  {
    BackupFinding.of(BackupState(age: age, isArchived: isArchived), isOwn: isOwn, isDevelopment: isDevelopment)
  }

  @Test("a database of one's own without a dump is told in production, and nowhere else")
  func never() {
    #expect(finding(nil)?.state == .warning && finding(nil)?.words == "last backup: never")
    #expect(finding(nil, isArchived: true)?.state == .good)
    #expect(finding(nil, isOwn: false) == nil && finding(nil, isDevelopment: true) == nil)
  }

  @Test(
    "the age is told, and a missed night is a warning",
    arguments: [
      (30, "30 s", Finding.State.good), (7300, "2 h", .good), (129_600, "36 h", .good), (129_601, "36 h", .warning),
      (200_000, "2 days", .warning),
    ])
  func age(_ age: Int, _ spoken: String, _ state: Finding.State) {
    for isOwn in [true, false] {
      let found = finding(age, isOwn: isOwn)
      #expect(found?.state == state && found?.words == "last backup: \(spoken) ago")
    }
  }

  @Test("doctor names it on a database of one's own")
  func doctor() async throws {
    let database = try await TestDatabase.make()
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    func told() throws -> String {
      try Binary.run(["doctor"], in: directory, environment: try Binary.environment(database, in: directory)).output
    }
    #expect(try told().contains("last backup: never"))
    try await database.runAsSuperuser(script: "INSERT INTO gatehouse.backup (bytes) VALUES (1)")
    let after = try told()
    #expect(after.contains("last backup: ") && after.contains(" s ago"))
    try await database.drop()
  }
}
