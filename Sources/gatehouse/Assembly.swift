import Foundation
import GatehouseAssembly
import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicyFile
import GatehousePostgres
import GatehousePrimitives
import GatehouseRuntime

/// Configuration in, a running store and its services out.
///
/// A command uses the running server's database, or owns the private cluster for its own length; `close()` ends both.
final class Assembly: Sendable {
  let composition: Composition
  let loops: LoopGroup
  /// A loop of its own for work that does not answer a request: jobs, and outgoing requests with their TLS and name
  /// resolution. No request waits for a job, however long one runs at a stretch; only a provider sign-in's own request
  /// to that provider may, for a few milliseconds beside a round trip through the network.
  let background: LoopGroup
  let location: DatabaseLocation
  /// The parts that came from the configuration.
  let parts: StartParts
  /// Of the configuration in force.
  let digest: ConfigurationDigest

  var services: Services { composition.services }
  var database: Database { composition.database }
  /// Lists that rules may refer to and that are not installed.
  var missingLists: [String] { parts.missingLists }
  var jobs: Database { composition.jobsDatabase }

  private init(
    composition: Composition, loops: LoopGroup, background: LoopGroup, location: DatabaseLocation,
    parts: StartParts, digest: ConfigurationDigest
  ) {
    self.composition = composition
    self.loops = loops
    self.background = background
    self.location = location
    self.parts = parts
    self.digest = digest
  }

  /// Starts everything up to the services. Throws `Failure` with what to do about it.
  /// - Parameters:
  ///   - keyless: whether everything is opened with a key that is thrown away where there is none. Else a server makes
  ///     the key where the database holds no data key, and a command refuses.
  ///   - report: is told what jobs have to say.
  static func open(
    _ config: Config, for purpose: DatabaseLocation.Purpose, _ terminal: Terminal, keyless: Bool = false,
    report: @escaping @Sendable (ServerEvent) -> Void = { _ in }
  ) async throws -> Assembly {
    let parts = try StartParts.load(config, for: purpose)
    if purpose == .server {
      for name in parts.missingLists { terminal.note("gatehouse: \(RuleLists.isMissing(name))") }
    }
    let refuses = parts.key == nil && !keyless && purpose != .server
    // GUARD: key: a command without one makes no private cluster
    guard !refuses || !DatabaseLocation.isToBeMade(config) else { throw KeyFile.notMade(config) }
    let location = try await DatabaseLocation.open(config, for: purpose)
    let draft = parts.key == nil ? try KeyFile.Draft() : nil
    guard let key = parts.key ?? draft?.keys else { throw Failure(.usage, "there is no key-encryption key") }
    let loops = LoopGroup(
      count: purpose == .server ? Config.processors : 1, for: .requests(priority: config.tuning.loopPriority))
    loops.start()
    let background = LoopGroup(count: 1, named: "background", for: .background)
    background.start()
    let settings = config.settings(for: purpose, parts, key, location, loops.loops, background.loops[0])
    let composition = Composition(settings, config.outside(for: purpose, parts), report: report)
    let assembly = Assembly(
      composition: composition, loops: loops, background: background, location: location, parts: parts,
      digest: ConfigurationDigest(key.pepper))
    var keeping: KeyFile.Keeping?
    do {
      try await assembly.connect()
      if let draft, !keyless { keeping = try await assembly.keep(draft, config, for: purpose) }
    } catch {
      await assembly.close()
      throw error
    }
    guard keeping == .anotherWasFaster else { return assembly }
    await assembly.close()
    return try await open(config, for: purpose, terminal, report: report)
  }

  /// Ends what `open` began, in the reverse order.
  func close() async {
    await composition.close()
    // A refusal needs no answer: the threads end with the process, which is ending. `main` runs on no loop.
    try? background.stop()
    try? loops.stop()
    await location.close()
  }

  /// How many data keys the database holds: of tenants, and of the installation's log.
  func storedDataKeys() async throws -> Int {
    try await services.directory.dataKeyCount() + services.store.open(.installation).dataKeys().count
  }

  /// Keeps a new key of a server, unless data keys are there that need the one that is gone.
  private func keep(
    _ draft: KeyFile.Draft, _ config: Config, for purpose: DatabaseLocation.Purpose
  ) async throws -> KeyFile.Keeping {
    let stored = try await storedDataKeys()
    // GUARD: key: a lost key is not replaced
    guard stored == 0 else { throw KeyFile.lost(stored: stored, config) }
    // GUARD: key: no command makes one
    guard purpose == .server else { throw KeyFile.notMade(config) }
    return try KeyFile.keep(draft, config)
  }

  private func connect() async throws {
    do {
      // The private cluster follows this program's version by itself; an outside database when its operator says so.
      if location.embedded?.isOwner == true { _ = try await location.migrator.migrate() }
      try await composition.connect()
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
    try await services.floor.follow(services.floors)
  }
}
