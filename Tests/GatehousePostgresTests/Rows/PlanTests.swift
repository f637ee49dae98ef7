import Foundation
import GatehouseIdentity
@testable import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// Row-level security must not cost the index: a policy that is not pushed into it would read the whole table.
@Suite struct PlanTests {
  private func plan(_ statement: SQL, _ ground: StoreFixture) async throws -> String {
    try await ground.app.read(ground.tenant.uuid, "EXPLAIN (COSTS OFF) \(statement)")
      .map { try $0[0] as String }.joined(separator: "\n")
  }

  /// 20 tenants, 20 000 accounts, each with a session and a token.
  private func crowd(_ ground: StoreFixture) async throws {
    try await ground.place.runAsSuperuser(
      script: """
        CREATE TEMPORARY TABLE who AS
          SELECT n, CASE WHEN n % 20 = 0 THEN '\(ground.tenant.uuid)'::uuid ELSE md5((n % 20)::text)::uuid END AS t,
            md5('a' || n)::uuid AS id FROM generate_series(1, 20000) AS n;
        INSERT INTO gatehouse.account (tenant_id, id, email, created_at, updated_at, entered_by)
          SELECT t, id, n || '@example.com', now(), now(), 'sign_up' FROM who;
        INSERT INTO gatehouse.session (tenant_id, id, account_id, created_at, last_seen_at, authenticated_at, methods,
            expires_at, idle_expires_at) SELECT t, id, id, now(), now(), now(), '{pwd}', now(), now() FROM who;
        INSERT INTO gatehouse.refresh_token (tenant_id, hash, session_id, created_at)
          SELECT t, sha256(n::text::bytea), id, now() FROM who;
        INSERT INTO gatehouse.credential (tenant_id, account_id, phc) SELECT t, id, 'x' FROM who;
        ANALYZE;
        """)
  }

  @Test("an account is found by its address, and all of a refresh by its token, through the indices under the policy")
  func indices() async throws {
    try await withStore { ground async throws in
      try await crowd(ground)
      let byEmail = try await plan(UserRows.find(email: "20@example.com"), ground)
      #expect(byEmail.contains("account_email_unique"), "\(byEmail)")
      #expect(byEmail.contains(#/Index Cond: \(\(tenant_id = \$\d\) AND \(email = /#), "\(byEmail)")
      let byHash = try await plan(SessionRows.findRefreshToken(hash: hash(1)), ground)
      #expect(byHash.contains("refresh_token_pkey"), "\(byHash)")
      #expect(byHash.contains("session_pkey") && byHash.contains("account_pkey"), "\(byHash)")
      let users = try await plan(ScannedUserRows.page(after: UserID(UUID()), limit: 100), ground)
      #expect(users.contains("session_of_account") && users.contains("account_pkey"), "\(users)")
      #expect(!users.contains("Seq Scan on session") && !users.contains("Seq Scan on account"), "\(users)")
      for plan in [byEmail, byHash] { #expect(!plan.contains("Seq Scan"), "\(plan)") }
    }
  }

  @Test("opening a session reads the account's living sessions only, however many have ended")
  func livingSessions() async throws {
    try await withStore { ground async throws in
      // Of tables that were empty when they were analysed all plans cost the same.
      try await crowd(ground)
      let user = sampleUser(1, ground.now)
      let phone = session(10, of: user, ground.now)
      let opening = Change.session(.insert(phone, by: .refreshToken(token(1, of: phone, ground.now)), keeping: 20))
      var plans = ""
      for statement in opening.statements { plans += try await plan(statement, ground) + "\n" }
      #expect(plans.contains("session_live") && plans.contains("session_pkey"), "\(plans)")
      #expect(!plans.contains("session_of_account") && !plans.contains("Seq Scan"), "\(plans)")
    }
  }

  @Test("the same look sees when the index of addresses is missing")
  func control() async throws {
    try await withStore { ground async throws in
      try await crowd(ground)
      try await ground.place.run(
        script: "ALTER TABLE gatehouse.account DROP CONSTRAINT account_email_unique")
      let without = try await plan(UserRows.find(email: "20@example.com"), ground)
      #expect(!without.contains(#/Index Cond: \(\(tenant_id = \$\d\) AND \(email = /#), "\(without)")
    }
  }
}
