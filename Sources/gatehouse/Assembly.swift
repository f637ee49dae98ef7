import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicyFile
import GatehousePostgres
import GatehousePrimitives
import GatehouseRuntime

/// The only place where parts are joined: configuration in, a running store and its services out.
///
/// A command uses the running server's database, or owns the private cluster for its own length; `close()` ends both.
final class Assembly: Sendable {
  let services: Services
  let database: Database
  let jobs: Database
  let loops: LoopGroup
  /// A loop of its own for what is not the answer to a request: jobs, and requests to others with their TLS and names. No request
  /// waits for a job, however long one runs at a stretch; only what a sign-in with a provider asks of that provider may, for a
  /// few milliseconds beside a round trip through the network.
  let background: LoopGroup
  let http: OutboundHTTP
  let hostProbe: OutboundHostProbe
  let hashes: HashPool
  let place: DatabasePlace
  /// Where addresses are, where the operator wants that known.
  let places: PlaceFile?
  /// Lists that rules may ask and nobody has.
  let missingLists: [String]

  private init(
    services: Services, database: Database, jobs: Database, loops: LoopGroup, background: LoopGroup,
    http: OutboundHTTP, hostProbe: OutboundHostProbe, hashes: HashPool, place: DatabasePlace, places: PlaceFile?,
    missingLists: [String]
  ) {
    self.services = services
    self.database = database
    self.jobs = jobs
    self.loops = loops
    self.background = background
    self.http = http
    self.hostProbe = hostProbe
    self.hashes = hashes
    self.place = place
    self.places = places
    self.missingLists = missingLists
  }

  /// Starts everything up to the services. Throws `Failure` with what to do about it.
  static func open(_ config: Config, for purpose: DatabasePlace.Purpose, _ terminal: Terminal) async throws -> Assembly
  {
    let parts = try StartParts.load(config, for: purpose)
    if purpose == .server {
      for name in parts.missingLists { terminal.note("gatehouse: \(RuleLists.isMissing(name))") }
    }
    let place = try await DatabasePlace.open(config, for: purpose)
    // The database makes its directory, in which the first start puts the key.
    let key = try parts.key ?? KeyFile.load(config)
    let other = parts.otherKey
    let loops = LoopGroup(count: purpose == .server ? Config.processors : 1)
    loops.start()
    let background = LoopGroup(count: 1, named: "background", goFirst: false)
    background.start()
    let http = OutboundHTTP(loop: background.loops[0], config.outbound)
    let hostProbe = OutboundHostProbe(
      loop: background.loops[0], isDevelopment: config.reachedNow.hasPrefix("http:"))
    let database = Database(loops: loops.loops, configuration: place.connection(Roles.app))
    let jobs = Database(loops: background.loops, configuration: place.connection(Roles.jobs))
    let hashes = HashPool(
      limits: purpose == .server
        ? HashPool.Limits(threads: config.hash.threads, waiting: config.hash.queue)
        : HashPool.Limits(threads: 1, waiting: 1),
      cost: config.hash.cost,  // GUARD: hash: of the configured cost
      monotonic: monotonic)
    let services = Services(
      store: PostgresStore(database), directory: PostgresTenantDirectory(database, jobs: jobs),
      adminTokens: PostgresAdminTokens(database, console: purpose == .command ? place.console(loops.loops) : nil),
      servers: PostgresServers(database),
      passwords: Passwords(pool: hashes, monotonic: monotonic), facts: parts.facts, keyEncryptionKey: key.sealing,
      otherKeyEncryptionKey: other?.sealing, codes: CodeMint(pepper: key.pepper, other: other?.pepper), clock: .system,
      publicURL: purpose == .server ? config.reachedAt : config.reachedNow, registry: TenantRegistry(),
      providers: ProviderHTTP(http, clock: .system), lockoutShare: config.lockoutShare,
      limitFactor: config.limitFactor,
      floor: parts.floor,
      reach: ConfiguredReach(
        config: config, webhooks: WebhookHTTP(http, as: .webhookTest), hosts: hostProbe, records: SystemTextRecords()),
      places: parts.places?.places, attestRoots: parts.attestRoots,
      senders: config.mail.senders)
    let assembly = Assembly(
      services: services, database: database, jobs: jobs, loops: loops, background: background, http: http,
      hostProbe: hostProbe, hashes: hashes, place: place, places: parts.places, missingLists: parts.missingLists)
    do {
      try await assembly.connect()
    } catch {
      await assembly.close()
      throw error
    }
    return assembly
  }

  /// Ends what `open` began, in the reverse order.
  func close() async {
    await jobs.stop()
    await database.stop()
    hashes.shutDown()
    await http.close()
    await hostProbe.close()
    // A refusal needs no answer: the threads end with the process, which is ending. `main` runs on no loop.
    try? background.stop()
    try? loops.stop()
    await place.close()
  }

  private func connect() async throws {
    do {
      // The private cluster follows this program's version by itself; an outside database when its operator says so.
      if place.embedded?.isOwner == true { _ = try await place.migrator.migrate() }
      async let app: Void = database.start()
      async let beside: Void = jobs.start()
      _ = try await (app, beside)
    } catch let error as MigrationError {
      throw Failure(database: error)
    } catch {
      let why = database.connectFailure?.revealed ?? jobs.connectFailure?.revealed ?? "\(error)"
      throw Failure(.unavailable, "the database does not answer: \(why)", hint: "gatehouse doctor")
    }
    let status = try await database.migrationStatus()
    guard status.isCurrent else {
      throw Failure(
        .unavailable, "the database's schema is not this version's: \(status.pending.count) migrations are pending",
        hint: "gatehouse db migrate")
    }
    do {
      try await database.verifyPosture()
    } catch let error as PostureError {
      throw Failure(.notAllowed, ["the server would run with rights it must not have:"] + error.problems)
    }
  }

  /// Nanoseconds of a clock that never goes back.
  @Sendable private static func monotonic() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
