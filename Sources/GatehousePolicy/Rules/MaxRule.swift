extension RuleKind {
  /// At most this number.
  public static let max = RuleKind(
    "max", at: [.field], fieldTypes: [.integer], shape: .integer(Int64.min...Int64.max), parameterName: "max",
    classes: .bounds
  ) { rule, judged in
    guard case .integer(let bound) = rule.parameter, let number = judged.value.integer else {
      return .undecidable("no number")
    }
    return number <= bound ? .pass : .fail("too large")
  }
}
