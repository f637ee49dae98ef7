import Foundation
import GatehouseIdentity
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehousePostgres

/// The sweep of refresh tokens must not read what it has to keep: of sessions that live there are as many as there are
/// devices.
@Suite struct SweptTokensTests {
  private static let sessions = 5000

  /// Living sessions, last used 40 days ago, each with an unspent token, one that was exchanged for it under a key,
  /// whose successor is sealed, and one that was exchanged without a key, whose seal is gone.
  private func crowd(_ ground: StoreFixture) async throws {
    try await ground.place.runAsSuperuser(
      script: """
        SET session_replication_role = replica;
        INSERT INTO gatehouse.refresh_token (tenant_id, hash, session_id, created_at, spent_at, sealed_successor, successor_hash,
            retry_digest, predecessor_hash)
          SELECT '\(ground.tenant.uuid)', sha256((state || n)::bytea), md5(n::text)::uuid, moment, spent, sealed,
            CASE WHEN spent IS NOT NULL THEN sha256(('unspent' || n)::bytea) END, digest,
            CASE WHEN state = 'unspent' THEN sha256(('keyed' || n)::bytea) END
          FROM generate_series(1, \(Self.sessions)) AS n,
            (SELECT timestamptz '\(ground.now.ISO8601Format())' - interval '40 days' AS moment) AS clock,
            LATERAL (VALUES ('unspent', NULL, NULL::bytea, NULL), ('keyed', moment, '\\x01', sha256(n::text::bytea)),
              ('plain', moment, NULL, NULL)) AS row (state, spent, sealed, digest);
        """)
  }

  /// Rows of refresh tokens and entries of their indices that were read so far, by all connections.
  private func reads(_ ground: StoreFixture) async throws -> Int {
    let rows = try await ground.everything(
      """
      SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0)
        + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'refresh_token'))::bigint
      FROM pg_stat_user_tables WHERE schemaname = 'gatehouse' AND relname = 'refresh_token'
      """)
    return try #require(rows.first)[0]
  }

  /// What a round of the sweep reads, on a connection of its own, which tells it when it ends.
  private func cost(_ ground: StoreFixture) async throws -> (reads: Int, pruned: [String: Int]) {
    let before = try await reads(ground)
    let clock = ground.clock
    let own = try await ground.place.connect(user: Roles.jobs) { StoreFixture.widen(&$0, clock) }
    let pruned = try await PostgresExpirySweep(own).prune(batch: 1000)
    await own.stop()
    _ = try await eventually {
      let rows = try await ground.everything(
        """
        SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'gatehouse_jobs'
        """)
      return try (rows.first?[0] ?? 0) <= ground.jobs.statistics.connected
    }
    return (try await reads(ground) - before, pruned)
  }

  @Test("a round reads no token of sessions that live, however many they are, and finds the one that is to go")
  func reach() async throws {
    try await withStore { ground async throws in
      try await crowd(ground)
      let idle = try await cost(ground)
      #expect(idle.reads == 0 && idle.pruned["refresh_tokens"] == 0 && idle.pruned["successors"] == 0)
      try await ground.place.runAsSuperuser(
        script: """
          UPDATE gatehouse.refresh_token SET superseded = true, sealed_successor = NULL WHERE hash = sha256('keyed7'::bytea);
          UPDATE gatehouse.refresh_token SET sealed_successor = '\\x01' WHERE hash = sha256('plain7'::bytea);
          """)
      let found = try await cost(ground)
      #expect(found.pruned["refresh_tokens"] == 1 && found.pruned["successors"] == 1)
      #expect((1...20).contains(found.reads), "\(found.reads)")
    }
  }

  @Test("both searches of the sweep go through indices that hold what goes and nothing else")
  func plans() async throws {
    try await withStore { ground async throws in
      try await crowd(ground)
      try await ground.place.runAsSuperuser(script: "ANALYZE gatehouse.refresh_token")
      let searches: [(condition: SQL, index: String)] = [
        ("sealed_successor IS NOT NULL AND retry_digest IS NULL AND spent_at < now()", "refresh_token_sealed"),
        ("superseded AND spent_at < now()", "refresh_token_superseded"),
      ]
      for (condition, index) in searches {
        let plan = try await ground.jobs.read(
          nil, "EXPLAIN (COSTS OFF) SELECT ctid FROM refresh_token WHERE \(condition) LIMIT 1000"
        )
        .map { try $0[0] as String }.joined(separator: "\n")
        #expect(plan.contains("using \(index)") || plan.contains("on \(index)"), "\(plan)")
        #expect(!plan.contains("Filter") && !plan.contains("Seq Scan"), "\(plan)")
      }
    }
  }
}
