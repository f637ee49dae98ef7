import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehouseRuntime
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A server that is no primary", .serialized, .timeLimit(.minutes(2)))
struct StandbyTests {
  private func run(_ cluster: Embedded, _ script: String) async throws {
    // As libpq connects by default: to whatever answers.
    let conninfo = cluster.conninfo(user: Embedded.superuser) + " target_session_attrs=any"
    try await Administration.run(script: script, conninfo: conninfo)
  }

  private func becomes(_ cluster: Embedded, standby: Bool) async throws -> Bool {
    try await eventually {
      await failure(of: {
        try await run(cluster, "DO $is$ BEGIN ASSERT pg_is_in_recovery() = \(standby); END $is$")
      }) == nil
    }
  }

  @Test("a standby is neither read from nor written to, and is used once it is promoted")
  func standby() async throws {
    let (cluster, path) = try await TestCluster.another()
    defer { cluster.destroy() }
    try await run(cluster, "CREATE TABLE kept (id int); INSERT INTO kept VALUES (1);")
    var configuration = DatabaseConfiguration(conninfo: cluster.conninfo(user: Embedded.superuser))
    configuration.patience = .milliseconds(300)
    let database = Database(loops: TestCluster.loops.loops, configuration: configuration)
    try await database.start(timeout: .seconds(60))

    // It is started again by its owner, and follows a primary that there is not.
    let signal = path + "/postgres/standby.signal"
    #expect(FileManager.default.createFile(atPath: signal, contents: nil, attributes: [.posixPermissions: 0o666]))
    let before = try #require(cluster.postmasterPid)
    kill(before, SIGINT)
    #expect(try await eventually { cluster.postmasterPid.map { $0 != before } == true })
    #expect(try await becomes(cluster, standby: true))
    // Negative control: it lets sessions in and answers them.
    try await run(cluster, "DO $see$ BEGIN ASSERT (SELECT count(*) FROM kept) = 1; END $see$")
    let isNamed = try await eventually { database.connectFailure?.revealed.contains("is a standby") == true }
    let read = await failure { try await database.read(nil, "SELECT count(*) FROM public.kept") }
    let write = await failure { try await database.write(nil, "INSERT INTO public.kept VALUES (2)") }
    let connected = database.statistics.connected

    try await run(cluster, "SELECT pg_promote()")
    #expect(try await becomes(cluster, standby: false))
    let isWritten = try await eventually {
      await failure { try await database.write(nil, "INSERT INTO public.kept VALUES (3)") } == nil
    }
    var ids: [Int] = []
    let isRead = try await eventually {
      let rows = try? await database.read(nil, "SELECT id FROM public.kept ORDER BY id")
      ids = try rows?.map { try $0[0] as Int } ?? []
      return rows != nil
    }
    await database.stop()
    #expect(isNamed && isWritten && isRead)
    #expect(read?.isUnavailable == true && write?.isUnavailable == true && connected == 0)
    #expect(ids == [1, 3])
  }

  private static let readOnly: SQL = "SELECT set_config('default_transaction_read_only', 'on', false)"

  @Test("a write whose session takes no writes any more is sent once more on another one")
  func oneSession() async throws {
    try await withDatabase { _, database async throws in
      // The first connection for writes of each loop.
      for _ in 0..<2 { _ = try await database.write(nil, Self.readOnly) }
      for _ in 0..<2 {
        let changed = try await database.write(nil, "UPDATE counter SET value = value + 1 WHERE id = 1").affected
        #expect(changed == 1)
      }
      #expect(try await database.read(nil, "SELECT value FROM counter WHERE id = 1")[0][0] == 2)
      #expect(database.statistics.lost >= 1)
    }
  }

  @Test("where the second session takes none either nothing is done, and later writes have new sessions")
  func allSessions() async throws {
    try await withDatabase { _, database async throws in
      try await spoil(database)
      let error = await failure { try await database.write(nil, "UPDATE counter SET value = 7 WHERE id = 1") }
      #expect(error?.isReadOnly == true)
      let isBack = try await eventually {
        await failure { try await database.write(nil, "UPDATE counter SET value = value + 1 WHERE id = 1") } == nil
      }
      #expect(isBack)
      #expect(try await database.read(nil, "SELECT value FROM counter WHERE id = 1")[0][0] == 1)
    }
  }

  @Test("to a request that is a database that is away, not a defect")
  func unavailable() async throws {
    try await withStore { ground async throws in
      try await spoil(ground.app)
      var record = try #require(try await ground.directory.tenants().first)
      record.enabled = false
      let update = record
      let error = await refusal { try await ground.directory.update(update, audit: entry(.tenantChanged, ground.now)) }
      #expect(error == .unavailable)
    }
  }

  @Test("what stands behind the refused write in its connection is answered by itself")
  func neighbours() async throws {
    try await withDatabase { _, database async throws in
      try await spoil(database)
      let errors = await withTaskGroup(of: DatabaseError?.self) { group in
        for _ in 0..<40 {
          group.addTask { await failure { try await database.write(nil, "UPDATE counter SET value = 7 WHERE id = 1") } }
        }
        return await group.reduce(into: [DatabaseError?]()) { $0.append($1) }
      }
      #expect(errors.allSatisfy { $0 == nil || $0?.isReadOnly == true }, "none of them has an unknown outcome")
      #expect(errors.contains { $0?.isReadOnly == true })
    }
  }

  @Test("a transaction whose session takes no writes is run once more on another one")
  func transaction() async throws {
    try await withDatabase { _, database async throws in
      try await database.transaction(nil) { _ = try await $0.query(Self.readOnly) }
      let runs = Flag()
      let second = Flag()
      try await database.transaction(nil) { transaction in
        if runs.isRaised { second.raise() }
        runs.raise()
        _ = try await transaction.query("UPDATE counter SET value = 5 WHERE id = 1")
      }
      #expect(second.isRaised)
      #expect(try await database.read(nil, "SELECT value FROM counter WHERE id = 1")[0][0] == 5)
    }
  }

  /// Leaves no session for writes that takes any.
  private func spoil(_ database: Database) async throws {
    // Two loops with three connections each, two for transactions and the one that listens: some are opened later.
    #expect(try await eventually { database.statistics.connected == 9 })
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<64 {
        group.addTask { _ = try? await database.write(nil, [Self.readOnly, "SELECT pg_sleep(0.01)"]) }
      }
    }
  }
}

extension DatabaseError {
  fileprivate var isReadOnly: Bool { if case .readOnly = self { true } else { false } }
}
