extension RuleKind {
  /// The profile names only fields of the policy (`unknown_fields: reject`).
  public static let unknown = RuleKind("unknown", at: [.field], isImplied: true, classes: .names)
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
