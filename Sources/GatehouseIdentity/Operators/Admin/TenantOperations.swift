// Tenants, as operators ask for them.

import GatehousePrimitives
package import GatehouseWire

package enum TenantOperations {
  package static func list(_ input: ListTenantsOperation.Input, _ call: OperatorCall) async throws
    -> ListTenantsOperation.Output
  {
    let limit = try OperatorCall.limit(input.limit)
    let all = try await call.services.directory.tenants().filter { call.who.reaches($0.id) }
    let page = Page(of: all, after: input.cursor, limit: limit) { $0.name.description }
    return ListTenantsOperation.Output(items: page.items.map(summary), nextCursor: page.next)
  }

  package static func show(_ input: ShowTenantOperation.Input, _ call: OperatorCall) async throws
    -> ShowTenantOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    let seen = try await call.call(tenant).tenant
    return ShowTenantOperation.Output(
      name: tenant.name.description, displayName: tenant.displayName, enabled: tenant.enabled, issuer: seen.issuer,
      revision: seen.revision, digest: Hex.encode(seen.digest),
      accounts: try await call.services.store.open(tenant.id).accountCount(), createdAt: Timestamp(tenant.createdAt))
  }

  private static func summary(_ tenant: TenantRecord) -> TenantSummary {
    TenantSummary(
      name: tenant.name.description, displayName: tenant.displayName, enabled: tenant.enabled,
      createdAt: Timestamp(tenant.createdAt))
  }
}

/// A part of a list that is held whole and ordered by a text.
struct Page<Item> {
  let items: [Item]
  let next: String?

  /// Keys are compared as UTF-8.
  init(of all: [Item], after cursor: String?, limit: Int, by key: (Item) -> String) {
    let rest = all.filter { item in
      cursor.map { $0.utf8.lexicographicallyPrecedes(key(item).utf8) } ?? true
    }.sorted { key($0).utf8.lexicographicallyPrecedes(key($1).utf8) }
    items = Array(rest.prefix(limit))
    next = rest.count > limit ? items.last.map(key) : nil
  }
}
