import GatehousePrimitives
import GatehouseRuntime

/// Counts of a listener's connections, and of refusals before any route.
package final class ConnectionCounts: HTTPObserver {
  private struct State: Sendable {
    var open = 0
    var turnedAway = 0
    var crowdedOut = 0
    var badProxyHeaders = 0
    var refused = 0
  }

  private let state = LockBox(State())

  package init() {}

  package func connectionOpened() { state.withLock { $0.open += 1 } }
  package func connectionClosed() { state.withLock { $0.open -= 1 } }
  package func connectionTurnedAway() { state.withLock { $0.turnedAway += 1 } }
  package func connectionCrowdedOut() { state.withLock { $0.crowdedOut += 1 } }
  package func proxyHeaderRefused() { state.withLock { $0.badProxyHeaders += 1 } }
  package func refused(status: Int) { state.withLock { $0.refused += 1 } }

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
        ]),
      .counter("gatehouse_requests_not_understood", "Requests refused before any route saw them.", state.refused),
    ]
  }
}
