import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import gatehouse

@Suite("A script makes things again and again")
struct IfAbsentTests {
  @Test("every verb that creates takes --if-absent")
  func complete() {
    for command in Commands.all where command.words.last == "create" || command.name == "tenant host" {
      #expect(command.flags.contains { $0.name == "if-absent" }, "\(command.name)")
    }
  }

  /// What is made, the same again, and something else of the same name.
  private static let things: [(line: String, other: String)] = [
    ("tenant create solo --policy solo.yaml", "tenant create solo --policy other.yaml"),
    ("tenant create solo --display-name Solo", "tenant create solo --display-name Duo"),
    ("user create solo al@example.com name=Al", "user create solo Al@Example.com name=Bo"),
    (
      "webhook create solo https://hooks.solo.example/in --events user.created",
      "webhook create solo https://hooks.solo.example/in"
    ),
    (
      "admin create ci --scope policy:read --tenant solo --expires 30d", "admin create ci --scope all --all-tenants"
    ),
  ]

  @Test("the same thing again is no failure and changes nothing; another one is a conflict")
  func things() async throws {
    try await SoloGround.run { ground in
      try ground.write(SoloGround.policy.replacing("128", with: "256"), to: "other.yaml")
      func trail() throws -> Int {
        try ground.run("audit search --all-tenants --limit 1000 --output ndjson").output.split(separator: "\n").count
      }
      for (line, other) in Self.things {
        let first = try ground.run(line + " --if-absent")
        #expect(first.exit == 0, "\(line): \(first.errors)")
        let events = try trail()
        let again = try ground.run(line + " --if-absent")
        #expect(again.exit == 0, "\(line): \(again.errors)")
        #expect(again.errors.contains("exists already"), "\(line): \(again.errors)")
        let conflict = try ground.run(other + " --if-absent")
        #expect(conflict.exit == 5, "\(other): \(conflict.errors)")
        #expect(try trail() == events, "\(line)")
      }
      #expect(try ground.run("tenant create solo --policy other.yaml --if-not-exists").exit == 0)
      #expect(try ground.run("tenant host add solo auth.solo.example --if-absent").exit == 0)
      #expect(try ground.run("tenant host add solo auth.solo.example --if-absent").exit == 0)
      #expect(try ground.run("tenant host add solo auth.solo.example").exit == 5)
      #expect(try ground.run("tenant host list solo --if-absent").exit == 2)
      #expect(try ground.run("admin revoke ci").exit == 0)
      #expect(try ground.run("admin create ci --scope policy:read --tenant solo --if-absent").exit == 5)
    }
  }
}
