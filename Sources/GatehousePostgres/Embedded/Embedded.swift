import CPostgreSQL
import Foundation
import GatehousePrimitives

/// A private PostgreSQL cluster that belongs to one data directory and one process at a time.
///
/// The owner initialises it, starts it, starts it again if it crashes, and shuts it down. Should the owner be killed,
/// the kernel interrupts the cluster (a fast shutdown), and the next owner first ends every process that is left.
package final class Embedded: Sendable {
  /// The cluster's superuser: used to make roles and databases at the start, never by the server's work.
  package static let superuser = "gatehouse_superuser"

  /// The directory of the unix socket.
  package let socketDirectory: String
  private let configuration: EmbeddedConfiguration
  private let postmaster: Postmaster?
  private let lock: LockBox<Int32?>

  private init(
    _ configuration: EmbeddedConfiguration, socketDirectory: String, postmaster: Postmaster?, lock: Int32?
  ) {
    self.configuration = configuration
    self.socketDirectory = socketDirectory
    self.postmaster = postmaster
    self.lock = LockBox(lock)
  }

  /// Becomes the owner: makes the cluster if there is none, starts it, waits until it answers, makes database and
  /// roles. Throws `EmbeddedError`; `.owned` names the process that has it.
  package static func start(_ configuration: EmbeddedConfiguration) async throws -> Embedded {
    try await offLoop { try startBlocking(configuration) }
  }

  /// For commands beside a server: uses the cluster of the running owner, or owns it for the length of the command.
  package static func attachOrStart(_ configuration: EmbeddedConfiguration) async throws -> Embedded {
    try await offLoop {
      // The owner may end, or another come, between two steps; both show in the next round.
      for _ in 0..<50 {
        if let running = running(configuration) { return running }
        do {
          return try startBlocking(configuration)
        } catch EmbeddedError.owned(let directory, let pid) {
          guard DataDirectory.isOwned(configuration) else { continue }
          usleep(200_000)
          if let running = running(configuration) { return running }
          _ = (directory, pid)
        }
      }
      throw EmbeddedError.owned(
        directory: configuration.dataDirectory, pid: DataDirectory.owner(configuration))
    }
  }

  /// For a look at a running owner's cluster. Throws `.owned` where none runs.
  package static func attach(_ configuration: EmbeddedConfiguration) async throws -> Embedded {
    try await offLoop {
      if let running = running(configuration) { return running }
      throw EmbeddedError.owned(directory: configuration.dataDirectory, pid: nil)
    }
  }

  /// Whether this process owns the cluster, and so ends it with `stop()`.
  package var isOwner: Bool { postmaster != nil }

  /// How to connect as one of `Roles.logins` (or the superuser) to a database, the server's own if none is named.
  package func conninfo(user: String, database: String? = nil) -> String {
    Embedded.conninfo(socketDirectory: socketDirectory, user: user, database: database ?? configuration.database)
  }

  /// The pid of the running postmaster, if this process owns it.
  package var postmasterPid: Int32? { postmaster?.pid }

  /// Shuts the cluster down cleanly, if this process owns it, and frees the directory. Safe to call twice.
  package func stop() async {
    _ = try? await offLoop { [self] in stopBlocking() }
  }

  /// The same, waiting; for the end of a process.
  package func stopBlocking() {
    guard let postmaster else { return }
    postmaster.stop()
    if rmdir(socketDirectory) != 0 { _ = errno }
    lock.withLock { descriptor in
      if let open = descriptor { close(open) }
      descriptor = nil
    }
  }

  /// Ends a throw-away cluster at once and removes every trace of it. Only for one that is not durable.
  package func destroy() {
    precondition(!configuration.isDurable, "a durable cluster is never destroyed")
    postmaster?.send(SIGQUIT)
    stopBlocking()
    try? FileManager.default.removeItem(atPath: socketDirectory)
    try? FileManager.default.removeItem(atPath: configuration.dataDirectory)
  }

  /// Leaves the cluster as a killed owner would: running, and without an owner. For tests of what the next owner does.
  package func abandon() {
    postmaster?.abandon()
    lock.withLock { descriptor in
      if let open = descriptor { close(open) }
      descriptor = nil
    }
  }

  /// Removes a throw-away cluster whose owner is gone; false if it has an owner. Only for one that is not durable.
  @discardableResult
  package static func removeAbandoned(_ configuration: EmbeddedConfiguration) throws -> Bool {
    precondition(!configuration.isDurable, "a durable cluster is never removed")
    let directory = DataDirectory(configuration: configuration, user: try OSUser.forPostgres())
    guard let lock = try? directory.lock() else { return false }
    defer { close(lock) }
    try ClusterProcesses.endLeftovers(in: configuration.cluster)
    if let note = try? String(contentsOfFile: configuration.socketNote, encoding: .utf8) {
      try? FileManager.default.removeItem(atPath: note)
    }
    try? FileManager.default.removeItem(atPath: configuration.dataDirectory)
    return true
  }

  static func conninfo(socketDirectory: String, user: String, database: String) -> String {
    func quoted(_ value: String) -> String {
      "'" + value.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
    return "host=\(quoted(socketDirectory)) user=\(quoted(user)) dbname=\(quoted(database))"
  }

  private static func running(_ configuration: EmbeddedConfiguration) -> Embedded? {
    guard DataDirectory.isOwned(configuration),
      let note = try? String(contentsOfFile: configuration.socketNote, encoding: .utf8)
    else { return nil }
    let directory = String(note.prefix { $0 != "\n" })
    let info = conninfo(socketDirectory: directory, user: superuser, database: "postgres")
    guard PQping(info) == PQPING_OK else { return nil }
    return Embedded(configuration, socketDirectory: directory, postmaster: nil, lock: nil)
  }

  private static func startBlocking(_ configuration: EmbeddedConfiguration) throws -> Embedded {
    let user = try OSUser.forPostgres()
    let directory = DataDirectory(configuration: configuration, user: user)
    try directory.prepare()
    let lock = try directory.lock()
    do {
      let version = directory.clusterVersion()
      let binaries = try PostgresBinaries.find(
        configured: configuration.binaries, cluster: version, clusterPath: configuration.cluster)
      if version == nil {
        try directory.initialise(binaries)
      } else {
        try ClusterProcesses.endLeftovers(in: configuration.cluster)
      }
      let socketDirectory = try SocketDirectory.make(for: configuration.dataDirectory, user: user)
      let owner = OSUser.current() ?? user
      let settings = ClusterSettings(configuration: configuration, socketDirectory: socketDirectory, owner: owner)
      try settings.write()
      configuration.log.rotate()
      let postmaster = Postmaster(
        binaries: binaries, user: user, arguments: settings.arguments, log: configuration.log)
      postmaster.start()
      do {
        try awaitReady(configuration, postmaster, socketDirectory)
        try prepareDatabase(configuration, socketDirectory)
        try? socketDirectory.write(toFile: configuration.socketNote, atomically: true, encoding: .utf8)
      } catch {
        postmaster.stop()
        throw error
      }
      return Embedded(configuration, socketDirectory: socketDirectory, postmaster: postmaster, lock: lock)
    } catch {
      close(lock)
      throw error
    }
  }

  /// Asks the server until it answers. While it says that it is recovering it has ten times as long.
  private static func awaitReady(
    _ configuration: EmbeddedConfiguration, _ postmaster: Postmaster, _ socketDirectory: String
  ) throws {
    let info = conninfo(socketDirectory: socketDirectory, user: superuser, database: "postgres")
    let began = ContinuousClock.now
    var pause: useconds_t = 5_000
    while true {
      let answer = PQping(info)
      if answer == PQPING_OK { return }
      if let failure = postmaster.failure { throw failure }
      let limit = configuration.startTimeout * (answer == PQPING_REJECT ? 10 : 1)
      guard ContinuousClock.now - began < limit else {
        throw EmbeddedError.startFailed(log: "no answer in time\n" + configuration.log.tail())
      }
      usleep(pause)
      pause = min(pause * 2, 100_000)
    }
  }

  private static func prepareDatabase(_ configuration: EmbeddedConfiguration, _ socketDirectory: String) throws {
    let info = conninfo(socketDirectory: socketDirectory, user: superuser, database: "postgres")
    let connection = try BlockingConnection(conninfo: info)
    if try connection.run("SELECT FROM pg_database WHERE datname = \(configuration.database)").isEmpty {
      try connection.run("CREATE DATABASE \(identifier: configuration.database)")
    }
    let inside = try BlockingConnection(conninfo: info, database: configuration.database)
    try inside.run(script: Roles.script(database: configuration.database))
    try inside.run(script: Roles.backupScript(database: configuration.database))
  }
}
