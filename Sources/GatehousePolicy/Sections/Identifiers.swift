/// The identifiers that people sign in with.
public struct Identifiers: Sendable, Hashable {
  /// Kinds of identifier.
  public enum SignInWith: String, Sendable, Hashable, CaseIterable {
    case email
  }

  /// Kinds of identifier people may type.
  public var signInWith: [SignInWith]
  /// The rules on addresses.
  public var email: EmailPolicy

  /// E-mail where the file is silent.
  public init(signInWith: [SignInWith] = [.email], email: EmailPolicy = EmailPolicy()) {
    self.signInWith = signInWith
    self.email = email
  }
}

/// The rules on addresses.
public struct EmailPolicy: Sendable, Hashable {
  /// The form addresses are stored in.
  public enum Normalize: String, Sendable, Hashable, CaseIterable {
    /// Local part and domain in lower case: one mailbox, one account.
    case lowercase
    /// The local part as given; the domain is always lower case.
    case none
  }

  /// The form addresses are stored in.
  public var normalize: Normalize
  /// `max_length`, `allowed_domains`, `denied_domains`, … in file order. Required and syntax are implied.
  public var rules: [Rule]
  /// The default of the section's rules: the effect of a tightened rule on stored people.
  public var existing: Existing
  /// Where the file says so.
  public let position: SourcePosition
  /// `email.required` and `email.syntax`: every policy has them.
  public let requiredRule: Rule
  /// `email.syntax`: every policy has it.
  public let syntaxRule: Rule

  /// `message` and `sentence` are the texts of `email.syntax`; the reader gives each rule of `rules` its own.
  public init(
    normalize: Normalize = .lowercase, rules: [Rule] = [], existing: Existing = .atNextChange, message: Texts? = nil,
    sentence: Texts? = nil, doors: DoorSet? = nil, position: SourcePosition = .none
  ) {
    self.normalize = normalize
    self.rules = rules
    self.existing = existing
    self.position = position
    requiredRule = Rule(id: "email.required", kind: .required, target: .email, doors: doors, position: position)
    syntaxRule = Rule(
      id: "email.syntax", kind: .syntax, target: .email, doors: doors, message: message, sentence: sentence,
      position: position)
  }
}
