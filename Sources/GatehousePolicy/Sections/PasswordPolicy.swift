/// The rules on passwords.
public struct PasswordPolicy: Sendable, Hashable {
  /// The `max_length` where the file names none, in code points; NIST SP 800-63B asks for at least 64.
  public static let defaultMaxLength: Int64 = 128

  /// The default of the section's rules: the effect of a tightened rule on stored people.
  public var existing: Existing
  /// In file order; `max_length` of the section is the rule `password.max_length`, first.
  public var rules: [Rule]
  /// Whether pages ask for a new password twice.
  public var isRepeated = true
  /// Where the file says so.
  public let position: SourcePosition
  /// `password.required`: every policy has it.
  public let requiredRule: Rule
  /// `password.syntax`: every policy has it.
  public let syntaxRule: Rule

  /// A section without `max_length` gets the rule with its default.
  public init(existing: Existing = .atNextChange, rules: [Rule], position: SourcePosition = .none) {
    self.existing = existing
    self.position = position
    if rules.contains(where: { $0.longest != nil }) {
      self.rules = rules
    } else {
      let bound = Rule(
        id: "password.max_length", kind: .maxLength, target: .password, parameter: .integer(Self.defaultMaxLength),
        position: position)
      self.rules = [bound] + rules
    }
    requiredRule = Rule(id: "password.required", kind: .required, target: .password, position: position)
    syntaxRule = Rule(id: "password.syntax", kind: .syntax, target: .password, position: position)
  }
}
