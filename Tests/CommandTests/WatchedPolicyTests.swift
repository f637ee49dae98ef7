import Foundation
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Policy files that a server watches, and those that a verb is given")
struct WatchedPolicyTests {
  /// A comment in Latin-1, which is no UTF-8, before a policy that is stricter than the live one.
  private static func foreignBytes() throws -> Data {
    try Data("# caf".utf8) + Data([0xE9, 0x0A]) + Data(longer().utf8)
  }

  /// DD Ride's policy with passwords of this length, and without its tests, which say what a shorter one lets in.
  private static func longer(_ length: Int = 9) throws -> String {
    let text = try TestLists.policy("dd-ride")
    let rules = try #require(text.range(of: "\ntests:"))
    return text[..<rules.lowerBound]
      .replacing("{id: min8, min_length: 8}", with: "{id: min8, min_length: \(length)}") + "\n"
  }

  /// How many revisions the tenant has.
  private static func revisions(_ app: ServedApp) throws -> Int {
    let told = try app.run("policy", "history", "dd-ride", "--output", "ndjson")
    try #require(told.exit == 0, "\(told.errors)")
    return told.output.split(separator: "\n").count
  }

  @Test(
    "T137 bytes that check refuses are refused with the same finding by each verb that reads a policy file",
    arguments: [
      "policy check FILE", "policy test FILE", "policy fmt FILE", "policy promote FILE password.min8",
      "policy diff dd-ride FILE", "policy impact dd-ride FILE", "policy apply dd-ride FILE", "policy apply --files DIR",
      "tenant create other --policy FILE",
    ])
  func verbs(line: String) async throws {
    try await ServedApp.run { _, _, app in
      let folder = app.directory.appending(path: "given")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Self.foreignBytes().write(to: folder.appending(path: "dd-ride.yaml"))
      let words = line.split(separator: " ").map { word in
        String(word).replacing("FILE", with: "given/dd-ride.yaml").replacing("DIR", with: "given")
      }
      let told = try Binary.run(words, in: app.directory, environment: app.environment)
      #expect(told.exit == (line.hasPrefix("policy diff") ? 2 : 1), "\(told.output) \(told.errors)")
      #expect((told.output + told.errors).contains("given/dd-ride.yaml:1:6"), "\(told.output) \(told.errors)")
      #expect((told.output + told.errors).contains("the file is not valid UTF-8"))
      #expect(try Self.revisions(app) == 1)
    }
  }

  @Test(
    "T137 a watching server refuses bytes that check refuses, once and with the same finding, and applies what it takes"
  )
  func watched() async throws {
    try await ServedApp.run { server, _, app in
      let file = app.directory.appending(path: "policies/dd-ride.yaml")
      try Self.foreignBytes().write(to: file, options: .atomic)
      let refused = try await server.line(with: "policy.refused")
      #expect(refused.contains("dd-ride.yaml:1:6") && refused.contains("the file is not valid UTF-8"))
      #expect(try Self.revisions(app) == 1)
      // Negative control: the same policy in UTF-8.
      try Self.longer().write(to: file, atomically: true, encoding: .utf8)
      _ = try await server.line(with: "policy.applied")
      #expect(try Self.revisions(app) == 2)
      #expect(server.lines.count { $0.contains("policy.refused") } == 1)
    }
  }

  @Test("a watching server refuses an edit that refutes a statement of the file, and keeps the live policy")
  func refuted() async throws {
    try await ServedApp.run { server, _, app in
      let file = app.directory.appending(path: "policies/dd-ride.yaml")
      let text = try TestLists.policy("dd-ride")
      let open = text.replacing(
        "allowed_domains: [ksu.edu]  #", with: "allowed_domains: [ksu.edu, \"*.k-state.edu\"]  #")
      try #require(open != text)
      try open.write(to: file, atomically: true, encoding: .utf8)
      let refused = try await server.line(with: "policy.refused")
      #expect(refused.contains("outsiders never get in"), "\(refused)")
      #expect(try Self.revisions(app) == 1)
    }
  }

  /// Takes the database away from all users but its superuser, as often as there is a connection left.
  private static func away(_ database: TestDatabase) async throws {
    try await database.runAsSuperuser(
      script: """
        ALTER DATABASE \(database.name) CONNECTION LIMIT 0;
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid();
        """)
  }

  private static func back(_ database: TestDatabase) async throws {
    try await database.runAsSuperuser(script: "ALTER DATABASE \(database.name) CONNECTION LIMIT -1")
  }

  /// A server that watches DD Ride's file, on a cluster of its own that a test may stop and start again.
  private static func onCluster(
    _ body: (_ server: RunningBinary, _ file: URL, _ cluster: EmbeddedConfiguration, Embedded) async throws -> Void
  ) async throws {
    let directory = try Binary.directory()
    let policies = directory.appending(path: "policies")
    try FileManager.default.createDirectory(at: policies, withIntermediateDirectories: true)
    let file = policies.appending(path: "dd-ride.yaml")
    try TestLists.policy("dd-ride").write(to: file, atomically: true, encoding: .utf8)
    let configuration = TestCluster.configuration(TestFolder.path("watched"))
    let cluster = try await Embedded.start(configuration)
    defer { cluster.destroy() }
    _ = try await Migrator(conninfo: cluster.conninfo(user: Roles.migrator)).migrate()
    let socket = cluster.socketDirectory.replacing("/", with: "%2F")
    let server = try RunningBinary(
      [
        "serve", "--dev", "--watch", "policies", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0",
        "--log-format", "json",
      ], in: directory,
      environment: [
        "GATEHOUSE_DATABASE_URL": "postgres:///\(configuration.database)?host=\(socket)&user=\(Roles.app)",
        "GATEHOUSE_DATA_DIR": directory.path + "/data", "GATEHOUSE_LISTS": TestLists.root + "/config/lists",
      ])
    defer { server.stop() }
    _ = try await server.line(with: "tenant.created")
    try await body(server, file, configuration, cluster)
  }

  @Test("T138 an edit that is saved while PostgreSQL is stopped is applied in its newest text once it runs again")
  func away() async throws {
    try await Self.onCluster { server, file, configuration, cluster in
      await cluster.stop()
      try Self.longer(9).write(to: file, atomically: true, encoding: .utf8)
      let waiting = try await server.line(with: "policy.waiting")
      #expect(waiting.contains("dd-ride.yaml") && waiting.contains("tried again"))
      // Edited again meanwhile.
      try Self.longer(10).write(to: file, atomically: true, encoding: .utf8)
      let again = try await Embedded.start(configuration)
      defer { again.stopBlocking() }
      let applied = try await server.line(with: "policy.applied")
      #expect(applied.contains(#""revision":2"#), "\(applied)")
      try await Administration.run(
        script: """
          DO $check$ BEGIN
            ASSERT (SELECT text LIKE '%min_length: 10%' FROM gatehouse.policy_revision ORDER BY number DESC LIMIT 1);
            ASSERT (SELECT count(*) FROM gatehouse.policy_revision) = 2;
          END $check$
          """, conninfo: again.conninfo(user: Embedded.superuser))
      // One line for each change of state, however many tries there were.
      #expect(server.lines.count { $0.contains("policy.waiting") } == 1)
      #expect(server.lines.count { $0.contains("policy.applied") } == 1)
      #expect(server.stop() == 0)
    }
  }

  @Test("T138 an edit that waited and is refused by the policy checks is said once, and the next one is applied")
  func refusedLater() async throws {
    try await ServedApp.run { server, database, app in
      let file = app.directory.appending(path: "policies/dd-ride.yaml")
      try await Self.away(database)
      try "tenant: dd-ride\nnonsense".write(to: file, atomically: true, encoding: .utf8)
      _ = try await server.line(with: "policy.waiting")
      try await Self.back(database)
      let refused = try await server.line(with: "policy.refused")
      #expect(refused.contains(#""code":"P"#))
      try Self.longer().write(to: file, atomically: true, encoding: .utf8)
      _ = try await server.line(with: "policy.applied")
      #expect(server.lines.count { $0.contains("policy.refused") } == 1)
      #expect(try Self.revisions(app) == 2)
    }
  }

  @Test("T138 a file that was edited while no server watched is named at the start, and not applied")
  func differing() async throws {
    try await ServedApp.run { server, _, app in
      server.stop()
      let file = app.directory.appending(path: "policies/dd-ride.yaml")
      try Self.longer().write(to: file, atomically: true, encoding: .utf8)
      let next = try RunningBinary(
        [
          "serve", "--dev", "--watch", "policies", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0",
          "--log-format", "json",
        ], in: app.directory, environment: app.environment)
      defer { next.stop() }
      let told = try await next.line(with: "policy.differs")
      #expect(told.contains("dd-ride.yaml") && told.contains(#""revision":1"#), "\(told)")
      #expect(try Self.revisions(app) == 1)
    }
  }
}
