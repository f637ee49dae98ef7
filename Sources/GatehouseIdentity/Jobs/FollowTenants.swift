/// Keeps this server's snapshots true: every change of a policy, a key or a tenant is told by the database and loaded
/// at once. A look compares all of them with what the database holds, now and then, and makes good what was not told or
/// could not be loaded.
package struct FollowTenants: Sendable {
  /// The error.
  package enum Trouble: Sendable {
    /// The tenant's newest policy or keys cannot be used; its last good snapshot goes on serving.
    case notLoaded(tenant: String, why: String)
    /// Nothing could be read; the next change or look tries again.
    case notFollowed(any Error)
  }

  private enum Cue: Sendable {
    case changed(TenantName)
    /// Messages may have been missed.
    case missed
    /// The pause before a look is over.
    case look
  }

  private let loader: TenantLoader
  private let directory: any TenantDirectory
  private let registry: TenantRegistry
  /// The number of tenants from which all are loaded at once rather than one by one.
  private static let mostOneByOne = 20

  package init(_ services: Services) {
    loader = TenantLoader(services)
    directory = services.directory
    registry = services.registry
  }

  /// Runs until cancelled, or until the database is closed.
  /// - Parameters:
  ///   - pause: waits between two looks; returns as soon as its task is cancelled.
  ///   - looked: is called when everything is as the database holds it.
  ///   - report: is told of each trouble once.
  package func run(
    pause: @escaping @Sendable () async -> Void, looked: @escaping @Sendable () -> Void,
    report: @escaping @Sendable (Trouble) -> Void
  ) async {
    var failures = registry.failures
    var loaded: [TenantName: [UInt8]] = [:]
    // One line for both, so that an older answer never takes the place of a newer one. What is dropped, a look finds.
    let (cues, line) = AsyncStream.makeStream(of: Cue.self, bufferingPolicy: .bufferingNewest(1024))
    await withDiscardingTaskGroup { group in
      group.addTask { [directory] in
        for await name in directory.changes() { line.yield(name.map(Cue.changed) ?? .missed) }
        line.finish()
      }
      group.addTask { await Self.announceLook(after: pause, on: line) }
      for await cue in cues {
        do {
          switch cue {
          case .changed(let name):
            // The next look loads it once more: what it finds then may be newer than what this reads.
            loaded[name] = nil
            try await loader.load(name)
          case .missed:
            try await loadAll(&loaded)
            looked()
          case .look:
            try await look(&loaded)
            looked()
          }
        } catch {
          report(.notFollowed(error))
        }
        let now = registry.failures
        for (tenant, why) in now where failures[tenant] != why {
          report(.notLoaded(tenant: tenant, why: why.reason))
        }
        failures = now
        if case .look = cue { group.addTask { await Self.announceLook(after: pause, on: line) } }
      }
      group.cancelAll()
    }
  }

  private static func announceLook(
    after pause: @Sendable () async -> Void, on line: AsyncStream<Cue>.Continuation
  ) async {
    await pause()
    line.yield(.look)
  }

  /// Loads everything. The marks are those from before, so that a later change is one for the next look.
  private func loadAll(_ loaded: inout [TenantName: [UInt8]]) async throws {
    loaded = [:]
    let marks = try await directory.marks()
    try await loader.loadAll()
    loaded = marks
  }

  /// Loads what is not as it was when it was loaded, and forgets tenants that are gone.
  private func look(_ loaded: inout [TenantName: [UInt8]]) async throws {
    let marks = try await directory.marks()
    let served = registry.all.map(\.name)
    // GUARD: follow: a look finds what was not told
    let stale = marks.keys.filter { loaded[$0] != marks[$0] } + served.filter { marks[$0] == nil }
    guard stale.count <= Self.mostOneByOne else { return try await loadAll(&loaded) }
    for name in stale {
      try await loader.load(name)
      loaded[name] = marks[name]
    }
  }
}
