import GatehouseIdentity
import GatehousePostgres
import GatehouseWire

/// `gatehouse db restored`.
enum DatabaseRestored {
  private static let until = Flag(
    "until", Kind<GatehouseWire.Timestamp>.moment, "the moment that the database was restored to")

  static let command = Command(
    "db", "restored", summary: "End what lives again after the database was restored to an earlier moment",
    notes: [
      "In a database that was restored, refresh tokens and codes that were spent after that moment are unspent again. Run this before servers start: it ends all sessions, voids all codes and links, removes flows at providers and answers kept for repeated requests, and refuses ID tokens without a nonce and challenges for attested apps that were made before. Passwords stay; users sign in again.",
      "The gap, from that moment to now, goes into each audit log, and gatehouse audit verify names it.",
      "It works in batches, may be stopped and run again, and does nothing the second time. Other changes after that moment are gone, and nothing can tell which: passwords, disabled users, admin tokens and keys are as they were.",
    ],
    flags: [until],
    examples: [
      Example("gatehouse db restored --until 2027-03-01T12:00:00Z", "asks first"),
      Example("gatehouse db restored --until 2027-03-01T12:00:00Z --dry-run", "count what would end"),
      Example("gatehouse db restored --until 2027-03-01T12:00:00Z --yes", "without questions, in a script"),
    ],
    exits: [.no: "the moment is still to come", .unavailable: "the database failed; what ended stays ended"],
    mutating: true, prints: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    guard let moment = invocation[until] else {
      throw Failure(.usage, "--until is missing: the moment that the database was restored to")
    }
    let author = OperatorCommand.author(invocation)
    return try await OperatorCommand.assembled(invocation) { assembly in
      let restored = try RestoredDatabase(to: moment, author: author, assembly.services)
      let tenants = try await restored.look()
      let open = tenants.filter { !$0.isDone }
      for tenant in open where tenant.goesOn {
        invocation.terminal.note(
          "\(tenant.record.name): its audit log goes on after \(moment): servers have run since, or it was not restored to then"
        )
      }
      if !open.isEmpty {
        let sessions = open.reduce(0) { $0 + ($1.living[.sessions] ?? 0) }
        try invocation.confirm(
          ["\(sessions) sessions of \(open.count) tenants will end, and all codes and links be void."],
          typing: moment.description)
      }
      var rows: [[Cell]] = []
      for tenant in tenants {
        let counts = invocation.isDryRun ? tenant.isDone ? [:] : tenant.living : try await restored.end(tenant)
        rows.append(row(tenant, counts, isDryRun: invocation.isDryRun))
      }
      if !invocation.isDryRun {
        try await restored.record()
        try await seal(assembly, invocation)
      }
      try invocation.print(table(rows))
      try await noteTokens(assembly, invocation)
      return .ok
    }
  }

  private static func table(_ rows: [[Cell]]) -> Table {
    Table(
      kind: "db.restored",
      columns: [Table.Column("tenant", "tenant"), Table.Column("state", "state")]
        + Revived.allCases.map { Table.Column($0.rawValue, $0.rawValue) },
      rows: rows, whenEmpty: "there are no tenants")
  }

  private static func row(_ tenant: RestoredDatabase.Tenant, _ counts: [Revived: Int], isDryRun: Bool) -> [Cell] {
    let state = tenant.isDone ? "recorded before" : isDryRun ? "would end" : "ended"
    return [.text(tenant.record.name.description), .text(state)]
      + Revived.allCases.map { .integer(counts[$0] ?? 0) }
  }

  /// The gap is sealed at once, so that no later change of it stays unseen; of a tenant that does not load by a server.
  private static func seal(_ assembly: Assembly, _ invocation: Invocation) async throws {
    try await TenantLoader(assembly.services).loadAll()
    let sealing = SealAudit(PostgresAuditQueue(assembly.jobs), assembly.services) { trouble, log in
      invocation.terminal.note("\(log): the gap is recorded, but its log is not sealed: \(trouble.rawValue)")
    }
    while try await sealing.runOnce() {}
  }

  /// Notes the admin tokens that are live again: they are not for single use, so restoring the database brings them
  /// back.
  private static func noteTokens(_ assembly: Assembly, _ invocation: Invocation) async throws {
    let services = assembly.services
    let live = try await services.adminTokens.adminTokens().count {
      $0.revokedAt == nil && $0.expiresAt > services.clock.now
    }
    guard live > 0 else { return }
    invocation.terminal.note(
      "\(live) admin tokens are live; those revoked since then are among them: gatehouse admin list, admin revoke")
  }
}
