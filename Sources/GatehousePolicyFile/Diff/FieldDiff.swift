import GatehousePolicy

/// Compares the fields of two profiles.
struct FieldDiff {
  let changes: Changes
  let rules: RuleDiff
  /// The old policy's treatment of fields that it did not name.
  let unknown: ProfilePolicy.UnknownFields

  /// A new field admits values that were refused (or drops none any more); what it requires refuses in turn.
  func added(_ field: Field) {
    let binds = field.rules.contains { $0.isRequired && $0.enforcement.mode != .off }
    let relation: Relation = unknown == .reject && !binds ? .weaker : .incomparable
    changes.add(
      "profile.\(field.name)", relation,
      "field \(field.name) is new (\(field.type.rawValue)\(binds ? ", required" : ""))",
      lines: (nil, field.position.line))
  }

  /// Stored values go out of sight, and requests that carry them meet something else.
  func removed(_ field: Field) {
    changes.add(
      "profile.\(field.name)", .incomparable,
      "field \(field.name) is removed; stored values are no longer shown, and stay until policy purge",
      lines: (field.position.line, nil))
  }

  func compare(_ old: Field, _ new: Field) {
    changes.compare(
      ProfileKeys.settings, at: new.name, old, new, lines: (old.position.line, new.position.line))
    guard old.type == new.type else { return }
    rules.compare(
      old.rules + implied(old), in: old.existing, new.rules + implied(new), in: new.existing)
  }

  private func implied(_ field: Field) -> [Rule] {
    [.url, .date, .phone].contains(field.type) ? [field.typeRule, field.formatRule] : [field.typeRule]
  }
}
