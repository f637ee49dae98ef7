import Foundation
import GatehousePolicy
import GatehouseTesting
import Testing

@testable import GatehousePolicyFile

/// Random policies, random chains of requests on random days: what is proved, no chain breaks.
@Suite struct ProofSoundnessTests {
  /// How many policies are drawn.
  static let count = ProcessInfo.processInfo.environment["GATEHOUSE_PROOF_POLICIES"].flatMap { Int($0) } ?? 40

  static let statements = [
    "{name: s0, never: {access: full, email: {outside: [ksu.edu]}}}",
    "{name: s1, never: {access: full, email_verified: false}}",
    "{name: s2, never: {admin: true, by: user}}",
    "{name: s3, never: {stored: {team: {is: red}}, by: user}}",
    "{name: s4, never: {stored: {year: {outside: [1, 2, 3]}}}}",
    "{name: s5, never: {access: full, stored: {team: {absent: true}}}}",
    "{name: s6, never: {email: {inside: [mail.ksu.edu]}, email_verified: true}}",
  ]

  private static func policy(_ random: inout SeededGenerator) -> String {
    func one(_ choices: [String]) -> String { choices[Int.random(in: 0..<choices.count, using: &random)] }
    let doors = one(["", ", doors: [sign_up]", ", doors: [sign_up, change_email]", ", existing: require_at_sign_in"])
    let stage = one(["", ", enforce: warn", ", enforce: warn, enforce_from: 2027-03-01", ", enforce: off"])
    let domains = one(["[ksu.edu]", "[ksu.edu, \"*.ksu.edu\"]", "[\"*.ksu.edu\"]"])
    let kind = one(["allowed_domains", "allowed_domains", "denied_domains"])
    let required = one(["", ", required: true", ", required: {value: true, enforce: warn, enforce_from: 2027-03-01}"])
    let fallback = one(["", ", default: red", ", default: blue"])
    let needs = one(["", "email_verified", "\"profile:team\"", "email_verified, \"profile:team\""])
    return """
      identifiers: {email: {max_length: 200, \(kind): {value: \(domains)\(doors)\(stage)}}}
      access: {full: {requires: [\(needs)]}}
      profile:
        fields:
          team: {type: enum, values: [red, blue], write: \(one(["user", "admin", "user_at_sign_up"]))\(required)\(fallback)}
          year: {type: integer, min: 1, max: \(one(["3", "4"]))}
          role: {type: enum, values: [admin, member], write: admin, default: \(one(["member", "admin"]))}
      admins: {when: {role: admin}, may: [list_users]}
      privacy: {account_exists: \(one(["hide", "reveal"]))}
      providers: {password: {use: sign_in}\(one(["", ", google: {use: sign_in, client_id: abc}"]))}
      """
  }

  /// A step with random values.
  private static func step(_ policy: Policy, _ random: inout SeededGenerator) -> Step {
    func one<Value>(_ choices: [Value]) -> Value { choices[Int.random(in: 0..<choices.count, using: &random)] }
    let email = one([
      "w@ksu.edu", "W@KSU.EDU", "w@mail.ksu.edu", "w@notksu.edu", "w@example.com", "w%x.example@ksu.edu", "no",
    ])
    var step = Step(transition: one(Transition.allCases), email: email)
    if [.resetPassword, .setPassword, .signIn].contains(step.transition) { step.email = nil }
    if Bool.random(using: &random) { step.values["team"] = one(["red", "blue", "green", "", .null]) }
    if Bool.random(using: &random) { step.values["year"] = .integer(Int64.random(in: -1...6, using: &random)) }
    if Int.random(in: 0..<4, using: &random) == 0 { step.values["role"] = one(["admin", "member"]) }
    (step.provider, step.isVouched) = ("google", Bool.random(using: &random))
    if step.transition == .signUpWith || step.transition == .link, policy.provider("google") == nil {
      step = Step(transition: .signUp, email: email)
    }
    return step
  }

  /// Statements that are proved and that a chain breaks.
  private static func broken(
    _ sections: String, _ random: inout SeededGenerator, without: Set<Transition> = []
  ) throws -> (proved: Int, refuted: Int, broken: Set<String>) {
    let file = try read(Proofs.text(sections + "\nalways: [\(statements.joined(separator: ", "))]"))
    let source = SmallLists()
    let prover = Prover(file.policy, using: source, now: Proofs.today, budget: ProofBudget(), without: without)
    let answers = file.statements.map { prover.answer($0, file: file) { _ in nil } }
    let days = ProofDays(file.policy, from: Proofs.today).instants
    let samples = ProofSamples(file.policy, at: Proofs.today, using: source)
    let requests = Requests(policy: file.policy, samples: samples, source: source)
    let search = Search(requests: requests, steps: [], days: days, budget: ProofBudget())
    var broken: Set<String> = []
    for _ in 0..<60 {
      var situation = Situation(account: nil, day: 0)
      for _ in 0..<8 {
        guard let edge = search.take(step(file.policy, &random), from: situation) else { continue }
        for (statement, answer) in zip(file.statements, answers) where answer.verdict.word == "proved" {
          guard case .never(let kind) = statement.claim else { continue }
          let isKind = KindOfAccount(kind: kind, policy: file.policy, source: source, days: days)
          if isKind.isBroughtAbout(edge) { broken.insert(statement.name) }
        }
        situation = edge.to
      }
    }
    let words = answers.map(\.verdict.word)
    return (words.count { $0 == "proved" }, words.count { $0 == "refuted" }, broken)
  }

  @Test func whatIsProvedNoChainBreaks() throws {
    var random = SeededGenerator()
    var seen = (proved: 0, refuted: 0)
    for _ in 0..<Self.count {
      let sections = Self.policy(&random)
      let found = try Self.broken(sections, &random)
      #expect(found.broken.isEmpty, "seed \(SeededGenerator.seed): \(found.broken)\n\(sections)")
      seen.proved += found.proved
      seen.refuted += found.refuted
    }
    #expect(seen.proved > Self.count && seen.refuted > Self.count / 2, "seed \(SeededGenerator.seed) \(seen)")
  }

  /// The negative control: a proof that forgets transitions proves what a chain breaks.
  @Test(
    arguments: [
      [.changeEmail, .signUpWith, .adminCreate, .invite, .import],
      [.verifyEmail, .changeEmail, .signUpWith, .import], [.signUp, .signUpWith, .updateProfile],
    ] as [Set<Transition>])
  func forgottenTransitionsAreFound(_ forgotten: Set<Transition>) throws {
    var random = SeededGenerator(seed: 11)
    var broken: Set<String> = []
    for _ in 0..<60 where broken.isEmpty {
      broken = try Self.broken(Self.policy(&random), &random, without: forgotten).broken
    }
    #expect(!broken.isEmpty)
  }

  @Test func aRefutationIsATestThatFails() throws {
    var random = SeededGenerator()
    var count = 0
    for _ in 0..<12 {
      let sections = Self.policy(&random)
      let all = try Proofs.answers(sections + "\nalways: [\(Self.statements.joined(separator: ", "))]")
      for refutation in all.compactMap(Proofs.refutation) {
        count += 1
        #expect(
          try Proofs.fails(refutation, in: sections),
          "seed \(SeededGenerator.seed): \(refutation.chain) \(refutation.test ?? "")\n\(sections)")
      }
    }
    #expect(count > 10)
  }

  @Test func theShippedFilesAreProvedInTime() throws {
    for path in PoliciesTests.paths {
      let file = try read(String(decoding: try Repository.bytes(path), as: UTF8.self))
      let answers = Prover.answers(file, using: try ShippedLists(), now: Proofs.today)
      #expect(answers.count >= 3)
      #expect(answers.allSatisfy { $0.verdict.word == "proved" }, "\(path): \(answers.map(\.sentence))")
    }
  }
}
