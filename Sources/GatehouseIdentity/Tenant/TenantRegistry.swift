import GatehousePrimitives
import Synchronization

/// The tenants this server serves, by name. Readers get a whole snapshot; writers swap one for another.
package final class TenantRegistry: Sendable {
  private let state = LockBox(State())
  /// Generation and whether there are hosts, for readers at every request: they read it without waiting for each other.
  private let published = Atomic<UInt64>(0)

  private struct State: Sendable {
    var snapshots: [String: TenantSnapshot] = [:]
    var names: [TenantID: String] = [:]
    var failures: [String: LoadFailure] = [:]
    /// Of each tenant, the mark of what was loaded of it last, also where it could not be used.
    var marks: [TenantName: [UInt8]] = [:]
    /// Tenants that claim a host, by its name.
    var hosts: [String: [String]] = [:]
    var isLoaded = false

    var generation: UInt64 = 0

    /// Puts this snapshot, or none, in the place of the tenant's former one. The time does not grow with the number of
    /// tenants.
    mutating func set(_ snapshot: TenantSnapshot?, of tenant: String) {
      let former = snapshots.removeValue(forKey: tenant)
      if let former { names[former.id] = nil }
      for host in former?.hosts ?? [] {
        let claimants = hosts[host.host.description]?.filter { $0 != tenant } ?? []
        hosts[host.host.description] = claimants.isEmpty ? nil : claimants
      }
      guard let snapshot else { return }
      snapshots[tenant] = snapshot
      names[snapshot.id] = tenant
      for host in snapshot.hosts { hosts[host.host.description, default: []].append(tenant) }
    }
  }

  package init() {}

  /// The tenant of this name; nil when there is none or none that can be served.
  package func snapshot(_ name: String) -> TenantSnapshot? { state.withLock { $0.snapshots[name] } }

  /// The tenant with this id; nil when there is none or none that can be served.
  package func snapshot(of id: TenantID) -> TenantSnapshot? {
    state.withLock { state in state.names[id].flatMap { state.snapshots[$0] } }
  }

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
  /// - Parameter mark: see `TenantDirectory.marks`.
  package func replace(_ snapshot: TenantSnapshot, marked mark: [UInt8] = []) {
    change {
      $0.set(snapshot, of: snapshot.name.description)
      $0.failures[snapshot.name.description] = nil
      $0.marks[snapshot.name] = mark
    }
  }

  func remove(_ name: TenantName) {
    change {
      $0.set(nil, of: name.description)
      $0.failures[name.description] = nil
      $0.marks[name] = nil
    }
  }

  func keepLastGood(_ name: TenantName, because reason: LoadFailure, marked mark: [UInt8]) {
    state.withLock {
      $0.failures[name.description] = reason
      $0.marks[name] = mark
    }
  }

  /// Tenants that are not as the database holds them: changed, new or gone.
  func stale(against marks: [TenantName: [UInt8]]) -> [TenantName] {
    // Requests do not wait for the comparison.
    let held = state.withLock { $0.marks }
    // GUARD: follow: a look finds what was not told
    return marks.filter { held[$0.key] != $0.value }.map(\.key) + held.keys.filter { marks[$0] == nil }
  }

  /// Ends the first load: these are all tenants that there are.
  func finishLoad(keeping marks: [TenantName: [UInt8]]) {
    for name in stale(against: marks) where marks[name] == nil { remove(name) }
    change { $0.isLoaded = true }
  }
}

/// The target of a host.
package struct HostTarget: Sendable {
  /// The tenant whose verified host it is.
  package let tenant: TenantSnapshot?
  /// The answer at `TenantHost.proofPath`: for a verified host the tenant's proof, for another one those of its claims.
  package let proofs: [String]
}
