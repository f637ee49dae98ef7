// When sessions made their last request is collected in memory, and written once a minute: all of them in one
// statement.

import GatehousePolicy

/// Where it is written, for all tenants at once.
package protocol SeenSessionStore: Sendable {
  /// Moves the last request of each session forward, never back, in one statement; sessions that ended, or whose time
  /// had run out by the moment of the request, stay as they are. Answers those that another transaction was writing:
  /// they are to be tried again.
  func write(_ sessions: [SessionSighting]) async throws -> [SeenSession]
}

/// A request of a session, with the lifetimes that its tenant's policy gives sessions, in seconds.
package struct SessionSighting: Sendable {
  package let seen: SeenSession
  package let idleTTL: Int64
  package let maxTTL: Int64

  package init(_ seen: SeenSession, idleTTL: Int64, maxTTL: Int64) {
    self.seen = seen
    self.idleTTL = idleTTL
    self.maxTTL = maxTTL
  }
}

package struct WriteSeenSessions: Sendable {
  /// Sessions of one statement: more are written by several, so that none holds very many rows.
  package static let batch = 10_000

  private let store: any SeenSessionStore
  private let services: Services

  package init(_ store: any SeenSessionStore, _ services: Services) {
    self.store = store
    self.services = services
  }

  /// Writes the collected sightings. Those that could not be written are collected again; throws then.
  package func runOnce() async throws {
    var rest = sightings()
    var busy: [SeenSession] = []
    defer { services.seenSessions.putBack(busy + rest.map(\.seen)) }
    while !rest.isEmpty {
      let some = Array(rest.suffix(WriteSeenSessions.batch))
      busy += try await store.write(some)
      rest.removeLast(some.count)
    }
  }

  /// Those of tenants that are served here.
  private func sightings() -> [SessionSighting] {
    services.seenSessions.take().compactMap { seen in
      services.registry.snapshot(of: seen.tenant).map { tenant in
        let rules = tenant.policy.sessions
        return SessionSighting(seen, idleTTL: rules.refreshIdleTTL, maxTTL: rules.refreshMaxTTL)
      }
    }
  }
}
