import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user factors`.
enum UserFactors {
  static let command = Command(
    "user", "factors", summary: "List the second factors of a user",
    notes: [
      "After a hundred wrong codes in a row the apps of a user are locked: none of them proves anything until the user enters a recovery code, or gatehouse user mfa-reset removes them."
    ],
    arguments: [OperatorCommand.tenant, UserVerb.user],
    examples: [
      Example("gatehouse user factors dd-ride willie@ksu.edu", "oldest first"),
      Example("gatehouse user factors dd-ride willie@ksu.edu --output json", "for a script"),
      Example("gatehouse user factors messai al@example.com", "of another app"),
    ], exits: UserVerb.exits, prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      let found = try await backend.send(
        ListUserFactorsOperation.self, .init(tenant: tenant, user: try invocation.argument("USER")))
      let columns = [
        Table.Column("id", "id"), Table.Column("type", "type"), Table.Column("name", "name"),
        Table.Column("created_at", "added"), Table.Column("last_used_at", "last used"),
        Table.Column("locked", "locked"),
      ]
      let rows = found.items.map { factor in
        [
          Cell.text(factor.id), .text(factor.type), factor.name.map(Cell.text) ?? .none,
          UserVerb.time(factor.createdAt), factor.lastUsedAt.map(UserVerb.time) ?? .none, .boolean(found.locked),
        ]
      }
      try invocation.print(
        Table(kind: "user.factors", columns: columns, rows: rows, whenEmpty: "no second factors"))
      invocation.terminal.note("recovery codes left: \(found.recoveryCodes.left)")
      return .ok
    }
  }
}
