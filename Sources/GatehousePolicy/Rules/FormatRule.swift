extension RuleKind {
  /// The text is a URL, day or telephone number, as the field's type says.
  public static let format = RuleKind(
    "format", at: [.field], fieldTypes: [.url, .date, .phone], parameterName: "type", isImplied: true, classes: .forms)
}

extension RuleClasses {
  fileprivate static let forms = RuleClasses { _, context in
    [Witness(.field(context.value), "a value of the form"), Witness(.field("no such thing"), "a text of another form")]
  } classify: { _, value, context in
    guard case .field(let given) = value, let field = context.field, case .some(.string(let text)) = field.typed(given)
    else { return nil }
    return switch field.formatted(text, using: context.source) {
    case .good: "of the form"
    case .bad: "of another form"
    case .unknown, .notNeeded: nil
    }
  }
}
