public import Foundation

extension Evaluation {
  /// The demands for second factors: each asks for a factor where the account has none, and else for a proof by one.
  mutating func judgeFactors(_ user: StoredFacts) {
    challenge(user)
    guard let mfa = policy.mfa else { return }
    for demand in mfa.requiredIf { judge(demand, of: mfa, user) }
    // A second proof that has become old counts no more, whether or not it was demanded.
    guard policy.reaches(.aal2, user), let session = facts.session, !mfa.isValid(session, at: instant) else { return }
    require("verify_mfa")
  }

  private mutating func judge(_ demand: MFA.Demand, of mfa: MFA, _ user: StoredFacts) {
    let mode = demand.enforcement.mode(at: instant)
    guard mode != .off else { return note(demand, .off) }
    // GUARD: mfa: the accounts that a demand is about
    guard policy.concerns(demand, profile: user.profile) else { return note(demand, .notReached, "not of this one") }
    guard policy.reaches(demand.level, user) else {
      guard mode == .enforce else { return warn(demand, from: demand.enforcement.from, "no factor") }
      let due = mfa.endOfGrace(of: user, at: instant)
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
    guard mfa.isValid(session, at: instant) else {
      note(demand, .fail, "the second proof is too old")
      return require("verify_mfa")
    }
    note(demand, .pass)
  }

  private mutating func challenge(_ user: StoredFacts) {
    guard door == .signIn, let session = facts.session else { return }
    decision.challenge = policy.challenge(of: user, in: session, at: instant)
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

extension Policy {
  /// The factors of which one is owed by a session: of those that the account has, also of a kind that the policy
  /// admits no more, and of those that resist phishing where a demand asks for such. A passkey that is there to sign in
  /// with alone is owed to a demand only. Empty where the proofs of the session are enough.
  public func challenge(of user: StoredFacts, in session: SessionFacts, at instant: Date) -> [Factor] {
    let own = Factor.allCases.filter { user.factors.contains($0.rawValue) }
    let levels = demands.filter { demand in
      demand.enforcement.mode(at: instant) == .enforce && concerns(demand, profile: user.profile)
    }.map(\.level)
    // GUARD: factors: a passkey that is no second factor
    let isOwed = own.contains { $0 != .passkey || passkeys?.use.contains(.secondFactor) != false }
    let wanted = ((isOwed ? [.aal2] : []) + levels).filter { level in own.contains { $0.reached >= level } }.max()
    guard let wanted, session.level < wanted || !(mfa.map { $0.isValid(session, at: instant) } ?? true) else {
      return []
    }
    return own.filter { $0.reached >= wanted }
  }
}

extension Policy {
  /// When an account needs a second factor that it lacks: the end of the grace of a demand that is in force, the first
  /// day of one that is to come. The earliest of all; nil where no demand is about the account, and where it has the
  /// factors that they ask for.
  public func factorDue(of user: StoredFacts, at instant: Date) -> Date? {
    guard let mfa else { return nil }
    return mfa.requiredIf.compactMap { demand in
      guard concerns(demand, profile: user.profile), !reaches(demand.level, user) else { return nil }
      return switch demand.enforcement.mode(at: instant) {
      case .enforce: mfa.endOfGrace(of: user, at: instant)
      case .warn: demand.enforcement.from?.start
      case .off: nil
      }
    }.min()
  }
}

extension MFA {
  /// When the grace of an account ends under a demand that is in force.
  fileprivate func endOfGrace(of user: StoredFacts, at instant: Date) -> Date {
    (user.mfaAskedAt ?? instant).addingTimeInterval(Double(grace))
  }

  /// Whether the second proof of a session is of late enough. One whose time is not known is not.
  fileprivate func isValid(_ session: SessionFacts, at instant: Date) -> Bool {
    guard let validFor else { return true }
    guard let proven = session.secondProofAt else { return false }
    return instant.timeIntervalSince(proven) <= Double(validFor)  // GUARD: mfa: a proof that is too old
  }
}
