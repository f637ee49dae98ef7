import Foundation
import GatehousePolicy

/// The requests that tell two policies apart in one part: an example of each class of the rules that differ, at every
/// door, on every day at which one of them changes. A rule that is the same in both is held where it passes.
struct DiffCases {
  let part: DiffPart
  let old: Policy
  let new: Policy
  let now: Date
  let countsAdvice: Bool

  /// More examples than these are too many.
  static let mostExamples = 4000

  /// One request and the source that answers about it.
  struct Case {
    let door: Door
    let facts: Facts
    /// For the account that was stored a while ago.
    var age: Int64?
    let source: WitnessFacts
    let words: String
  }

  /// The decisions about all of them; nil where there are too many, or where a rule asks what no example answers.
  func compared(within budget: ProofBudget) -> DiffComparison? {
    let (before, after) = (slice(of: old), slice(of: new))
    guard let cases = cases(before, after) else { return nil }
    let days = Set((ProofDays(before, from: now).instants + ProofDays(after, from: now).instants)).sorted()
    let weight = before.weight + after.weight
    var comparison = DiffComparison(countsAdvice: countsAdvice)
    for one in cases {
      for instant in days {
        guard budget.spend(weight) else { return nil }
        var facts = one.facts
        if let age = one.age { facts.stored?.passwordChangedAt = instant.addingTimeInterval(-Double(age)) }
        let example = DiffExample(
          part: part, door: one.door, facts: facts, instant: instant,
          words: instant == days[0] ? one.words : "\(one.words) on \(ProofDays.name(instant))")
        comparison.add(
          before.decide(one.door, facts, at: instant, using: one.source),
          after.decide(one.door, facts, at: instant, using: one.source), example)
      }
    }
    return comparison
  }

  /// The policy as far as it speaks about the part; exceptions of its rules are kept.
  private func slice(of policy: Policy) -> Policy {
    var slice: Policy
    switch part {
    case .email: slice = policy.slice(of: [.email])
    case .password: slice = policy.slice(of: [.password])
    case .field(let name): slice = policy.slice(of: [.field(name)])
    case .unknownFields, .access: slice = policy.slice(of: [])
    }
    let names = Set(slice.allRules.map(\.id))
    slice.exceptions = policy.exceptions.filter { names.contains($0.rule) }
    switch part {
    case .email: slice.access.full = []
    case .field, .unknownFields: slice.profile.unknownFields = policy.profile.unknownFields
    case .access: slice.access.full = policy.access.full.filter { if case .profile = $0.need { false } else { true } }
    case .password: break
    }
    return slice
  }

  private func cases(_ before: Policy, _ after: Policy) -> [Case]? {
    switch part {
    case .email: emails(before, after)
    case .password: passwords(before, after)
    case .field(let name): fields(name, before, after)
    case .unknownFields: values("zzz", [("a value", "x")], stored: [:])
    case .access: accesses(before, after)
    }
  }

  /// The rules that only one of both has, ids and texts apart.
  static func differing(_ old: [Rule], in oldSection: Existing, _ new: [Rule], in newSection: Existing) -> [Rule] {
    func key(_ rule: Rule, _ section: Existing) -> [String] {
      [
        rule.kind.name, rule.parameter.description, "\(rule.enforcement)",
        EffectiveRule(rule, in: section).existing.rawValue, "\(rule.doors.rawValue)", "\(rule.failsOpen)",
      ]
    }
    let before = Set(old.map { key($0, oldSection) })
    let after = Set(new.map { key($0, newSection) })
    return old.filter { !after.contains(key($0, oldSection)) } + new.filter { !before.contains(key($0, newSection)) }
  }

  /// An example of each combination of classes of these rules; nil where there are too many. An example of one rule is
  /// the sample that the next one varies.
  func examples(_ rules: [Rule], from sample: Witness, in context: WitnessContext) -> [Witness]? {
    var found = [sample]
    for rule in rules {
      var seen: Set<Witness.Value> = []
      var next: [Witness] = []
      for one in found {
        var context = context
        context.sample = one.value
        for witness in [one] + rule.kind.witnesses(of: rule, in: context) where seen.insert(witness.value).inserted {
          next.append(one.value == witness.value ? one : Witness(witness.value, witness.name))
        }
      }
      guard next.count <= Self.mostExamples else { return nil }
      found = next
    }
    return found
  }

  static let source = WitnessFacts(NoFacts())
}
