public import Foundation

/// One run of a policy at a door. Holds what came in and collects what is found; no clock, no I/O.
struct Evaluation: ~Copyable {
  let policy: Policy
  let door: Door
  let facts: Facts
  let instant: Date
  let source: any FactSource
  /// Whether the decision is for people to read. Most of the time of a refusal goes into its words.
  let hasWords: Bool
  var decision = Decision()
  /// The normalised address under judgement, else the stored one: what exceptions name.
  var email: String?
  /// Required fields that stay open and become next steps.
  var owed: [String] = []

  init(policy: Policy, door: Door, facts: Facts, instant: Date, source: any FactSource, hasWords: Bool) {
    self.hasWords = hasWords
    self.policy = policy
    self.door = door
    self.facts = facts
    self.instant = instant
    self.source = source
    email = facts.stored?.email
  }

  mutating func run() -> Decision {
    decision.trace.reserveCapacity(32)
    if door == .signIn {
      judgeStored()
    } else {
      judgeEmail()
      judgePassword()
      judgeProfile()
      judgeAccess()
    }
    return decision
  }

  var createsAccount: Bool {
    switch door {
    case .signUp, .federatedSignUp, .adminCreate, .invite, .import: true
    case .signIn, .setPassword, .resetPassword, .changeEmail, .updateProfile, .link, .adminUpdate: false
    }
  }

  mutating func trace(_ rule: Rule, _ verdict: TraceEntry.Verdict, _ why: String = "") {
    decision.trace.append(TraceEntry(rule: rule.id, line: rule.position.line, verdict: verdict, why: why))
  }

  /// Notes that these rules were hidden by an earlier failure.
  mutating func skip(_ rules: some Sequence<Rule>, _ why: String) {
    for rule in rules where rule.doors.contains(door) { trace(rule, .notReached, why) }
  }

  /// Books what a rule came to. Returns whether the chain may go on: false after a failure, also one that only warns.
  @discardableResult
  mutating func book(_ rule: Rule, _ outcome: Outcome, pointer: String) -> Bool {
    let mode = rule.enforcement.mode(at: instant)
    guard mode != .off else {
      trace(rule, .off)
      return true
    }
    switch outcome {
    case .pass:
      trace(rule, .pass)
      return true
    case .deferred(let why):
      trace(rule, .deferred, why)
      return true
    case .fail(let why, let flaw):
      if mode == .warn {
        trace(rule, .warn, why)
        warn(rule, pointer: pointer, as: flaw)
      } else if let exception = exception(from: rule) {
        use(exception, of: rule)
        return true
      } else {
        trace(rule, .fail, why)
        refuse(rule, pointer: pointer, as: flaw)
      }
      return false
    case .undecidable(let why):
      trace(rule, .undecidable, why)
      if rule.failsOpen { return true }
      if mode == .enforce { refuse(rule, pointer: pointer) }
      return false
    }
  }

  mutating func refuse(_ rule: Rule, pointer: String, as flaw: Flaw? = nil) {
    decision.allow = false
    guard hasWords else { return }
    decision.violations.append(policy.violation(of: rule, pointer: pointer, as: flaw))
  }

  mutating func warn(_ rule: Rule, pointer: String, as flaw: Flaw? = nil) {
    let from = rule.enforcement.mode == .warn ? rule.enforcement.from : nil
    decision.warnings.append(
      Warning(
        rule: rule.id, pointer: pointer, params: rule.params,
        message: hasWords ? Catalogue.message(of: rule, in: policy, as: flaw) : [:],
        sentence: hasWords ? Catalogue.sentence(of: rule, in: policy, as: flaw) : [:], enforceFrom: from))
  }

  func exception(from rule: Rule) -> PolicyException? {
    guard !policy.exceptions.isEmpty, let email else { return nil }
    return policy.exceptions.first { exception in
      exception.rule == rule.id  // GUARD: exception: from its rule
        && exception.holds(at: instant)  // GUARD: exception: until its last day
        // GUARD: exception: for its address
        && Text.same(EmailAddress.lowercasedASCII(exception.email), EmailAddress.lowercasedASCII(email))
    }
  }

  /// Books that an exception let something through.
  mutating func use(_ exception: PolicyException, of rule: Rule) {
    trace(rule, .pass, "an exception holds for this address until \(exception.until): \(exception.reason)")
    if !decision.exceptions.contains(exception) { decision.exceptions.append(exception) }
  }

  func isOff(_ rule: Rule) -> Bool { rule.enforcement.mode(at: instant) == .off }
}

extension Policy {
  /// The decision of this policy at a door. Pure and total: the same facts at the same instant give the same decision,
  /// on every platform; every input has an answer. At `sign_in` nothing is ever refused, only reported, asked for or
  /// limited.
  public func decide(_ door: Door, _ facts: Facts, at instant: Date, using source: some FactSource) -> Decision {
    decide(door, facts, at: instant, using: source, hasWords: true)
  }

  /// The same decision; without words it has no violations, and warnings have no texts.
  func decide(_ door: Door, _ facts: Facts, at instant: Date, using source: some FactSource, hasWords: Bool) -> Decision
  {
    var evaluation = Evaluation(
      policy: self, door: door, facts: facts, instant: instant, source: source, hasWords: hasWords)
    return evaluation.run()
  }

  /// The access of a stored account and what it lacks, for tokens and `me`. `next` is empty exactly when access is
  /// full.
  /// - Parameter session: nil: what a session has proven is not judged.
  public func access(of stored: StoredFacts, in session: SessionFacts? = nil, at instant: Date) -> (
    access: Access, next: [String]
  ) {
    let facts = Facts(stored: stored, session: session)
    let decision = decide(.signIn, facts, at: instant, using: NoFacts(), hasWords: false)
    return (decision.access, decision.next)
  }

  /// The refusal a rule gives: for conflicts only the store can see (`username.unique`).
  public func violation(of rule: Rule, pointer: String) -> Violation {
    violation(of: rule, pointer: pointer, as: nil)
  }

  func violation(of rule: Rule, pointer: String, as flaw: Flaw?) -> Violation {
    Violation(
      rule: rule.id, pointer: pointer, params: rule.params, message: Catalogue.message(of: rule, in: self, as: flaw),
      sentence: Catalogue.sentence(of: rule, in: self, as: flaw))
  }
}
