import Foundation
package import GatehousePostgres
import GatehousePrimitives
import GatehouseRuntime

/// A fresh database in the test cluster, copied from a template in milliseconds. Without a reference to it, it goes
/// when the next one is made.
package final class TestDatabase: Sendable {
  /// Its name in the cluster.
  package let name: String
  private let cluster: Embedded
  private let isGone = LockBox(false)

  private init(name: String, cluster: Embedded) {
    self.name = name
    self.cluster = cluster
  }

  deinit {
    guard !isGone.withLock({ $0 }) else { return }
    TestDatabase.left.withLock { $0.append(name) }
  }

  private static let template = Once<TestDatabase>()
  private static let left = LockBox<[String]>([])

  /// A database of its own: with the whole schema, or with the roles only.
  package static func make(migrated: Bool = true) async throws -> TestDatabase {
    let cluster = try await TestCluster.shared()
    let source = migrated ? try await template.value { try await makeTemplate(in: cluster) }.name : "template0"
    return try await make(from: source, in: cluster)
  }

  /// A copy of a database that has no connection.
  package static func make(from source: TestDatabase) async throws -> TestDatabase {
    try await make(from: source.name, in: source.cluster)
  }

  /// A database as an operator makes it: without this server's rights and schema. (Roles are the cluster's, and there.)
  package static func makeBare() async throws -> TestDatabase {
    let cluster = try await TestCluster.shared()
    let name = try await create(from: "template0", in: cluster)
    return TestDatabase(name: name, cluster: cluster)
  }

  /// The value for `database.url`, for the server's role.
  package var url: String {
    let socket = cluster.socketDirectory.replacing("/", with: "%2F")
    return "postgres:///\(name)?host=\(socket)&user=\(Roles.app)"
  }

  /// The cluster's socket, and the directory that it is in.
  package var socketDirectory: String { cluster.socketDirectory }
  package var socket: String { cluster.socketDirectory + "/.s.PGSQL.5432" }

  /// Logs in through a proxy before the cluster's socket.
  package func conninfo(through proxy: DatabaseProxy, user: String = Roles.app) -> String {
    "host=127.0.0.1 port=\(proxy.port) user=\(user) dbname=\(name) sslmode=disable gssencmode=disable"
  }

  /// Logs in over the cluster's socket.
  package func conninfo(user: String = Roles.app) -> String { cluster.conninfo(user: user, database: name) }

  /// A started database on the shared loops, by default as the server's role with few lanes.
  /// The caller stops it: `await database.stop()`.
  package func connect(
    user: String = Roles.app, _ configure: (inout DatabaseConfiguration) -> Void = { _ in }
  ) async throws -> Database {
    let database = Database(loops: TestCluster.loops.loops, configuration: configuration(user: user, configure))
    try await database.start()
    return database
  }

  /// How a role reaches it.
  func configuration(
    user: String = Roles.app, _ configure: (inout DatabaseConfiguration) -> Void = { _ in }
  ) -> DatabaseConfiguration {
    var configuration = DatabaseConfiguration(conninfo: conninfo(user: user))
    configuration.connections = 6
    // Tests share two cores with a compiler at times.
    // A sanitizer makes everything slower, and says how much.
    let patience = ProcessInfo.processInfo.environment["TEST_PATIENCE"].flatMap { Int($0) } ?? 1
    configuration.patience = .seconds(10 * patience)
    configuration.readTimeout = .seconds(10 * patience)
    configuration.writeTimeout = .seconds(10 * patience)
    configure(&configuration)
    return configuration
  }

  /// Runs a script, by default as the schema's owner would: what a test needs beside the migrations.
  package func run(script: String, as user: String = Roles.migrator) async throws {
    let role = user == Roles.migrator ? "SET ROLE \(Roles.owner);\n" : ""
    try await Administration.run(script: role + script, conninfo: conninfo(user: user))
  }

  /// Runs a script as the cluster's superuser.
  package func runAsSuperuser(script: String) async throws {
    try await Administration.run(script: script, conninfo: conninfo(user: Embedded.superuser))
  }

  /// Everything that is stored, as a thief of the disk sees it: the rows in text form.
  package func dump() async throws -> String {
    let dump = Process()
    let output = Pipe()
    dump.executableURL = URL(fileURLWithPath: "/usr/lib/postgresql/15/bin/pg_dump")
    dump.arguments = ["--data-only", "--dbname", conninfo(user: Embedded.superuser)]
    dump.standardOutput = output
    try dump.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    dump.waitUntilExit()
    guard dump.terminationStatus == 0 else { throw CocoaError(.fileReadUnknown) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Removes the database now, even while sessions use it.
  package func drop() async throws {
    try await TestDatabase.drop(name, in: cluster)
    isGone.withLock { $0 = true }
  }

  private static func drop(_ name: String, in cluster: Embedded) async throws {
    try await run("DROP DATABASE \(name) WITH (FORCE)", in: cluster)
  }

  private static func makeTemplate(in cluster: Embedded) async throws -> TestDatabase {
    let made = try await make(from: "template0", in: cluster)
    _ = try await Migrator(conninfo: made.conninfo(user: Roles.migrator)).migrate()
    return made
  }

  private static func make(from source: String, in cluster: Embedded) async throws -> TestDatabase {
    let made = TestDatabase(name: try await create(from: source, in: cluster), cluster: cluster)
    // Rights on a database are not copied from its template.
    try await made.runAsSuperuser(script: Roles.script(database: made.name))
    return made
  }

  private static func create(from source: String, in cluster: Embedded) async throws -> String {
    let left = left.withLock { left in
      defer { left = [] }
      return left
    }
    for name in left { try await drop(name, in: cluster) }
    let name = "test_\(UUID().text.replacing("-", with: ""))"
    // By files rather than page by page through the log: three quarters of the work where nothing is synced.
    try await run("CREATE DATABASE \(name) TEMPLATE \(source) STRATEGY file_copy", in: cluster)
    return name
  }

  private static func run(_ command: String, in cluster: Embedded) async throws {
    try await Administration.run(
      script: command, conninfo: cluster.conninfo(user: Embedded.superuser, database: "postgres"))
  }
}
