import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user create`.
enum UserCreate {
  static let command = Command(
    "user", "create", summary: "Create a user and mail them a link to set the password",
    notes: ["Where the policy has no passwords, no mail is sent: the user signs in with a provider."],
    arguments: [
      OperatorCommand.tenant, Argument("EMAIL", "the user's address"),
      Argument("FIELD=VALUE", "profile fields", .any, completes: .field),
    ],
    examples: [
      Example(
        "gatehouse user create dd-ride kay@ksu.edu name=Kay phoneNumber=7855550123", "with what the policy requires"),
      Example(
        "gatehouse user create messai al@example.com displayName=Al", "only its owner ever knows the password"),
      Example("gatehouse user create messai al@example.com displayName=Al --dry-run", "only ask the policy"),
    ], exits: exits, mutating: true, creates: true, settings: .backend, run: run)

  private static let exits: KeyValuePairs<Exit, String> = [
    .notFound: "no such tenant", .notAllowed: "the policy refuses it",
    .conflict: "with --if-absent: the user is there, with other fields", .unavailable: "the database failed",
  ]

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      let email = try invocation.argument("EMAIL")
      let made = try await backend.send(
        CreateUserOperation.self,
        .init(
          tenant: tenant, email: email, fields: invocation.arguments("FIELD=VALUE"),
          ifAbsent: invocation.ifAbsent, dryRun: invocation.isDryRun))
      invocation.answer([
        "tenant": .text(tenant), "id": made.id.map(Cell.text) ?? .none, "email": .text(made.email),
        "mailed": .boolean(made.id != nil && made.mailed ?? true), "existed": .boolean(made.existed ?? false),
        "dry_run": .boolean(invocation.isDryRun),
      ])
      guard let id = made.id else {
        invocation.terminal.note("\(Visible.line(email)) would be made in \(tenant)")
        return .ok
      }
      try invocation.terminal.data("\(id)\n")
      if made.existed == true {
        invocation.terminal.note("\(made.email) of \(tenant) exists already; nothing was changed")
        return .ok
      }
      invocation.terminal.note(
        "\(made.email) of \(tenant) was made; "
          + (made.mailed ?? true
            ? "a mail with a link to set the password is on its way" : "the policy has no passwords: no mail is sent"))
      return .ok
    }
  }
}
