import GatehouseIdentity
import GatehouseOutbound
import GatehousePostgres
import GatehousePrimitives
import GatehouseRuntime
import GatehouseServer

/// What a server does beside answering. Each job is a task that ends when it is cancelled; trouble is counted and logged, and the next
/// round tries again.
struct ServerJobs: Sendable {
  private let config: Config
  private let assembly: Assembly
  private let mail: DeliverMail
  private let log: Log
  private let metrics: Metrics
  private let backlog: LockBox<ServerFigures.Backlog?>
  private let watch: WatchPolicies?

  private var loop: Loop { assembly.background.loops[0] }

  /// `backlog` is where the size of the outbox is kept, `watch` what looks at policy files.
  init(
    _ config: Config, _ assembly: Assembly, _ mail: DeliverMail, _ log: Log, _ metrics: Metrics,
    _ backlog: LockBox<ServerFigures.Backlog?>, _ watch: WatchPolicies?
  ) {
    self.config = config
    self.assembly = assembly
    self.mail = mail
    self.log = log
    self.metrics = metrics
    self.backlog = backlog
    self.watch = watch
  }

  /// All of them.
  var all: [@Sendable () async -> Void] {
    var jobs: [@Sendable () async -> Void] = [
      follow, deliverMail, prune, deliverWebhooks, revokeGrants, warmGrants, sealAudit, noteExpiredSessions,
      tellSuppressed, backfillProofs, countDataKeyUses, writeSeenSessions, measureBacklog, announce,
    ]
    if let places = assembly.places { jobs.append { await places.follow(on: loop, log) } }
    if let watch { jobs.append { await look(watch) } }
    return jobs
  }

  /// Rounds until the task is cancelled. `round` answers whether there is more to do at once.
  private func rounds(
    every pause: Duration, trouble metric: String, _ event: StaticString, _ round: () async throws -> Bool
  ) async {
    while !Task.isCancelled {
      do {
        if try await round() { continue }
      } catch {
        metrics.countFailure(metric)
        log.write(.error, event, .note("\(error)"))
      }
      try? await loop.sleep(for: pause)
    }
  }

  private func follow() async {
    let (log, metrics) = (log, metrics)
    await FollowTenants(assembly.services).run { trouble in
      switch trouble {
      case .notLoaded(let tenant, let why):
        metrics.countFailure("tenant_not_loaded")
        log.write(.error, "tenant.not_loaded", .tenant(tenant), .note(why))
      case .notFollowed(let error):
        metrics.countFailure("tenants_not_followed")
        log.write(.error, "tenants.not_followed", .note("\(error)"))
      }
    }
  }

  private func deliverMail() async {
    await rounds(every: .milliseconds(250), trouble: "mail_not_delivered", "mail.not_delivered") {
      try await mail.runOnce() > 0
    }
  }

  private func deliverWebhooks() async {
    let (log, metrics, loop) = (log, metrics, loop)
    let worker = DeliverWebhooks(
      queue: PostgresWebhookQueue(assembly.jobs), transport: WebhookHTTP(assembly.http), assembly.services
    ) { outcome, tenant, event in
      guard outcome != .delivered else { return }
      metrics.countFailure(outcome == .disabled ? "webhook_disabled" : "webhook_postponed")
      log.write(
        .warning, outcome == .disabled ? "webhook.disabled" : "webhook.postponed",
        .tenant(tenant.name.description), .code(event.rawValue))
    }
    await worker.run {
      try? await loop.sleep(for: .milliseconds(500))
    } trouble: { error in
      metrics.countFailure("webhooks_not_delivered")
      log.write(.error, "webhooks.not_delivered", .note("\(error)"))
    }
  }

  private func revokeGrants() async {
    let worker = RevokeGrants(PostgresRevocationQueue(assembly.jobs), assembly.services)
    await rounds(every: .seconds(1), trouble: "grants_not_revoked", "grants.not_revoked") {
      try await worker.runOnce() > 0
    }
  }

  private func warmGrants() async {
    let (log, metrics) = (log, metrics)
    let job = WarmGrants(assembly.services) { error, tenant in
      metrics.countFailure("grants_not_warmed")
      log.write(.error, "grants.not_warmed", .tenant(tenant.name.description), .note("\(error)"))
    }
    await rounds(every: .seconds(60), trouble: "grants_not_warmed", "grants.not_warmed") { await job.runOnce() }
  }

  private func prune() async {
    let sweep = PruneExpired(PostgresExpirySweep(assembly.jobs))
    await rounds(every: .seconds(60), trouble: "expired_not_pruned", "expired.not_pruned") { try await sweep.runOnce() }
  }

  private func backfillProofs() async {
    let job = BackfillProofs(PostgresProofBackfill(assembly.jobs))
    await rounds(every: .seconds(60), trouble: "proofs_not_filled", "proofs.not_filled") { try await job.runOnce() }
  }

  private func sealAudit() async {
    let sealer = SealAudit(PostgresAuditQueue(assembly.jobs), assembly.services) { [metrics, log] trouble, tenant in
      metrics.countFailure("audit_not_sealed")
      log.write(.error, "audit.not_sealed", .tenant(tenant.name.description), .code(trouble.rawValue))
    }
    await rounds(every: .milliseconds(500), trouble: "audit_not_sealed", "audit.not_sealed") {
      try await sealer.runOnce()
    }
  }

  private func noteExpiredSessions() async {
    let job = ExpireSessions(assembly.services)
    await rounds(every: .seconds(300), trouble: "expired_not_noted", "expired.not_noted") { try await job.runOnce() }
  }

  /// Begins with a pause, and runs once more when the server stops.
  private func tellSuppressed() async {
    let job = TellSuppressed(assembly.services)
    await rounds(every: .zero, trouble: "suppressed_not_told", "suppressed.not_told") {
      try? await loop.sleep(for: .seconds(60))
      try await job.runOnce(isLast: Task.isCancelled)
      return false
    }
  }

  /// As `tellSuppressed`.
  private func countDataKeyUses() async {
    let job = CountDataKeyUses(assembly.services)
    await rounds(every: .zero, trouble: "data_keys_not_counted", "data_keys.not_counted") {
      try? await loop.sleep(for: .seconds(60))
      try await job.runOnce()
      return false
    }
  }

  /// Says once a minute that this server runs, and takes that back when it stops.
  private func announce() async {
    let job = AnnounceServer(version: Gatehouse.version, machine: Machine.name, assembly.services)
    await rounds(every: .seconds(60), trouble: "server_not_announced", "server.not_announced") {
      try await job.runOnce()
      return false
    }
    // A row that stays is not believed ten minutes later.
    try? await job.withdraw()
  }

  /// As `tellSuppressed`, and earlier where memory fills.
  private func writeSeenSessions() async {
    let job = WriteSeenSessions(PostgresSeenSessions(assembly.jobs), assembly.services)
    await rounds(every: .zero, trouble: "presence_not_written", "presence.not_written") {
      for _ in 0..<60 where !Task.isCancelled && !assembly.services.seenSessions.isFilling {
        try? await loop.sleep(for: .seconds(1))
      }
      try await job.runOnce()
      return false
    }
  }

  /// Keeps the size of the outbox at hand, so that asking for metrics never waits for the database.
  private func measureBacklog() async {
    let queue = PostgresOutboxQueue(assembly.jobs)
    while !Task.isCancelled {
      // Nothing is better than an old number while the database is away.
      let measured = try? await queue.mailBacklog()
      backlog.withLock { $0 = measured.map(ServerFigures.Backlog.init) }
      try? await loop.sleep(for: .seconds(5))
    }
  }

  private func look(_ watch: WatchPolicies) async {
    while !Task.isCancelled {
      for event in await watch.look() { write(event) }
      try? await loop.sleep(for: .milliseconds(200))
    }
  }

  private func write(_ event: WatchPolicies.Event) {
    switch event {
    case .applied(let tenant, let revision):
      log.write(.info, "policy.applied", .tenant(tenant), .revision(revision))
    case .created(let tenant): log.write(.info, "tenant.created", .tenant(tenant))
    case .trouble(let trouble): write(trouble)
    case .waiting(let file, let why):
      metrics.countFailure("policy_waiting")
      log.write(
        .warning, "policy.waiting",
        .note("\(file): the database did not answer (\(why)); the edit is tried again until it is applied or refused"))
    case .unchanged(let tenant, let revision):
      log.write(.info, "policy.unchanged", .tenant(tenant), .revision(revision))
    case .lost(let why):
      metrics.countFailure("policy_directory_lost")
      log.write(.error, "policy.directory_lost", .note("the watched directory cannot be listed: \(why)"))
    }
  }

  /// The first error alone, in less than 4 KB: `policy check` has the whole report.
  private func write(_ trouble: PolicyFileTrouble) {
    if trouble.isRefused { metrics.countFailure("policy_refused") }
    var fields: [LogField] = []
    if let tenant = trouble.tenant { fields.append(.tenant(tenant.description)) }
    if let revision = trouble.live?.revision { fields.append(.revision(revision)) }
    if let code = trouble.code { fields.append(.code(code)) }
    if let line = trouble.line { fields.append(.count("line", line)) }
    fields.append(.note("\(trouble.why); run: \(trouble.command)"))
    log.write(.warning, trouble.isRefused ? "policy.refused" : "policy.differs", fields)
  }
}
