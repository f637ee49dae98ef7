import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("policy test: short reports, and tests that are accepted")
struct PolicyTestCommandTests {
  private static let surroundings = ["GATEHOUSE_LISTS": TestLists.root + "/config/lists"]

  /// A policy with so many tests of short passwords, which two rules refuse.
  private static func policy(_ count: Int, expect: String) -> String {
    let tests = (0..<count).map {
      "  - {name: t\($0), set_password: {password: abc}, expect: {\(expect)}}  # comment \($0)\n"
    }
    return """
      schema: gatehouse/policy.v1
      tenant: demo
      app: {name: Demo}
      password:
        rules:
          - {id: min8, min_length: 8}
          - {id: digit, require: digit}
      tests:

      """ + tests.joined()
  }

  private static func run(
    _ text: String, _ line: String, check: (Binary.Outcome, _ text: String) throws -> Void
  ) throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appending(path: "demo.yaml")
    try text.write(to: file, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
    let told = try Binary.run(ShellWords.split(line), in: directory, environment: surroundings)
    try check(told, try String(contentsOf: file, encoding: .utf8))
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
  }

  @Test("of thirty-nine failing tests each has a line, five are shown in full, and the rest is one line")
  func short() throws {
    try Self.run(Self.policy(39, expect: "ok: true"), "policy test demo.yaml") { told, _ in
      #expect(told.exit == 1)
      #expect(told.output.split(separator: "\n").count == 40)
      #expect(told.errors.split(separator: "\n").count { $0.contains("error[P0401]") } == 5)
      #expect(told.errors.hasSuffix("34 more, all because of password.min8 (line 6)\ndemo.yaml: 0 passed, 39 failed\n"))
      #expect(told.errors.split(separator: "\n").count < 50, "\(told.errors)")
    }
  }

  @Test("policy check is as short, and its machine forms keep all findings")
  func checked() throws {
    let text = Self.policy(39, expect: "ok: true")
    try Self.run(text, "policy check demo.yaml") { told, _ in
      #expect(told.output.contains("34 more, all because of password.min8 (line 6)\n"))
      #expect(told.output.split(separator: "\n").count { $0.contains("error[P0401]") } == 5)
    }
    for (form, count) in [("--format github", 39), ("--output ndjson", 39)] {
      try Self.run(text, "policy check demo.yaml \(form)") { told, _ in
        #expect(told.output.split(separator: "\n").count { $0.contains("P0401") } == count)
      }
    }
    try Self.run(text, "policy test demo.yaml --output csv") { told, _ in
      #expect(told.output.split(separator: "\r\n").count == 40)
    }
  }

  @Test("accepted tests pass, and the file has its other bytes and its permissions")
  func accepted() throws {
    try Self.run(Self.policy(3, expect: "ok: true"), "policy test --accept demo.yaml") { told, text in
      #expect(told.exit == 0, "\(told.errors)")
      let line = "\"t0\" (line 9): was allowed, is now refused by password.min8, password.digit\n"
      #expect(told.output.hasPrefix(line) && told.output.split(separator: "\n").count == 3)
      #expect(told.errors.hasSuffix("demo.yaml is rewritten: 3 tests accepted\n"))
      #expect(text == Self.policy(3, expect: "ok: false"))
    }
  }

  @Test("a dry run says the same and writes nothing")
  func dryRun() throws {
    try Self.run(Self.policy(3, expect: "ok: true"), "policy test --accept --dry-run demo.yaml") { told, text in
      #expect(told.exit == 0 && told.output.contains("was allowed, is now refused by password.min8"))
      #expect(told.errors.hasSuffix("demo.yaml would be rewritten: 3 tests accepted\n"))
      #expect(text == Self.policy(3, expect: "ok: true"))
    }
  }

  @Test(
    "a test that would allow what it refused is written with --allow-weaker alone",
    arguments: ["", "--dry-run", "--allow-weaker"])
  func weaker(flag: String) throws {
    let expect = "violations: [password.min8, password.digit, email.syntax]"
    try Self.run(Self.policy(1, expect: expect), "policy test --accept \(flag) demo.yaml") { told, text in
      let isAllowed = flag == "--allow-weaker"
      #expect(told.exit == (isAllowed ? 0 : 4), "\(told.errors)")
      let named = told.errors.contains(
        "nothing is written, as 1 test would allow what was refused:\n  demo.yaml: \"t0\" (line 9): violations were")
      #expect(named == !isAllowed, "\(told.errors)")
      let after = isAllowed ? "violations: [password.min8, password.digit]" : expect
      #expect(text == Self.policy(1, expect: after))
    }
  }

  @Test("a weaker test of one file keeps the other files as they are")
  func severalFiles() throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let texts = [
      Self.policy(1, expect: "ok: true"),
      Self.policy(1, expect: "violations: [password.min8, email.syntax, password.digit]"),
    ]
    for (name, text) in zip(["a.yaml", "b.yaml"], texts) {
      try text.write(to: directory.appending(path: name), atomically: true, encoding: .utf8)
    }
    let told = try Binary.run(
      ["policy", "test", "--accept", "a.yaml", "b.yaml"], in: directory, environment: Self.surroundings)
    #expect(told.exit == 4)
    for (name, text) in zip(["a.yaml", "b.yaml"], texts) {
      #expect(try String(contentsOf: directory.appending(path: name), encoding: .utf8) == text)
    }
  }

  @Test("a test that is left alone is named, and the others are written")
  func left() throws {
    let text =
      Self.policy(1, expect: "ok: true") + """
          - name: several
            each: [abc, longenough1]
            set_password: {password: $each}
            expect: {ok: true}

        """
    try Self.run(text, "policy test --accept demo.yaml") { told, after in
      #expect(told.exit == 1)
      #expect(told.errors.contains("\"several\" (line 10) is left alone: its members disagree about ok"))
      #expect(told.errors.hasSuffix("demo.yaml is rewritten: 1 test accepted, 1 left alone\n"))
      #expect(after.contains("expect: {ok: false}}  # comment 0"))
    }
  }
}
