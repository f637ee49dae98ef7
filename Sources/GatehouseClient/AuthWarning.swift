import GatehouseWire

/// A rule that a stored value breaks, and that does not refuse yet: the person has time to change the value.
public struct AuthWarning: Sendable, Hashable, Codable, Identifiable {
  /// The rule's id, which never changes: `password.min8`.
  public var rule: String
  /// A row of a checklist: `At least 8 characters`.
  public var message: String
  /// A sentence that stands alone: `Password must be at least 8 characters.`
  public var sentence: String
  /// The day from which the rule refuses (`2027-03-01`), where there is one.
  public var enforceFrom: String?
  /// The rule's id.
  public var id: String { rule }

  /// A warning.
  public init(rule: String, message: String, sentence: String? = nil, enforceFrom: String? = nil) {
    self.rule = rule
    self.message = message
    self.sentence = sentence ?? message
    self.enforceFrom = enforceFrom
  }

  /// The input that it is about: `email`, `password`, or a profile field's name.
  public var input: String { String(rule.prefix { $0 != "." }) }
}

extension AuthWarning {
  init(_ warning: RuleWarning) {
    self.init(
      rule: warning.rule, message: warning.message, sentence: warning.sentence, enforceFrom: warning.enforceFrom)
  }
}

extension AuthClient {
  /// The rules that the person's values break, and that do not refuse yet, as of the last sign-in; kept until the value
  /// is changed.
  public var warnings: [AuthWarning] { keeper.board.warnings }
}

extension SessionKeeper {
  /// Takes over the warnings about one input in the place of those before.
  func take(_ warnings: [AuthWarning], about inputs: Set<String>, of generation: String) {
    change { record in
      guard record.session?.generation == generation else { return }
      let others = (record.session?.warnings ?? []).filter { !inputs.contains($0.input) }
      record.session?.warnings = others + warnings
    }
  }
}
