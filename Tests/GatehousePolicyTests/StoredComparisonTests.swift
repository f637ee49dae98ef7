import Foundation
import GatehousePolicy
import GatehouseTesting
import Testing

@Suite("People stored, judged by a candidate beside the live policy")
struct StoredComparisonTests {
  private static func readsAlike(_ candidate: Policy, _ live: Policy) -> Bool {
    candidate.profile.renames.isEmpty && live.profile.renames.isEmpty
  }

  @Test("it says what two plain judgements say, for policies that differ anywhere and for any person")
  func plain() {
    print("seed \(SeededGenerator.seed)")
    var draws = ComparisonDraws(random: SeededGenerator())
    var (news, losses) = (0, 0)
    for round in 0..<1_500 {
      let (candidate, live) = draws.pair()
      let later = draws.chance(50) ? instant("2027-06-01") : winter
      let check = StoredCheck(candidate, at: later)
      let comparison = StoredComparison(
        check, against: StoredCheck(live, at: winter), readsAlike: Self.readsAlike(candidate, live))
      for _ in 0..<4 {
        let (stored, hasPassword) = (draws.person(), draws.chance(70))
        var read = stored
        read.profile = candidate.reading(read.profile, after: live)
        let found = comparison.judge(stored, as: read, hasPassword: hasPassword, using: FixedFacts())
        let new = PlainJudge(policy: candidate, instant: later).judge(read, hasPassword: hasPassword)
        let old = PlainJudge(policy: live, instant: winter).judge(stored, hasPassword: hasPassword)
        let verdicts = check.subjects.map { new.verdicts[$0.id] ?? .notJudged }
        let failing = check.subjects.indices.filter {
          verdicts[$0] == .fail && old.verdicts[check.subjects[$0].id] != .fail
        }
        #expect(found.candidate.verdicts == verdicts, "round \(round): \(stored)")
        #expect(found.newlyFailing == failing, "round \(round): \(stored)")
        #expect(found.candidate.access == new.standing.access && found.candidate.next == new.standing.next, "\(round)")
        #expect(found.candidate.isPrompted == !new.standing.warnings.isEmpty, "round \(round): \(stored)")
        #expect(found.liveAccess == old.standing.access, "round \(round): \(stored)")
        news += failing.count
        if old.standing.access == .full, new.standing.access == .limited { losses += 1 }
      }
    }
    #expect(news > 200 && losses > 100, "\(news) \(losses)")
  }

  @Test("a requirement that a date turns on limits the access by the candidate alone; what warned before is not new")
  func dated() throws {
    var policy = Policies.ddRide
    let target = try #require(policy.profile.fields.firstIndex { $0.name == "classYear" })
    policy.profile.fields[target].rules[1].enforcement = Enforcement(.warn, from: Day("2027-03-01"))
    policy.access.full = [Requirement(.mfa, enforcement: Enforcement(.warn, from: Day("2027-03-01")))]
    let check = StoredCheck(policy, at: instant("2027-06-01"))
    let comparison = StoredComparison(check, against: StoredCheck(policy, at: winter), readsAlike: true)
    let willie = StoredFacts(email: "w@ksu.edu", emailVerified: true, profile: ["classYear": 9])
    let answer = comparison.judge(willie, as: willie, hasPassword: true, using: NoFacts())
    // A rule that warned failed before: only the access is another one.
    #expect(answer.newlyFailing.isEmpty)
    #expect(answer.liveAccess == .full && answer.candidate.access == .limited)
  }

  private static func demanding(_ demand: MFA.Demand, grace: Int64 = 0) -> Policy {
    var policy = Policies.ddRide
    policy.mfa = MFA(factors: [.totp], requiredIf: [demand], grace: grace)
    return policy
  }

  @Test("a grace that is over on the day of the candidate limits the access by it alone; what warned before is not new")
  func grace() {
    let policy = Self.demanding(MFA.Demand(id: "mfa.all"), grace: 14 * 86_400)
    let comparison = StoredComparison(
      StoredCheck(policy, at: instant("2027-06-01")), against: StoredCheck(policy, at: winter), readsAlike: true)
    let willie = StoredFacts(email: "w@ksu.edu", emailVerified: true, mfaAskedAt: winter)
    let answer = comparison.judge(willie, as: willie, hasPassword: true, using: NoFacts())
    #expect(answer.newlyFailing.isEmpty)
    #expect(answer.liveAccess == .full && answer.candidate.access == .limited)
  }

  @Test("a demand about a value that is canonically equivalent, and not the same, is about other users")
  func letters() {
    let live = Self.demanding(MFA.Demand(id: "mfa.all", when: [.init(field: "role", value: "caf\u{E9}")]))
    let candidate = Self.demanding(MFA.Demand(id: "mfa.all", when: [.init(field: "role", value: "cafe\u{301}")]))
    let check = StoredCheck(candidate, at: winter)
    let comparison = StoredComparison(check, against: StoredCheck(live, at: winter), readsAlike: true)
    let willie = StoredFacts(email: "w@ksu.edu", emailVerified: true, profile: ["role": "cafe\u{301}"])
    let answer = comparison.judge(willie, as: willie, hasPassword: true, using: NoFacts())
    #expect(answer.newlyFailing.map { check.subjects[$0].id } == ["mfa.all"])
    #expect(answer.liveAccess == .full && answer.candidate.access == .limited)
  }
}
