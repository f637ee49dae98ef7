package import GatehouseIdentity
import GatehouseOutbound
package import GatehousePostgres
package import GatehousePrimitives

/// The jobs of a server. Their order says nothing: they run side by side.
package enum ServerJobs {
  /// The parts that the jobs need.
  package struct Parts: Sendable {
    package let services: Services
    /// The database, as the jobs' role.
    package let database: Database
    package let channels: Channels
    package let webhooks: any WebhookTransport
    /// Policy files that are watched.
    package let watch: WatchPolicies?
    /// This program's version, and the name of the machine that it runs on.
    package let version: String
    package let machine: String
    /// Where the size of the outbox is kept, so that asking for metrics never waits for the database.
    package let backlog: LockBox<MailBacklog?>
    package let clocks: CompareClocks
    /// The state of the database that requests use.
    package let standing: DatabaseStanding
    let warnings: Warnings
    let edge: EdgeWatch
    /// Nil where no trace is recorded.
    let traces: TraceExporter?
    package let report: @Sendable (ServerEvent) -> Void

    init(
      services: Services, database: Database, channels: Channels, webhooks: any WebhookTransport,
      watch: WatchPolicies?, version: String, machine: String, backlog: LockBox<MailBacklog?>,
      clocks: CompareClocks, standing: DatabaseStanding, warnings: Warnings, edge: EdgeWatch,
      traces: TraceExporter?,
      report: @escaping @Sendable (ServerEvent) -> Void
    ) {
      self.services = services
      self.database = database
      self.channels = channels
      self.webhooks = webhooks
      self.watch = watch
      self.version = version
      self.machine = machine
      self.backlog = backlog
      self.clocks = clocks
      self.standing = standing
      self.warnings = warnings
      self.edge = edge
      self.traces = traces
      self.report = report
    }
  }

  /// All of them. Sealing and sweeps are one server's, whose place another takes when its session has ended. Queues are
  /// shared row by row: mails and webhooks wait for no server.
  package static func all(_ parts: Parts) -> [Job] {
    tenants(parts) + messages(parts) + accounts(parts) + sessions(parts) + secrets(parts) + audit(parts)
      + server(parts) + traces(parts)
  }

  /// The export of traces, where they are recorded.
  private static func traces(_ parts: Parts) -> [Job] {
    guard let traces = parts.traces else { return [] }
    return [
      Job(
        .exportTraces, fails: .init("traces_not_exported", "traces.not_exported"), every: .seconds(5),
        startsWithPause: true, wake: .init(every: .seconds(1)) { traces.isDue },
        last: { while try await traces.runOnce() {} }
      ) {
        try await traces.runOnce()
      }
    ]
  }

  /// Tenants and their policies.
  private static func tenants(_ parts: Parts) -> [Job] {
    let report = parts.report
    let watched = parts.watch.map { watch in
      Job(.watchPolicies, every: .milliseconds(200)) {
        for event in await watch.look() { report(.policyFile(event)) }
        return false
      }
    }
    return [follow(parts.services, parts.standing, report), followFloor(parts.services, report)]
      + [watched].compactMap(\.self)
  }

  private static func followFloor(
    _ services: Services, _ report: @escaping @Sendable (ServerEvent) -> Void
  ) -> Job {
    let told = LockBox<FloorInForce.Trouble?>(nil)
    return Job(.followFloor, fails: .init("floor_not_followed", "floor.not_followed"), every: .seconds(1)) {
      try await Floors.follow(services)
      let trouble = services.floor.trouble(configured: services.choices.now.configuredFloor)
      let isNews = told.withLock { told in
        defer { told = trouble }
        return told != trouble
      }
      if isNews { report(.floorChanged(trouble: trouble)) }
      return false
    }
  }

  /// Mails and webhooks.
  private static func messages(_ parts: Parts) -> [Job] {
    let report = parts.report
    let messages = DeliverMessages(
      queue: PostgresOutboxQueue(parts.database), channels: parts.channels, parts.services
    ) { attempt in
      if attempt.outcome != .delivered { report(.mailNotDelivered(attempt)) }
    }
    let suppressed = TellSuppressed(parts.services)
    return [
      Job(.deliverMail, fails: .init("mail_queue_not_read", "mail_queue.not_read"), every: .milliseconds(250)) {
        try await messages.runOnce() > 0
      },
      measureBacklog(parts),
      deliverWebhooks(parts),
      Job(
        .tellSuppressed, fails: .init("suppressed_not_told", "suppressed.not_told"), every: .seconds(60),
        startsWithPause: true, last: { try await suppressed.runOnce(isLast: true) }
      ) {
        try await suppressed.runOnce()
        return false
      },
    ]
  }

  /// Rows that accounts leave behind: proofs, grants, rows that are over, reservations of limits.
  private static func accounts(_ parts: Parts) -> [Job] {
    let (services, database, report) = (parts.services, parts.database, parts.report)
    let prune = PruneExpired(PostgresExpirySweep(database))
    let proofs = BackfillProofs(PostgresProofBackfill(database))
    let revoke = RevokeGrants(PostgresRevocationQueue(database), services)
    let warm = WarmGrants(services) { error, tenant in report(.grantNotWarmed(tenant: tenant.name.description, error)) }
    let back = GiveBack(services)
    let move = MoveValues(PostgresBackfillQueue(database), services)
    return [
      Job(.moveValues, fails: .init("values_not_moved", "values.not_moved"), on: .oneServer, every: .seconds(1)) {
        try await move.runOnce()
      },
      Job(
        .pruneExpired, fails: .init("expired_not_pruned", "expired.not_pruned"), on: .oneServer, every: .seconds(60)
      ) {
        try await prune.runOnce()
      },
      Job(
        .backfillProofs, fails: .init("proofs_not_filled", "proofs.not_filled"), on: .oneServer, every: .seconds(60)
      ) {
        try await proofs.runOnce()
      },
      Job(.revokeGrants, fails: .init("grants_not_revoked", "grants.not_revoked"), every: .seconds(1)) {
        try await revoke.runOnce() > 0
      },
      Job(.warmGrants, fails: .init("grants_not_warmed", "grants.not_warmed"), every: .seconds(60)) {
        await warm.runOnce()
      },
      Job(
        .giveBack, fails: .init("counts_not_returned", "counts.not_returned"), every: .milliseconds(250),
        last: { _ = try await back.runOnce() }
      ) {
        try await back.runOnce()
      },
    ]
  }

  /// Sessions, and who is there.
  private static func sessions(_ parts: Parts) -> [Job] {
    let services = parts.services
    let expire = ExpireSessions(services)
    let erase = EraseDeleted(services)
    let seen = WriteSeenSessions(PostgresSeenSessions(parts.database), services)
    return [
      Job(
        .expireSessions, fails: .init("expired_not_noted", "expired.not_noted"), on: .oneServer, every: .seconds(300)
      ) {
        try await expire.runOnce()
      },
      Job(.eraseDeleted, fails: .init("deleted_not_erased", "deleted.not_erased"), on: .oneServer, every: .seconds(300))
      {
        try await erase.runOnce()
      },
      Job(
        .writeSeenSessions, fails: .init("presence_not_written", "presence.not_written"), every: .seconds(60),
        startsWithPause: true, wake: .init(every: .seconds(1)) { services.seenSessions.isFilling },
        last: { try await seen.runOnce() }
      ) {
        try await seen.runOnce()
        return false
      },
    ]
  }

  /// Sealed values, and their keys.
  private static func secrets(_ parts: Parts) -> [Job] {
    let report = parts.report
    let bind = BindSealed(parts.services, version: parts.version) { closed in report(.secretElsewhere(closed)) }
    let pushDigests = BackfillPushDigests(parts.services)
    let keyUses = CountDataKeyUses(parts.services)
    return [
      Job(.bindSealed, fails: .init("sealed_not_bound", "sealed.not_bound"), on: .oneServer, every: .seconds(10)) {
        try await bind.runOnce()
      },
      Job(
        .backfillPushDigests, fails: .init("push_digests_not_filled", "push_digests.not_filled"), on: .oneServer,
        every: .seconds(60)
      ) {
        try await pushDigests.runOnce()
        return false
      },
      Job(
        .countDataKeyUses, fails: .init("data_keys_not_counted", "data_keys.not_counted"), every: .seconds(60),
        startsWithPause: true, last: { try await keyUses.runOnce() }
      ) {
        try await keyUses.runOnce()
        return false
      },
    ]
  }

  /// The audit log.
  private static func audit(_ parts: Parts) -> [Job] {
    let report = parts.report
    let seal = SealAudit(PostgresAuditQueue(parts.database), parts.services) { trouble, log in
      report(.auditNotSealed(tenant: log, trouble))
    }
    return [
      Job(
        .sealAudit, fails: .init("audit_not_sealed", "audit.not_sealed"), on: .oneServer, every: .milliseconds(500)
      ) {
        try await seal.runOnce()
      }
    ]
  }

  /// The server itself, and the database that it stands on.
  private static func server(_ parts: Parts) -> [Job] {
    let database = parts.database
    let announce = AnnounceServer(version: parts.version, machine: parts.machine, parts.services)
    return [
      Job(.askDatabase, every: .seconds(1)) { [standing = parts.standing, report = parts.report] in
        await standing.ask()
        if let news = standing.writeNews { report(.databaseWrites(news)) }
        return false
      },
      Job(.askForBackup, every: .seconds(60)) { [standing = parts.standing] in
        await standing.askForBackup()
        return false
      },
      Job(.shareJobs, every: .seconds(10)) {
        await database.jobsLock.ask()
        return false
      },
      compareClocks(parts.clocks, parts.report),
      warn(parts),
      Job(.watchEdge, every: .seconds(600)) { [edge = parts.edge, warnings = parts.warnings, report = parts.report] in
        if let news = warnings.note(.edge, await edge.look()) { report(.warning(news)) }
        return false
      },
      // A row that stays behind is not believed ten minutes later.
      Job(
        .announceServer, fails: .init("server_not_announced", "server.not_announced"), every: .seconds(60),
        last: { try? await announce.withdraw() }
      ) {
        try await announce.runOnce()
        return false
      },
    ]
  }

  /// Mails and webhooks, as the database holds them; nothing changes while it is away.
  private static func warn(_ parts: Parts) -> Job {
    let webhooks = PostgresWebhookQueue(parts.database)
    return Job(.watchQueues, every: .seconds(5)) {
      [backlog = parts.backlog, warnings = parts.warnings, report = parts.report] in
      if let backlog = backlog.withLock({ $0 }), let news = warnings.note(.mail, Warnings.sentence(backlog)) {
        report(.warning(news))
      }
      if let broken = try? await webhooks.broken(), let news = warnings.note(.webhooks, Warnings.sentence(broken)) {
        report(.warning(news))
      }
      return false
    }
  }

  private static func follow(
    _ services: Services, _ standing: DatabaseStanding, _ report: @escaping @Sendable (ServerEvent) -> Void
  ) -> Job {
    Job(
      .followTenants, fails: .init("tenants_not_followed", "tenants.not_followed"), every: .seconds(10)
    ) { pause, trouble in
      await FollowTenants(services).run(pause: pause, looked: standing.noteLook) { found in
        switch found {
        case .notLoaded(let tenant, let why): report(.tenantNotLoaded(tenant: tenant, why: why))
        case .notFollowed(let error): trouble(error)
        }
      }
    }
  }

  private static func deliverWebhooks(_ parts: Parts) -> Job {
    let worker = DeliverWebhooks(
      queue: PostgresWebhookQueue(parts.database), transport: parts.webhooks, parts.services
    ) { outcome, tenant, event in
      switch outcome {
      case .delivered: break
      case .postponed: parts.report(.webhookPostponed(tenant: tenant.name.description, event))
      case .disabled: parts.report(.webhookDisabled(tenant: tenant.name.description, event))
      }
    }
    return Job(
      .deliverWebhooks, fails: .init("webhooks_not_delivered", "webhooks.not_delivered"), every: .milliseconds(500)
    ) { pause, trouble in
      await worker.run(pause: pause, trouble: trouble)
    }
  }

  private static func compareClocks(
    _ clocks: CompareClocks, _ report: @escaping @Sendable (ServerEvent) -> Void
  ) -> Job {
    Job(.compareClocks, every: .seconds(10)) {
      // While the database is away, there is nothing to compare with, and other jobs say so.
      if let change = try? await clocks.runOnce() { report(.clocksChanged(change)) }
      return false
    }
  }

  private static func measureBacklog(_ parts: Parts) -> Job {
    let queue = PostgresOutboxQueue(parts.database)
    return Job(.measureBacklog, every: .seconds(5)) {
      // Nothing is better than an old number while the database is away.
      let measured = try? await queue.backlog()
      parts.backlog.withLock { $0 = measured.map(MailBacklog.init) }
      return false
    }
  }
}
