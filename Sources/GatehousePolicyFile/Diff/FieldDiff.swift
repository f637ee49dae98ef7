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

  /// Stored values move. Requests that carry the old name meet something else. The rules are those of one field.
  func renamed(_ old: Field, _ new: Field) {
    changes.add(
      "profile.\(new.name)", .incomparable,
      old.renamedFrom == new.name
        ? "field \(old.name) has its former name \(new.name) again; stored values move back"
        : "field \(old.name) is renamed \(new.name); stored values move",
      lines: (old.position.line, new.position.line))
    var known = new
    known.renamedFrom = old.renamedFrom
    compare(old.named(new.name), known)
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

extension Field {
  /// The same field and rules under another name.
  fileprivate func named(_ other: String) -> Field {
    var field = Field(
      name: other, type: type, rules: rules.map { $0.moved(from: name, to: other) }, defaultValue: defaultValue,
      trim: trim, multiline: multiline, write: write, visibleTo: visibleTo, claim: claim, unique: unique,
      region: region, phoneCheck: phoneCheck, existing: existing, label: label, atSignUp: atSignUp,
      message: typeRule.message, sentence: typeRule.sentence, doors: typeRule.doors, position: position)
    field.valueLabels = valueLabels
    field.renamedFrom = renamedFrom
    return field
  }
}

extension Rule {
  /// The same rule of a field of another name.
  fileprivate func moved(from name: String, to other: String) -> Rule {
    Rule(
      id: id.hasPrefix(name + ".") ? other + id.dropFirst(name.count) : id, kind: kind, target: target,
      parameter: parameter, enforcement: enforcement, existing: existing, doors: doors, message: message,
      sentence: sentence, disclose: disclose, failsOpen: failsOpen, position: position)
  }
}
