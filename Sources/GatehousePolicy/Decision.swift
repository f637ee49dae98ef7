/// The answer of a policy at a door, as a value.
public struct Decision: Sendable, Hashable {
  /// Whether the door opens. Never false at `sign_in`.
  public var allow = true
  /// Every violation, in file order: identifiers, password, profile, the rest.
  public var violations: [Violation] = []
  /// Rules that failed without blocking, in file order.
  public var warnings: [Warning] = []
  /// The values to store when the door opens.
  public var normalised = Normalised()
  /// Full only when `next` is empty.
  public var access = Access.limited
  /// The steps that are missing for full access: `verify_email`, `link:spotify`, `profile:username`, `change_password`,
  /// `enroll_mfa`, `verify_mfa`.
  public var next: [String] = []
  /// The kinds of second factors of which the sign-in, or the session, owes a proof; the account has them. Empty where
  /// no session is known.
  public var challenge: [Factor] = []
  /// Steps that the person may take and that nothing waits for.
  public var offers: [Offer] = []
  /// Whether the given password meets every rule that is on, warned ones too; nil when none was judged.
  public var passwordComplies: Bool?
  /// The exceptions without which a rule would have refused, asked or warned; each once.
  public var exceptions: [PolicyException] = []
  /// Every rule that was looked at, in the order it was. Holds no value of a person.
  public var trace: [TraceEntry] = []
}

/// Values in the form they are stored in.
public struct Normalised: Sendable, Hashable {
  /// The address, if one came in and is one.
  public var email: String?
  /// At doors that create: every field that has a value. At updates: the given fields, `.null` to clear.
  public var profile: [String: FieldValue] = [:]
}

/// One refusal.
public struct Violation: Sendable, Hashable {
  /// Id of the rule.
  public var rule: String
  /// RFC 6901 pointer into the request body, `/profile/name`.
  public var pointer: String
  /// `{"min": 8}`.
  public var params: [String: ParameterValue]
  /// Per language; the rule's own text or the catalogue's.
  public var message: Texts
  /// The same as a sentence that stands alone.
  public var sentence: Texts
}

/// One failure that does not block today.
public struct Warning: Sendable, Hashable {
  /// Id of the rule.
  public var rule: String
  /// RFC 6901 pointer; empty for a requirement of access.
  public var pointer: String
  /// `{"min": 8}`.
  public var params: [String: ParameterValue]
  /// Per language; the rule's own text or the catalogue's.
  public var message: Texts
  /// The same as a sentence that stands alone.
  public var sentence: Texts
  /// When the rule begins to bind, if it has a date.
  public var enforceFrom: Day?
}

/// One line of the trace.
public struct TraceEntry: Sendable, Hashable {
  /// The result of a rule.
  public enum Verdict: String, Sendable, Hashable, CaseIterable, Codable {
    case pass, fail
    /// Failed, reported, not blocking.
    case warn
    /// Hidden by an earlier failure, or there is no value to judge.
    case notReached = "not_reached"
    case off
    /// A fact that the rule needs is not known; denies unless the rule only warns.
    case undecidable
    /// The store decides when it writes.
    case deferred
  }

  /// Id of the rule.
  public var rule: String
  /// Line of the policy file; 0 when the policy is from no file.
  public var line: Int
  /// The result of the rule.
  public var verdict: Verdict
  /// For operators, in English; empty where the verdict says it all.
  public var why: String
}
