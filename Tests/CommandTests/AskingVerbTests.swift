import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// `diff`, `impact`, `explain` and `doors` answer of every file of which a policy can be made. What keeps it from being
/// applied is a note, with the command that says more.
@Suite("Verbs that only ask")
struct AskingVerbTests {
  private static let floor = "schema: gatehouse/floor.v1\nsessions: {access_token_ttl: 15m}\n"

  /// A file that is refused by `apply`, made of DD Ride's by one edit, and the notes about it.
  struct Refused: CustomTestStringConvertible, Sendable {
    let file: String
    let line: String
    let edited: String
    let notes: [String]

    var testDescription: String { file }
  }

  static let refused = [
    Refused(
      file: "failing.yaml", line: "expect: {access: full}", edited: "expect: {access: limited}",
      notes: ["1 test of failing.yaml failed: gatehouse policy test failing.yaml"]),
    Refused(
      file: "typo.yaml", line: "  willie:\n    email:", edited: "  willie:\n    emial:",
      notes: [
        "typo.yaml would not be applied: unknown key \"emial\" in user \"willie\" (line 74, P0107)",
        "its tests are not run: gatehouse policy check typo.yaml",
      ]),
    Refused(
      file: "twice.yaml", line: "    sign_up: {as: nobody}\n",
      edited: "    sign_up: {as: nobody}\n    sign_up: {as: nobody}\n",
      notes: [
        "twice.yaml would not be applied: key \"sign_up\" is written twice",
        "its tests are not run: gatehouse policy check twice.yaml",
      ]),
    Refused(
      file: "low.yaml", line: "access_token_ttl: 15m", edited: "access_token_ttl: 16m",
      notes: [
        "low.yaml would not be applied: sessions.access_token_ttl is 16m, at most 15m is allowed (line 61, P0501)"
      ]),
    Refused(
      file: "open.yaml", line: "    normalize: lowercase\n", edited: "    normalize: lowercase\n    doors: [sign_up]\n",
      notes: ["open.yaml would not be applied: no rule of identifiers.email guards the doors "]),
  ]

  /// Writes the file as it is, each refused one, and the floor.
  private static func write(to directory: URL) throws {
    let text = try TestLists.policy("dd-ride")
    func write(_ text: String, _ name: String) throws {
      try text.write(to: directory.appending(path: name), atomically: true, encoding: .utf8)
    }
    try write(text, "good.yaml")
    try write(floor, "floor.yaml")
    for one in refused {
      let edited = text.replacing(one.line, with: one.edited, maxReplacements: 1)
      try #require(edited != text, "\(one.file)")
      try write(edited, one.file)
    }
  }

  private static func says(_ one: Refused, _ outcome: Binary.Outcome) -> Bool {
    one.notes.allSatisfy { outcome.errors.contains("note: " + $0) }
  }

  @Test("doors and diff of files answer, with notes; check refuses", arguments: refused)
  func offline(_ one: Refused) throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    try Self.write(to: directory)
    func run(_ words: String...) throws -> Binary.Outcome {
      try Binary.run(
        words, in: directory,
        environment: ["GATEHOUSE_POLICY_FLOOR": "floor.yaml", "GATEHOUSE_LISTS": TestLists.root + "/config/lists"])
    }
    let doors = try run("policy", "doors", one.file)
    #expect(doors.exit == 0 && doors.output.contains("password.min8") && Self.says(one, doors), "\(doors.errors)")
    for words in [["good.yaml", one.file], [one.file, "good.yaml"]] {
      let diff = try run("policy", "diff", words[0], words[1])
      let isSame = ["failing.yaml", "typo.yaml", "twice.yaml"].contains(one.file)
      #expect(diff.exit == (isSame ? 0 : 1) && Self.says(one, diff), "\(diff.exit) \(diff.errors)")
    }
    #expect(try run("policy", "check", one.file).exit == 1)
  }

  @Test("diff with a tenant, impact and explain answer alike here and through a server; apply refuses")
  func overTheDatabase() async throws {
    let outside = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: outside) }
    try Self.write(to: outside)
    try await ServedApp.run(environment: ["GATEHOUSE_POLICY_FLOOR": outside.path + "/floor.yaml"]) { _, _, app in
      try Self.write(to: app.directory)
      let remote = [
        "GATEHOUSE_SERVER": app.admin,
        "GATEHOUSE_ADMIN_TOKEN": try app.adminToken("ops", "--scope", "all", "--all-tenants"),
      ]
      for one in Self.refused {
        for verb in ["diff", "impact"] {
          let words = ["policy", verb, "dd-ride", one.file]
          let here = try Binary.run(words, in: app.directory, environment: app.environment)
          let there = try Binary.run(words, in: app.directory, environment: remote)
          #expect(here.exit <= 1 && Self.says(one, here), "\(verb) \(one.file): \(here.errors)")
          #expect(there.output == here.output && there.errors == here.errors && there.exit == here.exit, "\(verb)")
        }
        #expect(try app.run("policy", "apply", "dd-ride", one.file, "--allow-weaker").exit == 1, "\(one.file)")
      }
      // A revision whose tests fail is explained like any other, and so is one below a floor that came later.
      let forced = try app.run(
        "policy", "apply", "dd-ride", "failing.yaml", "--allow-failing-tests", "--reason", "an emergency")
      try "schema: gatehouse/floor.v1\npassword: {min_length: 30}\n".write(
        to: app.directory.appending(path: "high.yaml"), atomically: true, encoding: .utf8)
      #expect(try app.run("floor", "apply", "high.yaml").exit == 0)
      let explained = try app.run("policy", "explain", "dd-ride", "password.min8")
      #expect(forced.exit == 0, "\(forced.errors)")
      #expect(explained.exit == 0 && explained.output.contains("min8"), "\(explained.errors)")
    }
  }
}
