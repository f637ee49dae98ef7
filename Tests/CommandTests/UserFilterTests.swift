import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import gatehouse

@Suite("Many users at once, by a filter")
struct UserFilterTests {
  @Test("a list and the changes of many take the same filter")
  func shared() throws {
    for name in ["user list", "user delete", "user disable", "user revoke"] {
      let flags = Set(try CommandTableTests.command(name).flags.map(\.name))
      #expect(flags.isSuperset(of: UserFilterFlags.all.map(\.name)), "\(name)")
    }
  }

  @Test("users that a filter finds are counted, disabled, signed out and deleted; the others stay")
  func wave() async throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try await TestDatabase.make()
    let surroundings = try Binary.environment(database, in: directory)
    func run(_ line: String) throws -> Binary.Outcome {
      try Binary.run(line.split(separator: " ").map(String.init), in: directory, environment: surroundings)
    }
    #expect(try run("tenant create solo").exit == 0)
    for name in ["spam1@bad.example", "spam2@bad.example", "al@example.com", "bo@example.com"] {
      #expect(try run("user create solo \(name)").exit == 0)
    }
    #expect(try run("user verify-email solo al@example.com").exit == 0)
    #expect(try run("user list solo --unverified --output ndjson").output.split(separator: "\n").count == 3)
    #expect(try run("user list solo --since 2h --output ndjson").output.split(separator: "\n").count == 4)
    #expect(try run("user list solo --until 2h --output ndjson").output.isEmpty)

    let both = try run("user delete solo al@example.com --unverified")
    #expect(both.exit == 2 && both.errors.contains("give one of them"))
    let neither = try run("user delete solo --yes")
    #expect(neither.exit == 2 && neither.errors.contains("USER is missing, or a filter"))
    let dry = try run("user delete solo --unverified --since 2h --dry-run --output json")
    #expect(dry.output.contains(#""found":3,"changed":0,"dry_run":true"#), "\(dry.output)")
    let unasked = try run("user delete solo --unverified --since 2h")
    #expect(unasked.exit == 2 && unasked.errors.contains("3 users of solo without a proven address, made since"))

    let mixed = try run("user list solo --query al --after 0198c2f4-55aa-7cc1-8d13-0a2b8f3f1c11")
    #expect(mixed.exit == 2 && mixed.errors.contains("--query lists by address and name"), "\(mixed.errors)")
    #expect(try run("user list solo --query AL@ --output ndjson").output.split(separator: "\n").count == 1)
    #expect(try run("user list solo --query example.com --output ndjson").output.isEmpty)
    let disabled = try run("user disable solo --contains @bad.example --yes")
    #expect(disabled.exit == 0 && disabled.errors.contains("2 users of solo: disabled"), "\(disabled.errors)")
    #expect(try run("user revoke solo --contains @bad.example --yes").exit == 0)
    let deleted = try run("user delete solo --unverified --since 2h --yes --output json")
    #expect(deleted.exit == 0 && deleted.output.contains(#""found":3,"changed":3"#), "\(deleted.output)")
    let again = try run("user delete solo --unverified --since 2h --yes")
    #expect(again.exit == 0 && again.errors.contains("there are 0 users"))
    let left = try run("user list solo --output ndjson").output.split(separator: "\n")
    #expect(left.count == 1 && left[0].contains("al@example.com"))
    let log = try run("audit search solo --event user_deleted --output ndjson").output
    #expect(log.split(separator: "\n").count == 3)
    try await database.drop()
  }
}
