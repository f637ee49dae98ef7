import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user undelete`.
enum UserUndelete {
  private static let since = Flag("since", Kind.pastMoment, "all users that were deleted since then, such as 2h")
  private static let until = Flag("until", Kind.pastMoment, "all users that were deleted before")

  static let command = Command(
    "user", "undelete", summary: "Bring a deleted user back",
    notes: [
      "It works for the time that accounts.undo_deletion of the policy gives. The user has the same id, profile,"
        + " password and linked providers, and is signed in nowhere. A provider that gave tokens has to be linked again."
        + " Entries of the audit log from before the deletion stay without addresses and details.",
      "An address, a unique value or an identity at a provider that another account has by now is a refusal; the user"
        + " stays deleted and can be brought back later. Users who deleted themselves are gone.",
    ],
    arguments: [OperatorCommand.tenant, Argument("USER", "the user's address or id; without it --since", .optional)],
    flags: [since, until],
    examples: [
      Example("gatehouse user undelete dd-ride willie@ksu.edu", "deleted by mistake"),
      Example("gatehouse user undelete dd-ride --since 2h --dry-run", "count the users of a wrong filter"),
      Example("gatehouse user undelete dd-ride --since 2h", "and bring them all back"),
    ],
    exits: [
      .notFound: "no such tenant, or no deleted user that can be brought back",
      .notAllowed: "another account has a value of a user by now", .unavailable: "the database failed",
    ],
    mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let tenant = try invocation.argument(OperatorCommand.tenant.name)
    let (since, until) = (invocation[since], invocation[until])
    let names = invocation.arguments("USER")
    guard names.isEmpty != (since == nil && until == nil) else {
      throw Failure(
        .usage, names.isEmpty ? "USER is missing, or --since or --until" : "USER names one user, and --since many",
        hint: "gatehouse user list \(Visible.line(tenant)) --deleted")
    }
    return try await OperatorCommand.backend(invocation) { backend in
      guard let name = names.first else {
        return try await many(.init(tenant: tenant, since: since, until: until), backend, invocation)
      }
      if invocation.isDryRun {
        let found = try await backend.items(atMost: .max, page: 1000) { limit, cursor in
          let page = try await backend.send(
            ListDeletedUsersOperation.self, .init(tenant: tenant, limit: limit, cursor: cursor))
          return (page.items.filter { $0.id == name.lowercased() || $0.email == name.lowercased() }, page.nextCursor)
        }
        guard let user = found.first else {
          throw Failure(
            .notFound, "\(Visible.line(tenant)) has no deleted user \(Quoted(name)) that can be brought back",
            hint: "gatehouse user list \(Visible.line(tenant)) --deleted")
        }
        answer(tenant, user.id, user.email, invocation)
        invocation.terminal.note("\(user.email ?? user.id) of \(tenant) would be back; until \(user.eraseAt)")
        return .ok
      }
      let user = try await backend.send(UndeleteUserOperation.self, .init(tenant: tenant, user: name))
      answer(tenant, user.id, user.email, invocation)
      invocation.terminal.note("\(UserVerb.name(user)) of \(tenant) is back, signed in nowhere")
      return .ok
    }
  }

  private static func answer(_ tenant: String, _ id: String, _ email: String?, _ invocation: Invocation) {
    invocation.answer([
      "tenant": .text(tenant), "id": .text(id), "email": email.map(Cell.text) ?? .none,
      "dry_run": .boolean(invocation.isDryRun),
    ])
  }

  private static func many(
    _ first: UndeleteUsersOperation.Input, _ backend: OperatorBackend, _ invocation: Invocation
  ) async throws -> Exit {
    var (input, sum) = (first, UndeleteUsersOperation.Output())
    input.dryRun = invocation.isDryRun ? true : nil
    repeat {
      let part = try await backend.send(UndeleteUsersOperation.self, input)
      sum.found += part.found
      sum.changed += part.changed
      sum.refused += part.refused
      sum.samples = Array((sum.samples + part.samples).prefix(3))
      input.cursor = part.nextCursor
    } while input.cursor != nil
    invocation.answer([
      "tenant": .text(input.tenant), "found": .integer(sum.found), "changed": .integer(sum.changed),
      "dry_run": .boolean(invocation.isDryRun),
    ])
    let count = Words.count(invocation.isDryRun ? sum.found : sum.changed, "user")
    invocation.terminal.note("\(count) of \(input.tenant) \(invocation.isDryRun ? "would be back" : "back")")
    guard sum.refused == 0 else {
      throw Failure(
        .notAllowed,
        "\(Words.count(sum.refused, "user")) cannot be brought back"
          + (sum.samples.isEmpty ? "" : ": " + sum.samples.map(Visible.line).joined(separator: "; ")))
    }
    return .ok
  }
}
