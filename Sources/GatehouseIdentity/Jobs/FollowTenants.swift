import GatehousePrimitives

/// Keeps this server's snapshots true: every change of a policy, a key or a tenant is told by the database and loaded
/// at once. A look compares all of them with what the database holds, now and then, and makes good what was not told or
/// could not be loaded. Both are loaded in stretches of bounded size, in which neither waits for the other.
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

  /// Runs until cancelled, or until the database is closed.
  /// - Parameters:
  ///   - pause: waits between two looks; returns as soon as its task is cancelled.
  ///   - looked: is called when everything is as the database held it when a look began.
  ///   - report: is told of each trouble once.
  package func run(
    pause: @escaping @Sendable () async -> Void, looked: @escaping @Sendable () -> Void,
    report: @escaping @Sendable (Trouble) -> Void
  ) async {
    var failures = registry.failures
    let agenda = LockBox(FollowAgenda())
    // One worker for both, so that an older answer never takes the place of a newer one.
    let (wakes, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    await withDiscardingTaskGroup { group in
      group.addTask { [directory] in
        for await name in directory.changes() {
          agenda.withLock { $0.note(name) }
          bell.yield()
        }
        bell.finish()
      }
      group.addTask { await Self.endPause(after: pause, agenda, bell) }
      for await _ in wakes {
        while !Task.isCancelled, let step = agenda.withLock({ $0.next() }) {
          // An error ends a look too.
          var endsLook = true
          do {
            switch step {
            case .look:
              let stale = registry.stale(against: try await directory.marks())
              agenda.withLock { $0.find(stale) }
              endsLook = stale.isEmpty
            case .load(let names, let isLast):
              try await loader.load(names)
              endsLook = isLast
            }
            if endsLook { looked() }
          } catch {
            agenda.withLock { $0.drop() }
            report(.notFollowed(error))
          }
          if endsLook, !Task.isCancelled, agenda.withLock({ $0.isPauseDue() }) {
            group.addTask { await Self.endPause(after: pause, agenda, bell) }
          }
          let now = registry.failures
          for (tenant, why) in now where failures[tenant] != why {
            report(.notLoaded(tenant: tenant, why: why.reason))
          }
          failures = now
        }
      }
      group.cancelAll()
    }
  }

  private static func endPause(
    after pause: @Sendable () async -> Void, _ agenda: LockBox<FollowAgenda>, _ bell: AsyncStream<Void>.Continuation
  ) async {
    await pause()
    agenda.withLock { $0.endPause() }
    bell.yield()
  }
}
