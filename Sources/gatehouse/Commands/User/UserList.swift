import GatehouseIdentity
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user list`.
enum UserList {
  private static let limit = Flag("limit", .integer(1...1000), "how many, newest first (default 50)")
  private static let failing = Flag(
    "failing", .text("RULE", "a rule's id").completing(.rule),
    "only those whose stored values break this rule of the live policy")
  private static let after = Flag("after", .text("ID", "an id"), "go on after this id, the last one of the page before")

  static let command = Command(
    "user", "list", summary: "List a tenant's users, newest first",
    arguments: [OperatorCommand.tenant], flags: UserFilterFlags.all + [failing, limit, after],
    examples: [
      Example("gatehouse user list dd-ride", "the newest fifty"),
      Example("gatehouse user list dd-ride --failing email.allowed_domains", "who breaks a rule"),
      Example("gatehouse user list dd-ride --limit 1000 --output csv", "for a spreadsheet"),
    ], exits: UserVerb.exits, prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    if let text = invocation[after], UserID(text: text) == nil {
      throw Failure(.usage, "--after: \(Quoted(text)) is not an id")
    }
    let filter = UserFilterFlags(invocation)
    return try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      let users = try await backend.items(atMost: invocation[limit] ?? 50, page: 1000) { limit, cursor in
        let page = try await backend.send(
          ListUsersOperation.self,
          .init(
            tenant: tenant, query: filter.query, unverified: filter.unverified, since: filter.since,
            until: filter.until, failing: invocation[failing], limit: limit,
            cursor: cursor ?? invocation[after]))
        return (page.items, page.nextCursor)
      }
      let columns = [
        Table.Column("id", "id"), Table.Column("email", "email"), Table.Column("email_verified", "verified"),
        Table.Column("disabled", "disabled"), Table.Column("created_at", "created"),
      ]
      let rows = users.map { user in
        [
          Cell.text(user.id), user.email.map(Cell.text) ?? .none, .boolean(user.emailVerified), .boolean(user.disabled),
          UserVerb.time(user.createdAt),
        ]
      }
      try invocation.print(Table(kind: "user.list", columns: columns, rows: rows, whenEmpty: "no users"))
      return .ok
    }
  }
}
