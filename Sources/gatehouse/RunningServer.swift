import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePostgres
import GatehouseRuntime
import GatehousePrimitives
import GatehouseServer
import GatehouseWire

/// The server while it runs: two listeners and the jobs beside them.
struct RunningServer {
  private let config: Config
  private let assembly: Assembly
  private let log: Log
  private let metrics = Metrics()
  private let connections = ConnectionCounts()
  private let isDraining = LockBox(false)
  private let backlog = LockBox<ServerFigures.Backlog?>(nil)
  private let mail: DeliverMail
  private let certificate: Certificate?

  /// Where jobs run.
  private var loop: Loop { assembly.background.loops[0] }

  init(_ config: Config, _ assembly: Assembly, _ log: Log) throws(Failure) {
    self.config = config
    self.assembly = assembly
    self.log = log
    certificate = try config.tls.map { files throws(Failure) in try Certificate(files, log) }
    mail = try MailParts.delivery(config, assembly) { [metrics] attempt in
      guard attempt.outcome != .delivered else { return }
      let isRefused = attempt.outcome == .refused
      metrics.countFailure(isRefused ? "mail_refused" : "mail_postponed")
      log.write(
        .warning, isRefused ? "mail.refused" : "mail.postponed", .tenant(attempt.tenant),
        .code(attempt.kind.rawValue), .mail(attempt.mail), .note(attempt.reason ?? ""))
    }
  }

  /// Serves until `signal` becomes readable, then lets requests in flight finish.
  func run(until signal: Int32) async throws {
    let services = assembly.services
    do {
      try await TenantLoader(services).loadAll()
    } catch {
      throw Failure(.unavailable, "the tenants cannot be loaded: \(error)")
    }
    for (tenant, why) in services.registry.failures {
      log.write(.error, "tenant.not_loaded", .tenant(tenant), .note(why))
    }
    await noteKeptPasswordDoors()
    addFigures()
    let (main, operations) = try listen()
    let admin = try listenForOperators()
    var fields: [LogField] = [
      .address("listen", Address(main.address)), .address("operations", Address(operations.address)),
    ]
    if let admin { fields.append(.address("admin", Address(admin.address))) }
    log.write(.info, "server.started", fields + [.count("tenants", services.registry.all.count)])
    let notice = ServedAt.announce(config)
    defer { notice?.withdraw() }
    await withTaskGroup { jobs in
      jobs.addTask(executorPreference: loop) { await follow() }
      jobs.addTask(executorPreference: loop) { await deliverMail() }
      jobs.addTask(executorPreference: loop) { await prune() }
      jobs.addTask(executorPreference: loop) { await deliverWebhooks() }
      jobs.addTask(executorPreference: loop) { await revokeGrants() }
      jobs.addTask(executorPreference: loop) { await warmGrants() }
      jobs.addTask(executorPreference: loop) { await sealAudit() }
      jobs.addTask(executorPreference: loop) { await noteExpiredSessions() }
      jobs.addTask(executorPreference: loop) { await tellSuppressed() }
      if let certificate { jobs.addTask(executorPreference: loop) { await certificate.follow(on: loop) } }
      if let places = assembly.places {
        jobs.addTask(executorPreference: loop) { await places.follow(on: loop, log) }
      }
      jobs.addTask(executorPreference: loop) { await measureBacklog() }
      if let directory = config.watch { jobs.addTask(executorPreference: loop) { await watch(directory) } }
      await waitReadable(signal, on: loop)
      log.write(.info, "server.draining")
      isDraining.withLock { $0 = true }
      let cut = await main.drain(within: .seconds(10))
      let cutAdmin = await admin?.drain(within: .seconds(10)) ?? 0
      _ = await operations.drain(within: .seconds(1))
      if cut + cutAdmin > 0 { log.write(.warning, "server.cut", .count("answers", cut + cutAdmin)) }
      jobs.cancelAll()
    }
  }

  /// What is open by an earlier meaning of the language alone is said at each start; a tenant that cannot be counted starts too.
  private func noteKeptPasswordDoors() async {
    let services = assembly.services
    for tenant in services.registry.all {
      guard
        let door = try? await KeptPasswordDoor.look(
          tenant.policy, revision: tenant.revision, of: (tenant.id, tenant.name), services)
      else { continue }
      log.write(
        .warning, "policy.password_door_kept", .tenant(tenant.name.description), .revision(tenant.revision),
        .count("shut_out", door.shutOut), .note("\(door.sentence); \(door.advice)"))
    }
  }

  private func listen() throws(Failure) -> (main: HTTPServer, operations: HTTPServer) {
    let log = log
    let isSecure = config.reachedAt.hasPrefix("https://")
    let proxies = config.proxies.trust
    // Not in development: a browser would ask every other server on localhost for HTTPS, for years.
    let publicServer = PublicServer(
      assembly.services, metrics: metrics, isSecure: isSecure, keepsToHTTPS: !config.dev, proxies: proxies
    ) { record in
      log.write(record)
    }
    let database = assembly.database
    let isDraining = isDraining
    let operatorsHandler = OperationsServer(
      registry: assembly.services.registry, metrics: metrics, version: Gatehouse.version
    ) {
      if isDraining.withLock({ $0 }) { return ["server": "stopping"] }
      do {
        _ = try await database.read(nil, "SELECT 1")
        return [:]
      } catch {
        return ["database": "\(error)"]
      }
    }
    var limits = HTTPLimits()
    limits.head = config.limits.header
    limits.body = config.limits.body
    limits.idle = config.limits.idle
    limits.connections = config.limits.connections
    limits.connectionsPerAddress = config.limits.connectionsPerAddress
    do {
      return (
        try HTTPServer(
          loops: assembly.loops, address: config.listen.forListening, sharesPort: config.sharesPort, limits: limits,
          proxies: proxies, tls: certificate?.credentials, observer: connections,
          handlers: publicServer.handlers),
        try HTTPServer(
          loops: assembly.loops, address: config.operationsListen.forListening, sharesPort: config.sharesPort,
          handlers: operatorsHandler.handlers)
      )
    } catch {
      throw Failure(.unavailable, error.description)
    }
  }

  /// The admin API, where it was asked for.
  private func listenForOperators() throws(Failure) -> HTTPServer? {
    guard let address = config.adminListen else { return nil }
    let log = log
    let handler = AdminServer(
      assembly.services, metrics: metrics, isSecure: certificate != nil, proxies: config.proxies.trust
    ) { record in
      log.write(record)
    }
    var limits = AdminServer.limits
    limits.head = config.limits.header
    limits.body = config.limits.body
    limits.idle = config.limits.idle
    do {
      return try HTTPServer(
        loops: assembly.loops, address: address.forListening, sharesPort: config.sharesPort, limits: limits,
        proxies: config.proxies.trust, tls: certificate?.credentials, handlers: handler.handlers)
    } catch {
      throw Failure(.unavailable, error.description)
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
    while !Task.isCancelled {
      do {
        if try await mail.runOnce() > 0 { continue }
      } catch {
        metrics.countFailure("mail_not_delivered")
        log.write(.error, "mail.not_delivered", .note("\(error)"))
      }
      try? await loop.sleep(for: .milliseconds(250))
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
    while !Task.isCancelled {
      do {
        if try await worker.runOnce() > 0 { continue }
      } catch {
        metrics.countFailure("grants_not_revoked")
        log.write(.error, "grants.not_revoked", .note("\(error)"))
      }
      try? await loop.sleep(for: .seconds(1))
    }
  }

  private func warmGrants() async {
    let (log, metrics, loop) = (log, metrics, loop)
    let job = WarmGrants(assembly.services) { error, tenant in
      metrics.countFailure("grants_not_warmed")
      log.write(.error, "grants.not_warmed", .tenant(tenant.name.description), .note("\(error)"))
    }
    while !Task.isCancelled {
      if await job.runOnce() { continue }
      try? await loop.sleep(for: .seconds(60))
    }
  }

  private func prune() async {
    let sweep = PruneExpired(PostgresExpirySweep(assembly.jobs))
    while !Task.isCancelled {
      do {
        if try await sweep.runOnce() { continue }
      } catch {
        metrics.countFailure("expired_not_pruned")
        log.write(.error, "expired.not_pruned", .note("\(error)"))
      }
      try? await loop.sleep(for: .seconds(60))
    }
  }

  private func sealAudit() async {
    let sealer = SealAudit(PostgresAuditQueue(assembly.jobs), assembly.services) { [metrics, log] trouble, tenant in
      metrics.countFailure("audit_not_sealed")
      log.write(.error, "audit.not_sealed", .tenant(tenant.name.description), .code(trouble.rawValue))
    }
    while !Task.isCancelled {
      do {
        if try await sealer.runOnce() { continue }
      } catch {
        metrics.countFailure("audit_not_sealed")
        log.write(.error, "audit.not_sealed", .note("\(error)"))
      }
      try? await loop.sleep(for: .milliseconds(500))
    }
  }

  private func noteExpiredSessions() async {
    let job = ExpireSessions(assembly.services)
    while !Task.isCancelled {
      do {
        if try await job.runOnce() { continue }
      } catch {
        metrics.countFailure("expired_not_noted")
        log.write(.error, "expired.not_noted", .note("\(error)"))
      }
      try? await loop.sleep(for: .seconds(300))
    }
  }

  /// Runs once more when the server stops.
  private func tellSuppressed() async {
    let job = TellSuppressed(assembly.services)
    while !Task.isCancelled {
      try? await loop.sleep(for: .seconds(60))
      do {
        try await job.runOnce(isLast: Task.isCancelled)
      } catch {
        metrics.countFailure("suppressed_not_told")
        log.write(.error, "suppressed.not_told", .note("\(error)"))
      }
    }
  }

  private func watch(_ directory: String) async {
    let watch = WatchPolicies(
      directory: directory, createsTenants: config.dev, allowsWeaker: config.watchAllowWeaker,
      assembly.services)
    while !Task.isCancelled {
      for event in await watch.look() {
        switch event {
        case .applied(let tenant, let revision):
          log.write(.info, "policy.applied", .tenant(tenant), .revision(revision))
        case .created(let tenant): log.write(.info, "tenant.created", .tenant(tenant))
        case .refused(_, let why):
          metrics.countFailure("policy_refused")
          log.write(.warning, "policy.refused", .note(why))
        case .waiting(let file, let why):
          metrics.countFailure("policy_waiting")
          log.write(
            .warning, "policy.waiting",
            .note(
              "\(file): the database did not answer (\(why)); the edit is tried again until it is applied or refused"))
        case .unchanged(let tenant, let revision):
          log.write(.info, "policy.unchanged", .tenant(tenant), .revision(revision))
        case .differs(let file, let tenant, let revision):
          log.write(
            .warning, "policy.differs", .tenant(tenant), .revision(revision),
            .note("\(file) is not what is live; only an edit made while the server runs is applied"))
        }
      }
      try? await loop.sleep(for: .milliseconds(200))
    }
  }

  private func addFigures() {
    metrics.expect(failures: ServerFigures.failures)
    let (assembly, backlog, connections) = (assembly, backlog, connections)
    if let certificate {
      metrics.add {
        let left = Certificate.secondsLeft(certificate.credentials)
        return [
          .gauge("gatehouse_certificate_seconds_left", "Time until the certificate in force ends.", left)
        ]
      }
    }
    metrics.add {
      ServerFigures.of(hashes: assembly.hashes.counts) + ServerFigures.of(database: assembly.database.statistics)
        + ServerFigures.of(tenants: assembly.services.registry)
        + ServerFigures.of(stages: assembly.services.registry, at: assembly.services.clock.now) + connections.figures
        + (backlog.withLock { $0 }.map { ServerFigures.of(backlog: $0) } ?? [])
        + ServerFigures.build
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

  private func waitReadable(_ descriptor: Int32, on loop: Loop) async {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      loop.execute {
        var watch: Watch?
        watch = loop.watch(descriptor) { _ in
          watch?.cancel()
          watch = nil
          continuation.resume()
        }
        watch?.interest = .read
      }
    }
  }
}

extension Log {
  /// One line for each request.
  fileprivate func write(_ record: RequestRecord) {
    let level: LogLevel = record.status >= 500 && record.code == .internal ? .error : .info
    guard level >= self.level else { return }
    var fields: [LogField] = [
      .requestID(record.requestID), .method(record.method), .route(record.route), .status(record.status),
      .microseconds(record.microseconds),
    ]
    if let tenant = record.tenant { fields.append(.tenant(tenant)) }
    if let name = record.operatorName { fields.append(.token(name)) }
    if let code = record.code { fields.append(.code(code.rawValue)) }
    if let note = record.note { fields.append(.note(note)) }
    write(level, "request", fields)
  }
}

extension Address {
  fileprivate var forListening: ListenAddress { .tcp(host: host, port: UInt16(clamping: port)) }

  fileprivate init(_ address: ListenAddress) {
    switch address {
    case .tcp(let host, let port): self.init(host: host, port: Int(port), isIPv6: host.utf8.contains(0x3A))
    case .unix: self.init(host: "0.0.0.0", port: 0, isIPv6: false)
    }
  }
}
