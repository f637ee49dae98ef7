public import Foundation

/// A policy asked about people who are stored already: what each rule says of their values as if they came in today,
/// and how they would stand at their next sign-in. For evaluating all stored users before a policy goes live: a million
/// times, so what does not depend on the person is found once, and nothing is copied on the way.
public final class StoredCheck: Sendable {
  /// The verdict of one rule about one person.
  public enum Verdict: UInt8, Sendable, Hashable, CaseIterable {
    case pass, fail
    /// Only a hash is stored, or what the rule asks for is not to be had.
    case unknown
    /// The rule is off, there is nothing for it to judge, or an earlier failure hides it.
    case notJudged
  }

  /// A rule, a requirement of access or a demand for a second factor.
  public struct Subject: Sendable, Hashable {
    /// `email.allowed_domains`, `access.email_verified`.
    public let id: String
    /// Line of the file; 0 when the policy is from no file.
    public let line: Int
    /// The stage at the instant of the check.
    public let stage: Enforce
    /// Whether the rule is about passwords, of which only hashes are stored.
    public let isOfPassword: Bool
  }

  /// The whole answer about one person.
  public struct Answer: Sendable {
    /// One for each of `subjects`, in that order.
    public var verdicts: [Verdict]
    /// The access of the person at the next sign-in, as far as it is known without the password.
    public var access: Access
    /// The steps that the person would have to take.
    public var next: [String]
    /// Whether the sign-in would carry a warning.
    public var isPrompted: Bool

    /// Whether the person lacks more for full access than a second factor, which each person can add.
    public var isLimitedOtherwise: Bool { next.contains { $0 != "enroll_mfa" && $0 != "verify_mfa" } }
  }

  /// Everything that is judged, access and second factors last.
  public let subjects: [Subject]
  /// As it judges at sign-in.
  let standing: Policy
  /// As it judges what comes in, with all rules at every door.
  let entering: Policy
  let instant: Date
  /// The number of subjects that are rules; requirements of access follow them.
  let ruleCount: Int
  /// The fields that the policy has.
  private let fields: Set<String>
  /// The verdicts before anything is judged, of people with a password and of those without.
  private let unjudgedVerdicts: (withPassword: [Verdict], without: [Verdict])

  /// Stages are those of `instant`.
  public init(_ policy: Policy, at instant: Date) {
    self.instant = instant
    let bare = policy.bare(at: instant)
    standing = bare.meetingStored
    entering = bare.bindingEverywhere
    let email = policy.identifiers.email
    var rules = [email.syntaxRule] + email.rules + policy.password.rules
    for field in policy.profile.fields {
      rules += [field.typeRule]
      if field.type.hasForm { rules += [field.formatRule] }
      rules += field.rules
    }
    ruleCount = rules.count
    fields = Set(policy.profile.fields.map(\.name))
    let subjects =
      rules.map { rule in
        Subject(
          id: rule.id, line: rule.position.line, stage: rule.enforcement.mode(at: instant),
          isOfPassword: rule.target == .password)
      }
      + policy.access.full.map { requirement in
        Subject(
          id: requirement.id, line: requirement.position.line, stage: requirement.enforcement.mode(at: instant),
          isOfPassword: false)
      }
      + policy.demands.map { demand in
        Subject(
          id: demand.id, line: demand.position.line, stage: demand.enforcement.mode(at: instant), isOfPassword: false)
      }
    self.subjects = subjects
    unjudgedVerdicts = (
      subjects.map { $0.isOfPassword && $0.stage != .off ? .unknown : .notJudged }, subjects.map { _ in .notJudged }
    )
  }

  /// Judges one person. Pure and total, as `decide` is.
  /// - Parameter hasPassword: without one, rules on passwords have nothing to judge.
  public func judge(_ stored: StoredFacts, hasPassword: Bool, using source: some FactSource) -> Answer {
    var verdicts = unjudged(hasPassword: hasPassword)
    enter(stored, under: entering, using: source, into: &verdicts)
    let standing = stand(stored, using: source, into: &verdicts)
    return Answer(
      verdicts: verdicts, access: standing.access, next: standing.next, isPrompted: !standing.warnings.isEmpty)
  }

  /// The verdicts before anything is judged.
  func unjudged(hasPassword: Bool) -> [Verdict] {
    hasPassword ? unjudgedVerdicts.withPassword : unjudgedVerdicts.without
  }

  /// Judges the values as if they came in today. `policy`: `entering`, or a part of it.
  func enter(
    _ stored: StoredFacts, under policy: Policy, using source: some FactSource, into verdicts: inout [Verdict]
  ) {
    // Values under names the policy does not have are not judged: they stay where they are.
    let fields = fields
    let known =
      stored.profile.keys.allSatisfy(fields.contains)
      ? stored.profile : stored.profile.filter { fields.contains($0.key) }
    let decision = policy.decide(
      .import, Facts(email: stored.email, profile: known, writer: .system), at: instant, using: source, hasWords: false)
    book(decision.trace, 0..<ruleCount, into: &verdicts)
  }

  /// Judges the next sign-in.
  func stand(_ stored: StoredFacts, using source: some FactSource, into verdicts: inout [Verdict]) -> Decision {
    let decision = standing.decide(.signIn, Facts(stored: stored), at: instant, using: source, hasWords: false)
    book(decision.trace, ruleCount..<subjects.count, into: &verdicts)
    return decision
  }

  /// Finds each entry's subject from the place of the one before: a trace is in about the order of the file.
  private func book(_ trace: [TraceEntry], _ range: Range<Int>, into verdicts: inout [Verdict]) {
    var index = range.lowerBound
    for entry in trace {
      for _ in range {
        if index == range.upperBound { index = range.lowerBound }
        let isFound = subjects[index].id == entry.rule
        if isFound { verdicts[index] = Verdict(entry.verdict) }
        index += 1
        if isFound { break }
      }
    }
  }
}

extension StoredCheck.Verdict {
  fileprivate init(_ verdict: TraceEntry.Verdict) {
    switch verdict {
    case .pass, .deferred: self = .pass
    case .fail, .warn: self = .fail
    case .undecidable: self = .unknown
    case .notReached, .off: self = .notJudged
    }
  }
}

extension FieldType {
  /// Whether a value of this type has a form of its own to be judged, as a number or a day.
  fileprivate var hasForm: Bool {
    switch self {
    case .url, .date, .phone: true
    case .string, .integer, .boolean, .enum: false
    }
  }
}

extension Policy {
  /// The rules that a password meets at sign-in, in a form that is the same for the same set of rules at any stage; nil
  /// while none of them only warns. The result of a sign-in for a password remains valid as long as this stays the
  /// same.
  public func warnedPasswordRules(at instant: Date) -> String? {
    let met = password.rules.filter { meetsAtSignIn($0) && $0.enforcement.mode(at: instant) != .off }
    guard met.contains(where: { $0.enforcement.mode(at: instant) == .warn }) else { return nil }
    return Self.text(met)
  }

  /// The same set as `warnedPasswordRules`, also when all of it binds.
  public func passwordRulesAtSignIn(at instant: Date) -> String {
    Self.text(password.rules.filter { meetsAtSignIn($0) && $0.enforcement.mode(at: instant) != .off })
  }

  /// Whether people with a password that breaks the rules have to choose another one at their next sign-in.
  public func requiresCompliantPassword(at instant: Date) -> Bool {
    password.rules.contains { rule in
      rule.enforcement.mode(at: instant) == .enforce
        && (rule.existing ?? rule.kind.ownExisting ?? password.existing) == .requireAtSignIn
    }
  }

  private func meetsAtSignIn(_ rule: Rule) -> Bool {
    rule.doors.contains(.signIn) || (rule.existing ?? rule.kind.ownExisting ?? password.existing) != .atNextChange
  }

  private static func text(_ rules: [Rule]) -> String {
    rules.map { "\($0.kind.name)=\($0.parameter)" }.sorted().joined(separator: "\n")
  }
}
