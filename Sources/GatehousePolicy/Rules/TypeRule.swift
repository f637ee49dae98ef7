extension RuleKind {
  /// The value is of the field's type. Reached first.
  public static let type = RuleKind(
    "type", at: [.field], fieldTypes: Set(FieldType.allCases), parameterName: "type", isImplied: true, classes: .forms)
}

extension RuleClasses {
  /// A value of each form that JSON has.
  fileprivate static let forms = RuleClasses { _, context in
    let forms: [(FieldValue, String)] = [
      (context.value, "a value of the type"), (.null, "null"), ("text", "text"), (7, "a number"), (true, "true"),
      (.unsupported("array"), "a list"),
    ]
    return forms.map { Witness(.field($0), $1) }
  } classify: { _, value, context in
    guard case .field(let given) = value, let field = context.field else { return nil }
    return switch field.typed(given) {
    case .wrongType: "another type"
    case .none: "no value"
    case .some: "of the type"
    }
  }
}
