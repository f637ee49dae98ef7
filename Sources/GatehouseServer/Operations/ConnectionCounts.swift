import GatehousePrimitives
package import GatehouseRuntime

/// Counts of listeners' connections, and of refusals before any route.
package final class ConnectionCounts: HTTPObserver {
  private struct State: Sendable {
    var open = 0
    var turnedAway = 0
    var crowdedOut = 0
    var notTrusted = 0
    /// The part of those that was reported, and the time of the last report.
    var told = 0
    var toldAt: ContinuousClock.Instant?
    var ended: [ConnectionEnd: Int] = [:]
    var badProxyHeaders = 0
    var refused = 0
  }

  private let state = LockBox(State())
  private let tellNotTrusted: @Sendable (_ connections: Int) -> Void

  /// - Parameter notTrusted: is told, at most once a minute, how many connections listeners in clear did not serve
  ///   since the last time.
  package init(notTrusted: @escaping @Sendable (_ connections: Int) -> Void = { _ in }) {
    tellNotTrusted = notTrusted
  }

  package func connectionOpened() { state.withLock { $0.open += 1 } }
  package func connectionClosed() { state.withLock { $0.open -= 1 } }
  package func connectionTurnedAway() { state.withLock { $0.turnedAway += 1 } }
  package func connectionCrowdedOut() { state.withLock { $0.crowdedOut += 1 } }
  package func connectionEnded(_ why: ConnectionEnd) { state.withLock { $0.ended[why, default: 0] += 1 } }
  package func proxyHeaderRefused() { state.withLock { $0.badProxyHeaders += 1 } }
  package func refused(status: Int) { state.withLock { $0.refused += 1 } }

  package func connectionNotTrusted() {
    let now = ContinuousClock.now
    let news = state.withLock { state -> Int? in
      state.notTrusted += 1
      if let last = state.toldAt, now - last < .seconds(60) { return nil }
      defer { (state.told, state.toldAt) = (state.notTrusted, now) }
      return state.notTrusted - state.told
    }
    if let news { tellNotTrusted(news) }
  }

  /// The counts as metrics.
  package var figures: [Figure] {
    let state = state.withLock { $0 }
    return [
      .gauge("gatehouse_connections_open", "Connections that are open.", state.open),
      .counter(
        "gatehouse_connections_closed_at_once", "Connections closed as soon as they came.",
        [
          .init(state.turnedAway, labels: [("reason", "all_taken")]),
          .init(state.crowdedOut, labels: [("reason", "address")]),
          .init(state.badProxyHeaders, labels: [("reason", "proxy_header")]),
          .init(state.notTrusted, labels: [("reason", "not_trusted")]),
        ]),
      .counter(
        "gatehouse_connections_ended",
        "Open connections ended: answers not taken (slow), no room for more (buffers), idle as a new one came (made_way).",
        ConnectionEnd.allCases.map { .init(state.ended[$0] ?? 0, labels: [("reason", $0.rawValue)]) }),
      .counter("gatehouse_requests_not_understood", "Requests refused before any route saw them.", state.refused),
    ]
  }
}
