import GatehouseAdminWire
import GatehouseWire

/// `gatehouse admin list`.
enum AdminList {
  static let command = Command(
    "admin", "list", summary: "List the tokens for the admin API, never the tokens themselves",
    notes: ["Revoked and expired ones stay in the list: audit logs name them."],
    examples: [
      Example("gatehouse admin list", "every token, what it allows and when it was last used"),
      Example("gatehouse admin list --output json", "for a script"),
      Example("gatehouse admin list --server https://auth.example.com:9091 --token-file ops.token", "of a server"),
    ], exits: [.notAllowed: "the token of --server lacks the scope", .unavailable: "the database failed"], prints: true,
    settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tokens = try await backend.items(atMost: .max, page: 1000) { limit, cursor in
        let page = try await backend.send(ListAdminTokensOperation.self, .init(limit: limit, cursor: cursor))
        return (page.items, page.nextCursor)
      }
      let columns = [
        Table.Column("name", "token"), Table.Column("scopes", "allows"), Table.Column("tenants", "for"),
        Table.Column("expires_at", "until"), Table.Column("last_used_at", "last used"),
        Table.Column("revoked_at", "revoked"), Table.Column("created_at", ""), Table.Column("created_by", "by"),
      ]
      let rows = tokens.map { token -> [Cell] in
        [
          .text(token.name), .list(token.scopes.map { .text($0.rawValue) }),
          token.tenants.map { .list($0.map(Cell.text)) } ?? .text("all"), time(token.expiresAt),
          token.lastUsedAt.map(time) ?? .none, token.revokedAt.map(time) ?? .none, time(token.createdAt),
          .text(token.createdBy),
        ]
      }
      try invocation.print(
        Table(kind: "admin.list", columns: columns, rows: rows, whenEmpty: "no tokens: gatehouse admin create"))
      return .ok
    }
  }

  private static func time(_ moment: GatehouseWire.Timestamp) -> Cell { .time(Int(moment.seconds)) }
}
