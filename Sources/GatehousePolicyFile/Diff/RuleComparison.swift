import GatehousePolicy

/// A rule with what its section says for it.
struct EffectiveRule {
  let rule: Rule
  let existing: Existing

  init(_ rule: Rule, in section: Existing) {
    self.rule = rule
    existing = rule.existing ?? rule.kind.ownExisting ?? section
  }

  /// How `new` stands to this rule; ids play no part.
  func relation(to new: EffectiveRule) -> Relation {
    guard rule.kind == new.rule.kind else { return .incomparable }
    return rule.kind.relation(of: rule.parameter, to: new.rule.parameter)
      .and(RuleComparison.stage(rule.enforcement, new.rule.enforcement))
      .and(RuleComparison.doors(rule.doors, new.rule.doors))
      .and(RuleComparison.existing(existing, new.existing))
      .and(rule.failsOpen == new.rule.failsOpen ? .neutral : new.rule.failsOpen ? .weaker : .stricter)
  }

  /// Whether one of `others` already demands everything that this rule demands.
  func isImplied(by others: [EffectiveRule]) -> Bool {
    others.contains { [.neutral, .stricter].contains(relation(to: $0)) }
  }
}

/// How the parts that rules of all kinds have stand to each other.
enum RuleComparison {
  /// A warning without a date admits what an absent rule admits; the earlier the date, the stricter.
  static func stage(_ old: Enforcement, _ new: Enforcement) -> Relation {
    func bindsFrom(_ stage: Enforcement) -> Int64 {
      switch stage.mode {
      case .enforce: Int64.min
      case .warn: stage.from?.startSeconds ?? Int64.max
      case .off: Int64.max
      }
    }
    return .lessIsStricter(bindsFrom(old), bindsFrom(new))
  }

  static func doors(_ old: DoorSet, _ new: DoorSet) -> Relation {
    old == new ? .neutral : new.isSuperset(of: old) ? .stricter : new.isSubset(of: old) ? .weaker : .incomparable
  }

  static func existing(_ old: Existing, _ new: Existing) -> Relation {
    .laterIsStricter([.atNextChange, .promptAtSignIn, .requireAtSignIn], old, new)
  }
}
