import Foundation
import GatehousePolicy
import Testing

@testable import GatehousePolicyFile

@Suite("mfa.required_if: in a policy file")
struct MFADemandTests {
  private static let base =
    ReadingTests.base + """
      profile:
        fields:
          role: {type: enum, values: [admin, member], default: member, write: admin}
          nick: {type: string}

      """

  private func file(_ demands: String, _ rest: String = "") throws -> PolicyFile {
    try read(Self.base + "mfa: {factors: [totp], required_if: [\(demands)]}\n" + rest)
  }

  @Test("ids, conditions, levels and stages are read")
  func keys() throws {
    let demands = try file(
      "{id: admins, when: {role: admin}, level: aal2}, {id: all, enforce: warn, enforce_from: 2027-03-01}"
    ).policy.demands
    #expect(demands.map(\.id) == ["mfa.admins", "mfa.all"] && demands.map(\.level) == [.aal2, .aal2])
    #expect(demands[0].when == [.init(field: "role", value: "admin")] && demands[1].when == [])
    #expect(demands[0].enforcement == .enforced)
    #expect(demands[1].enforcement == Enforcement(.warn, from: Day("2027-03-01")))
  }

  @Test(
    "what no demand can mean is refused, with what is needed",
    arguments: [
      ("", "expected 1 to 20 members"), ("{}", "\"id\" is missing in demand"), ("{id: Admins}", "P0201"),
      ("{id: all}, {id: all}", "rule id \"mfa.all\" is used twice"),
      ("{id: all, level: phr}", "level phr is out of reach: no factor of mfa.factors reaches it"),
      ("{id: all, level: aal1}", "got \"aal1\""),
      ("{id: all, when: {}}", "expected 1 to 10 entries"), ("{id: all, when: {rank: a}}", "no profile field \"rank\""),
      ("{id: all, when: {nick: a}}", "any user may write field \"nick\", and so end the demand"),
      ("{id: all, when: {role: owner}}", "can never hold \"owner\""),
      ("{id: all, enforce_from: 2027-03-01}", "enforce_from needs enforce: warn"),
      ("{id: all, enforced: warn}", "did you mean \"enforce\"?"),
    ])
  func refused(demands: String, words: String) {
    let found = findings(Self.base + "mfa: {factors: [totp], required_if: [\(demands)]}\n")
    #expect(found.contains(words), "\(found)")
  }

  @Test("a demand of level phr stands beside passkeys, as second factors or to sign in with alone")
  func resisting() throws {
    for (factors, use) in [("totp, passkey", "second_factor"), ("totp", "sign_in")] {
      let text =
        Self.base + "mfa: {factors: [\(factors)], required_if: [{id: all, level: phr}]}\npasskeys: {use: [\(use)]}\n"
      #expect(try read(text).policy.demands.map(\.level) == [.phr])
    }
  }

  @Test("a grace without a demand has no meaning")
  func grace() throws {
    let found = findings(Self.base + "mfa: {factors: [totp], grace: 14d}\n")
    #expect(found.contains("\"grace\" has no meaning in mfa without required_if"), "\(found)")
    let taken = try read(Self.base + "mfa: {factors: [totp], required_if: [{id: all}], grace: 14d}\n").policy.mfa
    #expect(taken?.grace == 1_209_600)
  }

  @Test("no profile field has the name with which the ids of demands begin; an applied revision keeps its own")
  func fieldName() throws {
    let text = ReadingTests.base + "profile: {fields: {mfa: {type: string}}}\n"
    #expect(findings(text).contains("P0225"))
    let stored = try PolicyFile.read(text, name: "acme revision 1", as: .stored(.first)).get()
    #expect(stored.policy.profile.field("mfa") != nil)
  }

  @Test("no exception lets an address off a demand")
  func exception() {
    let found = findings(
      Self.base + """
        mfa: {factors: [totp], required_if: [{id: all}]}
        exceptions: [{email: a@acme.example, rule: mfa.all, until: 2030-01-01, reason: x}]

        """)
    #expect(found.contains("no rule \"mfa.all\""), "\(found)")
  }

  @Test("a dated demand is a day of the policy, a stage that is told, and one that a command makes binding")
  func stages() throws {
    let file = try file("{id: all, enforce: warn, enforce_from: 2027-03-01}")
    #expect(file.policy.dates.map(\.description) == ["2027-03-01"])
    let stages = file.policy.stages(at: date("2027-02-25"), since: date("2026-12-01"))
    #expect(stages == [.due(rule: "mfa.all", on: try #require(Day("2027-03-01")))])
    #expect(try Promotion(of: "mfa.all", in: file).text.contains("required_if: [{id: all}]"))
    let late = PolicyCheck.check(
      Array((Self.base + "mfa: {factors: [totp], required_if: [{id: all, enforce: warn}]}\n").utf8), name: "acme.yaml",
      using: SmallLists(), now: date("2026-11-20"))
    #expect(late.text().contains("mfa.all only warns, and no date says until when"), "\(late.text())")
  }

  @Test(
    "a demand of more people, of a higher level or sooner is stricter, and one the other way is weaker",
    arguments: [
      ("{id: a, when: {role: admin}}", "{id: a}", "mfa.a: of role: \"admin\" → of all users"),
      ("{id: b}", "{id: a}, {id: b}", "mfa.a: a second factor is demanded of all users now"),
      (
        "{id: a, enforce: warn, enforce_from: 2027-03-01}", "{id: a}",
        "mfa.a: enforce: warn until 2027-03-01 → enforce"
      ),
    ])
  func directions(loose: String, strict: String, sentence: String) throws {
    let (old, new) = (try file(loose), try file(strict))
    let (there, back) = (PolicyFile.diff(old, new), PolicyFile.diff(new, old))
    #expect(there.map(\.sentence) == [sentence] && there.map(\.relation) == [.stricter])
    #expect(back.map(\.relation) == [.weaker])
  }

  @Test("a demand of other people can not be compared, and the order of demands means nothing")
  func incomparable() throws {
    let (admins, members) = (try file("{id: a, when: {role: admin}}"), try file("{id: a, when: {role: member}}"))
    #expect(PolicyFile.diff(admins, members).map(\.relation) == [.incomparable])
    let (there, back) = (try file("{id: a}, {id: b}"), try file("{id: b}, {id: a}"))
    #expect(PolicyFile.diff(there, back).map(\.sentence) == ["the demands are in another order"])
  }

  private func failures(_ tests: String, grace: String = "14d") throws -> [String] {
    let file = try read(
      Self.base + """
        mfa: {factors: [totp], required_if: [{id: admins, when: {role: admin}}], grace: \(grace)}
        tests:
        \(tests)

        """)
    return PolicyTests.run(file, using: SmallLists()).filter { !$0.passed }.map(\.name)
  }

  private static let tests = """
      - {name: in the grace, given: {profile: {role: admin}}, expect: {access: full, warnings: [mfa.admins]}}
      - {name: its last day, given: {profile: {role: admin}, mfa_asked: 13d}, expect: {access: full}}
      - {name: after it, given: {profile: {role: admin}, mfa_asked: 14d}, expect: {next: [enroll_mfa]}}
      - {name: others, given: {mfa_asked: 14d}, expect: {access: full, warnings: [], challenge: []}}
      - name: a factor
        given: {profile: {role: admin}, factors: [totp]}
        expect: {next: [verify_mfa], challenge: [totp]}
      - name: proven
        given: {profile: {role: admin}, factors: [totp], level: aal2}
        expect: {access: full, challenge: []}
      - {name: of one's own, given: {factors: [totp]}, expect: {access: full, challenge: [totp]}}
    """

  @Test("tests state factors, the level of the session and the time of the first demand, and expect a challenge")
  func inFile() throws {
    #expect(try failures(Self.tests) == [])
    #expect(try failures(Self.tests, grace: "1d") == ["its last day"])
  }

  @Test("a failed expectation of a challenge names the line of the demand")
  func failure() throws {
    let report = PolicyCheck.check(
      Array(
        (Self.base + """
          mfa: {factors: [totp], required_if: [{id: admins, when: {role: admin}}]}
          tests:
            - {name: one, given: {profile: {role: admin}, factors: [totp]}, expect: {challenge: []}}

          """).utf8), name: "acme.yaml", using: SmallLists(), now: date("2026-11-20")
    ).text()
    #expect(report.contains("challenge expected: []"), "\(report)")
    #expect(report.contains("mfa.admins stands on line"), "\(report)")
  }

  @Test("a demand is explained as a rule is")
  func explained() throws {
    let file = try file("{id: admins, when: {role: admin}, enforce: warn, enforce_from: 2027-03-01}")
    let found = try #require(RuleExplanation("mfa.admins", in: file, at: date("2026-12-01")))
    #expect(found.meaning == "a second factor of role: \"admin\", level aal2")
    #expect(found.stage == .warn && found.enforcesFrom == Day("2027-03-01") && found.doors == [.signIn])
    #expect(found.source.hasPrefix("mfa:") && !found.message.isEmpty)
    #expect(RuleExplanation.ids(of: file.policy).contains("mfa.admins"))
    #expect(RuleExplanation("mfa.all", in: file, at: date("2026-12-01")) == nil)
  }

  @Test("each slip of a demand is a mutant, which these tests notice")
  func mutants() throws {
    let text =
      Self.base + "mfa: {factors: [totp], required_if: [{id: admins, when: {role: admin}}], grace: 14d}\ntests:\n"
      + Self.tests + "\n"
    let found = PolicyTests.mutate(try read(text), using: SmallLists()).filter { $0.mutant.section == "mfa" }
    #expect(
      found.map { "\($0.mutant.subject): \($0.mutant.change)" } == [
        "mfa.grace: 14d → 15d", "mfa.admins: deleted", "mfa.admins: only warns",
        "mfa.admins: role: \"admin\" → \"member\"",
      ])
    #expect(found.filter { $0.noticedBy == nil }.map(\.mutant.change) == [])
  }

  @Test("a demand that is off, and the grace of demands that never bind, have no mutants: no test could notice one")
  func idle() throws {
    let text =
      Self.base + "mfa: {factors: [totp], required_if: [{id: admins, when: {role: admin}, enforce: off}], grace: 14d}\n"
      + "tests: [{name: one, given: {profile: {role: admin}}, expect: {access: full}}]\n"
    let found = PolicyTests.mutate(try read(text), using: SmallLists()).filter { $0.mutant.section == "mfa" }
    #expect(found.map(\.mutant.change) == [])
  }
}
