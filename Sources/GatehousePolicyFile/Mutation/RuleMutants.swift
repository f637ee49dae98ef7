import GatehousePolicy

/// The rules of one section or field, and how other rules replace them.
struct RuleSlot {
  /// `email`, `password`, or the name of a field.
  let section: String
  let rules: [Rule]
  let existing: Existing
  /// The doors through which a value can come in, so that a missing rule would show.
  let doors: DoorSet
  let put: (inout Policy, [Rule]) -> Void
}

extension Mutants {
  /// Each rule deleted, warned of only, late, and loosened; then each door taken from all of them.
  mutating func rules(_ slot: RuleSlot) {
    for (index, rule) in slot.rules.enumerated() where !isImplied(rule) && rule.enforcement.mode != .off {
      let line = rule.position.line
      add(rule.id, "deleted", line: line) {
        var rules = slot.rules
        rules.remove(at: index)
        slot.put(&$0, rules)
      }
      func change(_ what: String, _ loosen: (inout Rule) -> Void) {
        add(rule.id, what, line: line) {
          var rules = slot.rules
          loosen(&rules[index])
          slot.put(&$0, rules)
        }
      }
      for (stage, what) in rule.enforcement.loosened { change(what) { $0.enforcement = stage } }
      for (parameter, what) in rule.kind.loosened(rule.parameter) {
        change("\(rule.kind.name) \(what)") { $0.parameter = parameter }
      }
      if let existing = rule.existing, existing != .atNextChange, existing != slot.existing {
        change("\(existing.rawValue) → \(Existing.atNextChange.rawValue)") { $0.existing = .atNextChange }
      }
      guard rule.doors != rule.kind.defaultDoors(at: rule.target) else { continue }
      for door in rule.doors.intersection(slot.doors).doors {
        change("does not bind at \(door.rawValue)") { $0.doors.remove(DoorSet([door])) }
      }
    }
    doors(slot)
  }

  private mutating func doors(_ slot: RuleSlot) {
    let line = slot.rules.filter { !isImplied($0) }.map(\.position.line).filter { $0 > 0 }.min() ?? 1
    for door in slot.doors.doors where slot.rules.contains(where: { binds($0, at: door) }) {
      add(slot.section, "no rule binds at \(door.rawValue)", line: line) {
        slot.put(&$0, slot.rules.map { $0.without(door) })
      }
    }
  }

  /// Whether the rule is looked at there at all: at sign-in a password's enforced rules are not, unless `existing`
  /// asks.
  private func binds(_ rule: Rule, at door: Door) -> Bool {
    guard rule.doors.contains(door), rule.enforcement.mode != .off, !isImplied(rule) else { return false }
    return door != .signIn || rule.enforcement.mode == .warn
  }

  /// The bound that a password section has without a line of its own, and a bound on addresses that their syntax has
  /// already (RFC 5321: 254 bytes): nothing changes with them.
  private func isImplied(_ rule: Rule) -> Bool {
    guard let bound = rule.longest else { return false }
    switch rule.target {
    case .password: return rule.position == policy.password.position
    case .email: return bound >= 254
    case .field: return false
    }
  }
}

extension Rule {
  fileprivate func without(_ door: Door) -> Rule {
    var rule = self
    rule.doors.remove(DoorSet([door]))
    return rule
  }
}

extension Enforcement {
  /// Each way to bind less: enforced becomes a warning, a date goes away or comes a day later.
  var loosened: [(Enforcement, String)] {
    switch (mode, from) {
    case (.enforce, _): return [(Enforcement(.warn), "only warns")]
    case (.warn, let from?):
      let undated = (Enforcement(.warn), "never enforces")
      guard let later = from.next else { return [undated] }
      return [undated, (Enforcement(.warn, from: later), "enforce_from \(from) → \(later)")]
    case (.warn, nil), (.off, _): return []
    }
  }
}
