import GatehouseAdminWire
import GatehouseWire

/// `gatehouse admin create`.
enum AdminCreate {
  private static let scopes = Flag(
    "scope", Kind.scope, "what it allows, such as policy:write (which allows reading too); may be given several times",
    repeats: true)
  private static let tenants = Flag(
    "tenant", .text("TENANT", "a tenant's name").completing(.tenant), "only for this tenant", repeats: true)
  private static let allTenants = Flag("all-tenants", .onOff, "for every tenant, those made later included")
  private static let expires = Flag(
    "expires", .duration(.seconds(60)...(.days(366))), "when it ends by itself (default 90d)")

  static let command = Command(
    "admin", "create", summary: "Create a token for the admin API, and print it once",
    notes: [
      "Only its SHA-256 is kept: what is printed cannot be printed again. Its name stands in histories and audit logs as who did it, and is never used twice.",
      "Without --server the database's login is the migrator's (database.migrator_url): the server's own login makes tokens only for a token that includes them.",
      "Scopes: all, \(AdminScope.allCases.map(\.rawValue).joined(separator: ", ")).",
    ],
    arguments: [AdminToken.name], flags: [scopes, tenants, allTenants, expires],
    examples: [
      Example(
        "gatehouse admin create ci --scope policy:write --tenant dd-ride > ci.token", "for the pipeline of one app"),
      Example("gatehouse admin create support --scope user:write --all-tenants --expires 30d", "for people who help"),
      Example("gatehouse admin create watch --scope audit:read --all-tenants --dry-run", "only say what it could do"),
    ],
    exits: [
      .no: "the name is not allowed", .notFound: "no such tenant", .conflict: "the name was used before",
      .notAllowed: "the token of --server lacks the scope", .unavailable: "the database failed",
    ], mutating: true, creates: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let input = try input(invocation)
    let reach = input.tenants?.joined(separator: ", ") ?? "all tenants"
    let allowed = input.scopes.map(\.rawValue).joined(separator: ", ")
    if invocation.isDryRun {
      invocation.terminal.note("\(Visible.line(input.name)) could use \(allowed) for \(Visible.line(reach))")
      return .ok
    }
    return try await OperatorCommand.backend(invocation) { backend in
      let made = try await backend.send(CreateAdminTokenOperation.self, input)
      invocation.answer([
        "name": .text(made.item.name), "token": made.token.map(Cell.text) ?? .none,
        "expires_at": UserVerb.time(made.item.expiresAt),
      ])
      guard let token = made.token else {
        invocation.terminal.note(
          "\(made.item.name) exists already, until \(made.item.expiresAt); its token is not shown again")
        return .ok
      }
      try invocation.terminal.data(token + "\n")
      let names = made.item.tenants?.joined(separator: ", ") ?? "all tenants"
      invocation.terminal.note("\(made.item.name) may use \(allowed) for \(names) until \(made.item.expiresAt)")
      return .ok
    }
  }

  private static func input(_ invocation: Invocation) throws(Failure) -> CreateAdminTokenOperation.Input {
    let scopes = invocation.all(scopes)
    guard !scopes.isEmpty else {
      throw Failure(.usage, "--scope is missing: what may it do?", hint: "gatehouse admin create --help")
    }
    let tenants = invocation.all(tenants)
    guard tenants.isEmpty == invocation.has(allTenants) else {
      throw Failure(.usage, "either --tenant TENANT or --all-tenants is needed")
    }
    let wanted = Set(scopes.flatMap { $0 })
    return CreateAdminTokenOperation.Input(
      name: try invocation.argument(AdminToken.name.name), scopes: AdminScope.allCases.filter(wanted.contains),
      tenants: tenants.isEmpty ? nil : tenants, expiresIn: invocation[expires].map { $0.milliseconds / 1000 },
      ifAbsent: invocation.ifAbsent)
  }
}

/// The common parts of the commands about tokens.
enum AdminToken {
  static let name = Argument("NAME", "the token's name, such as ci")
}

extension Kind where Value == [AdminScope] {
  /// One scope, or `all`.
  fileprivate static let scope = Kind(
    placeholder: "SCOPE", expects: "a scope like policy:write, or all",
    choices: ["all"] + AdminScope.allCases.map(\.rawValue),
    parse: { text in
      if text.utf8.elementsEqual("all".utf8) { return AdminScope.allCases }
      return AdminScope.allCases.first { $0.rawValue.utf8.elementsEqual(text.utf8) }.map { [$0] }
    }, show: { $0.map(\.rawValue).joined(separator: ",") })
}
