// Tenants' own hosts, as operators ask for them.

package import GatehouseWire

package enum HostOperations {
  package static func list(_ input: ListHostsOperation.Input, _ call: OperatorCall) async throws
    -> ListHostsOperation.Output
  {
    ListHostsOperation.Output(items: try await all(of: try await call.tenant(input.tenant), call))
  }

  package static func add(_ input: AddHostOperation.Input, _ call: OperatorCall) async throws
    -> AddHostOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    _ = try await Hosts.add(
      input.host, to: tenant,
      isAllowed: call.who.reachesAll,  // GUARD: host: a bound token allows nothing
      author: try call.author(), call.services)
    return AddHostOperation.Output(items: try await all(of: tenant, call))
  }

  package static func allow(_ input: AllowHostOperation.Input, _ call: OperatorCall) async throws
    -> AllowHostOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    // GUARD: host: allowed by operators of all tenants
    guard call.who.reachesAll else {
      throw OperatorError(
        .forbidden,
        "the token \"\(call.who.name)\" is not for all tenants, of which another may mean to have this host",
        hint: "gatehouse admin create --all-tenants")
    }
    try await Hosts.allow(input.host, of: tenant, author: try call.author(), call.services)
    return AllowHostOperation.Output(items: try await all(of: tenant, call))
  }

  package static func verify(_ input: VerifyHostOperation.Input, _ call: OperatorCall) async throws
    -> VerifyHostOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    let outside = try call.outside()
    _ = try await Hosts.verify(
      input.host, of: tenant, by: outside.hosts, records: outside.records, author: try call.author(), call.services)
    return VerifyHostOperation.Output(items: try await all(of: tenant, call))
  }

  package static func remove(_ input: RemoveHostOperation.Input, _ call: OperatorCall) async throws
    -> RemoveHostOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    try await Hosts.remove(input.host, from: tenant, author: try call.author(), call.services)
    return RemoveHostOperation.Output(items: try await all(of: tenant, call))
  }

  private static func all(of tenant: TenantRecord, _ call: OperatorCall) async throws -> [HostSummary] {
    try await Hosts.list(tenant, call.services).map { host in
      let isVerified = host.verifiedAt != nil
      return HostSummary(
        host: host.host.description, state: state(of: host), addedAt: Timestamp(host.addedAt),
        expiresAt: isVerified ? nil : Timestamp(host.expiresAt), verifiedAt: host.verifiedAt.map { Timestamp($0) },
        proof: isVerified || host.allowedAt != nil ? nil : host.proof)
    }
  }

  private static func state(of host: TenantHost) -> String {
    if host.verifiedAt != nil { return "verified" }
    if host.isTaken { return "taken" }
    return host.allowedAt == nil ? "waiting" : "allowed"
  }
}
