import GatehouseAdminWire
import GatehouseWire

/// `gatehouse push list`.
enum PushList {
  static let command = Command(
    "push", "list", summary: "List the push tokens of a user's devices",
    notes: [
      "Lists push tokens of living sessions, as a backend of the app reads them to notify users. Each call leaves a row in the audit log with the number of tokens. With --server, an id needs the scope push:read; an address needs user:read as well."
    ],
    arguments: [OperatorCommand.tenant, UserVerb.user],
    examples: [
      Example("gatehouse push list messai al@example.com", "why does a phone get nothing?"),
      Example("gatehouse push list messai 0190e5a2-5c1b-7e7c-8d3a-3a1f5b6c7d8e", "by id"),
      Example("gatehouse push list messai al@example.com --output json", "for a script"),
    ], exits: PushVerb.exits, prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      let user = try await PushVerb.user(invocation, of: tenant, backend)
      let found = try await PushVerb.tokens(of: user, in: tenant, backend)
      let columns = [Table.Column("platform", "platform"), Table.Column("token", "token")]
      let rows = found.map { [Cell.text($0.platform), .text($0.token)] }
      try invocation.print(Table(kind: "push.tokens", columns: columns, rows: rows, whenEmpty: "no push token"))
      return .ok
    }
  }
}
