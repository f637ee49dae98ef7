import GatehousePrimitives
import GatehouseWire

/// The metrics of the server. Labels are templates, codes, tenants' names and rule ids: nothing that a caller makes up.
package final class Metrics: Sendable {
  private struct SignedIn: Hashable {
    var tenant: String
    var result: String
  }

  private struct Verdict: Hashable {
    var tenant: String
    var rule: String
    var verdict: String
  }

  private struct Refused: Hashable {
    var code: String
    var tenant: String
    var limit: String
  }

  private struct State: Sendable {
    /// One for each part of the server that counts requests.
    var tallies: [RequestTally] = []
    var refusals: [Refused: Int] = [:]
    var refusedTenants = NamedTenants()
    var signIns: [SignedIn: Int] = [:]
    var verdicts: [Verdict: Int] = [:]
    var failures: [String: Int] = [:]
    var figures: [@Sendable () -> [Figure]] = []
  }

  /// The number of verdicts, and of sign-ins by tenant and result, that are kept apart; later ones share `(other)`.
  private static let mostVerdicts = 20_000
  private static let mostSignIns = 20_000

  private let state = LockBox(State())
  /// The tally of callers that count too seldom to have their own.
  private let common: RequestTally

  package init() {
    common = RequestTally()
    state.withLock { $0.tallies.append(common) }
  }

  /// Makes a further tally of requests, whose figures become part of these metrics.
  func tally() -> RequestTally {
    let tally = RequestTally()
    state.withLock { $0.tallies.append(tally) }
    return tally
  }

  /// Adds figures that are read whenever the metrics are asked for. They must be at hand: reading them waits for
  /// nothing.
  package func add(_ figures: @escaping @Sendable () -> [Figure]) { state.withLock { $0.figures.append(figures) } }

  /// Makes failures of these kinds known before the first happens, so that its rise can be seen.
  package func expect(failures: [String]) {
    state.withLock { state in for kind in failures { state.failures[kind, default: 0] += 0 } }
  }

  /// Counts a failure beside the requests. `kind` is one of a few words of the program's.
  package func countFailure(_ kind: String) { state.withLock { $0.failures[kind, default: 0] += 1 } }

  package func count(_ record: RequestRecord) { count(record, in: common) }

  /// - Parameter tally: one of `tally()`.
  func count(_ record: RequestRecord, in tally: RequestTally) {
    tally.count(record)
    if let code = record.code { state.withLock { Metrics.count(code, record, &$0) } }
    guard let tenant = record.tenant else { return }
    let isSignIn = record.route == SignInEndpoint.path
    guard isSignIn || !record.violated.isEmpty || !record.warned.isEmpty else { return }
    state.withLock { state in
      if isSignIn {
        var key = SignedIn(tenant: tenant, result: record.code?.rawValue ?? "success")
        if state.signIns[key] == nil, state.signIns.count >= Metrics.mostSignIns { key.tenant = "(other)" }
        state.signIns[key, default: 0] += 1
      }
      for rule in record.violated { Metrics.count(rule, "violated", tenant, &state) }
      for rule in record.warned { Metrics.count(rule, "warned", tenant, &state) }
    }
  }

  private static func count(_ code: ErrorCode, _ record: RequestRecord, _ state: inout State) {
    var tenant = ""
    if let name = record.tenant {
      let (label, gone) = state.refusedTenants.count(name)
      tenant = label
      // A series that ends is no fall of a counter; the sum over all does not jump.
      if let gone { state.refusals = state.refusals.filter { $0.key.tenant != gone } }
    }
    state.refusals[Refused(code: code.rawValue, tenant: tenant, limit: record.limit ?? ""), default: 0] += 1
  }

  private static func count(_ rule: String, _ verdict: String, _ tenant: String, _ state: inout State) {
    var key = Verdict(tenant: tenant, rule: rule, verdict: verdict)
    if state.verdicts[key] == nil, state.verdicts.count >= mostVerdicts {
      (key.tenant, key.rule) = ("(other)", "(other)")
    }
    state.verdicts[key, default: 0] += 1
  }

  /// The exposition text.
  package var text: String {
    let state = state.withLock { $0 }
    let answered = state.tallies.reduce(into: RequestTally.State()) { $0.add($1.counts) }
    let routes = Metrics.byRoute(answered)
    var exposition = Exposition()
    for figure in Metrics.counters(state, answered) { exposition.add(figure) }
    exposition.add(
      histogram: "gatehouse_request_seconds", "Time from the whole request to its answer.",
      bounds: RequestTally.bounds, buckets: answered.buckets,
      microseconds: routes.reduce(0) { $0 &+ $1.value.microseconds })
    exposition.add(
      summary: "gatehouse_route_seconds", "Time from the whole request to its answer, by route.", label: "route",
      routes.map { ($0.key, $0.value.count, microseconds: $0.value.microseconds) })
    for figure in state.figures.flatMap({ $0() }) { exposition.add(figure) }
    return exposition.text
  }

  private static func byRoute(_ answered: RequestTally.State) -> [(key: String, value: RequestTally.Answers)] {
    var routes: [String: RequestTally.Answers] = [:]
    for (answered, answers) in answered.requests {
      routes[answered.route, default: RequestTally.Answers()].add(answers)
    }
    return routes.sorted { $0.key < $1.key }
  }

  private static func counters(_ state: State, _ answered: RequestTally.State) -> [Figure] {
    func samples<Key>(_ values: [Key: Int], _ labels: (Key) -> [(name: String, value: String)]) -> [Figure.Sample] {
      values.map { (labels($0.key), $0.value) }
        .sorted { $0.0.map(\.value).lexicographicallyPrecedes($1.0.map(\.value)) }
        .map { Figure.Sample($0.1, labels: $0.0) }
    }
    return [
      .counter(
        "gatehouse_requests", "Requests answered, by route and status.",
        samples(answered.requests.mapValues(\.count)) {
          [("method", $0.method), ("route", $0.route), ("status", String($0.status))]
        }),
      .counter(
        "gatehouse_refusals",
        "Requests refused, by code, by tenant (the most active ones; no name where there was none) and by limit.",
        samples(state.refusals) { [("code", $0.code), ("tenant", $0.tenant), ("limit", $0.limit)] }),
      .counter(
        "gatehouse_sign_ins", "Sign-ins with a password, by tenant and result.",
        samples(state.signIns) { [("tenant", $0.tenant), ("result", $0.result)] }),
      .counter(
        "gatehouse_rule_verdicts", "Rules of a tenant's policy that refused a request (violated) or only warned.",
        samples(state.verdicts) { [("tenant", $0.tenant), ("rule", $0.rule), ("verdict", $0.verdict)] }),
      .counter(
        "gatehouse_failures", "Work beside requests that failed, and files that were refused.",
        samples(state.failures) { [("kind", $0)] }),
    ]
  }
}
