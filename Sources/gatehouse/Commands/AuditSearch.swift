import GatehouseIdentity

/// `gatehouse audit search`.
enum AuditSearch {
  private static let event = Flag("event", .text("EVENT", "an event's name"), "only this event, as authn_login_fail")
  private static let user = Flag("user", .text("USER", "an address or id"), "only what concerns this person")
  private static let limit = Flag("limit", .integer(1...10_000), "how many, newest first (default 50)")

  static let command = Command(
    "audit", "search", summary: "Search a tenant's audit trail", arguments: [OperatorCommand.tenant],
    flags: [event, user, limit],
    examples: [
      Example("gatehouse audit search dd-ride", "the newest fifty"),
      Example("gatehouse audit search dd-ride --event authn_login_fail --limit 500", "failed sign-ins"),
      Example(
        "gatehouse audit search dd-ride --user willie@ksu.edu --output ndjson", "all about one person, for a script"),
    ], exits: UserVerb.exits, prints: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.run(invocation) { services, tenant, call in
      var query = AuditQuery(event: invocation[event])
      if let person = invocation[user] { query.account = try await OperatedUsers.find(person, call, services).id }
      let entries = try await services.store.open(tenant.id).audit(query, limit: invocation[limit] ?? 50)
      try invocation.print(AuditTable.of(entries))
      return .ok
    }
  }
}
