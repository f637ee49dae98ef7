import GatehousePolicy

extension Mutants {
  /// The conditions of administrators: each deleted while another is left, and each with the other values that its
  /// field is known to have. Rights have none: no expectation notices them.
  mutating func admins() {
    for (index, condition) in (policy.admins?.when ?? []).enumerated() {
      let line = line("admins", "when", condition.field)
      if policy.admins?.when.count != 1 {
        add("admins.when", "without \(condition.field)", line: line) { $0.admins?.when.remove(at: index) }
      }
      for other in policy.profile.field(condition.field)?.known ?? [] where other != condition.value {
        let change = "\(condition.field): \(condition.value.shown) → \(other.shown)"
        add("admins.when", change, line: line) {
          $0.admins?.when[index] = Admins.Condition(field: condition.field, value: other)
        }
      }
    }
  }
}

extension Field {
  /// Values that the policy names, each once: both truth values, the words of `values`, the default.
  var known: [FieldValue] {
    var found: [FieldValue] = type == .boolean ? [.boolean(true), .boolean(false)] : []
    found += rules.compactMap(\.values).joined().map(FieldValue.string)
    if let defaultValue, defaultValue != .null, !found.contains(defaultValue) { found.append(defaultValue) }
    return found
  }
}
