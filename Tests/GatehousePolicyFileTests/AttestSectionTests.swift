import Foundation
import GatehousePolicy
import GatehousePolicyFile
import Testing

@Suite("attest: in a policy file")
struct AttestSectionTests {
  private static let head = """
    schema: gatehouse/policy.v1
    tenant: acme
    app: {name: Acme}
    password: {rules: [{id: min8, min_length: 8}]}

    """
  private static let both = attest("[sign_up, sign_in]")

  private static func attest(
    _ doors: String, team: String = "\"0123456789\"", bundle: String = "com.example.app",
    environment: String = "production"
  ) -> String {
    "attest: {ios: {team: \(team), bundle: \(bundle), environment: \(environment)}, doors: \(doors)}\n"
  }

  @Test("the section is read, its doors in their own order") func read() throws {
    let attest = try #require(try file(Self.attest("[sign_in, sign_up]")).policy.attest)
    #expect(attest.ios == Attest.IOS(team: "0123456789", bundle: "com.example.app", environment: .production))
    #expect(attest.doors == [.signUp, .signIn])
    #expect(attest.ios.appID == "0123456789.com.example.app")
  }

  @Test(
    "what is wrong with it is named",
    arguments: [
      (attest("[sign_up]", team: "short"), "team identifier"),
      (attest("[sign_up]", team: "abcdefghij"), "team identifier"),
      (attest("[sign_up]", bundle: "\"a..b\""), "bundle identifier"),
      (attest("[sign_up]", bundle: "\"a b\""), "bundle identifier"),
      (attest("[sign_up]", environment: "sandbox"), "development"),
      (attest("[]"), "doors"), (attest("[reset_password]"), "sign_up"),
      ("attest: {doors: [sign_up]}\n", "\"ios\""),
      ("attest: {ios: {team: \"0123456789\"}, doors: [sign_up]}\n", "\"bundle\""),
    ])
  func wrong(_ text: String, _ words: String) {
    let found = findings(Self.head + text)
    #expect(found.contains("error") && found.contains(words), "\(found)")
  }

  @Test(
    "a door more is stricter, one less weaker, another app incomparable",
    arguments: [
      ("", both, "attest.doors", Relation.stricter), (both, "", "attest.doors", .weaker),
      (both, attest("[sign_up]"), "attest.doors", .weaker), (attest("[sign_in]"), both, "attest.doors", .stricter),
      (attest("[sign_in]"), attest("[sign_up]"), "attest.doors", .incomparable),
      (both, attest("[sign_up, sign_in]", team: "\"9876543210\""), "attest.ios.team", .incomparable),
      (both, attest("[sign_up, sign_in]", bundle: "com.example.other"), "attest.ios.bundle", .incomparable),
      (both, attest("[sign_up, sign_in]", environment: "development"), "attest.ios.environment", .incomparable),
    ])
  func compared(_ old: String, _ new: String, _ subject: String, _ relation: Relation) throws {
    let changes = PolicyFile.diff(try file(old), try file(new))
    #expect(changes.map(\.subject) == [subject] && changes.map(\.relation) == [relation])
  }

  private static let user = "{email: a@example.com, password: correct horse}"

  private func outcomes(_ section: String, _ tests: String) throws -> [Bool] {
    PolicyTests.run(try file(section + "tests:\n" + tests), using: SmallLists()).map(\.passed)
  }

  @Test("a test says that a request comes from no attested app, and sees the refusal") func refusal() throws {
    let tests = """
        - {name: attested, sign_up: \(Self.user), expect: {ok: true}}
        - {name: not attested, sign_up: \(Self.user), attested: false, expect: {ok: false, violations: [attest.required]}}
        - {name: sign-in, given: {email: a@example.com}, attested: false, expect: {ok: false}}
        - {name: wrong hope, sign_up: \(Self.user), attested: false, expect: {ok: true}}

      """
    #expect(try outcomes(Self.both, tests) == [true, true, true, false])
    #expect(try outcomes(Self.attest("[sign_up]"), tests) == [true, true, false, false])
  }

  @Test("attested: stands at doors that can demand it, and the rule exists where a policy does") func targets() {
    let update = "tests: [{name: x, given: {}, update_profile: {set: {}}, attested: false, expect: {ok: true}}]\n"
    #expect(findings(Self.head + Self.both + update).contains("attested: has no meaning at update_profile"))
    let unknown = "tests: [{name: x, sign_up: \(Self.user), expect: {violations: [attest.required]}}]\n"
    #expect(findings(Self.head + unknown).contains("no rule \"attest.required\""))
  }

  @Test("a door less is a mutant, which a test notices") func mutants() throws {
    let test = "tests: [{name: x, sign_up: \(Self.user), attested: false, expect: {ok: false}}]\n"
    let results = PolicyTests.mutate(try file(Self.both + test), using: SmallLists())
      .filter { $0.mutant.subject == "attest.doors" }
    #expect(results.map(\.mutant.change) == ["without sign_up", "without sign_in"])
    #expect(results.map { $0.noticedBy != nil } == [true, false])
  }

  private func file(_ section: String) throws -> PolicyFile { try GatehousePolicyFileTests.read(Self.head + section) }
}
