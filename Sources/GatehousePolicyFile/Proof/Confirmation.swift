import Foundation
import GatehousePolicy

// A chain that a slice allows, taken again under the whole policy with the real lists. Only that refutes a statement.
extension Prover {
  /// The whole policy without the exceptions, whose addresses an answer leaves out.
  func whole(_ setting: Setting) -> Requests {
    var whole = policy
    whole.exceptions = []
    return Requests(policy: whole, samples: ProofSamples(whole, at: now, using: source), source: source)
  }

  /// The refutation that a chain comes to; nil where the whole policy does not let it through.
  func confirmed(
    _ chain: Search.Chain, _ kind: Statement.Kind, _ statement: Statement, _ setting: Setting
  ) -> ProofAnswer.Refutation? {
    guard var edges = replayed(chain, setting) else { return nil }
    let requests = whole(setting)
    var last = edges.last?.to ?? stored(chain.start, setting)
    if kind.access == .full {
      edges += lacking(last, requests, setting)
      last = edges.last?.to ?? last
    }
    let isKind = KindOfAccount(kind: kind, policy: requests.policy, source: source, days: setting.days)
    guard isKind.holds(last, decision: chain.edges.last?.decision) else { return nil }
    let words = ProofWords(policy: policy, days: setting.days)
    return ProofAnswer.Refutation(
      chain: words.chain(start: chain.edges.isEmpty ? last : nil, edges),
      test: test(of: last, edges, kind, statement, requests, setting))
  }

  /// The steps under the whole policy; nil where it refuses one of them.
  func replayed(_ chain: Search.Chain, _ setting: Setting) -> [Search.Edge]? {
    let search = Search(requests: whole(setting), steps: [], days: setting.days, budget: setting.search.budget)
    var edges: [Search.Edge] = []
    var situation = chain.start.account == nil ? chain.start : stored(chain.start, setting)
    for edge in chain.edges {
      guard let taken = search.take(edge.step, from: situation) else { return nil }
      edges.append(taken)
      situation = taken.to
    }
    return edges
  }

  /// Which rules refuse a chain that the slice allows, in words.
  func blocked(_ chain: Search.Chain, _ setting: Setting) -> String {
    let requests = whole(setting)
    let search = Search(requests: requests, steps: [], days: setting.days, budget: setting.search.budget)
    var situation = chain.start.account == nil ? chain.start : stored(chain.start, setting)
    for edge in chain.edges {
      guard let taken = search.take(edge.step, from: situation) else {
        let decision = requests.decision(about: edge.step, from: situation.account, at: setting.days[situation.day])
        let rules = decision.map { Set($0.violations.map(\.rule)).sorted() } ?? []
        return "no example that passes \(rules.joined(separator: ", ")) at \(edge.step.transition.rawValue) is known"
      }
      situation = taken.to
    }
    let next = situation.account.map { requests.policy.access(of: $0, at: setting.days[situation.day]).next } ?? []
    return "no example is known that passes \(next.joined(separator: ", "))"
  }

  /// A stored account of the slice with passing values in what the slice leaves out.
  func stored(_ situation: Situation, _ setting: Setting) -> Situation {
    guard var account = situation.account else { return situation }
    let slice = setting.search.requests.policy
    let samples = whole(setting).samples
    for field in policy.profile.fields where slice.profile.field(field.name) == nil {
      account.profile[field.name] = field.defaultValue ?? samples.profile[field.name]
    }
    let isVaried = Set(slice.access.full.map(\.component))
    for requirement in policy.access.full where !isVaried.contains(requirement.component) {
      switch requirement.need {
      case .emailVerified: account.emailVerified = true
      case .linked(let name): account.links[name] = policy.provider(name)?.scopes ?? []
      case .phoneVerified, .mfa, .profile: break
      }
    }
    return Situation(account: account, day: situation.day)
  }

  /// The steps to what full access needs besides what the statement is about.
  private func lacking(_ start: Situation, _ requests: Requests, _ setting: Setting) -> [Search.Edge] {
    let search = Search(requests: requests, steps: [], days: setting.days, budget: setting.search.budget)
    var edges: [Search.Edge] = []
    var situation = start
    for _ in 0..<20 {
      guard let account = situation.account else { break }
      let next = requests.policy.access(of: account, at: setting.days[situation.day]).next
      let taken = next.lazy.compactMap { step(for: $0, requests) }.compactMap { search.take($0, from: situation) }.first
      guard let taken, taken.to != situation else { break }
      edges.append(taken)
      situation = taken.to
    }
    return edges
  }

  /// The step that a next step asks for; nil where no step is known.
  func step(for next: String, _ requests: Requests) -> Step? {
    let name = String(next.drop { $0 != ":" }.dropFirst())
    if next == "verify_email" { return Step(transition: .verifyEmail) }
    if next == "change_password" { return Step(transition: .setPassword) }
    if next.hasPrefix("link:") {
      return Step(transition: .link, provider: name, scopes: policy.provider(name)?.scopes ?? [])
    }
    guard next.hasPrefix("profile:"), let value = requests.samples.profile[name] else { return nil }
    let isUsers = policy.profile.field(name)?.write != .admin
    return Step(transition: isUsers ? .updateProfile : .adminUpdate, values: [name: value])
  }

  /// A step of the chain, or the account that it leads to, as a test that fails as long as the chain is open.
  private func test(
    of last: Situation, _ edges: [Search.Edge], _ kind: Statement.Kind, _ statement: Statement, _ requests: Requests,
    _ setting: Setting
  ) -> String {
    let refusal = kind.isAdmin.map { "admin: \(!$0)" } ?? "ok: false"
    func refused(_ edge: Search.Edge, expect: String) -> String {
      ProofTest(
        statement.name, at: setting.days[edge.from.day], account: edge.from.account, requests: requests,
        step: edge.step, expect: expect
      ).text
    }
    // An account that is stored already stays as it is: the step that let the value in is the one to close.
    if kind.access == .full, isRefusedAtADoor(kind), let edge = admitting(kind, edges, requests, setting) {
      return refused(edge, expect: refusal)
    }
    let door = edges.last { $0.step.transition.door != nil }
    let opposite = kind.access.map { "access: \(($0 == .full ? Access.limited : .full).rawValue)" }
    // A test states no account that came by a provider or an invitation, which limits access as well.
    if let door, kind.access == nil || (kind.access == .limited && edges.last?.step.transition == door.step.transition)
    {
      return refused(door, expect: opposite ?? refusal)
    }
    return ProofTest(
      statement.name, at: setting.days[last.day], account: last.account, requests: requests,
      step: Step(transition: .signIn), expect: opposite ?? refusal
    ).text
  }

  /// Whether a door keeps such accounts out, and not their access: addresses and values, and missing values that a rule
  /// demands.
  private func isRefusedAtADoor(_ kind: Statement.Kind) -> Bool {
    kind.email != nil || kind.isAdmin != nil
      || kind.stored.contains { name, value in
        guard case .absent = value else { return true }
        return policy.profile.field(name)?.rules.contains(where: \.isRequired) == true
          && !policy.access.full.contains { $0.component == .field(name) }
      }
  }

  /// The step that let the address or the value in.
  private func admitting(
    _ kind: Statement.Kind, _ edges: [Search.Edge], _ requests: Requests, _ setting: Setting
  ) -> Search.Edge? {
    let stated = Statement.Kind(email: kind.email, isAdmin: kind.isAdmin, stored: kind.stored)
    let isStated = KindOfAccount(kind: stated, policy: requests.policy, source: source, days: setting.days)
    return edges.last { edge in
      edge.step.transition.door != nil && isStated.holds(edge.to)
        && (edge.from.account == nil || !isStated.holds(edge.from))
    }
  }
}
