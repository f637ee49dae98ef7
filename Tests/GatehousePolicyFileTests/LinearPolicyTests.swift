import GatehousePolicy
import GatehouseTesting
import Testing

@testable import GatehousePolicyFile

/// A policy file costs comparisons in proportion to its text, also where it is wrong.
@Suite("Comparisons of names: policy files", .enabled(if: Comparisons.areNoted))
struct LinearPolicyTests {
  private static func expectLinear(_ count: Int, _ text: (Int) -> String) {
    let counts = [count, 4 * count].map { number in
      let bytes = Array(text(number).utf8)
      return Comparisons.count { _ = PolicyFile.read(bytes, name: "x.yaml") }
    }
    #expect(Comparisons.areLinear(counts[0], counts[1]), "\(count): \(counts[0]), \(4 * count): \(counts[1])")
  }

  private static func lines(_ count: Int, _ line: (Int) -> String) -> String {
    (0..<count).map(line).joined(separator: "\n")
  }

  private static let head = """
    schema: gatehouse/policy.v1
    tenant: t
    app: {name: t, support_email: help@example.com, locales: [en]}
    identifiers: {sign_in_with: [email], email: {normalize: lowercase}}
    providers: {password: {use: sign_in}}

    """

  @Test("T125 unknown keys, also misspelt ones, and keys that stand twice")
  func keys() {
    Self.expectLinear(500) { count in Self.lines(count) { "key\($0): 1" } }
    Self.expectLinear(500) { count in Self.head + Self.lines(count) { "tenan\($0): t" } }
    Self.expectLinear(500) { count in Self.lines(count) { "key\($0 / 2): 1" } }
  }

  @Test("T125 profile fields and password rules, more of them than are allowed included")
  func sections() {
    for count in [20, 400] {
      Self.expectLinear(count) { count in
        Self.head + "password: {rules: []}\nprofile:\n  fields:\n"
          + Self.lines(count) { "    field\($0): {type: string, min_length: 1, write: user}" }
      }
    }
    for count in [12, 800] {
      Self.expectLinear(count) { count in
        Self.head + "password:\n  rules:\n" + Self.lines(count) { "    - {id: r\($0), min_length: 8}" }
      }
    }
  }

  @Test("T125 tests of a file that name rules there are and rules there are not")
  func tests() {
    for rule in ["password.min8", "password.min9", "passwor*"] {
      Self.expectLinear(100) { count in
        Self.head + "password: {rules: [{id: min8, min_length: 8}]}\ntests:\n"
          + Self.lines(count) {
            "  - {name: t\($0), set_password: {password: abc}, expect: {ok: false, violations: [\(rule)]}}"
          }
      }
    }
    // Rules and tests grow together.
    Self.expectLinear(12) { count in
      Self.head + "password:\n  rules:\n" + Self.lines(count) { "    - {id: r\($0), min_length: 8}" } + "\ntests:\n"
        + Self.lines(count * 10) {
          "  - {name: t\($0), set_password: {password: abc}, expect: {ok: false, violations: [password.r\($0 % count)]}}"
        }
    }
  }

  @Test("T125 users of a file, and tests that start from users there are and users there are not")
  func users() {
    for (users, name) in [(nil, "user1x"), (20, "nobody")] {
      Self.expectLinear(25) { count in
        Self.head + "password: {rules: [{id: min8, min_length: 8}]}\nusers:\n"
          + Self.lines(users ?? count) { "  user\($0)x: {email: a@example.com, password: longenough}" } + "\ntests:\n"
          + Self.lines(count) { "  - {name: t\($0), sign_up: {as: \(name)}, expect: {ok: false}}" }
      }
    }
  }

  @Test("T125 where there are more rules and tests than are allowed, neither is held against the other")
  func tooMany() {
    Self.expectLinear(60) { count in
      Self.head + "password:\n  rules:\n" + Self.lines(count) { "    - {id: r\($0), min_length: 8}" } + "\ntests:\n"
        + Self.lines(count) {
          "  - {name: t\($0), set_password: {password: a}, expect: {violations: [\"other\($0).*\"]}}"
        }
    }
  }

  @Test("T125 suggestions are made only for findings that are kept, and compare a bounded number of names")
  func suggestions() {
    func comparisons(_ tests: Int, naming rule: (Int) -> String) -> Int {
      let rules = Self.lines(50) { "    - {id: r\($0), min_length: 8}" }
      let cases = Self.lines(tests) {
        "  - {name: t\($0), set_password: {password: a}, expect: {violations: [\(rule($0))]}}"
      }
      let bytes = Array((Self.head + "password:\n  rules:\n" + rules + "\ntests:\n" + cases).utf8)
      return Comparisons.count { _ = PolicyFile.read(bytes, name: "x.yaml") }
    }
    func growth(naming rule: (Int) -> String) -> Int {
      comparisons(2 * Diagnostics.limit, naming: rule) - comparisons(Diagnostics.limit, naming: rule)
    }
    // Behind the last finding that is kept, a wrong name costs what a right one costs.
    #expect(growth { "password.none\($0)" } == growth { _ in "password.r1" })
    let sink = Diagnostics()
    var made = 0
    func note() -> Diagnostic.Note {
      made += 1
      return Diagnostic.Note("did you mean this?")
    }
    for number in 0..<2 * Diagnostics.limit { sink.error(.unknownKey, "\(number)", at: .top, notes: [note()]) }
    #expect(made == Diagnostics.limit)
    let names = (0..<10_000).map { "name\($0)" }
    let spent = Comparisons.count { _ = Suggestion.nearest(to: "nam", among: names) }
    #expect(spent == Suggestion.mostCandidates)
  }
}
