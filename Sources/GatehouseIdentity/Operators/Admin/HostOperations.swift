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
    _ = try await Hosts.add(input.host, to: tenant, author: try call.author(), call.services)
    return AddHostOperation.Output(items: try await all(of: tenant, call))
  }

  package static func verify(_ input: VerifyHostOperation.Input, _ call: OperatorCall) async throws
    -> VerifyHostOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    _ = try await Hosts.verify(
      input.host, of: tenant, by: call.outside().hosts, author: try call.author(), call.services)
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
    try await Hosts.list(tenant, call.services).map {
      HostSummary(
        host: $0.host.description, addedAt: Timestamp($0.addedAt), verifiedAt: $0.verifiedAt.map { Timestamp($0) })
    }
  }
}
