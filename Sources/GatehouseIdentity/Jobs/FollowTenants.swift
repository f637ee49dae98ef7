// Keeps this server's snapshots true: every change of a policy, a key or a tenant is told by the database and loaded at
// once; a look at everything now and then makes good what was not told.

package struct FollowTenants: Sendable {
  private let loader: TenantLoader
  private let directory: any TenantDirectory

  package init(_ services: Services) {
    loader = TenantLoader(services)
    directory = services.directory
  }

  /// Runs until cancelled. `report` is told of errors, which are tried again with the next change or look.
  package func run(report: @escaping @Sendable (any Error) -> Void) async {
    for await name in directory.changes() {
      do {
        if let name { try await loader.load(name) } else { try await loader.loadAll() }
      } catch {
        report(error)
      }
    }
  }
}
