import Foundation
import GatehousePolicy
import Testing

@testable import GatehousePolicyFile

/// Statements over small policies, and the answers to them.
enum Proofs {
  static let today = date("2026-12-01")

  /// A policy of these sections, with what is left out filled in.
  static func text(_ sections: String) -> String {
    let own = Set(
      sections.split(separator: "\n").compactMap { $0.first?.isLetter == true ? $0.prefix { $0 != ":" } : nil })
    let rest = [
      ("schema", "schema: gatehouse/policy.v1"), ("tenant", "tenant: acme"), ("app", "app: {name: Acme}"),
      ("password", "password: {rules: [{id: min8, min_length: 8}]}"),
    ].filter { name, _ in !own.contains { $0 == name } }.map(\.1)
    return (rest + [sections]).joined(separator: "\n") + "\n"
  }

  static func answers(_ sections: String, using source: some FactSource = SmallLists()) throws -> [ProofAnswer] {
    Prover.answers(try read(text(sections)), using: source, now: today)
  }

  /// The verdicts on a file's statements, in its order.
  static func verdicts(_ sections: String) throws -> [String] { try answers(sections).map(\.verdict.word) }

  static func refutation(_ answer: ProofAnswer) -> ProofAnswer.Refutation? {
    guard case .refuted(let refutation) = answer.verdict else { return nil }
    return refutation
  }

  /// Whether a test that a refutation prints is read as one of the file's, and fails.
  static func fails(_ refutation: ProofAnswer.Refutation, in sections: String) throws -> Bool {
    let file = try read(text(sections + "\ntests:\n  " + (refutation.test ?? "[]")))
    let results = PolicyTests.run(file, using: SmallLists())
    return results.count == 1 && results.allSatisfy { !$0.passed }
  }
}

@Suite struct ProofTests {
  /// A statement, a policy where it holds and one where it does not.
  struct Pair: Sendable, CustomTestStringConvertible {
    let statement: String
    let holds: String
    let broken: String
    var testDescription: String { statement }
  }

  static let pairs = [
    Pair(
      statement: "{never: {access: full, email: {outside: [ksu.edu]}}}",
      holds: "identifiers: {email: {allowed_domains: [ksu.edu]}}",
      broken: "identifiers: {email: {max_length: 200, allowed_domains: {value: [ksu.edu], doors: [sign_up]}}}"),
    Pair(
      statement: "{never: {access: full, email_verified: false}}",
      holds: "access: {full: {requires: [email_verified]}}", broken: "access: {full: {requires: []}}"),
    Pair(
      statement: "{never: {admin: true, by: user}}",
      holds: """
        profile: {fields: {role: {type: enum, values: [admin, member], default: member, write: admin}}}
        admins: {when: {role: admin}, may: [list_users]}
        """,
      broken: """
        profile: {fields: {role: {type: enum, values: [admin, member], default: member, write: admin}}}
        admins: {when: {role: member}, may: [list_users]}
        """),
    Pair(
      statement: "{never: {stored: {phone: {not: e164}}}}",
      holds: "profile: {fields: {phone: {type: phone, region: US, check: length}}}",
      broken: "profile: {fields: {phone: {type: string, max_length: 20}}}"),
    Pair(
      statement: "{never: {stored: {team: {absent: true}}, by: user}}",
      holds: "profile: {fields: {team: {type: enum, values: [a, b], required: true}}}",
      broken: "profile: {fields: {team: {type: enum, values: [a, b], required: {value: true, doors: [sign_up]}}}}"),
    Pair(
      statement: "{never: {stored: {plan: {is: gold}}, by: user}}",
      holds: "profile: {fields: {plan: {type: enum, values: [free, gold], default: free, write: admin}}}",
      broken: "profile: {fields: {plan: {type: enum, values: [free, gold], default: free, write: user_at_sign_up}}}"),
    Pair(
      statement: "{never: {stored: {year: {outside: [1, 2, 3, 4]}}}}",
      holds: "profile: {fields: {year: {type: integer, min: 1, max: 4}}}",
      broken: "profile: {fields: {year: {type: integer, min: 1, max: 5}}}"),
    Pair(
      statement: "{never: {door: sign_up, allowed: true}}",
      holds: "providers: {google: {use: sign_in, client_id: abc}}", broken: "providers: {password: {use: sign_in}}"),
    Pair(
      statement: "{never: {access: limited, email_verified: true}}",
      holds: "access: {full: {requires: [email_verified]}}",
      broken: """
        access: {full: {requires: [email_verified, "profile:team"]}}
        profile: {fields: {team: {type: string}}}
        """),
    Pair(
      statement: "{every: signed_up, can_reach: {access: full}}",
      holds: """
        access: {full: {requires: [email_verified, "profile:team"]}}
        profile: {fields: {team: {type: string, max_length: 9}}}
        """,
      broken: """
        access: {full: {requires: [email_verified, "profile:team"]}}
        profile: {fields: {team: {type: string, max_length: 9, write: admin}}}
        """),
    Pair(
      statement: "{every: signed_up, can: reset_password}",
      holds: "identifiers: {email: {allowed_domains: [ksu.edu]}}",
      broken: "identifiers: {email: {max_length: 200, allowed_domains: {value: [ksu.edu], doors: [reset_password]}}}"),
    Pair(
      statement: "{every: signed_up, can: sign_in, from: any}",
      holds: "providers: {password: {use: sign_in}}", broken: "providers: {google: {use: sign_in, client_id: abc}}"),
  ]

  /// The statement under a name, beside a policy.
  private static func file(_ statement: String, _ policy: String) -> String {
    policy + "\nalways:\n  - {name: it holds, " + statement.dropFirst()
  }

  @Test(arguments: pairs) func aStatementThatHoldsIsProved(_ pair: Pair) throws {
    let answer = try #require(try Proofs.answers(Self.file(pair.statement, pair.holds)).first)
    #expect(answer.verdict.word == "proved", "\(answer.sentence)")
  }

  @Test(arguments: pairs) func aStatementThatDoesNotIsRefutedByATestThatFails(_ pair: Pair) throws {
    let sections = Self.file(pair.statement, pair.broken)
    let answer = try #require(try Proofs.answers(sections).first)
    let refutation = try #require(Proofs.refutation(answer), "\(answer.sentence)")
    #expect(!refutation.chain.isEmpty)
    #expect(try Proofs.fails(refutation, in: sections), "\(refutation.test ?? "")")
  }

  @Test func theChainIsTheShortest() throws {
    let answer = try #require(
      try Proofs.answers(
        """
        identifiers: {email: {max_length: 200, allowed_domains: {value: [ksu.edu], doors: [sign_up, sign_up_with, admin_create, invite, import]}}}
        access: {full: {requires: [email_verified]}}
        always: [{name: outsiders, never: {access: full, email: {outside: [ksu.edu]}}}]
        """.replacing("sign_up_with", with: "federated_sign_up")
      ).first)
    #expect(Proofs.refutation(answer)?.chain == ["sign_up w@ksu.edu", "change_email w@elsewhere.example"])
  }

  @Test func aDateInTheFutureBelongsToTheChain() throws {
    let sections = """
      access: {full: {requires: [{need: email_verified, enforce: warn, enforce_from: 2027-03-01}]}}
      always:
        - {name: unproven, never: {access: limited, email_verified: false}}
      """
    let answer = try #require(try Proofs.answers(sections).first)
    let refutation = try #require(Proofs.refutation(answer))
    #expect(refutation.chain.contains("the day 2027-03-01 comes"))
    #expect(try Proofs.fails(refutation, in: sections), "\(refutation.test ?? "")")
  }

  @Test func aListThatIsNotHereLeavesAStatementUndecided() throws {
    let sections = """
      identifiers: {email: {deny_disposable: true}}
      always: [{name: nobody, never: {access: full, email: {outside: [ksu.edu]}}}]
      """
    #expect(try Proofs.answers(sections, using: NoFacts()).first?.verdict.word == "unknown")
    #expect(try Proofs.answers(sections).first?.verdict.word == "refuted")
  }

  @Test func tooManyClassesAreSaidAndNoHang() throws {
    let domains = (0..<2000).map { "d\($0).example" }.joined(separator: ", ")
    let answer = try #require(
      try Proofs.answers(
        """
        identifiers: {email: {allowed_domains: [\(domains)]}}
        always: [{name: outsiders, never: {access: full, email: {outside: [d0.example]}}}]
        """
      ).first)
    #expect(["refuted", "unknown"].contains(answer.verdict.word))
    let many = (0..<20).map { "f\($0): {type: integer, min: 1, max: 9}" }.joined(separator: ", ")
    let all = (0..<20).map { "f\($0): {is: 5}" }.joined(separator: ", ")
    let unknown = try #require(
      try Proofs.answers(
        "profile: {fields: {\(many)}}\nalways: [{name: many, never: {stored: {\(all)}}}]"
      ).first)
    #expect(unknown.sentence == "unknown: too many classes")
  }

  @Test func exceptionsAreLeftOutAndNamed() throws {
    let answer = try #require(
      try Proofs.answers(
        """
        identifiers: {email: {allowed_domains: [ksu.edu]}}
        exceptions: [{email: guest@example.com, rule: email.allowed_domains, until: 2027-01-01, reason: a guest}]
        always: [{name: outsiders, never: {access: full, email: {outside: [ksu.edu]}}}]
        """
      ).first)
    #expect(answer.verdict.word == "proved")
    #expect(answer.leftOut == ["guest@example.com"])
  }

  @Test(
    arguments: [
      "{name: x}", "{name: x, never: {by: user}}", "{name: x, every: signed_up}",
      "{name: x, never: {access: full}, every: signed_up, can: sign_in}",
      "{name: x, never: {email: {}}}", "{name: x, never: {access: full, allowed: true}}",
      "{name: x, not_weaker_than: live, from: any}", "{name: x, never: {access: full}, can: sign_in}",
    ])
  func aStatementWithoutOneClaimIsRefused(_ statement: String) {
    #expect(findings(Proofs.text("always: [\(statement)]")).contains("P0421"), "\(statement)")
  }

  @Test func aRefutedStatementKeepsAFileFromGoingLive() {
    let text = Proofs.text(
      """
      always: [{name: nobody gets in, never: {access: full}}]
      tests: [{name: t, sign_up: {email: a@b.example, password: long enough}, expect: {ok: true}}]
      """)
    let check = PolicyCheck.check(Array(text.utf8), name: "t.yaml", using: SmallLists(), now: Proofs.today)
    #expect(!check.isGood())
    #expect(check.refusals.isEmpty)
    #expect(check.failingTests == 1)
  }
}

@Suite struct FloorStatementTests {
  private func floor(_ statements: String) -> Result<Floor, PolicyFileRefusal> {
    Floor.read(Array("schema: gatehouse/floor.v1\nalways: [\(statements)]\n".utf8), name: "floor.yaml")
  }

  private func check(_ sections: String, _ statements: String) throws -> PolicyCheck {
    PolicyCheck.check(
      Array(Proofs.text(sections).utf8), name: "t.yaml", using: SmallLists(), floor: try floor(statements).get(),
      now: Proofs.today)
  }

  private let unproven = "{name: full access is for proven addresses, never: {access: full, email_verified: false}}"

  @Test func aPolicyBelowAStatementOfTheFloorIsRefused() throws {
    let refused = try check("access: {full: {requires: []}}", unproven)
    #expect(refused.refusals.map(\.code) == [.belowFloor])
    #expect(try check("access: {full: {requires: [email_verified]}}", unproven).refusals.isEmpty)
  }

  @Test func aStatementAboutAFieldThatAPolicyLacksSaysNothing() throws {
    let phones = "{name: phones, never: {stored: {phone: {not: e164}}}}"
    #expect(try check("access: {full: {requires: []}}", phones).refusals.isEmpty)
    #expect(!(try check("profile: {fields: {phone: {type: string}}}", phones).refusals.isEmpty))
  }

  @Test func aFloorWhoseStatementClaimsNothingIsRefused() {
    #expect(throws: PolicyFileRefusal.self) { try floor("{name: x}").get() }
  }
}
