public import Foundation

/// The stage of a rule: how binding it is today.
public enum Enforce: String, Sendable, Hashable, CaseIterable, Codable {
  /// Not evaluated.
  case off
  /// Evaluated and reported, never blocks.
  case warn
  case enforce
}

/// The stage of a rule, and the day from which it binds by itself.
public struct Enforcement: Sendable, Hashable {
  /// The mode in the file; `mode(at:)` is the one in effect.
  public var mode: Enforce
  /// With `warn`: the day (00:00 UTC) from which the rule enforces by itself.
  public var from: Day?

  /// `from` has a meaning only with `warn`.
  public init(_ mode: Enforce = .enforce, from: Day? = nil) {
    self.mode = mode
    self.from = from
  }

  /// Binds at once.
  public static let enforced = Enforcement(.enforce)

  /// The stage at an instant. A rule that is `off` stays off on every date.
  public func mode(at instant: Date) -> Enforce {
    guard mode == .warn, let from, instant.timeIntervalSince1970 >= Double(from.startSeconds) else { return mode }
    return .enforce
  }
}

/// The effect of a tightened rule on people already stored.
public enum Existing: String, Sendable, Hashable, CaseIterable, Codable {
  /// Nothing, until they change the value themselves.
  case atNextChange = "at_next_change"
  /// The session answer carries a warning; nothing is withheld.
  case promptAtSignIn = "prompt_at_sign_in"
  /// Access is limited, with a next step, until the value complies.
  case requireAtSignIn = "require_at_sign_in"
}

/// The subject of a rule.
public enum RuleTarget: String, Sendable, Hashable, CaseIterable {
  case email, password, field

  /// Where values of this place can enter.
  public var doors: DoorSet {
    switch self {
    case .email: .email
    case .password: .password
    case .field: .profile
    }
  }
}

/// One rule of a policy: a small value with an id that is also the API's error code, the row of the checklist,
/// the assertion in a test and what `explain` takes.
public struct Rule: Sendable, Hashable {
  /// `password.min8`, `email.allowed_domains`, `displayName.min_length`. Never changes meaning.
  public let id: String
  /// The measure.
  public let kind: RuleKind
  /// The subject of the rule.
  public let target: RuleTarget
  /// The value that the subject is measured against.
  public var parameter: Parameter
  /// The stage of the rule.
  public var enforcement: Enforcement
  /// Nil: what the section says.
  public var existing: Existing?
  /// Where it binds.
  public var doors: DoorSet
  /// Nil: the catalogue's text.
  public var message: Texts?
  /// The sentence that stands alone, for an alert. Nil: the rule's own text, else the catalogue's sentence.
  public var sentence: Texts?
  /// Whether the public half of the policy lists it.
  public var disclose: Bool
  /// Whether the rule lets a value pass when what it asks for (a list) is not there. It denies otherwise.
  public var failsOpen: Bool
  /// Where the file says so.
  public let position: SourcePosition

  /// `doors` nil means the kind's default doors at this place.
  public init(
    id: String, kind: RuleKind, target: RuleTarget, parameter: Parameter = .flag(true),
    enforcement: Enforcement = .enforced, existing: Existing? = nil, doors: DoorSet? = nil, message: Texts? = nil,
    sentence: Texts? = nil,
    disclose: Bool = true, failsOpen: Bool = false, position: SourcePosition = .none
  ) {
    self.id = id
    self.kind = kind
    self.target = target
    self.parameter = parameter
    self.enforcement = enforcement
    self.existing = existing
    self.doors = doors ?? kind.defaultDoors(at: target)
    self.message = message
    self.sentence = sentence
    self.disclose = disclose
    self.failsOpen = failsOpen
    self.position = position
  }
}
