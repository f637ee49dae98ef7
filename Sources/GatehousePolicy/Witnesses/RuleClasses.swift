/// The finitely many classes of inputs in which the verdict of a rule is constant.
///
/// `classify` is the claim and says nothing of verdicts: a test draws values and compares the verdict of each with that
/// of the examples of its class.
package struct RuleClasses: Sendable {
  typealias Examples = @Sendable (Rule, WitnessContext) -> [Witness]
  typealias Classify = @Sendable (Rule, Witness.Value, WitnessContext) -> String?

  fileprivate let examples: Examples
  fileprivate let classify: Classify

  /// - Parameter examples: At least one of each class that has a member.
  /// - Parameter classify: The class of an input, by a name; nil where the rule never looks at the input.
  init(_ examples: @escaping Examples, classify: @escaping Classify) {
    self.examples = examples
    self.classify = classify
  }
}

extension RuleKind {
  /// At least one example of each class in which the verdict of `rule`, a rule of this kind, is constant.
  package func witnesses(of rule: Rule, in context: WitnessContext) -> [Witness] {
    classes.examples(rule, context).filter { classes.classify(rule, $0.value, context) != nil }
  }

  /// The name of the class that the input is of; nil where the rule never looks at it.
  package func `class`(of value: Witness.Value, by rule: Rule, in context: WitnessContext) -> String? {
    classes.classify(rule, value, context)
  }
}

extension RuleClasses {
  /// Numbers up to the bound, the bound, and from there on.
  static let bounds = RuleClasses { rule, _ in
    guard case .integer(let bound) = rule.parameter else { return [] }
    let below = bound.subtractingReportingOverflow(1)
    let above = bound.addingReportingOverflow(1)
    return [(below.overflow ? bound : below.partialValue), bound, (above.overflow ? bound : above.partialValue)]
      .map { Witness(.field(.integer($0)), String($0)) }
  } classify: { rule, value, context in
    guard case .integer(let bound) = rule.parameter, case .field(let given) = value,
      let number = context.seen(given)?.value.integer
    else { return nil }
    return side(of: bound, number)
  }

  static func side(of bound: Int64, _ number: Int64) -> String {
    number < bound ? "below" : number > bound ? "above" : "at the bound"
  }
}
