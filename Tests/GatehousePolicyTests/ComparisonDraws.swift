import Foundation
import GatehousePolicy
import GatehouseTesting

/// Policies that differ in a few places, and people who meet and break them.
struct ComparisonDraws {
  var random: SeededGenerator

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }

  /// One of the three apps' policies, changed in up to four places.
  mutating func pair() -> (candidate: Policy, live: Policy) {
    var live = pick([Policies.ddRide, Policies.messAI(), Policies.vibes()])
    for _ in 0..<Int.random(in: 0...4, using: &random) { change(&live) }
    var candidate = live
    for _ in 0..<Int.random(in: 0...4, using: &random) { change(&candidate) }
    return (candidate, live)
  }

  private mutating func change(_ policy: inout Policy) {
    let requirements: [Requirement.Need] = [.emailVerified, .mfa, .linked("spotify"), .profile("name")]
    switch Int.random(in: 0..<13, using: &random) {
    case 0: policy.identifiers.email.rules = policy.identifiers.email.rules.map { changed($0) }
    case 1: policy.password.rules = policy.password.rules.map { changed($0) }
    case 2:
      policy.identifiers.email.existing = pick(Existing.allCases)
      policy.password.existing = pick(Existing.allCases)
    case 3:
      policy.access.full.append(Requirement(pick(requirements), enforcement: enforcement()))
      // Each is named once.
      var ids: Set<String> = []
      policy.access.full.removeAll { !ids.insert($0.id).inserted }
    case 4: policy.access.full.removeAll { _ in chance(50) }
    case 5: policy.providers.removeAll { _ in chance(30) }
    case 6:
      policy.exceptions.append(
        PolicyException(
          email: "w@gmail.com", rule: pick(["email.allowed_domains", "email.max_length", "name.max_length"]),
          until: pick([2026, 2028].compactMap { Day("\($0)-06-01") }), reason: "a guest"))
    case 7: policy.profile.fields.removeAll { _ in chance(20) }
    case 8: policy.profile.fields.shuffle(using: &random)
    case 9, 10: change(factorsOf: &policy)
    case 11: change(passkeysOf: &policy)
    default: policy.profile.fields = policy.profile.fields.map { chance(40) ? changed($0) : $0 }
    }
  }

  /// Another section of second factors, none, or other demands of the same one.
  private mutating func change(factorsOf policy: inout Policy) {
    guard var mfa = policy.mfa, chance(70) else {
      let isNone = policy.mfa != nil && chance(50)
      let graces: [Int64] = [0, 86_400, 14 * 86_400]
      policy.mfa = isNone ? nil : MFA(factors: [.totp], requiredIf: [demand("mfa.all")], grace: pick(graces))
      return
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: mfa.factors = pick([[.totp], [.passkey], [.totp, .passkey]])
    case 1: mfa.grace = pick([0, 86_400, 14 * 86_400])
    case 2: mfa.requiredIf.removeAll { _ in chance(50) }
    default:
      let id = pick(["mfa.all", "mfa.admins"])
      mfa.requiredIf.removeAll { $0.id == id }
      mfa.requiredIf.append(demand(id))
    }
    policy.mfa = mfa
  }

  private mutating func change(passkeysOf policy: inout Policy) {
    let uses: [[Passkeys.Use]?] = [nil, [.signIn], [.secondFactor], [.signIn, .secondFactor], [.signIn, .signUp]]
    policy.passkeys = pick(uses).map { Passkeys(use: $0, synced: chance(50)) }
  }

  private mutating func demand(_ id: String) -> MFA.Demand {
    // Canonically equivalent, and not the same.
    let value: FieldValue = pick(["admin", "caf\u{E9}", "cafe\u{301}"])
    return MFA.Demand(
      id: id, when: chance(60) ? [.init(field: "role", value: value)] : [], level: pick([.aal2, .phr]),
      enforcement: enforcement())
  }

  private mutating func changed(_ field: Field) -> Field {
    var field = field
    field.trim = chance(50)
    field.existing = pick(Existing.allCases)
    if chance(20) { field.renamedFrom = pick(["name", "displayName", "nick"]) }
    field.rules = field.rules.filter { _ in chance(90) }.map { changed($0) }
    return field
  }

  private mutating func changed(_ rule: Rule) -> Rule {
    guard chance(50) else { return rule }
    var rule = rule
    switch Int.random(in: 0..<5, using: &random) {
    case 0: rule.enforcement = enforcement()
    case 1: rule.existing = pick(Existing.allCases)
    case 2: rule.doors = []
    case 3: rule.message = ["en": "Otherwise."]
    default:
      if case .integer(let number) = rule.parameter {
        rule.parameter = .integer(max(1, number + Int64.random(in: -100...2, using: &random)))
      }
      // Canonically equivalent, and not the same.
      if case .texts(let texts) = rule.parameter {
        rule.parameter = .texts(texts + [chance(50) ? "caf\u{E9}" : "cafe\u{301}"])
      }
    }
    return rule
  }

  private mutating func enforcement() -> Enforcement {
    Enforcement(pick(Enforce.allCases), from: chance(50) ? Day("2027-03-01") : nil)
  }

  mutating func person() -> StoredFacts {
    let emails: [String?] = ["w@ksu.edu", "w@gmail.com", "W@KSU.edu", "w%x@ksu.edu", "no address", nil]
    var stored = StoredFacts(
      email: pick(emails), emailVerified: chance(60), enteredBy: pick(Door.allCases),
      mustChangePassword: chance(20))
    let values: [FieldValue] = [
      "Willie", "", " ", "caf\u{E9}", "cafe\u{301}", 3, 9, true, "admin", "(785) 555-0123", "https://a.example/x",
      "http://a.example", .string(String(repeating: "x", count: 70)), .string(random.text()),
    ]
    for name in ["name", "phoneNumber", "classYear", "role", "displayName", "photoURL", "username", "nick"]
    where chance(60) { stored.profile[name] = pick(values) }
    if chance(40) { stored.links["spotify"] = chance(50) ? Policies.spotifyScopes : [] }
    if chance(30) { stored.factors = pick([["totp"], ["passkey"], ["totp", "passkey"]]) }
    if chance(50) { stored.mfaAskedAt = instant(pick(["2026-01-01", "2026-11-25"])) }
    return stored
  }
}

/// A policy asked in the plain way, by the whole decision of each door.
struct PlainJudge {
  let policy: Policy
  let instant: Date

  /// Verdicts by the id of the rule, the requirement or the demand, and the standing at sign-in.
  func judge(
    _ stored: StoredFacts, hasPassword: Bool
  ) -> (verdicts: [String: StoredCheck.Verdict], standing: Decision) {
    var everywhere = policy
    let doors = DoorSet(Door.allCases)
    for index in everywhere.identifiers.email.rules.indices { everywhere.identifiers.email.rules[index].doors = doors }
    for field in everywhere.profile.fields.indices {
      for index in everywhere.profile.fields[field].rules.indices {
        everywhere.profile.fields[field].rules[index].doors = doors
      }
    }
    let known = stored.profile.filter { policy.profile.field($0.key) != nil }
    let entering = everywhere.decide(
      .import, Facts(email: stored.email, profile: known, writer: .system), at: instant, using: FixedFacts())
    let standing = policy.decide(.signIn, Facts(stored: stored), at: instant, using: FixedFacts())
    var verdicts: [String: StoredCheck.Verdict] = [:]
    for rule in policy.password.rules where hasPassword && rule.enforcement.mode(at: instant) != .off {
      verdicts[rule.id] = .unknown
    }
    let required = Set(policy.access.full.map(\.id) + policy.demands.map(\.id))
    for entry in entering.trace where !required.contains(entry.rule) { verdicts[entry.rule] = verdict(entry) }
    for entry in standing.trace where required.contains(entry.rule) { verdicts[entry.rule] = verdict(entry) }
    return (verdicts, standing)
  }

  private func verdict(_ entry: TraceEntry) -> StoredCheck.Verdict {
    switch entry.verdict {
    case .pass, .deferred: .pass
    case .fail, .warn: .fail
    case .undecidable: .unknown
    case .notReached, .off: .notJudged
    }
  }
}
