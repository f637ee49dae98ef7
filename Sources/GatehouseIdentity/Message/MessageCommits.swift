// Outcomes of a commit whose message would exceed a limit. A notice (`.message(.notify)`) needs none: it exceeds no
// limit.

import GatehouseWire

extension TenantStore {
  /// For what stands without its message: where the message's limits are reached, the changes are committed without
  /// it, and its owner can ask for it later. `counters` stand last, as nothing that holds one waits for an account.
  func commit(
    _ changes: [Change], optional message: [Change], then counters: [Change] = [], as authority: Authority
  ) async throws {
    do {
      try await commit(changes + message + counters, as: authority)
    } catch StoreError.limited where !message.isEmpty {
      try await commit(changes + counters, as: authority)
    }
  }

  /// For a message that a signed-in caller asks for. Refuses `cooldown` between two of them and `rate_limited` beyond
  /// another limit; nothing is written then.
  func commitOrRefuse(_ changes: [Change], as authority: Authority) async throws {
    do {
      try await commit(changes, as: authority)
    } catch StoreError.limited(let name, let retryAfter) {
      throw Refusal(name == OwnLimit.cooldown.rawValue ? .cooldown : .rateLimited, retryAfter: retryAfter, limit: name)
    }
  }

  /// For a message that is asked for by a contact alone, where the answer tells nothing about it: the limit of its
  /// recipient that was reached, and nothing is written then; nil when all is. The caller's answer MUST be the same.
  ///
  /// Refuses `rate_limited`, for every recipient alike, where the caller's address or the tenant has used up its
  /// messages.
  @discardableResult
  func commitWithinLimits(_ changes: [Change], as authority: Authority, _ call: Call, _ services: Services)
    async throws -> ReachedLimit?
  {
    do {
      try await commit(changes, as: authority)
      return nil
    } catch StoreError.limited(let name, let retryAfter) {
      // GUARD: mail: no acceptance hides what a budget refused
      guard Limiting.isSilent(name) else {
        await Limiting.noteExhausted(name, of: [], call, services)
        throw Refusal(.rateLimited, retryAfter: retryAfter, limit: name)
      }
      return ReachedLimit(name: name, retryAfter: retryAfter)
    }
  }
}

/// A limit without room.
struct ReachedLimit {
  var name: String
  /// Seconds.
  var retryAfter: Int
}
