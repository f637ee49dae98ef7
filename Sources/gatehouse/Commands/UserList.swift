import GatehouseIdentity

/// `gatehouse user list`.
enum UserList {
  private static let query = Flag("query", .text(), "only addresses that contain this")
  private static let limit = Flag("limit", .integer(1...1000), "how many, newest first (default 50)")
  private static let after = Flag("after", .text("ID", "an id"), "go on after this id, the last one of the page before")

  static let command = Command(
    "user", "list", summary: "List a tenant's people, newest first",
    arguments: [OperatorCommand.tenant], flags: [query, limit, after],
    examples: [
      Example("gatehouse user list dd-ride", "the newest fifty"),
      Example("gatehouse user list dd-ride --query willie", "by a part of the address"),
      Example("gatehouse user list dd-ride --limit 1000 --output csv", "for a spreadsheet"),
    ], exits: UserVerb.exits, prints: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.run(invocation) { services, tenant, _ in
      var cursor: AccountID?
      if let text = invocation[after] {
        guard let id = AccountID(text: text) else { throw Failure(.usage, "--after: \(Quoted(text)) is no id") }
        cursor = id
      }
      let accounts = try await services.store.open(tenant.id).accounts(
        emailContains: invocation[query]?.lowercased(), after: cursor, limit: invocation[limit] ?? 50)
      let columns = [
        Table.Column("id", "id"), Table.Column("email", "email"), Table.Column("email_verified", "verified"),
        Table.Column("disabled", "disabled"), Table.Column("created_at", "created"),
      ]
      let rows = accounts.map { account in
        [
          Cell.text(account.id.text), .text(account.email), .boolean(account.emailVerifiedAt != nil),
          .boolean(account.disabledAt != nil), UserVerb.time(account.createdAt),
        ]
      }
      try invocation.print(Table(kind: "user.list", columns: columns, rows: rows, whenEmpty: "nobody"))
      return .ok
    }
  }
}
