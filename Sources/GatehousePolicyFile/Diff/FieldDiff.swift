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
      "profile.\(field.name)", .incomparable, "field \(field.name) is removed; stored values are no longer shown",
      lines: (field.position.line, nil))
  }

  func compare(_ old: Field, _ new: Field) {
    setting("type", old, new, \.type, \.rawValue, Relation.equalOrIncomparable)
    setting("label", old, new, \.label, { $0?.shown ?? "nothing" }) { _, _ in .neutral }
    setting("at_sign_up", old, new, \.atSignUp, \.description) { _, _ in .neutral }
    setting("default", old, new, \.defaultValue, { $0?.shown ?? "nothing" }, Relation.equalOrIncomparable)
    setting("trim", old, new, \.trim, \.description, Relation.equalOrIncomparable)
    setting("region", old, new, \.region, { $0 ?? "nothing" }, Relation.equalOrIncomparable)
    setting("check", old, new, \.phoneCheck, \.rawValue, Relation.equalOrIncomparable)
    setting("claim", old, new, \.claim, \.description, Relation.equalOrIncomparable)
    setting("write", old, new, \.write, \.rawValue) {
      // A provider's value for a field that only administrators write is ignored now, where it was judged before.
      $1 == .admin ? .incomparable : Relation.laterIsStricter([.user, .userAtSignUp, .admin], $0, $1)
    }
    setting("visible_to", old, new, \.visibleTo, \.rawValue) {
      Relation.laterIsStricter([.users, .`self`, .admin], $0, $1)
    }
    setting("unique", old, new, \.unique, { $0?.rawValue ?? "false" }) {
      Relation.laterIsStricter([nil, .exact, .ignoreCase], $0, $1)
    }
    guard old.type == new.type else { return }
    rules.compare(
      old.rules + implied(old), in: old.existing, new.rules + implied(new), in: new.existing)
  }

  private func implied(_ field: Field) -> [Rule] {
    [.url, .date, .phone].contains(field.type) ? [field.typeRule, field.formatRule] : [field.typeRule]
  }

  private func setting<Value: Equatable>(
    _ key: String, _ old: Field, _ new: Field, _ value: (Field) -> Value, _ shown: (Value) -> String,
    _ relation: (Value, Value) -> Relation
  ) {
    let (before, after) = (value(old), value(new))
    guard before != after else { return }
    changes.add(
      "\(new.name).\(key)", relation(before, after), "\(new.name).\(key): \(shown(before)) → \(shown(after))",
      lines: (old.position.line, new.position.line))
  }
}
