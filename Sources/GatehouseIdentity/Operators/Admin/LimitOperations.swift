// Counters behind the limits, as operators ask for them.

import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum LimitOperations {
  package static func list(_ input: ListLimitsOperation.Input, _ call: OperatorCall) async throws
    -> ListLimitsOperation.Output
  {
    let seen = try await call.call(try await call.tenant(input.tenant))
    let limit = try OperatorCall.limit(input.limit)
    let filter = try await filter(input.name, input.address, input.user, seen, call.services)
    let place = try input.cursor.map { text in
      let parts = text.split(separator: " ", maxSplits: 1)
      guard parts.count == 2 else { throw Refusal.malformed("/cursor", "is none of this list") }
      return (name: String(parts[0]), key: String(parts[1]))
    }
    let found = try await call.services.store.open(seen.tenant.id).counters(filter, after: place, limit: limit + 1)
    let items = found.prefix(limit).map { counter in
      LimitCount(
        name: counter.name, key: counter.key, count: counter.count, most: Limiting.most(counter.name, seen.tenant),
        endsAt: Timestamp(counter.endsAt))
    }
    let last = found.count > limit ? items.last : nil
    return ListLimitsOperation.Output(items: items, nextCursor: last.map { "\($0.name) \($0.key)" })
  }

  package static func clear(_ input: ClearLimitsOperation.Input, _ call: OperatorCall) async throws
    -> ClearLimitsOperation.Output
  {
    let seen = try await call.call(try await call.tenant(input.tenant))
    let filter = try await filter(input.name, input.address, input.user, seen, call.services)
    guard !filter.isEmpty else {
      throw Refusal(.malformedRequest, detail: "name a limit, an address or a user whose counts end")
    }
    // The trail names no address and no mailbox.
    let details = [
      "name": input.name, "address": input.address.map { _ in "one" }, "user": input.user.map { _ in "one" },
    ]
    let entry = try call.author().entry(
      .limitsCleared, call.services, user: filter.user, details: details.compactMapValues { $0 })
    let cleared = try await call.services.store.open(seen.tenant.id).clearCounters(
      filter, atMost: 10_000, noting: entry)
    return ClearLimitsOperation.Output(cleared: cleared)
  }

  private static func filter(
    _ name: String?, _ address: String?, _ user: String?, _ seen: Call, _ services: Services
  ) async throws -> CounterFilter {
    var filter = CounterFilter()
    if let name {
      guard Limiting.names.contains(name) else {
        throw Refusal.malformed("/name", "is no limit: these are \(Limiting.names.joined(separator: ", "))")
      }
      filter.name = name
    }
    if let address {
      guard let address = NetworkAddress(address) else {
        throw Refusal.malformed("/address", "is no IPv4 or IPv6 address")
      }
      filter.keys.append([seen.key(of: address)])
    }
    if let user {
      let email = seen.policy.normalisedEmail(user, using: services.facts)
      // What is counted for a mailbox does not ask whether there is an account.
      let found = try? await OperatedUsers.find(user, seen, services)
      guard let mailbox = found?.email ?? email else {
        throw Refusal.malformed("/user", "is no address and no user's id")
      }
      filter.keys.append([seen.hashed(mailbox)] + (found.map { [$0.id.text] } ?? []))
      filter.user = found?.id
    }
    return filter
  }
}
