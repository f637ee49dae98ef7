import Foundation
import GatehouseAssembly
import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicyFile
import GatehousePostgres
import GatehouseRuntime
import GatehousePrimitives
import GatehouseServer
import GatehouseWire

/// The server while it runs: three listeners and the jobs beside them.
struct RunningServer {
  private let config: Config
  private let assembly: Assembly
  private let log: Log
  private let connections: ConnectionCounts
  /// The buffers of all listeners.
  private let buffers: BufferMemory
  private let jobs: [Job]
  private let certificate: Certificate?
  private let report: ConfigurationReport
  private let service: ServiceManager

  private var composition: Composition { assembly.composition }
  private var metrics: Metrics { composition.metrics }
  /// Where jobs run.
  private var loop: Loop { assembly.background.loops[0] }

  init(
    _ config: Config, _ assembly: Assembly, _ certificate: Certificate?, _ reload: Reload, _ service: ServiceManager,
    _ log: Log
  ) throws {
    self.config = config
    self.assembly = assembly
    self.log = log
    connections = ConnectionCounts { [log] count in
      log.write(
        .warning, "connections.not_trusted", .count("connections", count),
        .note("other machines connected in clear and were not served: proxies.trusted does not name them"))
    }
    buffers = BufferMemory(bound: config.limits.buffers, givingBackOn: assembly.background.loops[0])
    self.certificate = certificate
    report = ConfigurationReport(reload, assembly.digest)
    self.service = service
    jobs =
      try assembly.composition.jobs() + [reload.job]
      + [service.watch(assembly.loops.loops + assembly.background.loops)].compactMap(\.self)
  }

  /// Serves until `signal` becomes readable, then lets requests in flight finish.
  func run(until signal: Int32) async throws {
    let services = assembly.services
    try await demandClock()
    try await loadFloor()
    try await load()
    await noteKeptPasswordDoors()
    noteRefusedSenders()
    addFigures()
    let (main, operations) = try listen()
    let admin = try listenForOperators()
    var fields: [LogField] = [
      .address("listen", Address(main.address)), .address("operations", Address(operations.address)),
    ]
    if let admin { fields.append(.address("admin", Address(admin.address))) }
    log.write(.info, "server.started", fields + [.count("tenants", services.registry.all.count)])
    if config.limitFactor > 1 {
      log.write(
        .info, "limits.relaxed", .count("factor", config.limitFactor),
        .note("dev multiplies the limits of policies by \(config.limitFactor); --dev-limit-factor 1 keeps them"))
    }
    let notice = ServedAt.announce(config, operations: Address(operations.address))
    defer { notice?.withdraw() }
    service.tell(.ready)
    await withTaskGroup { group in
      let runner = composition.runner
      for job in jobs { group.addTask(executorPreference: loop) { await runner.run(job) } }
      await waitReadable(signal, on: loop)
      service.tell(.stopping)
      log.write(.info, "server.draining")
      composition.isDraining.withLock { $0 = true }
      let cut = await main.drain(within: .seconds(10))
      let cutAdmin = await admin?.drain(within: .seconds(10)) ?? 0
      _ = await operations.drain(within: .seconds(1))
      if cut + cutAdmin > 0 { log.write(.warning, "server.cut", .count("answers", cut + cutAdmin)) }
      group.cancelAll()
    }
  }

  /// A server whose clock is far off does not start: what it signed would be refused elsewhere.
  private func demandClock() async throws(Failure) {
    let offset: ClockOffset
    do { offset = try await composition.clocks.measure() } catch { throw Failure(database: error) }
    // GUARD: start: with a clock that is near the database's
    guard offset.permitsStart else {
      throw Failure(.unavailable, "\(offset.sentence): \(ClockOffset.reason)", hint: ClockOffset.advice)
    }
  }

  /// Reads the floor, which the configured file becomes where there never was one.
  private func loadFloor() async throws(Failure) {
    do { try await Floors.follow(assembly.services) } catch { throw Failure(database: error) }
  }

  /// Loads the tenants. A server whose key opens none of them does not start: as far as it can see, all are gone.
  private func load() async throws(Failure) {
    let services = assembly.services
    let fit: KeyFit
    do { fit = try await TenantLoader(services).loadAll() } catch {
      throw Failure(.unavailable, "the tenants cannot be loaded: \(error)")
    }
    if let failure = KeyFile.failure(fit, config) { throw failure }
    for (tenant, why) in services.registry.failures {
      log.write(.error, "tenant.not_loaded", .tenant(tenant), .note(why.reason))
    }
  }

  /// Reports at each start the password doors that only an earlier meaning of the language keeps open; a tenant that
  /// cannot be counted starts too.
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

  /// Mails of a stored revision whose sender the configuration does not allow, or no longer, come from the server's
  /// own.
  private func noteRefusedSenders() {
    let senders = assembly.services.senders
    for tenant in assembly.services.registry.all {
      guard let problem = senders.problem(tenant.policy) else { continue }
      log.write(
        .warning, "policy.sender_not_allowed", .tenant(tenant.name.description), .revision(tenant.revision),
        .note("\(problem); \(senders.advice(tenant.policy))"))
    }
  }

  private func listen() throws(Failure) -> (main: HTTPServer, operations: HTTPServer) {
    let publicServer = composition.publicServer(namesClients: config.log.namesClients) { [log] record in
      log.write(record)
    }
    var limits = HTTPLimits(config.limits)
    limits.connections = config.limits.connections
    limits.connectionsPerAddress = config.limits.connectionsPerAddress
    do {
      return (
        try HTTPServer(
          loops: assembly.loops, address: config.listen.forListening, sharesPort: config.sharesPort, limits: limits,
          proxies: config.proxies.trust, onlyTrusted: config.servesOnlyTrusted(at: config.listen),
          tls: certificate?.credentials, memory: buffers, observer: connections, handlers: publicServer.handlers),
        try HTTPServer(
          loops: assembly.loops, address: config.operationsListen.forListening, sharesPort: config.sharesPort,
          memory: buffers, handlers: composition.operationsServer(configuration: { [report] in report.detail }).handlers
        )
      )
    } catch {
      throw Failure(.unavailable, error.description)
    }
  }

  /// The admin API, where it was asked for.
  private func listenForOperators() throws(Failure) -> HTTPServer? {
    guard let address = config.adminListen else { return nil }
    let handler = composition.adminServer(namesClients: config.log.namesClients) { [log] record in log.write(record) }
    let limits = HTTPLimits(config.limits, from: AdminServer.limits)
    do {
      return try HTTPServer(
        loops: assembly.loops, address: address.forListening, sharesPort: config.sharesPort, limits: limits,
        proxies: config.proxies.trust, onlyTrusted: config.servesOnlyTrusted(at: address),
        tls: certificate?.credentials,
        memory: buffers, observer: connections, handlers: handler.handlers)
    } catch {
      throw Failure(.unavailable, error.description)
    }
  }

  private func addFigures() {
    metrics.expect(failures: ServerFigures.failures(of: jobs))
    let (composition, connections, buffers) = (composition, connections, buffers)
    let (services, backlog) = (composition.services, composition.backlog)
    if let certificate {
      metrics.add {
        let left = Certificate.secondsLeft(certificate.credentials)
        return [
          .gauge("gatehouse_certificate_seconds_left", "Time until the certificate in force ends.", left)
        ]
      }
    }
    metrics.add { [report] in report.figures }
    if let watch = composition.watch { metrics.add { ServerFigures.of(policyFiles: watch.troubles) } }
    metrics.add {
      ServerFigures.of(hashes: composition.hashes.counts)
        + ServerFigures.of(database: composition.database.statistics)
        + ServerFigures.of(standing: composition.standing) + ServerFigures.of(tenants: services.registry)
        + ServerFigures.of(warnings: composition.warnings)
        + ServerFigures.of(floor: services.floor, configured: services.choices.now.configuredFloor)
        + ServerFigures.of(stages: services.registry, at: services.clock.now)
        + ServerFigures.of(budgets: services.budgets.levels(at: services.clock.now), services.registry)
        + connections.figures + ServerFigures.of(buffers: buffers)
        + ServerFigures.of(jobs: composition.jobsDatabase.jobsLock)
        + (backlog.withLock { $0 }.map { ServerFigures.of(backlog: $0) } ?? [])
        + ServerFigures.of(clock: composition.clocks.offset)
        + (composition.traces.map { ServerFigures.of(traces: $0.tracer.counts) } ?? [])
        + ServerFigures.build + ProcessFigures.all
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
    if let trace = record.trace { fields += [.traceID(trace.traceID), .spanID(trace.spanID)] }
    if let tenant = record.tenant { fields.append(.tenant(tenant)) }
    if let name = record.operatorName { fields.append(.token(name)) }
    if let client = record.client { fields.append(.client(client)) }
    if let code = record.code { fields.append(.code(code.rawValue)) }
    if let note = record.note { fields.append(.note(note)) }
    write(level, "request", fields)
  }
}

extension HTTPLimits {
  /// `limits`, as far as the configuration does not say otherwise for every listener.
  fileprivate init(_ config: Config.Limits, from limits: HTTPLimits = HTTPLimits()) {
    self = limits
    head = config.header
    body = config.body
    idle = config.idle
    buffers = config.buffers
    buffersPerAddress = config.buffersPerAddress
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
