import GatehousePrimitives
import Synchronization

/// The tenants this server serves, by name. Readers get a whole snapshot; writers swap one for another.
package final class TenantRegistry: Sendable {
  private let state = LockBox(State())
  /// Generation and whether there are hosts, for readers at every request: they read it without waiting for each other.
  private let published = Atomic<UInt64>(0)

  private struct State: Sendable {
    var snapshots: [String: TenantSnapshot] = [:]
    var failures: [String: LoadFailure] = [:]
    /// Tenants that claim a host, by its name.
    var hosts: [String: [String]] = [:]
    var isLoaded = false

    mutating func setHosts(_ names: [HostName], of tenant: String) {
      keepHosts { $0 != tenant }
      for name in names { hosts[name.description, default: []].append(tenant) }
    }

    mutating func keepHosts(_ isKept: (String) -> Bool) {
      hosts = hosts.compactMapValues { claimants in
        let kept = claimants.filter(isKept)
        return kept.isEmpty ? nil : kept
      }
    }
    var generation: UInt64 = 0
  }

  package init() {}

  /// The tenant of this name; nil when there is none or none that can be served.
  package func snapshot(_ name: String) -> TenantSnapshot? { state.withLock { $0.snapshots[name] } }

  /// The target of this host, as a request names it; nil where no tenant claims it.
  package func target(at host: String) -> HostTarget? {
    state.withLock { state in
      guard !state.hosts.isEmpty, let claimants = state.hosts[host] else { return nil }
      let claims = claimants.compactMap { state.snapshots[$0] }.compactMap { tenant in
        // Dictionaries find by canonical equivalence; a host is its bytes.
        tenant.hosts.first { $0.host.description.utf8.elementsEqual(host.utf8) }.map { (tenant: tenant, host: $0) }
      }
      // GUARD: host: counts once it is verified
      let own = claims.first { $0.host.verifiedAt != nil }
      if let own { return HostTarget(tenant: own.tenant, proofs: [own.host.proof]) }
      return claims.isEmpty ? nil : HostTarget(tenant: nil, proofs: Self.proofs(claims.map(\.host)))
    }
  }

  /// Those of claims that may be verified come first, so that no number of claims that wait keeps one of them out.
  private static func proofs(_ claims: [TenantHost]) -> [String] {
    let (allowed, waiting) = (claims.filter { $0.allowedAt != nil }, claims.filter { $0.allowedAt == nil })
    return (allowed + waiting).prefix(TenantHost.mostProofs).map(\.proof)
  }

  /// All of them, by name.
  package var all: [TenantSnapshot] {
    state.withLock { Array($0.snapshots.values) }.sorted { $0.name.description < $1.name.description }
  }

  /// Tenants whose stored policy or keys could not be loaded, and why; their last good snapshot goes on serving.
  package var failures: [String: LoadFailure] { state.withLock { $0.failures } }

  /// Those of them that nothing serves: there is no last good snapshot.
  package var unserved: [String: LoadFailure] {
    state.withLock { state in state.failures.filter { state.snapshots[$0.key] == nil } }
  }

  /// Why this server may not serve yet; nil once all is loaded and a tenant is served, or there is none.
  package var trouble: String? {
    state.withLock { state in
      // GUARD: ready: once the tenants are loaded
      if !state.isLoaded { return "not loaded yet" }
      // GUARD: ready: with a tenant that is served
      if state.snapshots.isEmpty && !state.failures.isEmpty {
        return "none is served, of \(state.failures.count)"
      }
      return nil
    }
  }

  /// A number that is another one after each change of any snapshot, and whether any tenant has a host of its own.
  package var edition: (generation: UInt64, hasHosts: Bool) {
    let both = published.load(ordering: .acquiring)
    return (both >> 1, both & 1 == 1)
  }

  /// Changes snapshots, and publishes a new edition before any reader can see what came of the change.
  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      state.generation &+= 1
      published.store(
        state.generation << 1 | (state.hosts.isEmpty ? 0 : 1),  // GUARD: kept: a tenant's change ends it
        ordering: .releasing)
    }
  }

  /// Whether the first load is done.
  package var isLoaded: Bool { state.withLock { $0.isLoaded } }

  /// Serves this snapshot in the place of the tenant's former one.
  package func replace(_ snapshot: TenantSnapshot) {
    change {
      $0.snapshots[snapshot.name.description] = snapshot
      $0.setHosts(snapshot.hosts.map(\.host), of: snapshot.name.description)
      $0.failures[snapshot.name.description] = nil
    }
  }

  func remove(_ name: TenantName) {
    change {
      $0.snapshots[name.description] = nil
      $0.setHosts([], of: name.description)
      $0.failures[name.description] = nil
    }
  }

  func keepLastGood(_ name: TenantName, because reason: LoadFailure) {
    state.withLock { $0.failures[name.description] = reason }
  }

  /// Ends the first load: `names` are all tenants there are.
  func finishLoad(_ names: Set<String>) {
    change {
      $0.snapshots = $0.snapshots.filter { names.contains($0.key) }
      $0.failures = $0.failures.filter { names.contains($0.key) }
      $0.keepHosts(names.contains)
      $0.isLoaded = true
    }
  }
}

/// The target of a host.
package struct HostTarget: Sendable {
  /// The tenant whose verified host it is.
  package let tenant: TenantSnapshot?
  /// The answer at `TenantHost.proofPath`: for a verified host the tenant's proof, for another one those of its claims.
  package let proofs: [String]
}
