import GatehouseIdentity

/// `gatehouse user list`.
enum UserList {
  private static let query = Flag("query", .text(), "only addresses that contain this")
  private static let limit = Flag("limit", .integer(1...1000), "how many, newest first (default 50)")
  private static let failing = Flag(
    "failing", .text("RULE", "a rule's id"), "only those whose stored values break this rule of the live policy")
  private static let after = Flag("after", .text("ID", "an id"), "go on after this id, the last one of the page before")

  static let command = Command(
    "user", "list", summary: "List a tenant's people, newest first",
    arguments: [OperatorCommand.tenant], flags: [query, failing, limit, after],
    examples: [
      Example("gatehouse user list dd-ride", "the newest fifty"),
      Example("gatehouse user list dd-ride --failing email.allowed_domains", "who breaks a rule"),
      Example("gatehouse user list dd-ride --limit 1000 --output csv", "for a spreadsheet"),
    ], exits: UserVerb.exits, prints: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.run(invocation) { services, tenant, call in
      var cursor: AccountID?
      if let text = invocation[after] {
        guard let id = AccountID(text: text) else { throw Failure(.usage, "--after: \(Quoted(text)) is no id") }
        cursor = id
      }
      let query = invocation[query]?.lowercased()
      let limit = invocation[limit] ?? 50
      let accounts: [Account]
      if let rule = invocation[failing] {
        accounts = try await FailingUsers.list(
          rule, emailContains: query, after: cursor, limit: limit, call, services)
      } else {
        accounts = try await services.store.open(tenant.id).accounts(
          emailContains: query, after: cursor, limit: limit)
      }
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
