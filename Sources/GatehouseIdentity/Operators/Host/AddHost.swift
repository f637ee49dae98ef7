import Foundation
import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse tenant host add`: notes a tenant's claim of a host. It counts for nothing until it is verified, and goes
/// after a week without that.
///
/// Throws `OperatorError`: it is not a host name, is where all tenants are reached, is another tenant's verified host,
/// or is claimed for this tenant already.
package enum AddHost {
  package static func run(_ input: AddHostOperation.Input, _ call: OperatorCall) async throws -> HostList {
    let tenant = try await call.tenant(input.tenant)
    guard let name = HostName(spelled: input.host) else {
      throw OperatorError(
        .refused, "\"\(input.host)\" is not a host name",
        hint: "a name of at least two labels, as in auth.example.com, without https:// and without a path")
    }
    guard WebOrigin(of: call.services.publicURL)?.authority != name.description else {
      throw OperatorError(.refused, "\(name) is public_url, where all tenants are reached")
    }
    if let owner = try await call.services.directory.owner(of: name), owner != tenant.id { throw Hosts.taken(name) }
    let now = call.services.clock.now
    // A claim by an operator who does not speak for all tenants waits.
    let isAllowed = call.who.reachesAll  // GUARD: host: a bound token allows nothing
    let host = TenantHost(
      host: name, proof: Base64URL.encode(SecureRandom.bytes(18)), addedAt: now, allowedAt: isAllowed ? now : nil,
      expiresAt: now.addingTimeInterval(TenantHost.claimLife))
    do {
      try await call.services.directory.add(
        host, to: tenant.id,
        audit: try call.entry(.tenantChanged, details: ["host": name.description, "added": "true"]))
    } catch StoreError.exists {
      if input.ifAbsent == true { return try await Hosts.list(tenant, call) }
      throw OperatorError(
        .exists, "\(name) is claimed for \(tenant.name) already", hint: "gatehouse tenant host list \(tenant.name)")
    }
    return try await Hosts.list(tenant, call)
  }
}
