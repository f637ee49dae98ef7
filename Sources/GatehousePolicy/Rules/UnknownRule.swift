extension RuleKind {
  /// The profile names only fields of the policy (`unknown_fields: reject`).
  public static let unknown = RuleKind(
    "unknown", at: [.field], shape: .flag, isImplied: true,
    meaning: "The policy has the field.", strictness: .none, classes: .names,
    texts: [
      RuleText(
        .field, "There is no such field", "Este campo no existe", "Dieses Feld gibt es nicht", "لا يوجد حقل كهذا",
        sentence: .init(
          "There is no such field.", "Este campo no existe.", "Dieses Feld gibt es nicht.", "لا يوجد حقل كهذا."))
    ],
    judge: RuleKind.judgedBeforeRules)
}

extension Rule {
  /// Whether it is about a field that the policy does not have.
  var isOfNoField: Bool { kind == .unknown }
}

extension RuleClasses {
  fileprivate static let names = RuleClasses { _, context in
    var other = "unknown"
    while context.fieldNames.contains(other) { other += "z" }
    return (context.fieldNames.first.map { [Witness(.key($0), "the field \($0)")] } ?? [])
      + [Witness(.key(other), "a field that the policy does not have")]
  } classify: { _, value, context in
    guard case .key(let name) = value else { return nil }
    return context.fieldNames.contains(name) ? "a field" : "no field"
  }
}
