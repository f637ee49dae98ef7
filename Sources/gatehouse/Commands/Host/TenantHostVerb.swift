import GatehouseIdentity
import GatehousePolicyFile
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse tenant host`.
enum TenantHostVerb {
  private static let action = Argument(
    "ACTION", "add, allow, verify, remove or list", completes: .words(Action.allCases.map(\.rawValue)))
  private static let host = Argument("HOST", "the host name, such as auth.example.com", .optional)

  private static let allowLockout = Flag(
    "allow-lockout", .onOff, "verify or remove it also where passkeys that are users' only way in would prove no more")

  static let command = Command(
    "tenant", "host", summary: "Give a tenant host names of its own",
    notes: [
      "The action add claims a host, for 7 days unless it is verified by then. A claim by a token that is bound to tenants waits: an operator of all tenants allows it, or the TXT record _gatehouse.HOST with the proof that list shows. Several tenants may claim a host; the first that is verified has it until it is removed.",
      "Lead the name to this server then, through a proxy with a certificate for it that passes the Host field on, and verify: the host is asked for an answer that only this installation can give.",
      "From then on the host's paths need no /t/TENANT, and the tenant's issuer, links and cookies are the host's: tokens of the other issuer are accepted until they expire. Backends that verify tokens must know the new issuer first.",
      "The action remove takes the host away at once; the issuer is the next host's, or the shared address's.",
      "Passkeys are bound to passkeys.rp_id of the policy, or else to the tenant's first host. A change of hosts is refused while users have no other way in than a passkey that would prove no more.",
    ],
    arguments: [action, OperatorCommand.tenant, host], flags: [allowLockout],
    examples: [
      Example("gatehouse tenant host add dd-ride auth.ddride.example", "note it"),
      Example("gatehouse tenant host allow dd-ride auth.ddride.example", "what a tenant's own token claimed"),
      Example("gatehouse tenant host verify dd-ride auth.ddride.example", "once it leads here"),
    ],
    exits: [
      .no: "it is not a host name, waits, or leads elsewhere", .notFound: "no such tenant or host",
      .notAllowed: "the token is bound to tenants, or users would be locked out", .conflict: "a tenant has it already",
      .unavailable: "the database failed",
    ], mutating: true, creates: true, prints: true, settings: .allOrBackend, run: run)

  private enum Action: String, CaseIterable { case add, allow, verify, remove, list }

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let word = try invocation.argument(action.name)
    guard let action = Action(rawValue: word) else {
      throw Failure(
        .usage,
        "there is no \(Quoted(word)) here"
          + Suggestion.phrase(for: word, among: Action.allCases.map(\.rawValue)), hint: "gatehouse help tenant host")
    }
    // The name as the server keeps it: what follows names no other spelling. The server refuses a text that is none.
    let host = invocation.arguments(host.name).first.map { HostName(spelled: $0)?.description ?? $0 }
    guard (host == nil) == (action == .list) else {
      throw Failure(.usage, action == .list ? "list takes no host" : "\(word) needs a host")
    }
    if action != .add, invocation.has(CommonFlags.ifAbsent) {
      throw Failure(.usage, "--if-absent goes with add")
    }
    if ![.verify, .remove].contains(action), invocation.has(allowLockout) {
      throw Failure(.usage, "--allow-lockout goes with verify and remove")
    }
    let tenant = try invocation.argument(OperatorCommand.tenant.name)
    return try await OperatorCommand.backend(invocation) { backend in
      try invocation.print(
        table(try await act(invocation.isDryRun ? .list : action, host ?? "", tenant, backend, invocation)))
      return .ok
    }
  }

  /// Does it; the tenant's hosts afterwards.
  private static func act(
    _ action: Action, _ host: String, _ tenant: String, _ backend: OperatorBackend, _ invocation: Invocation
  ) async throws -> [HostSummary] {
    switch action {
    case .add:
      let hosts = try await backend.send(
        AddHostOperation.self, .init(tenant: tenant, host: host, ifAbsent: invocation.ifAbsent)
      ).items
      let shown = Visible.line(host)
      if let proof = hosts.first(where: { $0.host.utf8.elementsEqual(host.utf8) })?.proof {
        let name = shown.prefix { $0 != ":" }
        invocation.terminal.note(
          """
          the claim waits until an operator of all tenants allows it (gatehouse tenant host allow \(tenant) \(shown)), or \
          until DNS has: _gatehouse.\(name) TXT "\(proof)"
          """)
      }
      invocation.terminal.note("lead \(shown) here, then: gatehouse tenant host verify \(tenant) \(shown)")
      return hosts
    case .allow: return try await backend.send(AllowHostOperation.self, .init(tenant: tenant, host: host)).items
    case .verify:
      return try await backend.send(
        VerifyHostOperation.self, .init(tenant: tenant, host: host, allowLockout: consent(invocation))
      ).items
    case .remove:
      let loss = "Requests to \(Visible.line(host)) will get no answer any more."
      try invocation.confirm([loss], typing: host)
      return try await backend.send(
        RemoveHostOperation.self, .init(tenant: tenant, host: host, allowLockout: consent(invocation))
      ).items
    case .list: return try await backend.send(ListHostsOperation.self, .init(tenant: tenant)).items
    }
  }

  private static func consent(_ invocation: Invocation) -> Bool? { invocation.has(allowLockout) ? true : nil }

  private static func table(_ hosts: [HostSummary]) -> Table {
    Table(
      kind: "tenant.host.list",
      columns: [
        Table.Column("host", "host"), Table.Column("state", "state"), Table.Column("added_at", "added"),
        Table.Column("expires_at", "until"), Table.Column("verified_at", "verified"), Table.Column("proof", "proof"),
      ],
      rows: hosts.map {
        [
          .text($0.host), .text($0.state.rawValue), UserVerb.time($0.addedAt), $0.expiresAt.map(UserVerb.time) ?? .none,
          $0.verifiedAt.map(UserVerb.time) ?? .none, $0.proof.map(Cell.text) ?? .none,
        ]
      },
      whenEmpty: "no hosts of its own")
  }
}
