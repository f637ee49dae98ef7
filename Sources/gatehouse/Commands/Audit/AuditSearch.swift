import GatehouseAdminWire
import GatehouseIdentity
import GatehouseWire

/// `gatehouse audit search`.
enum AuditSearch {
  private static let event = Flag(
    "event", .auditEvent, "only this, such as authn_login_fail; gatehouse audit events lists them")
  private static let user = Flag("user", .text("USER", "an address or id"), "only events that concern this user")
  private static let by = Flag(
    "by", .text("ACTOR", "an actor's name"),
    "only acts of this actor: a token, or the person or user of an operator, such as anna; or user:ID")
  private static let since = Flag(
    "since", .pastMoment, "only from this moment on: 2027-03-01T12:00:00Z, a day (UTC), or a time ago such as 2h")
  private static let until = Flag("until", .pastMoment, "only before this moment, given in the same ways")
  private static let allTenants = Flag("all-tenants", .onOff, "all logs: those of the tenants and the installation's")
  private static let limit = Flag("limit", .integer(1...10_000), "how many, newest first (default 50)")

  static let command = Command(
    "audit", "search", summary: "Search a tenant's audit log, or all logs",
    notes: [
      "An operator is found by the name of the user or token (uid 0, ci), and by that of the person behind it (anna), be"
        + " it known or only stated."
    ],
    arguments: [AuditVerb.tenant],
    flags: [AuditVerb.installation, allTenants, event, by, user, since, until, limit],
    examples: [
      Example("gatehouse audit search --all-tenants --by ci --since 7d", "the acts of a token, in all tenants"),
      Example("gatehouse audit search dd-ride --event authn_login_fail --limit 500", "failed sign-ins"),
      Example(
        "gatehouse audit search dd-ride --user willie@ksu.edu --output ndjson", "all about one user, for a script"),
    ], exits: UserVerb.exits, prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    guard invocation.has(allTenants) else {
      let log = try AuditVerb.log(invocation)
      return try await print(invocation) { limit, cursor, backend in
        try await backend.send(
          SearchAuditOperation.self,
          .init(
            tenant: log, event: invocation[event], by: invocation[by], user: invocation[user],
            since: invocation[since], until: invocation[until], limit: limit, cursor: cursor))
      }
    }
    guard invocation.arguments(AuditVerb.tenant.name).isEmpty, !invocation.has(AuditVerb.installation) else {
      throw Failure(.usage, "--all-tenants is every log: leave out TENANT and --installation")
    }
    guard invocation[user] == nil else { throw Failure(.usage, "--user is a user of one tenant: give that TENANT") }
    return try await print(invocation) { limit, cursor, backend in
      try await backend.send(
        SearchAllAuditOperation.self,
        .init(
          event: invocation[event], by: invocation[by], since: invocation[since], until: invocation[until],
          limit: limit, cursor: cursor))
    }
  }

  private static func print(
    _ invocation: Invocation,
    _ page: (_ limit: Int, _ cursor: String?, _ backend: OperatorBackend) async throws -> SearchAuditOperation.Output
  ) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let entries = try await backend.items(atMost: invocation[limit] ?? 50, page: 1000) { limit, cursor in
        let found = try await page(limit, cursor, backend)
        return (found.items, found.nextCursor)
      }
      try invocation.print(AuditTable.of(entries, areOfSeveralLogs: invocation.has(allTenants)))
      return .ok
    }
  }
}
