// Keeps this server's snapshots true: every change of a policy, a key or a tenant is told by the database and loaded at
// once; a look at everything now and then makes good what was not told.

package struct FollowTenants: Sendable {
  /// The error.
  package enum Trouble: Sendable {
    /// The tenant's newest policy or keys cannot be used; its last good snapshot goes on serving.
    case notLoaded(tenant: String, why: String)
    /// Nothing could be read; the next change or look tries again.
    case notFollowed(any Error)
  }

  private let loader: TenantLoader
  private let directory: any TenantDirectory
  private let registry: TenantRegistry

  package init(_ services: Services) {
    loader = TenantLoader(services)
    directory = services.directory
    registry = services.registry
  }

  /// Runs until cancelled. `report` is told of each trouble once.
  package func run(report: @escaping @Sendable (Trouble) -> Void) async {
    var known = registry.failures
    for await name in directory.changes() {
      do {
        if let name { try await loader.load(name) } else { try await loader.loadAll() }
      } catch {
        report(.notFollowed(error))
      }
      let failures = registry.failures
      for (tenant, why) in failures where known[tenant] != why {
        report(.notLoaded(tenant: tenant, why: why.reason))
      }
      known = failures
    }
  }
}
