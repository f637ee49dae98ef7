import Foundation
import GatehouseAssembly
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Jobs that one of several servers runs for all")
struct SharedJobsTests {
  /// The number of audit rows that no server has sealed.
  private func unsealed(_ all: Database) async throws -> Int {
    try await all.read(nil, "SELECT count(*) FROM gatehouse.audit_unsealed")[0][0]
  }

  /// Lines of PostgreSQL's log that tell of an error in a session of this database. A line older than the
  /// session of its process is another session's: process ids are used again.
  private func errors(_ all: Database) async throws -> [Substring] {
    let rows = try await all.read(
      nil,
      """
      SELECT '[' || pid || '] ERROR', to_char(backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'),
        current_setting('data_directory')
      FROM pg_stat_activity WHERE datname = current_database()
      """)
    let sessions: [(mark: String, start: String)] = try rows.map { (try $0[0], try $0[1]) }
    let directory: String = try rows[0][2]
    let log = try String(contentsOfFile: directory + ".log", encoding: .utf8)
    return log.split(separator: "\n").filter { line in
      sessions.contains { line.contains($0.mark) && line >= $0.start }
    }
  }

  @Test("one of two servers seals; when its session ends, the other does within one asking, and no error is logged")
  func takeOver() async throws {
    try await ThreeApps.run { one in
      let all = try await one.server.storage.connect(user: Embedded.superuser)
      try await one.withSibling { other in
        for apps in [one, other] { _ = try await apps.server.round(of: .shareJobs) }
        #expect(one.server.runsSharedJobs && !other.server.runsSharedJobs)
        _ = try await one.signUp(.messai)
        await other.server.runUntilPause(.sealAudit)
        #expect(try await unsealed(all) > 0)
        await one.server.runUntilPause(.sealAudit)
        #expect(try await unsealed(all) == 0)
        // Its holder makes sure of it, and holds it once.
        _ = try await one.server.round(of: .shareJobs)
        _ = try await all.read(
          nil,
          """
          SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          """)
        let isLost = try await eventually { !one.server.runsSharedJobs }
        #expect(isLost)
        for apps in [other, one] { _ = try await apps.server.round(of: .shareJobs) }
        #expect(other.server.runsSharedJobs && !one.server.runsSharedJobs)
        _ = try await other.signUp(.ride)
        await one.server.runUntilPause(.sealAudit)
        #expect(try await unsealed(all) > 0)
        await other.server.runUntilPause(.sealAudit)
        #expect(try await unsealed(all) == 0)
        let logged = try await errors(all)
        #expect(logged == [])
      }
      // Negative control of the reader of the log.
      _ = try? await all.read(nil, "SELECT 1 / (\(0)::int)")
      let isSeen = try await eventually { try await errors(all).count == 1 }
      #expect(isSeen)
      await all.stop()
    }
  }

  @Test("queues are every server's: mail goes out though another server runs the shared jobs")
  func queues() async throws {
    try await ThreeApps.run { one in
      try await one.withSibling { other in
        _ = try await one.server.round(of: .shareJobs)
        #expect(!other.server.runsSharedJobs)
        _ = try await one.signUp(.messai)
        #expect(try await other.server.mailCount(to: App.messai.email()) == 1)
      }
    }
  }

  @Test("a server that stops gives the shared jobs to the next one that asks")
  func stopped() async throws {
    try await ThreeApps.run { one in
      try await one.withSibling { other in
        _ = try await other.server.round(of: .shareJobs)
        _ = try await one.server.round(of: .shareJobs)
        #expect(other.server.runsSharedJobs && !one.server.runsSharedJobs)
      }
      let isTaken = try await eventually {
        _ = try await one.server.round(of: .shareJobs)
        return one.server.runsSharedJobs
      }
      #expect(isTaken)
    }
  }

  @Test("sealing and sweeps are one server's; all else is every server's")
  func table() async throws {
    try await ThreeApps.share { apps in
      let shared = apps.server.table.filter { $0.place == .oneServer }.map(\.name)
      #expect(
        Set(shared) == [
          .sealAudit, .pruneExpired, .expireSessions, .backfillProofs, .backfillPushDigests, .bindSealed,
          .eraseDeleted, .moveValues,
        ])
    }
  }
}
