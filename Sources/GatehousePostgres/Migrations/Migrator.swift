import Foundation

/// Brings a database's schema up to date. Many may start at once; one works, the others wait and find it done.
package struct Migrator: Sendable {
  private let conninfo: String
  private let user: String?
  private let migrations: [Migration]
  /// The actor of the rows of the installation's log about them; nil for the program itself.
  private let actor: String?
  /// "gatehous" as a number: the advisory lock of migrations.
  private static let lock: Int64 = 0x6761_7465_686F_7573

  /// `conninfo` must log in as `gatehouse_migrator`, or `user` must name it.
  package init(conninfo: String, user: String? = nil, migrations: [Migration] = Migrations.all, actor: String? = nil) {
    self.actor = actor
    self.conninfo = conninfo
    self.user = user
    self.migrations = migrations
  }

  /// The same, on behalf of an operator.
  package func by(_ actor: String) -> Migrator {
    Migrator(conninfo: conninfo, user: user, migrations: migrations, actor: actor)
  }

  /// The migrations that are applied, pending, changed since, or unknown. Changes nothing.
  package func status() async throws -> MigrationStatus {
    try await offLoop { [self] in try status(of: BlockingConnection(conninfo: conninfo, user: user)) }
  }

  /// The migrations that `migrate` would run, in order. Throws what `migrate` would refuse. Changes nothing.
  package func plan() async throws -> [Migration] { try Migrator.pending(in: await status()) }

  /// Runs what is pending, each migration in a transaction of its own, and returns it. A lock that is not free within
  /// 1 s is given up, so that the running server never queues behind a migration; it is tried again up to 5 times.
  package func migrate() async throws -> [Migration] {
    try await offLoop { [self] in
      let connection = try BlockingConnection(conninfo: conninfo, user: user)
      try connection.run("SET lock_timeout = '120s'")
      try connection.run("SELECT pg_advisory_lock(\(Migrator.lock))")
      try becomeOwner(connection)
      try connection.run("SET lock_timeout = '1s'")
      try connection.run(script: Migrator.ground)
      let pending = try Migrator.pending(in: status(of: connection))
      for migration in pending { try apply(migration, on: connection) }
      return pending
    }
  }

  private static let ground = """
    CREATE SCHEMA IF NOT EXISTS gatehouse;
    GRANT USAGE ON SCHEMA gatehouse TO \(Roles.app), \(Roles.jobs);
    CREATE TABLE IF NOT EXISTS gatehouse.migration (
      number integer PRIMARY KEY CHECK (number > 0),
      name text NOT NULL,
      checksum text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now(),
      took_ms bigint NOT NULL
    );
    GRANT SELECT ON gatehouse.migration TO \(Roles.app), \(Roles.jobs);
    """

  private static func pending(in status: MigrationStatus) throws(MigrationError) -> [Migration] {
    if let migration = status.drifted.first { throw .drifted(number: migration.number, name: migration.name) }
    if let newer = status.unknown.first { throw .databaseIsNewer(number: newer.number, name: newer.name) }
    if let last = status.applied.last, let skipped = status.pending.first, skipped.number < last.number {
      throw .outOfOrder(number: skipped.number, name: skipped.name)
    }
    return status.pending
  }

  private func status(of connection: BlockingConnection) throws -> MigrationStatus {
    var applied: [MigrationStatus.Applied] = []
    if try connection.run(MigrationStatus.exists).single()?[0] as Bool? == true {
      applied = try connection.run(MigrationStatus.select).map(MigrationStatus.Applied.init(row:))
    }
    let checksums = try connection.run(MigrationStatus.checksums(of: migrations)).map { try $0[0] as String }
    return MigrationStatus(all: migrations, checksums: checksums, applied: applied)
  }

  private func becomeOwner(_ connection: BlockingConnection) throws {
    let membership: SQL = """
      SELECT CASE WHEN EXISTS (SELECT FROM pg_roles WHERE rolname = \(Roles.owner))
                  THEN pg_has_role(current_user, \(Roles.owner), 'MEMBER') ELSE false END
      """
    guard try connection.run(membership).single()?[0] as Bool? == true else { throw MigrationError.notMemberOfOwner }
    // Without this the tables would belong to the login role, and FORCE would not bind their true owner.
    try connection.run("SET ROLE \(identifier: Roles.owner)")
  }

  private func apply(_ migration: Migration, on connection: BlockingConnection) throws {
    for attempt in 1...5 {
      do {
        return try applyOnce(migration, on: connection)
      } catch let error as DatabaseError {
        _ = try? connection.run("ROLLBACK")
        guard case .server(let state, _, let note) = error else { throw error }
        guard state == "55P03", attempt < 5 else {
          throw MigrationError.failed(number: migration.number, name: migration.name, sqlState: state, note: note)
        }
        // The session that holds the lock gets time to finish.
        Thread.sleep(forTimeInterval: 0.2 * Double(attempt))
      }
    }
  }

  private func applyOnce(_ migration: Migration, on connection: BlockingConnection) throws {
    let began = ContinuousClock.now
    try connection.run("BEGIN")
    try connection.run("SET LOCAL search_path = gatehouse, pg_temp")
    try connection.run("SELECT set_config('app.actor', \(actor ?? ""), true)")
    try connection.run(script: migration.sql)
    guard connection.isInTransaction else { throw MigrationError.endedItsTransaction(migration.name) }
    let strangers = try connection.run(
      """
      SELECT relname::text FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = 'gatehouse' AND pg_get_userbyid(relowner) <> \(Roles.owner) LIMIT 1
      """)
    if let stranger = strangers.first {
      let name: String = try stranger[0]
      try connection.run("ROLLBACK")
      throw MigrationError.wrongOwner(table: name)
    }
    let took = (ContinuousClock.now - began).components
    try connection.run(
      """
      INSERT INTO gatehouse.migration (number, name, checksum, took_ms)
      VALUES (\(migration.number), \(migration.name), encode(sha256(convert_to(\(migration.sql), 'UTF8')), 'hex'),
              \(took.seconds * 1000 + took.attoseconds / 1_000_000_000_000_000))
      """)
    try connection.run("COMMIT")
  }
}

/// Why migrations did not run.
package enum MigrationError: Error, Sendable, CustomStringConvertible {
  /// The file is not the one that was applied.
  case drifted(number: Int, name: String)
  /// The database was migrated by a newer program.
  case databaseIsNewer(number: Int, name: String)
  /// A lower number appeared after a higher one had been applied.
  case outOfOrder(number: Int, name: String)
  /// The roles are missing, or the login role is not `gatehouse_migrator`.
  case notMemberOfOwner
  /// The file contains COMMIT or ROLLBACK.
  case endedItsTransaction(String)
  /// Something in the schema does not belong to `gatehouse_owner`.
  case wrongOwner(table: String)
  /// A statement failed; this migration was rolled back whole, earlier ones stay.
  case failed(number: Int, name: String, sqlState: String, note: PrivateNote)

  package var description: String {
    switch self {
    case .drifted(let number, let name): "migration \(number) (\(name)) differs from the one that was applied"
    case .databaseIsNewer(let number, let name):
      "the database has migration \(number) (\(name)), which this version does not know"
    case .outOfOrder(let number, let name): "migration \(number) (\(name)) is pending, but a later one was applied"
    case .notMemberOfOwner:
      "the migrating role is not a member of \(Roles.owner); create the roles first and log in as \(Roles.migrator)"
    case .endedItsTransaction(let name): "migration \(name) ended its own transaction"
    case .wrongOwner(let table): "\(table) does not belong to \(Roles.owner)"
    case .failed(let number, let name, let state, _): "migration \(number) (\(name)) failed: \(state)"
    }
  }
}

extension MigrationStatus.Applied {
  init(row: Row) throws {
    self = try row.read { columns in
      MigrationStatus.Applied(
        number: try columns.next(), name: try columns.next(), checksum: try columns.next(),
        appliedAt: try columns.next(), tookMilliseconds: try columns.next())
    }
  }
}
