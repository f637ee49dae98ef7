/// The turns of requests: so many at once to one host, so many of one kind in all, and a circuit for each host. Pure:
/// time and ids are handed in.
///
/// A lane is a host as seen by one user of the client (`OutboundPurpose`): what one tenant's dead webhook does to its
/// own circuit is nothing to another's, and nothing to sign-ins at a provider of the same host.
struct OutboundCircuits: Sendable {
  typealias Instant = CircuitBreaker.Instant

  struct Limits: Sendable {
    /// At once to one host of a lane.
    var perHost = 4
    /// At once in all lanes of one kind.
    var perKind = 32
    /// Waiting for a place at one host.
    var waiting = 32
    var circuit = CircuitBreaker.Limits()
    /// Hosts that are remembered for their failures although nothing goes there.
    var remembered = 4096
  }

  struct Key: Sendable, Hashable {
    let purpose: OutboundPurpose
    let authority: String
  }

  enum Answer: Sendable, Equatable {
    case start(isProbe: Bool)
    case wait
    case refused(OutboundError)
  }

  private struct Host {
    var running = 0
    var waiting: [UInt64] = []
    var circuit: CircuitBreaker
  }

  private let limits: Limits
  private var hosts: [Key: Host] = [:]
  private var running: [OutboundPurpose.Kind: Int] = [:]

  init(_ limits: Limits = Limits()) { self.limits = limits }

  /// How many hosts are remembered.
  var count: Int { hosts.count }

  /// Whether request `id` may go. After `start` the caller MUST `finish`; after `wait` it is named by some `finish`
  /// later, or the caller gives it up with `abandon`.
  mutating func ask(_ id: UInt64, _ key: Key, at now: Instant) -> Answer {
    var host = hosts[key] ?? Host(circuit: CircuitBreaker(limits.circuit))
    let answer = judge(id, key, &host, at: now)
    keep(host, key)
    return answer
  }

  private mutating func judge(_ id: UInt64, _ key: Key, _ host: inout Host, at now: Instant) -> Answer {
    guard host.running < limits.perHost else {
      guard host.waiting.count < limits.waiting else { return .refused(.busy) }
      host.waiting.append(id)
      return .wait
    }
    return start(key, &host, at: now)
  }

  private mutating func start(_ key: Key, _ host: inout Host, at now: Instant) -> Answer {
    let kind = running[key.purpose.kind, default: 0]
    guard kind < limits.perKind else { return .refused(.busy) }
    switch host.circuit.admit(at: now) {
    case .refused(let retryAfter): return .refused(.circuitOpen(retryAfter: retryAfter))
    case .go(let isProbe):
      host.running += 1
      running[key.purpose.kind] = kind + 1
      return .start(isProbe: isProbe)
    }
  }

  /// One that had started has ended. Says what now becomes of those that waited: each is started or refused.
  mutating func finish(
    _ key: Key, _ outcome: CircuitBreaker.Outcome, isProbe: Bool, at now: Instant
  ) -> [(id: UInt64, answer: Answer)] {
    guard var host = hosts[key] else { return [] }
    host.circuit.record(outcome, isProbe: isProbe, at: now)
    host.running -= 1
    running[key.purpose.kind, default: 1] -= 1
    var answers: [(id: UInt64, answer: Answer)] = []
    while host.running < limits.perHost, !host.waiting.isEmpty {
      let next = host.waiting.removeFirst()
      answers.append((next, start(key, &host, at: now)))
    }
    keep(host, key)
    return answers
  }

  /// One that waits does not want to go any more.
  mutating func abandon(_ id: UInt64, _ key: Key) {
    guard var host = hosts[key] else { return }
    host.waiting.removeAll { $0 == id }
    keep(host, key)
  }

  private mutating func keep(_ host: Host, _ key: Key) {
    let isIdle = host.running == 0 && host.waiting.isEmpty
    hosts[key] = isIdle && host.circuit.isPristine ? nil : host
    guard hosts.count > limits.remembered else { return }
    // Forgetting a failure costs one more attempt; growing without end costs the server.
    hosts = hosts.filter { $0.value.running > 0 || !$0.value.waiting.isEmpty }
  }
}
