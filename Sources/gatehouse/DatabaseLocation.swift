import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehouseRuntime

/// Where the database is, and how each role reaches it: the private cluster of the data directory, or a PostgreSQL of
/// the operator's.
struct DatabaseLocation: Sendable {
  /// The purpose of opening the database, which decides the size of the cluster. To look, no cluster is started.
  enum Purpose { case server, command, look }

  /// The private cluster, unless `database.url` names another.
  let embedded: Embedded?
  private let config: Config.Database
  private let purpose: Purpose

  /// Uses the private cluster of a running server, or owns it until `close()`; an outside database is only named.
  /// - Throws: exit 6 when the cluster cannot be had, with the reason.
  static func open(_ config: Config, for purpose: Purpose) async throws -> DatabaseLocation {
    guard config.database.url == nil else {
      return DatabaseLocation(embedded: nil, config: config.database, purpose: purpose)
    }
    let location = EmbeddedConfiguration(dataDirectory: config.dataDirectory)
    do {
      let embedded =
        switch purpose {
        case .server: try await Embedded.start(location)
        case .command: try await Embedded.attachOrStart(location)
        case .look: try await Embedded.attach(location)
        }
      return DatabaseLocation(embedded: embedded, config: config.database, purpose: purpose)
    } catch let error as EmbeddedError {
      throw Failure(.unavailable, error.description)
    }
  }

  /// Whether the database is to be in the private cluster, and that is not made yet.
  static func isToBeMade(_ config: Config) -> Bool {
    config.database.url == nil && access(config.dataDirectory + "/postgres", F_OK) != 0
  }

  /// Refuses a data directory that the private cluster could not be in.
  static func demand(_ config: Config) throws(Failure) {
    guard config.database.url == nil else { return }
    do {
      try EmbeddedConfiguration(dataDirectory: config.dataDirectory).demandAbsolute()
    } catch {
      throw Failure(.unavailable, error.description)
    }
  }

  func close() async { await embedded?.stop() }

  /// The address for a role of `Roles`. Outside, the role's own URL counts; without one the server's, with this role's
  /// name in it (certificates, peer authentication and password files then find the rest).
  private func login(_ role: String) -> (conninfo: String, user: String?) {
    if let embedded { return (embedded.conninfo(user: role), nil) }
    let server = config.url ?? ""
    switch role {
    case Roles.jobs: return config.jobsURL.map { ($0, nil) } ?? (server, role)
    case Roles.migrator: return config.migratorURL.map { ($0, nil) } ?? (server, role)
    default: return (server, nil)
    }
  }

  func connection(_ role: String) -> DatabaseConfiguration {
    let (conninfo, user) = login(role)
    var connection = DatabaseConfiguration(conninfo: conninfo, user: user)
    let serves = purpose == .server && role == Roles.app
    connection.connections = serves ? config.connections : 3
    connection.interactive = 1
    if serves { connection.writeDeadline = config.writeDeadline }
    if purpose == .command {
      // A command serves no waiting user: on a busy machine a late answer is better than a refusal.
      connection.patience = .seconds(10)
      connection.readTimeout = .seconds(10)
      connection.writeTimeout = .seconds(10)
    }
    return connection
  }

  /// The schema owner's login, for what the server's own may not do; it connects when it is asked for.
  func console(_ loops: [Loop]) -> @Sendable () async throws -> Database {
    {
      let database = Database(loops: loops, configuration: connection(Roles.migrator))
      do {
        try await database.start()
      } catch {
        let why = database.connectFailure?.revealed ?? "\(error)"
        await database.stop()
        throw Failure(
          .unavailable, "the database does not let the migrator in: \(why)",
          hint: "database.migrator_url in gatehouse config show")
      }
      return database
    }
  }

  /// Runs migrations.
  var migrator: Migrator { migrator(as: Roles.migrator) }
  /// Only reads which ones there are; the server's own role may.
  var schema: Migrator { migrator(as: Roles.app) }

  private func migrator(as role: String) -> Migrator {
    let (conninfo, user) = login(role)
    return Migrator(conninfo: conninfo, user: user)
  }
}

extension Failure {
  /// Creates the failure for an error of the database, in words for its operator, who may read its quotes.
  init(database error: any Error, hint: String? = nil) {
    if error is StoreError {
      self.init(AdminProblems.problem(of: error, requestID: "").problem)
      return
    }
    let words =
      switch error {
      case DatabaseError.server(_, _, let note): note.revealed
      case MigrationError.failed(_, _, _, let note): "\(error): \(note.revealed)"
      default: "\(error)"
      }
    let lines = words.split(separator: "\n").map { Visible.line($0.trimmingPrefix { $0 == " " || $0 == "\t" }) }
    self.init(.unavailable, "the database: " + lines.joined(separator: "; "), hint: hint)
  }
}
