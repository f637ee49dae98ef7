import GatehousePolicyFile
import GatehouseWire

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
    ], mutating: true, prints: true, settings: .allOrOffice, run: run)

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
    let tenant = try invocation.argument(OperatorCommand.tenant.name)
    return try await OperatorCommand.office(invocation) { office in
      try invocation.print(
        table(try await act(invocation.isDryRun ? .list : action, host ?? "", tenant, office, invocation)))
      return .ok
    }
  }

  /// Does it; the tenant's hosts afterwards.
  private static func act(
    _ action: Action, _ host: String, _ tenant: String, _ office: Office, _ invocation: Invocation
  ) async throws -> [HostSummary] {
    switch action {
    case .add:
      let hosts = try await office.send(AddHostOperation.self, .init(tenant: tenant, host: host)).items
      invocation.terminal.note(
        "lead \(Visible.line(host)) here, then: gatehouse tenant host verify \(tenant) \(Visible.line(host))")
      return hosts
    case .verify: return try await office.send(VerifyHostOperation.self, .init(tenant: tenant, host: host)).items
    case .remove:
      let loss = "What leads to \(Visible.line(host)) will answer nothing any more."
      try invocation.confirm([loss], typing: host)
      return try await office.send(RemoveHostOperation.self, .init(tenant: tenant, host: host)).items
    case .list: return try await office.send(ListHostsOperation.self, .init(tenant: tenant)).items
    }
  }

  private static func table(_ hosts: [HostSummary]) -> Table {
    Table(
      kind: "tenant.host.list",
      columns: [
        Table.Column("host", "host"), Table.Column("added_at", "added"), Table.Column("verified_at", "verified"),
      ],
      rows: hosts.map {
        [.text($0.host), UserVerb.time($0.addedAt), $0.verifiedAt.map(UserVerb.time) ?? .none]
      },
      whenEmpty: "no hosts of its own")
  }
}
