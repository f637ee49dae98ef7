import Foundation
import GatehousePolicy

extension Prover {
  /// Whether every account that its owner made keeps a way.
  func every(_ goal: Statement.Goal, _ statement: Statement) -> ProofAnswer.Verdict {
    guard goal == .fullAccess else { return everyOneCan(goal, statement) }
    // Full access is a conjunction, and a step changes one component alone: each of them is reached by itself.
    var classes = 0
    for component in policy.limitingComponents {
      guard let setting = ownersSetting(of: [component], statement) else { return Self.tooMany }
      var edges: [Search.Edge] = []
      let result = setting.search.run(from: setting.starts) { edge in
        edges.append(edge)
        return false
      }
      guard case .exhausted(let situations) = result else { return Self.tooMany }
      classes += situations.count * setting.search.steps.count
      let stuck = stuck(situations, edges, setting)
      guard !stuck.isEmpty else { continue }
      let chain = setting.starts.first(where: stuck.contains).map { Search.Chain(start: $0) }
      let found = chain ?? shortest(to: stuck, setting)
      guard let found else { return Self.tooMany }
      guard let refuted = confirmed(found, .init(access: .limited), statement, setting) else {
        return .unknown(blocked(found, setting))
      }
      let closed = closedStep(after: found, setting, statement)
      return .refuted(ProofAnswer.Refutation(chain: refuted.chain, test: closed ?? refuted.test))
    }
    return .proved(classes: classes)
  }

  /// A step of the owner that full access waits for and the policy refuses, as a test that expects it to pass.
  private func closedStep(after chain: Search.Chain, _ setting: Setting, _ statement: Statement) -> String? {
    guard let edges = replayed(chain, setting) else { return nil }
    let last = edges.last?.to ?? stored(chain.start, setting)
    guard let account = last.account else { return nil }
    let (requests, instant) = (whole(setting), setting.days[last.day])
    for next in requests.policy.access(of: account, at: instant).next {
      guard var step = step(for: next, requests), step.transition.door != nil else { continue }
      if step.transition == .adminUpdate { step = Step(transition: .updateProfile, values: step.values) }
      guard requests.take(step, from: account, at: instant) == nil else { continue }
      return ProofTest(
        statement.name, at: instant, account: account, requests: requests, step: step, expect: "ok: true"
      ).text
    }
    return nil
  }

  private func everyOneCan(_ goal: Statement.Goal, _ statement: Statement) -> ProofAnswer.Verdict {
    let ways = policy.providers.filter { $0.use == .signIn && $0.name != "password" }.map { Component.link($0.name) }
    guard let setting = ownersSetting(of: Set(ways + [.email, .password]), statement) else { return Self.tooMany }
    let requests = setting.search.requests
    func isShut(_ situation: Situation) -> Bool {
      guard let account = situation.account else { return false }
      if goal == .signIn, requests.policy.hasWayIn(account) { return false }
      guard let email = account.email else { return true }
      let asked = Step(transition: .resetPassword, email: email)
      let instant = setting.days[situation.day]
      return requests.take(asked, from: nil, at: instant) == nil
        || requests.take(Step(transition: .resetPassword), from: account, at: instant) == nil
    }
    if let start = setting.starts.first(where: isShut) {
      return .refuted(refutation(of: stored(start, setting), [], goal, setting, statement))
    }
    switch setting.search.run(from: setting.starts, where: { isShut($0.to) }) {
    case .tooMany: return Self.tooMany
    case .exhausted(let situations): return .proved(classes: situations.count * setting.search.steps.count)
    case .found(let chain):
      guard let replay = replayed(chain, setting), let last = replay.last?.to else {
        return .unknown(blocked(chain, setting))
      }
      return .refuted(refutation(of: last, replay, goal, setting, statement))
    }
  }

  /// A search over what owners, providers and time do.
  private func ownersSetting(of components: Set<Component>, _ statement: Statement) -> Setting? {
    guard let setting = setting(of: components, fromAny: statement.startsAnywhere) else { return nil }
    let steps = setting.search.steps.filter { !$0.transition.isOperators }
    let search = Search(
      requests: setting.search.requests, steps: steps, days: setting.days, budget: setting.search.budget)
    return Setting(search: search, starts: setting.starts, days: setting.days, gaps: setting.gaps)
  }

  /// The situations from which no steps of the owner, taken on the same day, lead to full access.
  private func stuck(_ situations: Set<Situation>, _ edges: [Search.Edge], _ setting: Setting) -> Set<Situation> {
    let slice = setting.search.requests.policy
    func isFull(_ situation: Situation) -> Bool {
      guard let account = situation.account else { return true }
      return slice.access(of: account, at: setting.days[situation.day]).access == .full
    }
    var before: [Situation: [Situation]] = [:]
    for edge in edges where edge.step.transition.writers.contains(.user) {
      before[edge.to, default: []].append(edge.from)
    }
    var free = situations.filter(isFull)
    var queue = Array(free)
    while let situation = queue.popLast() {
      for earlier in before[situation] ?? [] where free.insert(earlier).inserted { queue.append(earlier) }
    }
    return situations.subtracting(free)
  }

  private func shortest(to wanted: Set<Situation>, _ setting: Setting) -> Search.Chain? {
    guard case .found(let chain) = setting.search.run(from: setting.starts, where: { wanted.contains($0.to) }) else {
      return nil
    }
    return chain
  }

  /// A refutation of `can`: the test is the request that the policy refuses, expected to pass.
  private func refutation(
    of situation: Situation, _ edges: [Search.Edge], _ goal: Statement.Goal, _ setting: Setting, _ statement: Statement
  ) -> ProofAnswer.Refutation {
    let words = ProofWords(policy: policy, days: setting.days)
    let test = ProofTest(
      statement.name, at: setting.days[situation.day], account: situation.account,
      requests: whole(setting), step: Step(transition: .signIn), expect: "ok: false")
    let lacking = goal == .signIn ? "no way to sign in is left" : "no reset is mailed"
    return ProofAnswer.Refutation(
      chain: words.chain(start: edges.isEmpty ? situation : nil, edges) + [lacking],
      test: resetTest(situation, statement, setting) ?? test.text)
  }

  private func resetTest(_ situation: Situation, _ statement: Statement, _ setting: Setting) -> String? {
    guard policy.hasPassword, let email = situation.account?.email else { return nil }
    return ProofTest(
      statement.name, at: setting.days[situation.day], account: nil, requests: whole(setting),
      step: Step(transition: .resetPassword, email: email), expect: "ok: true"
    ).text
  }
}
