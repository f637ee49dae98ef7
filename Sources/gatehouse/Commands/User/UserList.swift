import GatehouseIdentity
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user list`.
enum UserList {
  private static let limit = Flag("limit", .integer(1...1000), "how many, newest first (default 50)")
  private static let failing = Flag(
    "failing", .text("RULE", "a rule's id").completing(.rule),
    "only those whose stored values break this rule of the live policy")
  private static let fields = Flag(
    "fields", .text("FIELD,…", "names of profile fields"),
    "show these profile fields too, also such as the policy no longer has")
  private static let after = Flag("after", .text("ID", "an id"), "go on after this id, the last one of the page before")

  private static let deleted = Flag(
    "deleted", .onOff,
    "the deleted users that gatehouse user undelete can bring back; --since and --until are of the deletion")

  static let command = Command(
    "user", "list", summary: "List a tenant's users, newest first",
    arguments: [OperatorCommand.tenant], flags: UserFilterFlags.all + [failing, fields, deleted, limit, after],
    examples: [
      Example("gatehouse user list dd-ride", "the newest fifty"),
      Example("gatehouse user list dd-ride --failing email.allowed_domains", "who breaks a rule"),
      Example(
        "gatehouse user list dd-ride --fields role,chapterId --output csv", "with profile fields, for a spreadsheet"),
    ], exits: UserVerb.exits, prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    if let text = invocation[after], UserID(text: text) == nil {
      throw Failure(.usage, "--after: \(Quoted(text)) is not an id")
    }
    let isSearch = invocation[UserFilterFlags.query] != nil && invocation[failing] == nil
    guard invocation[after] == nil || !isSearch else {
      throw Failure(
        .usage, "--after goes on by age, and --query lists by address and name",
        hint: "raise --limit, or make --query longer")
    }
    let filter = UserFilterFlags(invocation)
    if invocation.has(deleted) { return try await listDeleted(filter, invocation) }
    return try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      let users = try await backend.items(atMost: invocation[limit] ?? 50, page: 1000) { limit, cursor in
        let page = try await backend.send(
          ListUsersOperation.self,
          .init(
            tenant: tenant, query: filter.query, contains: filter.contains, unverified: filter.unverified,
            since: filter.since,
            until: filter.until, matching: filter.matching, failing: invocation[failing], fields: invocation[fields],
            limit: limit,
            cursor: cursor ?? invocation[after]))
        return (page.items, page.nextCursor)
      }
      let names = (invocation[fields] ?? "").split(separator: ",").map(String.init)
      // JSON has the profile as `user show` has it; a table and CSV have a column for each field.
      let isNested = [.json, .ndjson].contains(invocation.outputForm) && !names.isEmpty
      let profile =
        isNested ? [Table.Column("profile", "")] : names.map { Table.Column("profile.\($0)", Visible.line($0)) }
      let columns =
        [
          Table.Column("id", "id"), Table.Column("email", "email"), Table.Column("email_verified", "verified"),
          Table.Column("disabled", "disabled"), Table.Column("created_at", "created"),
        ] + profile
      let rows = users.map { user -> [Cell] in
        let own: [Cell] = [
          .text(user.id), user.email.map(Cell.text) ?? .none, .boolean(user.emailVerified), .boolean(user.disabled),
          UserVerb.time(user.createdAt),
        ]
        return own + UserVerb.profile(user.profile ?? [:], names, isNested: isNested)
      }
      try invocation.print(Table(kind: "user.list", columns: columns, rows: rows, whenEmpty: "no users"))
      return .ok
    }
  }

  private static func listDeleted(_ filter: UserFilterFlags, _ invocation: Invocation) async throws -> Exit {
    guard
      filter.query == nil, filter.unverified == nil, filter.matching == nil, invocation[failing] == nil,
      invocation[fields] == nil
    else { throw Failure(.usage, "--deleted goes with --since, --until, --limit and --after alone") }
    return try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      let users = try await backend.items(atMost: invocation[limit] ?? 50, page: 1000) { limit, cursor in
        let page = try await backend.send(
          ListDeletedUsersOperation.self,
          .init(
            tenant: tenant, since: filter.since, until: filter.until, limit: limit, cursor: cursor ?? invocation[after])
        )
        return (page.items, page.nextCursor)
      }
      let columns = [
        Table.Column("id", "id"), Table.Column("email", "email"), Table.Column("deleted_at", "deleted"),
        Table.Column("erase_at", "erased"),
      ]
      let rows = users.map { user in
        [
          Cell.text(user.id), user.email.map(Cell.text) ?? .none, UserVerb.time(user.deletedAt),
          UserVerb.time(user.eraseAt),
        ]
      }
      try invocation.print(
        Table(kind: "user.deleted", columns: columns, rows: rows, whenEmpty: "no deleted users to bring back"))
      return .ok
    }
  }
}
