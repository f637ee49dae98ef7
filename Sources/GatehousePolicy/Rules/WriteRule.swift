extension RuleKind {
  /// The writers of a field: `write: user|user_at_sign_up|admin`.
  public static let write = RuleKind(
    "write", at: [.field], fieldTypes: Set(FieldType.allCases), shape: .flag, parameterName: "write", isImplied: true,
    meaning: "The writer may set the field.", strictness: .none, classes: .writers,
    texts: [
      RuleText(
        .field, "You cannot change this field", "No puedes cambiar este campo", "Sie können dieses Feld nicht ändern",
        "لا يمكنك تغيير هذا الحقل",
        sentence: .init(
          "{field} cannot be set by you.", "No puedes cambiar el campo «{field}».",
          "Sie können das Feld „{field}“ nicht ändern.", "لا يمكنك تغيير «{field}»."))
    ],
    judge: RuleKind.judgedBeforeRules)
}

extension RuleClasses {
  /// Each writer, of a field that is empty and of one that holds a value.
  fileprivate static let writers = RuleClasses { _, context in
    [(Facts.Writer.user, "the user"), (.admin, "an administrator"), (.system, "an operator's tool")].flatMap {
      [
        Witness(.writer($0, stored: .null), "\($1), where the field is empty"),
        Witness(.writer($0, stored: context.value), "\($1), where the field holds a value"),
      ]
    }
  } classify: { _, value, _ in
    guard case .writer(let writer, let stored) = value else { return nil }
    return "\(writer), \(stored == .null || stored == "" ? "empty" : "holds a value")"
  }
}
