import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user sessions`.
enum UserSessions {
  static let command = Command(
    "user", "sessions", summary: "List the sessions of a user",
    arguments: [OperatorCommand.tenant, UserVerb.user],
    examples: [
      Example("gatehouse user sessions dd-ride willie@ksu.edu", "newest first"),
      Example("gatehouse user sessions dd-ride willie@ksu.edu --output json", "for a script"),
      Example("gatehouse user sessions messai al@example.com", "of another app"),
    ], exits: UserVerb.exits, prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      let found = try await backend.send(
        ListUserSessionsOperation.self, .init(tenant: tenant, user: try invocation.argument("USER")))
      let columns = [
        Table.Column("id", "id"), Table.Column("device", "device"), Table.Column("place", "place"),
        Table.Column("created_at", "signed in"),
        Table.Column("last_seen_at", "last used"),
      ]
      let rows = found.items.map { session in
        [
          Cell.text(session.id), session.device.map(Cell.text) ?? .none, session.place.map(Cell.text) ?? .none,
          UserVerb.time(session.createdAt), UserVerb.time(session.lastSeenAt),
        ]
      }
      try invocation.print(Table(kind: "user.sessions", columns: columns, rows: rows, whenEmpty: "no sessions"))
      return .ok
    }
  }
}
