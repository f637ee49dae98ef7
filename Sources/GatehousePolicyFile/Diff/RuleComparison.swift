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
    return RuleComparison.parameter(rule, new.rule)
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

/// How parts of rules stand to each other.
enum RuleComparison {
  static func parameter(_ old: Rule, _ new: Rule) -> Relation {
    switch (old.parameter, new.parameter) {
    case (.integer(let before), .integer(let after)): number(old.kind, before, after)
    case (.duration(let before), .duration(let after)): .lessIsStricter(before, after)
    case (.domains(let before), .domains(let after)): domains(old.kind, before, after)
    case (.texts(let before), .texts(let after)): texts(old.kind, before, after)
    case (.characters(let before), .characters(let after)): characters(before, after)
    case (let before, let after): .equalOrIncomparable(before, after)
    }
  }

  private static func number(_ kind: RuleKind, _ old: Int64, _ new: Int64) -> Relation {
    switch kind {
    case .minLength, .min, .minStrength, .notLast: .moreIsStricter(old, new)
    case .maxLength, .max: .lessIsStricter(old, new)
    default: .equalOrIncomparable(old, new)
    }
  }

  private static func texts(_ kind: RuleKind, _ old: [String], _ new: [String]) -> Relation {
    switch kind {
    case .values, .allowedRegions: .fewerIsStricter(old, new)
    case .reserved, .notContaining: .fewerIsStricter(new, old)
    default: old == new ? .neutral : .incomparable
    }
  }

  private static func domains(_ kind: RuleKind, _ old: [DomainPattern], _ new: [DomainPattern]) -> Relation {
    let newInOld = new.allSatisfy { covers(old, $0) }
    let oldInNew = old.allSatisfy { covers(new, $0) }
    let allowed: Relation =
      newInOld && oldInNew ? .neutral : newInOld ? .stricter : oldInNew ? .weaker : .incomparable
    switch kind {
    case .allowedDomains: return allowed
    case .deniedDomains: return allowed.reversed
    default: return old == new ? .neutral : .incomparable
    }
  }

  /// Whether every address of `pattern` is one of `patterns`.
  private static func covers(_ patterns: [DomainPattern], _ pattern: DomainPattern) -> Bool {
    patterns.contains { candidate in
      if candidate == pattern { return true }
      return candidate.subdomainsOnly && Array(pattern.domain.utf8).hasSuffix("." + candidate.domain)
    }
  }

  private static func characters(_ old: Charset, _ new: Charset) -> Relation {
    let newInOld = contains(old, new)
    let oldInNew = contains(new, old)
    return newInOld && oldInNew ? .neutral : newInOld ? .stricter : oldInNew ? .weaker : .incomparable
  }

  private static func contains(_ outer: Charset, _ inner: Charset) -> Bool {
    // Text of `letters` begins with none of its marks; of another set it may.
    if outer.isLetters, !inner.isLetters, inner.ranges.contains(where: { $0.overlaps(0x300...0x36F) }) { return false }
    // A range can be spread over several; joining neighbours first makes one test enough.
    var joined: [ClosedRange<UInt32>] = []
    for range in outer.ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, UInt64(range.lowerBound) <= UInt64(last.upperBound) + 1 {
        joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return inner.ranges.allSatisfy { range in
      joined.contains { $0.contains(range.lowerBound) && $0.contains(range.upperBound) }
    }
  }

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

extension [UInt8] {
  fileprivate func hasSuffix(_ text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}
