package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse tenant host remove`: what the host led to answers nothing any more. Throws `OperatorError` when it is not
/// this tenant's, and, without consent, where the passkeys of people who have no other way in prove no more without it.
package enum RemoveHost {
  package static func run(_ input: RemoveHostOperation.Input, _ call: OperatorCall) async throws -> HostList {
    let tenant = try await call.tenant(input.tenant)
    let host = try await Hosts.find(input.host, of: tenant, call)
    let rest = try await Hosts.of(tenant, call.services).filter { $0.host != host.host }
    try await HostLockout.demand(
      rest, of: tenant, as: "the removal of \(host.host)", isAllowed: input.allowLockout ?? false, call)
    try await call.services.directory.remove(
      host, from: tenant.id, audit: try call.entry(.tenantChanged, details: ["host": input.host, "removed": "true"]))
    return try await Hosts.list(tenant, call)
  }
}
