package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse tenant list`.
package enum ListTenants {
  package static func run(_ input: ListTenantsOperation.Input, _ call: OperatorCall) async throws
    -> ListTenantsOperation.Output
  {
    let limit = try OperatorCall.limit(input.limit)
    let all = try await call.services.directory.tenants().filter { call.who.reaches($0.id) }
    let page = Page(of: all, after: input.cursor, limit: limit) { $0.name.description }
    return ListTenantsOperation.Output(items: page.items.map(TenantSummary.init), nextCursor: page.next)
  }
}

extension TenantSummary {
  init(_ tenant: TenantRecord) {
    self.init(
      name: tenant.name.description, displayName: tenant.displayName, enabled: tenant.enabled,
      createdAt: Timestamp(tenant.createdAt))
  }
}
