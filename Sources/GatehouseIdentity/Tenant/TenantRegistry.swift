import GatehousePrimitives
import Synchronization

/// The tenants this server serves, by name. Readers get a whole snapshot; writers swap one for another.
package final class TenantRegistry: Sendable {
  private let state = LockBox(State())
  /// Generation and whether there are hosts, for those who ask at every request: reading it, they do not wait for each other.
  private let published = Atomic<UInt64>(0)

  private struct State: Sendable {
    var snapshots: [String: TenantSnapshot] = [:]
    var failures: [String: String] = [:]
    /// Host names by tenant.
    var hosts: [String: String] = [:]
    var isLoaded = false

    mutating func setHosts(_ names: [HostName], of tenant: String) {
      hosts = hosts.filter { $0.value != tenant }
      for name in names { hosts[name.description] = tenant }
    }
    var generation: UInt64 = 0
  }

  package init() {}

  /// The tenant of this name; nil when there is none or none that can be served.
  package func snapshot(_ name: String) -> TenantSnapshot? { state.withLock { $0.snapshots[name] } }

  /// The tenant that this host, as a request names it, is or will be one of, and the host as that tenant has it.
  package func tenant(at host: String) -> (tenant: TenantSnapshot, host: TenantHost)? {
    state.withLock { state in
      guard !state.hosts.isEmpty, let name = state.hosts[host], let tenant = state.snapshots[name],
        // Dictionaries find by canonical equivalence; a host is its bytes.
        let known = tenant.hosts.first(where: { $0.host.description.utf8.elementsEqual(host.utf8) })
      else { return nil }
      return (tenant, known)
    }
  }

  /// All of them, by name.
  package var all: [TenantSnapshot] {
    state.withLock { Array($0.snapshots.values) }.sorted { $0.name.description < $1.name.description }
  }

  /// Tenants whose stored policy or keys could not be loaded, and why; their last good snapshot goes on serving.
  package var failures: [String: String] { state.withLock { $0.failures } }

  /// A number that is another one after each change of any snapshot, and whether any tenant has a host of its own.
  package var edition: (generation: UInt64, hasHosts: Bool) {
    let both = published.load(ordering: .acquiring)
    return (both >> 1, both & 1 == 1)
  }

  /// Changes snapshots, and says so before anybody can see what came of it.
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

  func keepLastGood(_ name: TenantName, because reason: String) {
    state.withLock { $0.failures[name.description] = reason }
  }

  /// Ends the first load: `names` are all tenants there are.
  func finishLoad(_ names: Set<String>) {
    change {
      $0.snapshots = $0.snapshots.filter { names.contains($0.key) }
      $0.failures = $0.failures.filter { names.contains($0.key) }
      $0.hosts = $0.hosts.filter { names.contains($0.value) }
      $0.isLoaded = true
    }
  }
}
