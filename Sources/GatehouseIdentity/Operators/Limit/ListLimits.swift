import GatehousePolicy
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse limit list`: the counters behind the limits.
package enum ListLimits {
  package static func run(_ input: ListLimitsOperation.Input, _ call: OperatorCall) async throws
    -> ListLimitsOperation.Output
  {
    let seen = try await call.call(input.tenant)
    let limit = try OperatorCall.limit(input.limit)
    let filter = try await CounterFilter(name: input.name, address: input.address, user: input.user, seen, call)
    let place = try input.cursor.map { text in
      let parts = text.split(separator: " ", maxSplits: 1)
      guard parts.count == 2 else { throw Refusal.malformed("/cursor", "is not from this list") }
      return (name: String(parts[0]), key: String(parts[1]))
    }
    let found = try await call.store(of: seen).counters(filter, after: place, limit: limit + 1)
    let items = found.prefix(limit).map { counter in
      LimitCount(
        name: counter.name, key: counter.key, count: counter.count,
        most: LimitRule.named(counter.name)?.numbers(seen.tenant)?.count,
        endsAt: Timestamp(counter.endsAt))
    }
    let last = found.count > limit ? items.last : nil
    return ListLimitsOperation.Output(items: items, nextCursor: last.map { "\($0.name) \($0.key)" })
  }
}
