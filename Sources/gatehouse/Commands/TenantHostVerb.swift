import GatehouseIdentity
import GatehousePolicyFile

/// `gatehouse tenant host`.
enum TenantHostVerb {
  private static let action = Argument("ACTION", "add, verify, remove or list")
  private static let host = Argument("HOST", "the host name, as auth.example.com", .optional)

  static let command = Command(
    "tenant", "host", summary: "Give a tenant host names of its own",
    notes: [
      "add notes a host. Lead the name to this server then, through a proxy with a certificate for it that passes the Host field on, and verify: the host is asked for what only this installation answers there.",
      "From then on the host's paths need no /t/TENANT, and the tenant's issuer, links and cookies are the host's: tokens of the other issuer are accepted until they expire. Backends that verify tokens must know the new issuer first.",
      "remove takes the host away at once; the issuer is the next host's, or the shared address's.",
    ],
    arguments: [action, OperatorCommand.tenant, host],
    examples: [
      Example("gatehouse tenant host add dd-ride auth.ddride.example", "note it"),
      Example("gatehouse tenant host verify dd-ride auth.ddride.example", "once it leads here"),
      Example("gatehouse tenant host list dd-ride --output json", "for a script"),
    ],
    exits: [
      .no: "it is no host name, or leads elsewhere", .notFound: "no such tenant or host",
      .conflict: "a tenant has it already", .unavailable: "the database failed",
    ], mutating: true, prints: true, settings: .store, run: run)

  private enum Action: String, CaseIterable { case add, verify, remove, list }

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let word = try invocation.argument(action.name)
    guard let action = Action(rawValue: word) else {
      throw Failure(
        .usage,
        "there is no \(Quoted(word)) here"
          + Suggestion.phrase(for: word, among: Action.allCases.map(\.rawValue)), hint: "gatehouse help tenant host")
    }
    let host = invocation.arguments(host.name).first
    guard (host == nil) == (action == .list) else {
      throw Failure(.usage, action == .list ? "list takes no host" : "\(word) needs a host")
    }
    return try await OperatorCommand.run(invocation) { services, tenant, _ in
      let author = OperatorCommand.author(invocation)
      if let host, !invocation.isDryRun { try await act(action, host, tenant, author, services, invocation) }
      try invocation.print(table(try await Hosts.list(tenant, services)))
      return .ok
    }
  }

  private static func act(
    _ action: Action, _ host: String, _ tenant: TenantRecord, _ author: Author, _ services: Services,
    _ invocation: Invocation
  ) async throws {
    switch action {
    case .add:
      _ = try await Hosts.add(host, to: tenant, author: author, services)
      invocation.terminal.note(
        "lead \(Visible.line(host)) here, then: gatehouse tenant host verify \(tenant.name) \(Visible.line(host))")
    case .verify:
      _ = try await Hosts.verify(
        host, of: tenant, by: OutboundHostProbe(isDevelopment: services.publicURL.hasPrefix("http:")), author: author,
        services)
    case .remove:
      let loss = "What leads to \(Visible.line(host)) will answer nothing any more."
      try invocation.confirm([loss], typing: host)
      try await Hosts.remove(host, from: tenant, author: author, services)
    case .list: break
    }
  }

  private static func table(_ hosts: [TenantHost]) -> Table {
    Table(
      kind: "tenant.host.list",
      columns: [
        Table.Column("host", "host"), Table.Column("added_at", "added"), Table.Column("verified_at", "verified"),
      ],
      rows: hosts.map {
        [.text($0.host.description), UserVerb.time($0.addedAt), $0.verifiedAt.map(UserVerb.time) ?? .none]
      },
      whenEmpty: "no hosts of its own")
  }
}
