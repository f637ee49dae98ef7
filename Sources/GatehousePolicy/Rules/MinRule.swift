extension RuleKind {
  /// At least this number.
  public static let min = RuleKind(
    "min", at: [.field], fieldTypes: [.integer], shape: .integer(Int64.min...Int64.max), parameterName: "min",
    classes: .bounds
  ) { rule, judged in
    guard case .integer(let bound) = rule.parameter, let number = judged.value.integer else {
      return .undecidable("no number")
    }
    return number >= bound ? .pass : .fail("too small")
  }
}
