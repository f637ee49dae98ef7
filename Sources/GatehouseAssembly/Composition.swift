package import GatehouseIdentity
package import GatehouseOutbound
package import GatehousePostgres
package import GatehousePrimitives
import GatehouseRuntime
package import GatehouseServer

/// The one place where the parts of a server are joined.
package final class Composition: Sendable {
  package let services: Services
  package let database: Database
  /// The same, as the jobs' role.
  package let jobsDatabase: Database
  package let http: OutboundHTTP
  package let hashes: HashPool
  package let metrics: Metrics
  /// Records traces and sends them; nil where that is off.
  package let traces: TraceExporter?
  /// Policy files that are watched.
  package let watch: WatchPolicies?
  /// Mails that wait, as of the last look at them; nil while the database is away.
  package let backlog = LockBox<MailBacklog?>(nil)
  /// How far this server's clock is from the database's.
  package let clocks: CompareClocks
  /// The state of the database, as far as it is known.
  package let standing: DatabaseStanding
  /// The things that go wrong for people while the server is ready.
  package let warnings = Warnings()
  /// Whether the server stops; `/readyz` says so.
  package let isDraining = LockBox(false)
  let settings: ServerSettings
  let mail: Outside.Mail
  private let otherChannels: [any Channel]
  private let hostProbe: OutboundHostProbe
  private let edgeProbe: EdgeProbe
  private let report: @Sendable (ServerEvent) -> Void

  /// Joins the parts; nothing is connected. `close` MUST be called.
  /// - Parameter report: is told what jobs have to say; failures are counted besides.
  package init(
    _ settings: ServerSettings, _ outside: Outside, report: @escaping @Sendable (ServerEvent) -> Void = { _ in }
  ) {
    self.settings = settings
    mail = outside.mail
    otherChannels = outside.channels
    let metrics = Metrics()
    self.metrics = metrics
    self.report = { event in
      if let kind = event.failure { metrics.countFailure(kind) }
      report(event)
    }
    http = OutboundHTTP(loop: settings.background, outside.outbound)
    edgeProbe = EdgeProbe(loop: settings.background, outside.outbound)
    traces = outside.traces.map { traces in
      let clock = outside.clock
      let tracer = Tracer(share: traces.share) { UInt64(max(0, clock.now.microseconds)) * 1000 }
      return TraceExporter(loop: settings.background, traces, outside.outbound, tracer)
    }
    hostProbe = OutboundHostProbe(loop: settings.background, outside.outbound, inClear: settings.asksHostsInClear)
    database = Database(loops: settings.loops, configuration: settings.database)
    jobsDatabase = Database(loops: [settings.background], configuration: settings.jobsDatabase)
    standing = DatabaseStanding(database, jobs: jobsDatabase, monotonic: outside.monotonic)
    hashes = HashPool(limits: outside.hashes, cost: outside.hashCost, monotonic: outside.monotonic)
    let budgets = BudgetWatch()
    let services = Services(
      store: PostgresStore(database, budgets: budgets, clock: outside.clock), budgets: budgets,
      directory: PostgresTenantDirectory(database, jobs: jobsDatabase),
      adminTokens: PostgresAdminTokens(database, console: settings.console), servers: PostgresServers(database),
      floors: PostgresFloors(database),
      passwords: Passwords(pool: hashes, monotonic: outside.monotonic), choices: settings.choices,
      keyEncryptionKey: settings.key.sealing, otherKeyEncryptionKey: settings.otherKey?.sealing,
      codes: CodeMint(pepper: settings.key.pepper, other: settings.otherKey?.pepper), clock: outside.clock,
      publicURL: settings.publicURL, registry: TenantRegistry(),
      providers: outside.providers ?? ProviderHTTP(http, clock: outside.clock), limitFactor: settings.limitFactor,
      reach: Reach(
        webhooks: WebhookHTTP(http, as: .webhookTest), hosts: outside.hosts ?? hostProbe,
        records: SystemTextRecords(outside.resolver), mail: outside.mail),
      places: settings.places)
    self.services = services
    clocks = CompareClocks(services.servers, services.clock)
    watch = settings.watch.map { watch in
      WatchPolicies(
        directory: watch.directory, createsTenants: watch.createsTenants, allowsWeaker: watch.allowsWeaker, services)
    }
  }

  /// Connects to the database, as both roles.
  package func connect() async throws {
    async let app: Void = database.start()
    async let beside: Void = jobsDatabase.start()
    _ = try await (app, beside)
  }

  /// Ends connections and hash threads. Listeners and jobs have ended before.
  package func close() async {
    await jobsDatabase.stop()
    await database.stop()
    hashes.shutDown()
    await http.close()
    await hostProbe.close()
    await edgeProbe.close()
    await traces?.close()
  }

  /// How webhooks leave this server.
  package var webhooks: any WebhookTransport { WebhookHTTP(http) }

  /// The table of channels. Throws where the settings of mail are of no use.
  private func channels() throws -> Channels {
    Channels(
      [MailChannel(renderer: try mail.renderer(), transport: try mail.transport(), services)] + otherChannels)
  }

  /// The table of jobs, made once: some remember what they did. Throws where the settings of mail are of no use.
  package func jobs() throws -> [Job] {
    ServerJobs.all(
      ServerJobs.Parts(
        services: services, database: jobsDatabase, channels: try channels(), webhooks: webhooks, watch: watch,
        version: settings.version, machine: settings.machine, backlog: backlog,
        clocks: clocks, standing: standing, warnings: warnings, edge: EdgeWatch(edgeProbe, services), traces: traces,
        report: report))
  }

  /// Runs jobs on the background loop's clock.
  package var runner: JobRunner { runner { [loop = settings.background] in try? await loop.sleep(for: $0) } }

  /// Runs jobs whose pauses are `sleep`.
  package func runner(_ sleep: @escaping @Sendable (Duration) async -> Void) -> JobRunner {
    JobRunner(
      sleep: sleep, isForAll: { [jobsDatabase] in jobsDatabase.jobsLock.isHeld }, trace: traces?.tracer.job
    ) { [report] failure, error in report(.jobFailed(failure, error)) }
  }
}
