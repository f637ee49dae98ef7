// A session that runs out ends by itself. This job only records the end in the audit log.

package struct ExpireSessions: Sendable {
  private let services: Services

  /// Sessions of one tenant in one round.
  private static let batch = 1000

  package init(_ services: Services) { self.services = services }

  /// One round over all tenants. True when there may be more to do at once.
  package func runOnce() async throws -> Bool {
    var isMore = false
    for tenant in services.registry.all {
      let noted = try await services.store.open(tenant.id).noteExpiredSessions(limit: ExpireSessions.batch)
      if noted >= ExpireSessions.batch { isMore = true }
    }
    return isMore
  }
}
