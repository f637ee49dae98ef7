import GatehouseIdentity

/// `gatehouse user create`.
enum UserCreate {
  static let command = Command(
    "user", "create", summary: "Make an account and mail its owner a link to set the password",
    arguments: [
      OperatorCommand.tenant, Argument("EMAIL", "the person's address"),
      Argument("FIELD=VALUE", "profile fields", .any),
    ],
    examples: [
      Example(
        "gatehouse user create dd-ride kay@ksu.edu name=Kay phoneNumber=7855550123", "with what the policy requires"),
      Example(
        "gatehouse user create messai al@example.com displayName=Al", "nobody but its owner ever knows the password"),
      Example("gatehouse user create messai al@example.com displayName=Al --dry-run", "only ask the policy"),
    ], exits: UserVerb.exits, mutating: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.run(invocation) { services, tenant, call in
      let email = try invocation.argument("EMAIL")
      let fields = try UserVerb.fields(invocation.arguments("FIELD=VALUE"), call.policy)
      if invocation.isDryRun {
        try OperatedUsers.judge(email: email, profile: fields, call, services)
        invocation.terminal.note("\(Visible.line(email)) would be made in \(tenant.name)")
        return .ok
      }
      let account = try await OperatedUsers.create(
        email: email, profile: fields, call, author: OperatorCommand.author(invocation), services)
      try invocation.terminal.data("\(account.id.text)\n")
      invocation.terminal.note(
        "\(account.email) of \(tenant.name) was made; a mail with a link to set the password is on its way")
      return .ok
    }
  }
}
