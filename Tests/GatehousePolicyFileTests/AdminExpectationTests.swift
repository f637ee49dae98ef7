import GatehousePolicy
@testable import GatehousePolicyFile
import Testing

@Suite("expect: {admin: …}")
struct AdminExpectationTests {
  private static let head = """
    schema: gatehouse/policy.v1
    tenant: acme
    app: {name: Acme}
    password: {rules: [{id: min8, min_length: 8}]}
    profile: {fields: {role: {type: enum, values: [admin, member], default: member, write: admin}}}
    admins: {when: {role: admin}, may: [list_users]}
    tests:

    """

  private func results(_ test: String, _ policy: String = head) throws -> [TestResult] {
    PolicyTests.run(try read(policy + test), using: SmallLists())
  }

  @Test(
    "who administers follows from what is stored after the request",
    arguments: [
      ("sign_up: {email: a@acme.example, password: long enough}", false),
      ("given: {profile: {role: admin}}", true), ("given: {profile: {role: member}}", false),
      ("admin_update: {set: {role: admin}}", true),
      ("given: {profile: {role: admin}}\n    admin_update: {set: {role: member}}", false),
      // Refused, so nothing changes.
      ("update_profile: {set: {role: admin}}", false),
      ("given: {profile: {role: admin}}\n    update_profile: {set: {role: member}}", true),
      ("admin_create: {email: a@acme.example, password: long enough, profile: {role: admin}}", true),
    ])
  func follows(_ request: String, _ isAdministrator: Bool) throws {
    func outcome(_ expected: Bool) throws -> [Bool] {
      try results("  - name: t\n    \(request)\n    expect: {admin: \(expected)}\n").map(\.passed)
    }
    #expect(try outcome(isAdministrator) == [true])
    #expect(try outcome(!isAdministrator) == [false])
  }

  @Test("a failure says what came out, and where the condition stands")
  func failure() throws {
    let test = "  - name: t\n    given: {profile: {role: member}}\n    expect: {admin: true}\n"
    let notes = try #require(results(test).first?.diagnostic).notes
    #expect(notes.map(\.text).prefix(2) == ["admin expected: true", "admin got:      false"])
    #expect(notes.last?.line == 6 && notes.last?.subject == "admins.when.role")
  }

  /// The slip that no expectation noticed before: the value that every account has by default.
  @Test("a policy that makes every new user an administrator fails a test of one, and is warned of")
  func everyone() throws {
    let slip = Self.head.replacing("when: {role: admin}", with: "when: {role: member}")
    let test = """
        - name: a new user is none
          sign_up: {email: a@acme.example, password: long enough}
          expect: {admin: false}

      """
    #expect(try results(test).map(\.passed) == [true])
    #expect(try results(test, slip).map(\.passed) == [false])
    func codes(_ policy: String) -> [DiagnosticCode] {
      PolicyCheck.check(
        Array((policy + test).utf8), name: "acme.yaml", using: SmallLists(), now: date("2026-12-01")
      ).diagnostics.map(\.code)
    }
    #expect(codes(slip).contains(.defaultAdministrator) && !codes(Self.head).contains(.defaultAdministrator))
  }

  @Test("a test that expected no administrator is accepted only as a weaker one")
  func accepted() throws {
    let test = "  - {name: t, given: {email_verified: true}, expect: {ok: true}}\n"
    let decision = try read(Self.head + test).policy.decide(
      .signIn, Facts(), at: date("2026-12-01"), using: SmallLists())
    let (no, yes) = (AcceptedValue.truth(false), AcceptedValue.truth(true))
    #expect(yes.isWeaker(than: no, "admin", decision) && !no.isWeaker(than: yes, "admin", decision))
  }
}
