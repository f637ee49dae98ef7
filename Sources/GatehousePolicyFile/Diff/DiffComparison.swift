import Foundation
import GatehousePolicy

/// The decisions about the requests of a part.
struct DiffComparison {
  let countsAdvice: Bool
  /// Requests of which less is demanded, by each rule that demanded it: they were refused, had less access, or were
  /// warned or asked for a next step.
  private var looser: [String: String] = [:]
  private var firstLooser: String?
  /// The rules that demand more.
  private var tighter: Set<String> = []
  private var isTighter = false
  /// A request after which something else is stored.
  private var storesOther: String?
  /// How many requests were compared.
  private(set) var requests = 0
  /// The first requests that were refused, or had less access.
  private(set) var examples: [DiffExample] = []

  /// As many as a test for one of them is looked for in.
  private static let mostExamples = 100

  init(countsAdvice: Bool) { self.countsAdvice = countsAdvice }

  /// Adds the decisions of both policies on one request.
  mutating func add(_ before: Decision, _ after: Decision, _ request: DiffExample) {
    requests += 1
    let gone = before.demands(beside: after, advice: countsAdvice)
    let new = after.demands(beside: before, advice: countsAdvice)
    if let gone {
      let example = "\(request.words) \(gone.told)"
      for rule in gone.rules where looser[rule] == nil { looser[rule] = example }
      if firstLooser == nil { firstLooser = example }
      if !gone.isAdvice, examples.count < Self.mostExamples { examples.append(request) }
    }
    if let new {
      isTighter = true
      tighter.formUnion(new.rules)
    }
    if before.allow, after.allow, before.normalised != after.normalised, storesOther == nil {
      storesOther = "\(request.words) is stored differently"
    }
  }

  /// The change with the relation that the requests show. It is *neutral* where no request tells. Where requests lose
  /// and none gains, a change that is not declared stricter is *stricter* if its rule demands more, else *neutral*.
  /// Where requests gain and none loses, an undecided change is *weaker*. With both, the declared relation stands.
  func judged(_ change: PolicyChange) -> PolicyChange {
    var change = change
    switch (firstLooser != nil, isTighter) {
    case (false, false):
      if let storesOther {
        guard change.relation == .weaker || change.relation == .incomparable else { return change }
        change.relation = .incomparable
        change.remark = "for example: \(storesOther)"
      } else {
        if change.relation != .neutral { change.remark = "it means the same" }
        change.relation = .neutral
      }
    case (false, true):
      guard change.relation == .weaker || change.relation == .incomparable else { return change }
      if let storesOther {
        change.relation = .incomparable
        change.remark = "for example: \(storesOther)"
      } else {
        change.relation = tighter.contains(change.subject) || change.relation == .incomparable ? .stricter : .neutral
      }
    case (true, _):
      guard change.relation == .weaker || change.relation == .incomparable else { return change }
      if let example = example(of: change) ?? firstLooser { change.remark = "for example: \(example)" }
      if !isTighter, storesOther == nil { change.relation = .weaker }
    }
    return change
  }

  /// A request that the rule of the change let go.
  private func example(of change: PolicyChange) -> String? {
    let rule = change.subject
    return [rule, rule + ".unknown", String(rule.drop { $0 != "." }.dropFirst()) + ".unknown"].lazy
      .compactMap { looser[$0] }.first
  }
}

/// The demands of one decision that another does not make.
private struct Demands {
  let rules: [String]
  /// The fate of the request without them.
  let told: String
  /// Whether they were warnings and next steps only.
  var isAdvice = false
}

extension Decision {
  /// The demands that `other` does not make; nil: none.
  fileprivate func demands(beside other: Decision, advice: Bool) -> Demands? {
    if allow != other.allow {
      guard !allow else { return nil }
      let rules = violations.map(\.rule)
      return Demands(rules: rules, told: "was refused by \(rules.joined(separator: ", ")), is now allowed")
    }
    guard allow else { return nil }
    if access != other.access {
      guard access == .limited else { return nil }
      return Demands(
        rules: lacking,
        told: "had limited access for want of \(lacking.joined(separator: ", ")), has full access now")
    }
    guard advice else { return nil }
    let steps = next.filter { !other.next.contains($0) }
    let rules = warnings.map(\.rule).filter { rule in !other.warnings.contains { $0.rule == rule } }
    guard !steps.isEmpty || !rules.isEmpty else { return nil }
    let asked =
      steps.isEmpty ? "warned by \(rules.joined(separator: ", "))" : "asked to \(steps.joined(separator: ", "))"
    return Demands(rules: rules + lacking, told: "was \(asked), is no longer", isAdvice: true)
  }

  /// The rules and requirements that limit access.
  private var lacking: [String] {
    let failed = trace.filter { $0.verdict == .fail }.map(\.rule)
    return failed.isEmpty ? next : failed
  }
}
