package import Foundation
import GatehousePrimitives

/// How much of the limits of whole tenants is used up, as this server last counted. Operators see it as a metric, and
/// are told once a window that half of one is gone (`TellSuppressed`).
package final class BudgetWatch: Sendable {
  /// A limit of a tenant in the window that runs.
  package struct Level: Sendable, Equatable {
    package let tenant: TenantID
    /// The limit's name in the policy.
    package let name: String
    package let used: Int
    package let most: Int
    package let endsAt: Date

    package init(tenant: TenantID, name: String, used: Int, most: Int, endsAt: Date) {
      self.tenant = tenant
      self.name = name
      self.used = used
      self.most = most
      self.endsAt = endsAt
    }

    /// Whether operators are to be told.
    var isHalfUsed: Bool { used * 2 >= most }
  }

  private struct Key: Hashable {
    var tenant: TenantID
    var name: String
  }

  private struct State {
    var levels: [Key: Level] = [:]
    /// The ends of the windows whose half was told, or waits to be.
    var told: [Key: Date] = [:]
    var waiting: [Level] = []
  }

  private let most: Int
  private let state = LockBox(State())

  /// - Parameter most: limits that are remembered at a time; of further ones nothing is.
  package init(most: Int = 20_000) { self.most = most }

  /// Remembers what the store counted.
  package func note(_ level: Level, at now: Date) {
    state.withLock { state in
      let key = Key(tenant: level.tenant, name: level.name)
      if state.levels[key] == nil, state.levels.count >= most {
        state.levels = state.levels.filter { $0.value.endsAt > now }
        state.told = state.told.filter { $0.value > now }
        guard state.levels.count < most else { return }
      }
      state.levels[key] = level
      guard level.isHalfUsed, state.told[key].map({ $0 <= now }) ?? true else { return }
      state.told[key] = level.endsAt
      state.waiting.append(level)
    }
  }

  /// The levels of running windows, by tenant and name.
  package func levels(at now: Date) -> [Level] {
    state.withLock { $0.levels.values.filter { $0.endsAt > now } }
  }

  /// Limits whose half went since the last time.
  func takeHalfUsed() -> [Level] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// Keeps what could not be told.
  func putBack(_ levels: [Level]) { state.withLock { $0.waiting += levels.prefix(max(0, most - $0.waiting.count)) } }
}
