package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse limit clear`: counters begin again.
package enum ClearLimits {
  package static func run(_ input: ClearLimitsOperation.Input, _ call: OperatorCall) async throws
    -> ClearLimitsOperation.Output
  {
    let seen = try await call.call(input.tenant)
    let filter = try await CounterFilter(name: input.name, address: input.address, user: input.user, seen, call)
    guard !filter.isEmpty else {
      throw Refusal(.malformedRequest, detail: "name a limit, an address or a user whose counts end")
    }
    // The audit log names no address and no mailbox.
    let details = [
      "name": input.name, "address": input.address.map { _ in "one" }, "user": input.user.map { _ in "one" },
    ]
    let entry = try call.entry(
      .limitsCleared, user: filter.user, details: details.compactMapValues { $0 })
    let cleared = try await call.store(of: seen).clearCounters(filter, atMost: 10_000, noting: entry)
    return ClearLimitsOperation.Output(cleared: cleared)
  }
}
