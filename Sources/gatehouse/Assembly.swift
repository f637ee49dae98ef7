import Foundation
import GatehouseIdentity
import GatehousePolicyFile
import GatehousePostgres
import GatehousePrimitives
import GatehouseRuntime

/// The only place where parts are joined: configuration in, a running store and its services out.
///
/// A command uses the running server's database, or owns the private cluster for its own length; `close()` ends both.
final class Assembly: Sendable {
  /// What it is made for decides how large it is.
  enum Purpose { case server, command }

  let services: Services
  let database: Database
  let jobs: Database
  let loops: LoopGroup
  let hashes: HashPool
  private let embedded: Embedded?

  private init(
    services: Services, database: Database, jobs: Database, loops: LoopGroup, hashes: HashPool, embedded: Embedded?
  ) {
    self.services = services
    self.database = database
    self.jobs = jobs
    self.loops = loops
    self.hashes = hashes
    self.embedded = embedded
  }

  /// Starts everything up to the services. Throws `Failure` with what to do about it.
  static func open(_ config: Config, for purpose: Purpose, _ terminal: Terminal) async throws -> Assembly {
    let (facts, missing) = try PasswordLists.load(config.lists)
    for name in missing { terminal.note("gatehouse: the list \"\(name)\" is missing; rules that ask it refuse") }
    let embedded = try await startCluster(config, for: purpose)
    let key = try KeyFile.load(config)
    let loops = LoopGroup(count: purpose == .server ? Config.processors : 1)
    loops.start()
    let database = Database(loops: loops.loops, configuration: connection(config, embedded, Roles.app, purpose))
    let jobs = Database(loops: [loops.loops[0]], configuration: connection(config, embedded, Roles.jobs, .command))
    let hashes = HashPool(
      limits: purpose == .server
        ? HashPool.Limits(threads: config.hash.threads, waiting: config.hash.queue)
        : HashPool.Limits(threads: 1, waiting: 1), monotonic: monotonic)
    let services = Services(
      store: PostgresStore(database), directory: PostgresTenantDirectory(database, jobs: jobs),
      passwords: Passwords(pool: hashes, monotonic: monotonic), facts: facts, keyEncryptionKey: key.sealing,
      codes: CodeMint(pepper: key.pepper), clock: .system, publicURL: config.reachedAt, registry: TenantRegistry())
    let assembly = Assembly(
      services: services, database: database, jobs: jobs, loops: loops, hashes: hashes, embedded: embedded)
    do {
      try await assembly.connect(migrates: embedded != nil)
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
    loops.stop()
    await embedded?.stop()
  }

  private static func startCluster(_ config: Config, for purpose: Purpose) async throws -> Embedded? {
    guard config.database.url == nil else { return nil }
    let place = EmbeddedConfiguration(dataDirectory: config.dataDirectory)
    do {
      return purpose == .server ? try await Embedded.start(place) : try await Embedded.attachOrStart(place)
    } catch let error as EmbeddedError {
      throw Failure(.unavailable, error.description)
    }
  }

  private static func connection(_ config: Config, _ embedded: Embedded?, _ role: String, _ purpose: Purpose)
    -> DatabaseConfiguration
  {
    var connection =
      if let embedded {
        DatabaseConfiguration(conninfo: embedded.conninfo(user: role))
      } else {
        DatabaseConfiguration(conninfo: config.database.url ?? "", user: role == Roles.app ? nil : role)
      }
    connection.connections = purpose == .server ? config.database.connections : 3
    connection.interactive = 1
    return connection
  }

  private func connect(migrates: Bool) async throws {
    do {
      if migrates, let embedded, embedded.isOwner {
        _ = try await Migrator(conninfo: embedded.conninfo(user: Roles.migrator)).migrate()
      }
      try await database.start()
      try await jobs.start()
    } catch let error as MigrationError {
      throw Failure(.unavailable, error.description)
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

extension Config {
  /// Where people reach the server: as configured, or where it listens.
  var reachedAt: String {
    guard let publicURL else { return "http://\(listen)" }
    return publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
  }
}
