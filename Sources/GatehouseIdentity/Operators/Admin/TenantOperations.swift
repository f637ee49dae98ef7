// Tenants, as operators ask for them.

import GatehousePolicyFile
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
      accounts: try await call.services.store.open(tenant.id).userCount(), createdAt: Timestamp(tenant.createdAt))
  }

  package static func create(_ input: CreateTenantOperation.Input, _ call: OperatorCall) async throws
    -> CreateTenantOperation.Output
  {
    guard call.who.reachesAll else {
      throw OperatorError(
        .forbidden, "the token \"\(call.who.name)\" is not for all tenants, so it makes none",
        hint: "gatehouse admin create --all-tenants")
    }
    guard let name = TenantName(input.name) else {
      throw Refusal(
        .malformedRequest,
        detail: "\"\(input.name)\" is no tenant's name: 1 to 63 lower-case letters, digits and inner hyphens")
    }
    let shown = try input.displayName.map { try OperatorCall.line($0, "display_name", limit: 200) }
    let text = input.policy ?? PolicyFile.initial(tenant: name.description, name: shown ?? name.description)
    let file = input.policy == nil ? "the policy of a new tenant" : try OperatorCall.fileName(input.file)
    var answer = CreateTenantOperation.Output(
      outcome: "created", name: name.description, publicURL: call.services.publicURL)
    if input.ifNotExists == true, try await call.services.directory.tenant(name) != nil {
      answer.outcome = "exists"
    } else if input.dryRun == true {
      try Policies.judge(text, file: file, of: name, call.services)
      answer.outcome = "checked"
    } else {
      return try await call.once(CreateTenantOperation.self) { keep in
        _ = try await Tenants.create(
          name, displayName: shown, policy: text, file: file, author: try call.author("first revision"),
          keeping: try keep(answer), call.services)
        return answer
      }
    }
    return answer
  }

  package static func set(_ input: SetTenantOperation.Input, _ call: OperatorCall) async throws -> TenantSummary {
    var tenant = try await call.tenant(input.tenant)
    let author = try call.author()
    if let name = input.displayName {
      guard !name.isEmpty else { throw Refusal.malformed("/display_name", "must not be empty") }
      tenant.displayName = try OperatorCall.line(name, "display_name", limit: 200)
      try await Tenants.rename(tenant, to: tenant.displayName, author: author, call.services)
    }
    if let enabled = input.enabled {
      try await Tenants.setEnabled(tenant, enabled, author: author, call.services)
      tenant.enabled = enabled
    }
    return summary(tenant)
  }

  package static func delete(_ input: DeleteTenantOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    try await Tenants.delete(try await call.tenant(input.tenant), call.services)
    return Nothing()
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
