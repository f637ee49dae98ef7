package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse tenant host allow`: allows a claim that waits, on the word of an operator of all tenants. Throws
/// `OperatorError`: there is none, or it is another tenant's verified host.
package enum AllowHost {
  package static func run(_ input: AllowHostOperation.Input, _ call: OperatorCall) async throws -> HostList {
    let tenant = try await call.tenant(input.tenant)
    // GUARD: host: allowed by operators of all tenants
    guard call.who.reachesAll else {
      throw OperatorError(
        .forbidden,
        "the token \"\(call.who.name)\" is not for all tenants, and another tenant may claim this host",
        hint: "gatehouse admin create --all-tenants")
    }
    let host = try await Hosts.find(input.host, of: tenant, call)
    guard !host.isTaken else { throw Hosts.taken(host.host) }
    if host.allowedAt == nil { try await Hosts.allow(host, of: tenant, by: .operator, call) }
    return try await Hosts.list(tenant, call)
  }
}
