import Foundation
import GatehousePolicy
import GatehousePolicyFile
import Testing

@Suite("Tests in the file")
struct InFileTestsTests {
  static let policy = """
    schema: gatehouse/policy.v1
    tenant: acme
    app: {name: Acme}
    password:
      rules:
        - {id: min6, min_length: 6}
        - {id: min8, min_length: 8, enforce: warn, enforce_from: 2027-03-01}
        - {id: digit, require: digit}
    tests:

    """

  private func run(_ test: String) throws -> [TestResult] {
    PolicyTests.run(try read(Self.policy + test), using: SmallLists())
  }

  @Test(
    "a star stands for one or more of a family, never for none",
    arguments: [
      (["password.*"], ["password.a"], true), (["password.*"], ["password.a", "password.b"], true),
      (["password.*"], [], false), (["password.*"], ["name.a"], false), ([], [], true), ([], ["a.b"], false),
      (["a.b", "a.c"], ["a.c", "a.b"], false), (["*.write"], ["role.write", "name.write"], true),
      (["*.write"], ["role.type"], false), (["a.*", "b.c"], ["a.x", "a.y", "b.c"], true),
      (["a.*", "a.y"], ["a.x", "a.y"], true), (["a.*", "a.y"], ["a.y"], false), (["a.*", "a.*"], ["a.x"], false),
      (["a.b"], ["a.b", "a.b"], false), (["a.*"], ["a."], false),
    ])
  func families(expected: [String], found: [String], holds: Bool) {
    #expect(Expectation.matches(expected, found) == holds)
  }

  @Test("a test that holds on both sides of a date needs no day")
  func withoutDay() throws {
    let results = try run(
      """
        - name: five
          sign_up: {email: a@example.com, password: abc12}
          expect: {ok: false}
        - name: nine
          sign_up: {email: a@example.com, password: abcdefgh9}
          expect: {ok: true, violations: [], warnings: []}
      """)
    #expect(results.map(\.outcome) == [.passed, .passed])
  }

  @Test("a test whose outcome changes at a date has to name a day")
  func dependsOnDate() throws {
    let results = try run(
      """
        - name: seven
          sign_up: {email: a@example.com, password: abcdef7}
          expect: {ok: true}
      """)
    #expect(results.map(\.outcome) == [.dependsOnDate(try #require(Day("2027-03-01")))])
  }

  @Test("each member of each is a run of its own, and a failing one names itself")
  func each() throws {
    let results = try run(
      """
        - name: digits
          each: [abcdefgh, abcdefg8, "12345678"]
          sign_up: {email: a@example.com, password: $each}
          expect: {ok: true}
      """)
    #expect(results.map(\.name) == ["digits (\"abcdefgh\")", "digits (\"abcdefg8\")", "digits (\"12345678\")"])
    #expect(results.map(\.passed) == [false, true, true])
    guard case .failed(let differences) = results[0].outcome else {
      Issue.record("did not fail")
      return
    }
    #expect(differences.map(\.what) == ["ok"])
    #expect(differences.map(\.expected) == ["true"] && differences.map(\.got) == ["false"])
    #expect(results[0].diagnostic?.notes.contains { $0.text.contains("password.digit stands on line 8") } == true)
  }

  @Test(
    "a key that is left out is not checked, a wrong one fails",
    arguments: [
      ("{access: full}", true), ("{access: limited}", false), ("{next: []}", true), ("{next: [verify_email]}", false),
      ("{stored: {email: a@example.com}}", true), ("{stored: {email: b@example.com}}", false),
      ("{warnings: []}", true), ("{violations: [\"password.*\"]}", false), ("{ok: false}", false),
    ])
  func expectations(expect: String, holds: Bool) throws {
    let results = try run(
      """
        - name: one
          at: 2026-12-01
          sign_up: {email: A@example.com, password: abcdefgh9}
          expect: \(expect)
      """)
    #expect(results.map(\.passed) == [holds])
  }

  @Test(
    "unknown expectations and doors are errors",
    arguments: [
      ("sign_up: {email: a@example.com}\n    expect: {okay: true}", "P0107"),
      ("sign_upp: {email: a@example.com}\n    expect: {ok: true}", "P0107"),
      ("sign_up: {emial: a@example.com}\n    expect: {ok: true}", "P0107"),
      ("sign_up: {email: a@example.com}\n    expect: {}", "P0125"),
      ("sign_up: {email: a@example.com}\n    expect: {ok: yes}", "P0117"),
      ("sign_up: {email: a@example.com}\n    given: {email_verified: true}\n    expect: {ok: true}", "P0205"),
      ("given: {links: {spotify: {scopes: all}}}\n    expect: {access: full}", "P0215"),
      ("sign_up_with: {provider: google}\n    expect: {ok: true}", "P0215"),
      ("sign_up: {email: a@example.com}\n    expect: {stored: {profile: {nope: 1}}}", "P0214"),
    ])
  func refused(test: String, code: String) {
    let report = findings(Self.policy + "  - name: one\n    \(test)\n")
    #expect(report.contains("error[\(code)]"), "\(report)")
  }
}
