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
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let policy = """
      schema: gatehouse/policy.v1
      tenant: solo
      app: {name: Solo, locales: [en]}
      identifiers: {sign_in_with: [email], email: {normalize: lowercase}}
      password: {max_length: 128, rules: [{id: min8, min_length: 8}]}
      profile: {unknown_fields: reject, fields: {name: {type: string, max_length: 40}}}

      """
    try policy.write(to: directory.appending(path: "solo.yaml"), atomically: true, encoding: .utf8)
    try policy.replacing("128", with: "256").write(
      to: directory.appending(path: "other.yaml"), atomically: true, encoding: .utf8)
    let database = try await TestDatabase.make()
    let surroundings = Binary.environment(database, in: directory)
    func run(_ line: String) throws -> Binary.Outcome {
      try Binary.run(line.split(separator: " ").map(String.init), in: directory, environment: surroundings)
    }
    func trail() throws -> Int {
      try run("audit search --all-tenants --limit 1000 --output ndjson").output.split(separator: "\n").count
    }
    for (line, other) in Self.things {
      let first = try run(line + " --if-absent")
      #expect(first.exit == 0, "\(line): \(first.errors)")
      let events = try trail()
      let again = try run(line + " --if-absent")
      #expect(again.exit == 0, "\(line): \(again.errors)")
      #expect(again.errors.contains("exists already"), "\(line): \(again.errors)")
      let conflict = try run(other + " --if-absent")
      #expect(conflict.exit == 5, "\(other): \(conflict.errors)")
      #expect(try trail() == events, "\(line)")
    }
    #expect(try run("tenant create solo --policy other.yaml --if-not-exists").exit == 0)
    #expect(try run("tenant host add solo auth.solo.example --if-absent").exit == 0)
    #expect(try run("tenant host add solo auth.solo.example --if-absent").exit == 0)
    #expect(try run("tenant host add solo auth.solo.example").exit == 5)
    #expect(try run("tenant host list solo --if-absent").exit == 2)
    #expect(try run("admin revoke ci").exit == 0)
    #expect(try run("admin create ci --scope policy:read --tenant solo --if-absent").exit == 5)
    try await database.drop()
  }
}
