import GatehousePolicy

/// Compares the rules of one section or field by id, on what they mean together.
struct RuleDiff {
  let changes: Changes

  func compare(_ old: [Rule], in oldSection: Existing, _ new: [Rule], in newSection: Existing) {
    let before = old.map { EffectiveRule($0, in: oldSection) }
    let after = new.map { EffectiveRule($0, in: newSection) }
    for one in before {
      if let other = after.first(where: { same($0, one) }) {
        changed(one, other)
      } else {
        removed(one, whole(after, changes.new))
      }
    }
    for one in after where !before.contains(where: { same($0, one) }) {
      added(one, whole(before, changes.old))
    }
  }

  /// The rules that bind every user. An exception names a rule by its id, so it would not apply to a rule of another
  /// id.
  private func whole(_ rules: [EffectiveRule], _ file: PolicyFile) -> [EffectiveRule] {
    rules.filter { one in
      !file.policy.exceptions.contains { $0.rule.utf8.elementsEqual(one.rule.id.utf8) }
    }
  }

  private func same(_ left: EffectiveRule, _ right: EffectiveRule) -> Bool {
    left.rule.id.utf8.elementsEqual(right.rule.id.utf8)
  }

  private func removed(_ one: EffectiveRule, _ after: [EffectiveRule]) {
    let id = one.rule.id
    let lines: (Int?, Int?) = (one.rule.position.line, nil)
    if one.isImplied(by: after) {
      return changes.add(id, .neutral, "\(id) is removed; another rule requires as much", lines: lines)
    }
    let binds = RuleComparison.stage(Enforcement(.off), one.rule.enforcement) == .stricter
    changes.add(
      id, binds ? .weaker : .neutral,
      binds ? "\(id) is removed: \(one.rule.described)" : "\(id), which only warned, is removed", lines: lines)
  }

  private func added(_ one: EffectiveRule, _ before: [EffectiveRule]) {
    let id = one.rule.id
    let lines: (Int?, Int?) = (nil, one.rule.position.line)
    if one.isImplied(by: before) {
      return changes.add(id, .neutral, "\(id) is new; another rule already required as much", lines: lines)
    }
    let binds = RuleComparison.stage(Enforcement(.off), one.rule.enforcement) == .stricter
    changes.add(
      id, binds ? .stricter : .neutral, "\(id) is new: \(one.rule.described)\(suffix(one.rule.enforcement))",
      lines: lines)
  }

  private func changed(_ old: EffectiveRule, _ new: EffectiveRule) {
    let id = new.rule.id
    let lines: (Int?, Int?) = (old.rule.position.line, new.rule.position.line)
    guard old.rule.kind == new.rule.kind else {
      return changes.add(
        id, .incomparable, "\(id) means something else: \(old.rule.described) → \(new.rule.described)", lines: lines)
    }
    var parts: [String] = []
    if old.rule.parameter != new.rule.parameter {
      parts.append("\(old.rule.described) → \(new.rule.described)")
    }
    if old.rule.enforcement != new.rule.enforcement {
      parts.append("enforce: \(shown(old.rule.enforcement)) → \(shown(new.rule.enforcement))")
    }
    if old.rule.doors != new.rule.doors {
      parts.append("doors: \(names(old.rule.doors)) → \(names(new.rule.doors))")
    }
    if old.existing != new.existing {
      parts.append("existing: \(old.existing.rawValue) → \(new.existing.rawValue)")
    }
    if old.rule.failsOpen != new.rule.failsOpen {
      parts.append("fail: \(old.rule.failsOpen ? "open" : "closed") → \(new.rule.failsOpen ? "open" : "closed")")
    }
    if !parts.isEmpty {
      changes.add(id, old.relation(to: new), "\(id): \(parts.joined(separator: "; "))", lines: lines)
    }
    if old.rule.disclose != new.rule.disclose {
      let said = new.rule.disclose ? "is shown to all clients" : "is no longer shown"
      changes.add(
        id, new.rule.disclose ? .weaker : .stricter, "\(id) \(said) in the public half", lines: lines,
        isDeclared: true)
    }
    if old.rule.message != new.rule.message || old.rule.sentence != new.rule.sentence {
      changes.add(id, .neutral, "\(id) has another text", lines: lines)
    }
  }

  func shown(_ stage: Enforcement) -> String {
    stage.mode.rawValue + (stage.from.map { " until \($0)" } ?? "")
  }

  private func suffix(_ stage: Enforcement) -> String {
    stage.mode == .enforce ? "" : " (\(shown(stage)))"
  }

  private func names(_ doors: DoorSet) -> String {
    "[" + doors.doors.map(\.rawValue).joined(separator: ", ") + "]"
  }
}
