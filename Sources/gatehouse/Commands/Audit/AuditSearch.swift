import GatehouseAdminWire
import GatehouseWire

/// `gatehouse audit search`.
enum AuditSearch {
  private static let event = Flag("event", .text("EVENT", "an event's name"), "only this, such as authn_login_fail")
  private static let user = Flag("user", .text("USER", "an address or id"), "only events that concern this user")
  private static let limit = Flag("limit", .integer(1...10_000), "how many, newest first (default 50)")

  static let command = Command(
    "audit", "search", summary: "Search a tenant's audit log", arguments: [AuditVerb.tenant],
    flags: [AuditVerb.installation, event, user, limit],
    examples: [
      Example("gatehouse audit search dd-ride", "the newest fifty"),
      Example("gatehouse audit search --installation --event tenant_deleted", "tenants that are gone"),
      Example("gatehouse audit search dd-ride --event authn_login_fail --limit 500", "failed sign-ins"),
      Example(
        "gatehouse audit search dd-ride --user willie@ksu.edu --output ndjson", "all about one user, for a script"),
    ], exits: UserVerb.exits, prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenant = try AuditVerb.log(invocation)
      let entries = try await backend.items(atMost: invocation[limit] ?? 50, page: 1000) { limit, cursor in
        let page = try await backend.send(
          SearchAuditOperation.self,
          .init(tenant: tenant, event: invocation[event], user: invocation[user], limit: limit, cursor: cursor))
        return (page.items, page.nextCursor)
      }
      try invocation.print(AuditTable.of(entries))
      return .ok
    }
  }
}
