import Foundation

extension Evaluation {
  /// The demands for second factors: each asks for a factor where the account has none, and else for a proof by one.
  mutating func judgeFactors(_ user: StoredFacts) {
    challenge(user)
    guard let mfa = policy.mfa else { return }
    for demand in mfa.requiredIf { judge(demand, of: mfa, user) }
    // A second proof that has become old counts no more, whether or not it was demanded.
    guard mfa.has(.aal2, user), let session = facts.session, !isValid(session, mfa) else { return }
    require("verify_mfa")
  }

  private mutating func judge(_ demand: MFA.Demand, of mfa: MFA, _ user: StoredFacts) {
    let mode = demand.enforcement.mode(at: instant)
    guard mode != .off else { return note(demand, .off) }
    // GUARD: mfa: the accounts that a demand is about
    guard policy.concerns(demand, profile: user.profile) else { return note(demand, .notReached, "not of this one") }
    guard mfa.has(demand.level, user) else {
      guard mode == .enforce else { return warn(demand, from: demand.enforcement.from, "no factor") }
      let due = (user.mfaAskedAt ?? instant).addingTimeInterval(Double(mfa.grace))
      // GUARD: mfa: the end of the grace
      guard due <= instant else { return warn(demand, from: Day(of: due), "no factor, in the grace") }
      note(demand, .fail, "no factor")
      return require("enroll_mfa")
    }
    guard mode == .enforce, let session = facts.session else { return note(demand, .pass) }
    // GUARD: mfa: the level of the session
    guard session.level >= demand.level else {
      note(demand, .fail, "the session is at \(session.level.rawValue)")
      return require("verify_mfa")
    }
    guard isValid(session, mfa) else {
      note(demand, .fail, "the second proof is too old")
      return require("verify_mfa")
    }
    note(demand, .pass)
  }

  /// Whether the second proof of a session is of late enough. One whose time is not known is not.
  private func isValid(_ session: SessionFacts, _ mfa: MFA) -> Bool {
    guard let validFor = mfa.validFor else { return true }
    guard let proven = session.secondProofAt else { return false }
    return instant.timeIntervalSince(proven) <= Double(validFor)  // GUARD: mfa: a proof that is too old
  }

  /// The proofs that are owed: of any factor that the account has, also of a kind that the policy admits no more, and
  /// of one that resists phishing where a demand asks for such.
  private mutating func challenge(_ user: StoredFacts) {
    guard door == .signIn, let session = facts.session else { return }
    let own = Factor.allCases.filter { user.factors.contains($0.rawValue) }
    let levels = policy.demands.filter { demand in
      demand.enforcement.mode(at: instant) == .enforce && policy.concerns(demand, profile: user.profile)
    }.map(\.level)
    let wanted = ([.aal2] + levels).filter { level in own.contains { $0.reached >= level } }.max()
    guard let wanted, session.level < wanted || !(policy.mfa.map { isValid(session, $0) } ?? true) else { return }
    decision.challenge = own.filter { $0.reached >= wanted }
  }

  private mutating func warn(_ demand: MFA.Demand, from day: Day?, _ why: String) {
    note(demand, .warn, why)
    let message = hasWords ? Catalogue.message(of: .mfa) : [:]
    decision.warnings.append(
      Warning(
        rule: demand.id, pointer: "", params: [:], message: message,
        sentence: hasWords ? policy.request(for: "enroll_mfa") ?? message : [:], enforceFrom: day))
  }

  private mutating func note(_ demand: MFA.Demand, _ verdict: TraceEntry.Verdict, _ why: String = "") {
    decision.trace.append(TraceEntry(rule: demand.id, line: demand.position.line, verdict: verdict, why: why))
  }
}

extension MFA {
  /// Whether the account has a factor that the policy admits and that reaches a level.
  fileprivate func has(_ level: AssuranceLevel, _ user: StoredFacts) -> Bool {
    factors(reaching: level).contains { user.factors.contains($0.rawValue) }
  }
}
