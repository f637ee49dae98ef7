import Foundation
import GatehousePostgres
import GatehousePrimitives
import GatehouseRuntime
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite(.serialized) struct EmbeddedTests {
  /// A directory of its own under /tmp, where an unprivileged user can reach it; removed afterwards.
  private func withDirectory(_ body: (EmbeddedConfiguration) async throws -> Void) async throws {
    let path = "/tmp/gatehouse-test-embedded-\(UUID().text)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(TestCluster.configuration(path))
  }

  private func run(_ cluster: Embedded, _ script: String) async throws {
    try await Administration.run(script: script, conninfo: cluster.conninfo(user: Embedded.superuser))
  }

  @Test("a cluster is made, stopped and started again with its data, and its settings are safe")
  func restart() async throws {
    try await withDirectory { configuration async throws in
      let cluster = try await Embedded.start(configuration)
      try await run(cluster, "CREATE TABLE kept (id int); INSERT INTO kept VALUES (1);")
      try await run(
        cluster,
        """
        DO $check$ BEGIN
          ASSERT current_setting('listen_addresses') = '', 'listens';
          ASSERT current_setting('data_checksums') = 'on', 'checksums';
          ASSERT current_setting('server_encoding') = 'UTF8', 'encoding';
          ASSERT (SELECT datcollate FROM pg_database WHERE datname = current_database()) = 'C.UTF-8', 'locale';
          ASSERT current_setting('log_error_verbosity') = 'terse', 'log';
          ASSERT NOT EXISTS (SELECT FROM pg_hba_file_rules WHERE type <> 'local' OR auth_method <> 'peer'), 'hba';
        END $check$
        """)
      let socket = try FileManager.default.attributesOfItem(atPath: cluster.socketDirectory)
      #expect(socket[.posixPermissions] as? Int == 0o700)
      #expect((cluster.socketDirectory + "/.s.PGSQL.5432").utf8.count < 100)
      await cluster.stop()
      #expect(!FileManager.default.fileExists(atPath: configuration.dataDirectory + "/postgres/postmaster.pid"))

      let again = try await Embedded.start(configuration)
      try await run(again, "DO $check$ BEGIN ASSERT (SELECT count(*) FROM kept) = 1; END $check$")
      // Negative control of the assertion itself.
      await #expect(throws: DatabaseError.self) {
        try await run(again, "DO $check$ BEGIN ASSERT (SELECT count(*) FROM kept) = 2; END $check$")
      }
      again.destroy()
    }
  }

  @Test(
    "T161 the log of a running cluster is rotated at its limit, one old file stays, and the server goes on writing")
  func log() async throws {
    try await withDirectory { configuration async throws in
      var configuration = configuration
      configuration.logLimit = 10_000
      let cluster = try await Embedded.start(configuration)
      let path = configuration.dataDirectory + "/postgres.log"
      func warn(_ text: String, times: Int) async throws {
        try await run(
          cluster, "DO $log$ BEGIN FOR i IN 1..\(times) LOOP RAISE WARNING '\(text) %', i; END LOOP; END $log$")
      }
      func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
      }
      var sizes: [Bool] = []
      for _ in 0..<2 {
        try await warn("refused", times: 1000)
        sizes.append(try await eventually { size(path) < 10_000 && size(path + ".1") > 40_000 })
      }
      try await warn("still here", times: 1)
      sizes.append(
        try await eventually { (try? String(contentsOfFile: path, encoding: .utf8).contains("still here 1")) == true })
      await cluster.stop()
      #expect(sizes == [true, true, true])
    }
  }

  @Test("a durable cluster has fsync on, and whole pages in its log are compressed")
  func durable() async throws {
    try await withDirectory { configuration async throws in
      var configuration = configuration
      configuration.isDurable = true
      let cluster = try await Embedded.start(configuration)
      try await run(
        cluster,
        """
        DO $check$ BEGIN
          ASSERT current_setting('fsync') = 'on' AND current_setting('synchronous_commit') = 'on'
            AND current_setting('full_page_writes') = 'on' AND current_setting('wal_compression') <> 'off';
        END $check$
        """)
      await cluster.stop()
    }
  }

  @Test("a second owner is refused and told the first one; a command attaches instead")
  func twoOwners() async throws {
    try await withDirectory { configuration async throws in
      let cluster = try await Embedded.start(configuration)
      let error = await #expect(throws: EmbeddedError.self) { try await Embedded.start(configuration) }
      #expect(error == .owned(directory: configuration.dataDirectory, pid: getpid()))
      let attached = try await Embedded.attachOrStart(configuration)
      #expect(!attached.isOwner)
      try await run(attached, "SELECT 1")
      await attached.stop()
      try await run(cluster, "SELECT 1")
      await cluster.stop()
      // Free again: the command owns it for its own length.
      let alone = try await Embedded.attachOrStart(configuration)
      #expect(alone.isOwner)
      alone.destroy()
    }
  }

  @Test("a crashed postmaster is started again, and what was committed is there")
  func crash() async throws {
    try await withDirectory { configuration async throws in
      let cluster = try await Embedded.start(configuration)
      try await run(cluster, "SET synchronous_commit = on; CREATE TABLE kept (id int); INSERT INTO kept VALUES (1);")
      let before = try #require(cluster.postmasterPid)
      var database = DatabaseConfiguration(conninfo: cluster.conninfo(user: Embedded.superuser))
      database.patience = .seconds(60)
      let connections = Database(loops: TestCluster.loops.loops, configuration: database)
      try await connections.start(timeout: .seconds(60))
      kill(before, SIGKILL)
      // Whatever the read meets, it is asked until the new server answers; the patience bounds it.
      // A process of the killed server may answer once more before it notices; that is not the new server yet.
      var count: Int?
      while count == nil {
        let pid = cluster.postmasterPid
        do {
          let answer: Int = try await connections.read(nil, "SELECT count(*) FROM public.kept")[0][0]
          if pid != nil, pid != before { count = answer }
        } catch DatabaseError.unavailable {
          continue
        }
      }
      #expect(count == 1)
      await connections.stop()
      cluster.destroy()
    }
  }

  /// From here on every commit waits for a standby that there is not.
  private func demandStandby(_ cluster: Embedded) async throws {
    try await Administration.run(
      script: "ALTER SYSTEM SET synchronous_standby_names = 'nobody'",
      conninfo: cluster.conninfo(user: Embedded.superuser))
    try await run(cluster, "SELECT pg_reload_conf()")
    // A session that knows the new value was made after every process was told; the checkpointer, which tells those who
    // commit, reads it before it makes the checkpoint asked for.
    while await failure(of: {
      try await run(
        cluster, "DO $seen$ BEGIN ASSERT current_setting('synchronous_standby_names') = 'nobody'; END $seen$")
    }) != nil {}
    try await run(cluster, "CHECKPOINT")
  }

  @Test("a write whose wait for the standby was given up has an unknown outcome, though the server says success")
  func unconfirmedByStandby() async throws {
    try await withDirectory { configuration async throws in
      var configuration = configuration
      configuration.isDurable = true
      let cluster = try await Embedded.start(configuration)
      let superuser = cluster.conninfo(user: Embedded.superuser)
      try await run(cluster, "CREATE TABLE kept (id int)")
      // Negative control: without a standby to wait for, the same write succeeds.
      try await run(cluster, "INSERT INTO kept VALUES (1)")
      try await demandStandby(cluster)
      let database = Database(
        loops: TestCluster.loops.loops, configuration: DatabaseConfiguration(conninfo: superuser))
      try await database.start()
      async let batch = failure { try await database.write(nil, "INSERT INTO public.kept VALUES (2)") }
      async let transaction = failure {
        try await database.transaction(nil) { _ = try await $0.query("INSERT INTO public.kept VALUES (3)") }
      }
      // Cancels every commit that waits for the standby, until both have been seen.
      try await run(
        cluster,
        """
        DO $wait$ DECLARE seen int[] := '{}'; one int; BEGIN
          FOR attempt IN 1..2000 LOOP
            PERFORM pg_stat_clear_snapshot();
            FOR one IN SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND pid <> ALL (seen) LOOP
              PERFORM pg_cancel_backend(one);
              seen := seen || one;
            END LOOP;
            EXIT WHEN cardinality(seen) >= 2;
            PERFORM pg_sleep(0.005);
          END LOOP;
        END $wait$
        """)
      #expect(await batch?.isUnknownOutcome == true)
      #expect(await transaction?.isUnknownOutcome == true)
      await database.stop()
      await cluster.stop()
    }
  }

  @Test("a commit that no standby confirms in time has an unknown outcome, and is never cancelled")
  func overdueCommit() async throws {
    try await withDirectory { configuration async throws in
      var configuration = configuration
      configuration.isDurable = true
      let cluster = try await Embedded.start(configuration)
      try await run(cluster, "CREATE TABLE kept (id int)")
      try await demandStandby(cluster)
      var patient = DatabaseConfiguration(conninfo: cluster.conninfo(user: Embedded.superuser))
      patient.writeDeadline = .milliseconds(50)
      let database = Database(loops: TestCluster.loops.loops, configuration: patient)
      try await database.start()
      let outcome = await failure { try await database.write(nil, "INSERT INTO public.kept VALUES (1)") }
      #expect(outcome?.isUnknownOutcome == true)
      // Cancelling would end the wait with a warning, and show the row to every session.
      try await run(
        cluster,
        """
        DO $seen$ BEGIN
          ASSERT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'), 'it is not waited for any more';
          ASSERT NOT EXISTS (SELECT FROM kept), 'it is seen';
        END $seen$
        """)
      try await run(cluster, "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
      await database.stop()
      await cluster.stop()
    }
  }

  @Test(
    "while no standby confirms, a connection leaves one process at most, and writes go on when commits are confirmed")
  func silentServer() async throws {
    try await withDirectory { configuration async throws in
      var configuration = configuration
      configuration.isDurable = true
      let cluster = try await Embedded.start(configuration)
      try await run(cluster, "CREATE TABLE kept (id int)")
      try await demandStandby(cluster)
      var impatient = DatabaseConfiguration(conninfo: cluster.conninfo(user: Embedded.superuser))
      impatient.connections = 4
      impatient.patience = .milliseconds(100)
      impatient.writeDeadline = .milliseconds(300)
      let database = Database(loops: [TestCluster.loops.loops[0]], configuration: impatient)
      try await database.start(timeout: .seconds(30))
      var outcomes: [DatabaseError?] = []
      for _ in 0..<10 {
        outcomes += await withTaskGroup(of: DatabaseError?.self) { group in
          for number in 0..<9 {
            group.addTask {
              await failure { try await database.write(nil, "INSERT INTO public.kept VALUES (\(number))") }
            }
          }
          return await group.reduce(into: []) { $0.append($1) }
        }
      }
      #expect(outcomes.allSatisfy { $0?.isUnknownOutcome == true || $0?.isUnavailable == true })
      // One for reads, three for writes.
      let waiting: SQL = "SELECT count(*)::int FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
      let processes: Int = try await database.read(nil, waiting)[0][0]
      #expect((1...3).contains(processes))
      try await Administration.run(
        script: "ALTER SYSTEM RESET synchronous_standby_names", conninfo: cluster.conninfo(user: Embedded.superuser))
      try await run(cluster, "SELECT pg_reload_conf()")
      let isWritten = try await eventually {
        await failure { try await database.write(nil, "INSERT INTO public.kept VALUES (-1)") } == nil
      }
      #expect(isWritten)
      await database.stop()
      await cluster.stop()
    }
  }

  @Test("a cluster left alive by a killed owner is ended and started afresh with its data")
  func leftover() async throws {
    try await withDirectory { configuration async throws in
      // What a killed owner leaves: the postmaster runs, the lock is free.
      let cluster = try await Embedded.start(configuration)
      try await run(cluster, "CREATE TABLE kept (id int); INSERT INTO kept VALUES (1);")
      let before = try #require(cluster.postmasterPid)
      cluster.abandon()
      let again = try await Embedded.start(configuration)
      #expect(again.postmasterPid != before)
      #expect(kill(before, 0) != 0)
      try await run(again, "DO $check$ BEGIN ASSERT (SELECT count(*) FROM kept) = 1; END $check$")
      again.destroy()
    }
  }

  @Test("a start that was killed inside initdb begins again")
  func halfInitialised() async throws {
    try await withDirectory { configuration async throws in
      let half = configuration.dataDirectory + "/postgres.unfinished"
      try FileManager.default.createDirectory(atPath: half, withIntermediateDirectories: true)
      try "15".write(toFile: half + "/PG_VERSION", atomically: false, encoding: .utf8)
      let cluster = try await Embedded.start(configuration)
      try await run(cluster, "SELECT 1")
      #expect(!FileManager.default.fileExists(atPath: half))
      cluster.destroy()
    }
  }

  @Test("a stale pid file that names a living stranger does not keep the cluster from starting")
  func stalePidFile() async throws {
    try await withDirectory { configuration async throws in
      let cluster = try await Embedded.start(configuration)
      await cluster.stop()
      let file = configuration.dataDirectory + "/postgres/postmaster.pid"
      try "\(getppid())\n/nowhere\n".write(toFile: file, atomically: false, encoding: .utf8)
      let again = try await Embedded.start(configuration)
      await #expect(throws: Never.self) { try await run(again, "SELECT 1") }
      again.destroy()
    }
  }

  @Test(
    "a directory that PostgreSQL's user can not reach is refused by name",
    .enabled(if: geteuid() == 0, "only root runs PostgreSQL as another user"))
  func unreachable() async throws {
    try await withDirectory { configuration async throws in
      let closed = configuration.dataDirectory + "-closed"
      defer { try? FileManager.default.removeItem(atPath: closed) }
      try FileManager.default.createDirectory(
        atPath: closed, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let error = await #expect(throws: EmbeddedError.self) {
        try await Embedded.start(TestCluster.configuration(closed + "/data"))
      }
      guard case .unreachable(_, _, let blocking)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(blocking.hasSuffix("-closed"))
    }
  }

  @Test("missing programs, a cluster of another version and a relative path are refused clearly")
  func refused() async throws {
    try await withDirectory { configuration async throws in
      var wrong = configuration
      wrong.binaries = "/nonexistent"
      await #expect(throws: EmbeddedError.noBinaries(searched: ["/nonexistent"])) { try await Embedded.start(wrong) }
      try FileManager.default.createDirectory(
        atPath: configuration.dataDirectory + "/postgres", withIntermediateDirectories: true)
      try "9\n".write(
        toFile: configuration.dataDirectory + "/postgres/PG_VERSION", atomically: false, encoding: .utf8)
      let error = await #expect(throws: EmbeddedError.self) { try await Embedded.start(configuration) }
      #expect(error.map { "\($0)".contains("PostgreSQL 9") } == true)
      await #expect(throws: EmbeddedError.self) { try await Embedded.start(TestCluster.configuration("relative")) }
    }
  }
}
