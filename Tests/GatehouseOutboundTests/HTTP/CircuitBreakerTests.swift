import Testing

@testable import GatehouseOutbound

@Suite("A circuit breaker")
struct CircuitBreakerTests {
  private let start = ContinuousClock.now
  private let limits = CircuitBreaker.Limits(failures: 3, pause: .seconds(5), longestPause: .seconds(15))

  private func opened() -> CircuitBreaker {
    var breaker = CircuitBreaker(limits)
    for _ in 0..<3 { breaker.record(.failure, isProbe: false, at: start) }
    return breaker
  }

  @Test("opens after so many failures in a row, and a success in between starts the count again")
  func opens() {
    var breaker = CircuitBreaker(limits)
    for outcome in [CircuitBreaker.Outcome.failure, .failure, .success, .failure, .neutral, .failure] {
      #expect(breaker.admit(at: start) == .go(isProbe: false))
      breaker.record(outcome, isProbe: false, at: start)
    }
    #expect(breaker.admit(at: start) == .go(isProbe: false))
    breaker.record(.failure, isProbe: false, at: start)
    #expect(breaker.admit(at: start) == .refused(retryAfter: .seconds(5)))
    #expect(breaker.admit(at: start + .seconds(4)) == .refused(retryAfter: .seconds(1)))
  }

  @Test("after the pause exactly one request tries; if it works everything goes again")
  func recovers() {
    var breaker = opened()
    let later = start + .seconds(5)
    #expect(breaker.admit(at: later) == .go(isProbe: true))
    #expect(breaker.admit(at: later) != .go(isProbe: true) && breaker.admit(at: later) != .go(isProbe: false))
    breaker.record(.success, isProbe: true, at: later)
    #expect(breaker.isPristine && breaker.admit(at: later) == .go(isProbe: false))
  }

  @Test("each failed try doubles the pause, up to the longest")
  func backsOff() {
    var breaker = opened()
    var now = start
    for pause in [5, 10, 15, 15] {
      #expect(breaker.admit(at: now + .seconds(pause) - .milliseconds(1)) == .refused(retryAfter: .milliseconds(1)))
      now += .seconds(pause)
      #expect(breaker.admit(at: now) == .go(isProbe: true))
      breaker.record(.failure, isProbe: true, at: now)
    }
  }

  @Test("a try that was given up leaves the next one free; late failures of others change nothing")
  func abandonedProbe() {
    var breaker = opened()
    let later = start + .seconds(5)
    #expect(breaker.admit(at: later) == .go(isProbe: true))
    breaker.record(.failure, isProbe: false, at: later)
    breaker.record(.neutral, isProbe: false, at: later)
    #expect(breaker.admit(at: later) == .refused(retryAfter: .seconds(5)))
    breaker.record(.neutral, isProbe: true, at: later)
    #expect(breaker.admit(at: later) == .go(isProbe: true))
  }
}

@Suite("Places at a host")
struct OutboundCircuitsTests {
  private let now = ContinuousClock.now
  private let limits = OutboundCircuits.Limits(
    perHost: 2, perKind: 3, waiting: 1, circuit: .init(failures: 2, pause: .seconds(5)), remembered: 8)
  private func key(_ host: String, _ kind: OutboundPurpose.Kind = .webhook, owner: String = "a") -> OutboundCircuits.Key
  {
    OutboundCircuits.Key(purpose: OutboundPurpose(kind, owner: owner), authority: host)
  }

  @Test("requests beyond the limit wait, requests beyond the queue are refused; a waiting one starts when one ends")
  func perHost() {
    var circuits = OutboundCircuits(limits)
    let answers = (1...4).map { circuits.ask($0, key("x"), at: now) }
    #expect(answers == [.start(isProbe: false), .start(isProbe: false), .wait, .refused(.busy)])
    let next = circuits.finish(key("x"), .success, isProbe: false, at: now)
    #expect(next.map(\.id) == [3] && next.map(\.answer) == [.start(isProbe: false)])
    for _ in 0..<2 { #expect(circuits.finish(key("x"), .success, isProbe: false, at: now).isEmpty) }
    #expect(circuits.count == 0)
  }

  @Test("one kind's places are not another's, and one owner's circuit is not another's")
  func apart() {
    var circuits = OutboundCircuits(limits)
    for id in 1...3 { #expect(circuits.ask(UInt64(id), key("\(id)"), at: now) == .start(isProbe: false)) }
    #expect(circuits.ask(4, key("4"), at: now) == .refused(.busy))
    #expect(circuits.ask(5, key("1", .provider), at: now) == .start(isProbe: false))
    for host in ["1", "2", "3"] { _ = circuits.finish(key(host), .failure, isProbe: false, at: now) }
    #expect(circuits.ask(6, key("1"), at: now) == .start(isProbe: false))
    _ = circuits.finish(key("1"), .failure, isProbe: false, at: now)
    #expect(circuits.ask(7, key("1"), at: now) == .refused(.circuitOpen(retryAfter: .seconds(5))))
    #expect(circuits.ask(8, key("1", owner: "b"), at: now) == .start(isProbe: false))
  }

  @Test("a request that waits for a dead host fails at once; a cancelled one is not started")
  func waiting() {
    var circuits = OutboundCircuits(limits)
    for id in 1...3 { _ = circuits.ask(UInt64(id), key("x"), at: now) }
    circuits.abandon(3, key("x"))
    #expect(circuits.ask(4, key("x"), at: now) == .wait)
    let first = circuits.finish(key("x"), .failure, isProbe: false, at: now)
    #expect(first.map(\.id) == [4] && first.map(\.answer) == [.start(isProbe: false)])
    #expect(circuits.ask(5, key("x"), at: now) == .wait)
    let second = circuits.finish(key("x"), .failure, isProbe: false, at: now)
    #expect(second.map(\.id) == [5] && second.map(\.answer) == [.refused(.circuitOpen(retryAfter: .seconds(5)))])
  }

  @Test("the memory of failures is bounded")
  func bounded() {
    var circuits = OutboundCircuits(limits)
    for number in 0..<100 {
      #expect(circuits.ask(UInt64(number), key("\(number)"), at: now) == .start(isProbe: false))
      _ = circuits.finish(key("\(number)"), .failure, isProbe: false, at: now)
    }
    #expect(circuits.count <= 9)
  }
}
