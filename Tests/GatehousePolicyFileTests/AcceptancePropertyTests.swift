import GatehousePolicy
@testable import GatehousePolicyFile
import GatehouseTesting
import Testing

@Suite("policy test --accept: what always holds")
struct AcceptancePropertyTests {
  private func file(_ bytes: [UInt8]) throws -> PolicyFile { try PolicyFile.read(bytes, name: "x.yaml").get() }

  private func lines(_ bytes: some Sequence<UInt8>) -> [ArraySlice<UInt8>] {
    Array(bytes).split(separator: 0x0A, omittingEmptySubsequences: false)
  }

  @Test(
    "after an edit of a shipped file its tests pass, and only lines of expect are others", arguments: PolicyEdit.all)
  func edits(edit: PolicyEdit) throws {
    let (bytes, lists) = (try edit.bytes(), try ShippedLists())
    let old = try file(bytes)
    let new = try Acceptance(bytes, of: old, using: lists)
    let left = Set(new.left.map(\.name))
    let read = try file(Array(new.text.utf8))
    for test in read.tests where !left.contains(test.name) {
      #expect(PolicyTests.run([test], against: read.policy, using: lists).allSatisfy { $0.passed }, "\(test.name)")
    }
    let (before, after) = (lines(bytes), lines(new.text.utf8))
    try #require(before.count == after.count)
    let changed = before.indices.filter { before[$0] != after[$0] }.map { $0 + 1 }
    let accepted = Set(new.accepted.map(\.name))
    let expected = old.tests.filter { accepted.contains($0.name) }.map(\.expectRange)
    #expect(changed.allSatisfy { line in expected.contains { ($0.start.line...$0.end.line).contains(line) } })
    #expect(changed.isEmpty == accepted.isEmpty)
    // A second time there is nothing to do.
    let again = try Acceptance(Array(new.text.utf8), of: read, using: lists)
    #expect(again.accepted.isEmpty && again.left.map(\.name) == new.left.map(\.name) && again.text == new.text)
  }

  @Test("some of the edits of each file are accepted", arguments: ["dd-ride", "messai", "vibes"])
  func some(tenant: String) throws {
    let lists = try ShippedLists()
    let counts = try PolicyEdit.all.filter { $0.tenant == tenant }.map { edit in
      try Acceptance(try edit.bytes(), of: try file(try edit.bytes()), using: lists).accepted.count
    }
    #expect(counts.contains { $0 > 0 })
  }

  private static let ids = [
    "email.syntax", "password.min8", "password.upper", "password.digit", "\"password.*\"", "\"*.upper\"",
  ]
  private static let users = ["abc", "Abc", "abcdefgh", "Abcdefgh", "Abcdefg1"]

  /// A list of rules in one of the ways to write one.
  private func list(_ key: String, _ indent: String, _ generator: inout SeededGenerator) -> String {
    let ids = Self.ids.filter { _ in Bool.random(using: &generator) }.shuffled(using: &generator)
    let comments = ids.map { _ in Bool.random(using: &generator) ? "  # c" : "" }
    switch (ids.isEmpty ? 0 : Int.random(in: 0..<5, using: &generator)) {
    case 0: return "\(indent)\(key): [\(ids.joined(separator: ", "))]  # flow\n"
    case 1: return "\(indent)\(key): [ \(ids.joined(separator: ",")), ]\n"
    case 2:
      let members = zip(ids, comments).map { "\n\(indent)  \($0),\($1)" }.joined()
      return "\(indent)\(key): [\(members)\n\(indent)]\n"
    case 3: return "\(indent)\(key):\n" + zip(ids, comments).map { "\(indent)- \($0)\($1)\n" }.joined()
    default: return "\(indent)\(key):  # block\n" + zip(ids, comments).map { "\(indent)  - \($0)\($1)\n" }.joined()
    }
  }

  private func ids(_ key: String, _ generator: inout SeededGenerator) -> String {
    guard Bool.random(using: &generator) else { return list(key, "      ", &generator) }
    return "      \(key):\n" + list("includes", "        ", &generator) + list("excludes", "        ", &generator)
  }

  @Test("whatever a list is written like, the result is read, passes and keeps each comment", arguments: 0..<150)
  func written(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var text = Acceptable.head
    for number in 0..<4 {
      let password = Self.users[Int.random(in: 0..<Self.users.count, using: &generator)]
      text += "  - name: t\(number)\n    set_password: {password: \(password)}\n    expect:\n"
      text += ids("violations", &generator) + ids("warnings", &generator) + "      ok: true  # ok\n"
    }
    // What names no id is refused by the reader.
    guard case .success(let old) = PolicyFile.read(text, name: "x.yaml") else { return }
    let new = try Acceptance(Array(text.utf8), of: old, using: SmallLists())
    let read = try file(Array(new.text.utf8))
    let left = Set(new.left.map(\.name))
    for test in read.tests where !left.contains(test.name) {
      #expect(
        PolicyTests.run([test], against: read.policy, using: SmallLists()).allSatisfy { $0.passed },
        "\(text)\n\(new.text)")
    }
    #expect(text.utf8.count { $0 == UInt8(ascii: "#") } == new.text.utf8.count { $0 == UInt8(ascii: "#") })
    #expect(try Acceptance(Array(new.text.utf8), of: read, using: SmallLists()).accepted.isEmpty)
  }

  @Test("T125 it costs comparisons in proportion to the tests that fail", .enabled(if: Comparisons.areNoted))
  func linear() throws {
    func comparisons(_ count: Int) throws -> Int {
      let tests = (0..<count).map {
        "  - {name: t\($0), set_password: {password: abc}, expect: {violations: [password.digit], ok: true}}\n"
      }
      let bytes = Array((Acceptable.head + tests.joined()).utf8)
      let file = try file(bytes)
      return try Comparisons.count { _ = try Acceptance(bytes, of: file, using: SmallLists()) }
    }
    let counts = [try comparisons(100), try comparisons(400)]
    #expect(Comparisons.areLinear(counts[0], counts[1]), "\(counts)")
  }
}
