import Foundation
import GatehousePolicy

extension Prover {
  /// Whether a chain of requests leads to an account of this kind.
  func never(_ kind: Statement.Kind, _ statement: Statement) -> ProofAnswer.Verdict {
    let read = components(of: kind)
    // Limited access is a disjunction: each component may be the one that is lacking.
    let searches: [Set<Component>] =
      kind.access == .limited ? policy.limitingComponents.map { read.union([$0]) } : [read]
    var classes = 0
    var undecided: String?
    for components in searches {
      let demands = kind.stored
      guard
        let setting = setting(
          of: components, patterns: kind.email?.patterns ?? [], demands: demands, fromAny: statement.startsAnywhere)
      else { return Self.tooMany }
      let slice = setting.search.requests.policy
      let isKind = KindOfAccount(kind: kind, policy: slice, source: source, days: setting.days)
      if statement.startsAnywhere, kind.writer == nil, kind.door == nil,
        let start = setting.starts.first(where: { isKind.holds($0) })
      {
        let found = Search.Chain(start: start)
        if let refuted = confirmed(found, kind, statement, setting) { return .refuted(refuted) }
      }
      switch setting.search.run(from: setting.starts, where: isKind.isBroughtAbout) {
      case .tooMany: return Self.tooMany
      case .exhausted(let situations):
        classes += situations.count * setting.search.steps.count
        if let gap = setting.gaps.first { undecided = gap }
      case .found(let chain):
        if let refuted = confirmed(chain, kind, statement, setting) { return .refuted(refuted) }
        undecided = blocked(chain, setting)
      }
    }
    return undecided.map(ProofAnswer.Verdict.unknown) ?? .proved(classes: classes)
  }

  private func components(of kind: Statement.Kind) -> Set<Component> {
    var read = Set(kind.stored.map { Component.field($0.field) })
    if kind.email != nil || kind.emailVerified != nil { read.insert(.email) }
    if kind.isAdmin != nil { read.formUnion((policy.admins?.when ?? []).map { .field($0.field) }) }
    return read
  }
}

/// Tells whether a situation is of the kind that a `never` is about.
struct KindOfAccount {
  let kind: Statement.Kind
  let policy: Policy
  let source: any FactSource
  let days: [Date]

  /// Whether the step makes the account one of the kind; with `by` and `door`, whether this step does.
  func isBroughtAbout(_ edge: Search.Edge) -> Bool {
    if let door = kind.door, edge.step.transition.door != door { return false }
    if let writer = kind.writer {
      guard edge.step.transition.writers.contains(writer), !holds(edge.from) || kind.door != nil else { return false }
    }
    return holds(edge.to, decision: edge.decision)
  }

  /// - Parameter decision: Of the step; a door that leaves no account has its address.
  func holds(_ situation: Situation, decision: Decision? = nil) -> Bool {
    let account = situation.account
    if let wanted = kind.email {
      guard let email = decision?.normalised.email ?? account?.email, wanted.hold(email, using: source) else {
        return false
      }
    }
    if kind.emailVerified == nil, kind.isAdmin == nil, kind.stored.isEmpty, kind.access == nil { return true }
    guard let account else { return false }
    if let wanted = kind.emailVerified, account.emailVerified != wanted { return false }
    if let wanted = kind.isAdmin, policy.isAdministrator(profile: account.profile) != wanted { return false }
    for (field, wanted) in kind.stored where !wanted.holds(account.profile[field]) { return false }
    if let wanted = kind.access, policy.access(of: account, at: days[situation.day]).access != wanted { return false }
    return true
  }
}
