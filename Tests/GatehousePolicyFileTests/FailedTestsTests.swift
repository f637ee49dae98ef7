import GatehousePolicy
import GatehousePolicyFile
import Testing

@Suite("Many failed tests of a file")
struct FailedTestsTests {
  /// Tests that a rule of passwords fails, and tests that the list of domains fails.
  private func check(passwords: Int, domains: Int, unlocated: Int = 0) -> PolicyCheck {
    var text = """
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      identifiers:
        sign_in_with: [email]
        email: {allowed_domains: [example.com]}
      password:
        rules:
          - {id: min8, min_length: 8}
          - {id: digit, require: digit, enforce: warn}
      profile: {unknown_fields: reject, fields: {nick: {type: string, write: user}}}
      tests:

      """
    for number in 0..<passwords {
      text += "  - {name: p\(number), set_password: {password: abc}, expect: {ok: true}}\n"
    }
    for number in 0..<domains {
      text += "  - {name: d\(number), change_email: {email: a@example.org}, expect: {ok: true}}\n"
    }
    for number in 0..<unlocated {
      text += "  - {name: u\(number), update_profile: {set: {other: 1}}, expect: {ok: true}}\n"
    }
    text += "  - {name: passes, set_password: {password: longenough}, expect: {ok: true}}\n"
    return PolicyCheck.check(Array(text.utf8), name: "x.yaml", using: SmallLists(), now: date("2026-11-20"))
  }

  @Test(
    "behind the first five the rest is counted by what it fails for",
    arguments: [
      (5, 0, 0, nil), (6, 0, 0, "1 more, because of password.min8 (line 9)"),
      (39, 0, 0, "34 more, all because of password.min8 (line 9)"),
      (
        35, 4, 0, "34 more: 30 because of password.min8 (line 9), 4 because of email.allowed_domains (line 6)"
      ),
      (5, 3, 0, "3 more, all because of email.allowed_domains (line 6)"),
      (6, 0, 2, "3 more: 1 because of password.min8 (line 9), 2 for other reasons"),
      (0, 0, 6, "1 more, for other reasons"),
    ] as [(Int, Int, Int, String?)])
  func rest(passwords: Int, domains: Int, unlocated: Int, rest: String?) {
    #expect(check(passwords: passwords, domains: domains, unlocated: unlocated).failedTests.rest == rest)
  }

  @Test("a rule that only warns is not to blame for a refusal")
  func warning() {
    #expect(check(passwords: 1, domains: 0).failedTests.causes.map { $0?.description } == ["password.min8 (line 9)"])
  }

  @Test("a refusal is to blame for next steps that are not there, and not the access that they lead to")
  func refusal() {
    let text = """
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      identifiers:
        sign_in_with: [email]
        email: {allowed_domains: [example.com]}
      access: {full: {requires: [email_verified]}}
      password: {rules: []}
      tests:
        - {name: invited, invite: {email: a@example.org}, expect: {next: {includes: [verify_email]}}}

      """
    let check = PolicyCheck.check(Array(text.utf8), name: "x.yaml", using: SmallLists(), now: date("2026-11-20"))
    #expect(check.failedTests.causes.map { $0?.description } == ["email.allowed_domains (line 6)"])
  }

  @Test("the report shows five of them and one line for the rest; records keep all")
  func report() {
    let check = check(passwords: 300, domains: 0)
    let text = check.text()
    #expect(text.split(separator: "\n").count { $0.contains("error[P0401]") } == 5)
    #expect(text.contains("\n\n295 more, all because of password.min8 (line 9)\n"))
    #expect(text.split(separator: "\n").count < 60, "\(text)")
    #expect(check.records.count { $0.code == "P0401" } == 200)
    #expect(Annotations.text([check]).split(separator: "\n").count >= 200)
  }

  @Test("a report of five failed tests has each in full")
  func few() {
    let text = check(passwords: 5, domains: 0).text()
    #expect(text.split(separator: "\n").count { $0.contains("error[P0401]") } == 5 && !text.contains(" more"))
  }
}
