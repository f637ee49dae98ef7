import Foundation
import GatehousePolicy
import GatehouseTesting
import Testing

@Suite("People stored, judged by a policy")
struct StoredCheckTests {
  private func verdict(_ id: String, _ check: StoredCheck, _ answer: StoredCheck.Answer) throws -> StoredCheck.Verdict {
    answer.verdicts[try #require(check.subjects.firstIndex { $0.id == id })]
  }

  private let willie = StoredFacts(
    email: "willie@gmail.com", profile: ["name": "Willie", "phoneNumber": "+17855550123", "classYear": 9])

  @Test("each rule says pass, fail, unknown or nothing, whatever door it binds at")
  func verdicts() throws {
    var policy = Policies.ddRide
    for index in policy.identifiers.email.rules.indices { policy.identifiers.email.rules[index].doors = [] }
    let check = StoredCheck(policy, at: winter)
    let answer = check.judge(willie, hasPassword: true, using: NoFacts())
    #expect(try verdict("email.syntax", check, answer) == .pass)
    #expect(try verdict("email.allowed_domains", check, answer) == .fail)
    #expect(try verdict("password.min8", check, answer) == .unknown)
    #expect(try verdict("name.required", check, answer) == .pass)
    #expect(try verdict("classYear.max", check, answer) == .fail)
    #expect(try verdict("role.values", check, answer) == .notJudged)
    #expect(try verdict("access.email_verified", check, answer) == .fail)
    #expect(answer.access == .limited && answer.next == ["verify_email"])
    let without = check.judge(willie, hasPassword: false, using: NoFacts())
    #expect(try verdict("password.min8", check, without) == .notJudged)
  }

  @Test("an exception holds for the one it names, here and at sign-in, until its last day is over")
  func exceptions() throws {
    var policy = Policies.ddRide
    policy.identifiers.email.existing = .requireAtSignIn
    var verified = willie
    verified.emailVerified = true
    #expect(policy.access(of: verified, at: winter).next == ["change_email"])
    let day = try #require(Day("2027-01-31"))
    policy.exceptions = [
      PolicyException(email: "Willie@Gmail.com", rule: "email.allowed_domains", until: day, reason: "guest")
    ]
    let last = Date(timeIntervalSince1970: Double(day.startSeconds) + 86_399)
    #expect(policy.access(of: verified, at: last).access == .full)
    #expect(policy.access(of: verified, at: last.addingTimeInterval(1)).next == ["change_email"])
    let check = StoredCheck(policy, at: last)
    #expect(
      try verdict("email.allowed_domains", check, check.judge(verified, hasPassword: true, using: NoFacts())) == .pass)
  }

  @Test("an account that a policy admits at sign-up does not break that policy once stored")
  func soundness() {
    var random = SeededGenerator(seed: 20_261_121)
    var admitted = 0
    for round in 0..<4_000 {
      let policy = round.isMultiple(of: 2) ? Policies.ddRide : Policies.vibes()
      let check = StoredCheck(policy, at: winter)
      let tail = random.text(maxLength: 4)
      let profile: [String: FieldValue] =
        round.isMultiple(of: 2)
        ? ["name": .string("W" + tail), "phoneNumber": "(785) 555-0123"] : ["username": .string("nova" + tail)]
      let facts = Facts(
        email: "w\(round)@" + (round.isMultiple(of: 2) ? "ksu.edu" : "example.com"), password: "TestPass123!",
        profile: profile)
      let decision = policy.decide(.signUp, facts, at: winter, using: NoFacts())
      guard decision.allow, let email = decision.normalised.email else { continue }
      admitted += 1
      let stored = StoredFacts(email: email, emailVerified: true, profile: decision.normalised.profile)
      let answer = check.judge(stored, hasPassword: true, using: NoFacts())
      for (subject, verdict) in zip(check.subjects, answer.verdicts)
      where verdict == .fail && subject.stage == .enforce && !subject.id.hasPrefix("access.") {
        Issue.record("\(subject.id) fails for \(stored.profile) in round \(round)")
      }
    }
    #expect(admitted > 500)
  }

  @Test(
    "the set of warned password rules is the same text before and after it binds, and another one with another bound")
  func measuredSet() throws {
    let warned = Policies.messAI()
    let text = try #require(warned.warnedPasswordRules(at: winter))
    let later = Date(timeIntervalSince1970: 4_000_000_000)
    #expect(warned.warnedPasswordRules(at: later) == nil)
    #expect(warned.passwordRulesAtSignIn(at: later) == text)
    var longer = warned
    let target = try #require(longer.password.rules.firstIndex { $0.id == "password.min8" })
    longer.password.rules[target].parameter = .integer(9)
    #expect(longer.warnedPasswordRules(at: winter) != text)
  }
}
