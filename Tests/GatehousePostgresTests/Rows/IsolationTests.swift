import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct IsolationTests {
  @Test("every table with a tenant enables and forces row-level security by the one policy, and its keys begin there")
  func walls() async throws {
    try await withStore { ground async throws in
      #expect(try await Isolation.flaws(ground.app) == [])
      #expect(try await Isolation.tenantTables(ground.app).count == 41)
      try await ground.app.verifyPosture()
      try await ground.jobs.verifyPosture()
    }
  }

  @Test(
    "a table that is not wholly walled in is found",
    arguments: [
      ("ALTER TABLE gatehouse.account NO FORCE ROW LEVEL SECURITY", "account does not force"),
      ("ALTER TABLE gatehouse.audit DISABLE ROW LEVEL SECURITY", "audit does not enable"),
      ("DROP POLICY tenant ON gatehouse.session", "session has not exactly one policy"),
      ("CREATE POLICY more ON gatehouse.secret USING (true)", "secret has not exactly one policy"),
      ("ALTER POLICY tenant ON gatehouse.secret WITH CHECK (true)", "secret has not exactly one policy"),
      ("ALTER POLICY tenant ON gatehouse.secret USING (true)", "secret has not exactly one policy"),
      ("CREATE TABLE gatehouse.note (id int)", "note has no tenant_id"),
      ("CREATE UNIQUE INDEX everywhere ON gatehouse.account (email)", "everywhere does not begin"),
      ("ALTER TABLE gatehouse.audit DROP CONSTRAINT audit_pkey, ALTER tenant_id DROP NOT NULL", "without a tenant"),
      ("CREATE VIEW gatehouse.everybody AS SELECT email FROM gatehouse.account", "everybody is a view"),
      (
        "CREATE FUNCTION gatehouse.look() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT 1::bigint'",
        "look runs as its owner"
      ),
    ])
  func wallsControl(script: String, flaw: String) async throws {
    try await withStore { ground async throws in
      try await ground.place.run(script: script)
      let flaws = try await Isolation.flaws(ground.app)
      #expect(flaws.count == 1 && flaws.allSatisfy { $0.contains(flaw) }, "\(flaws)")
    }
  }

  @Test("another tenant's rows are neither seen nor changed, and none is made for it, by row-level security alone")
  func isolation() async throws {
    try await withStore { ground async throws in
      let other = try await ground.makeTenant("second")
      try await Isolation.fill(ground.store, ground.tenant, ground.now)
      try await Isolation.fill(other.store, other.id, ground.now)
      let before = try await Isolation.counts(ground)
      for (table, counts) in before {
        for tenant in [ground.tenant, other.id] { #expect(counts[tenant.uuid] ?? 0 > 0, "nothing to find in \(table)") }
      }
      #expect(try await Isolation.leaks(ground, own: other.id, foreign: ground.tenant) == [])
      #expect(try await Isolation.counts(ground) == before)
    }
  }

  @Test(
    "the same look finds what leaks where a policy is too wide",
    arguments: [
      ("CREATE POLICY wide ON gatehouse.account USING (true)", "account: foreign rows are seen"),
      ("ALTER TABLE gatehouse.outbox DISABLE ROW LEVEL SECURITY", "outbox: a row for another tenant is taken"),
      ("ALTER POLICY tenant ON gatehouse.secret USING (true) WITH CHECK (true)", "secret: foreign rows are changed"),
      ("ALTER TABLE gatehouse.account NO FORCE ROW LEVEL SECURITY", "account: foreign rows are erased"),
    ])
  func isolationControl(script: String, leak: String) async throws {
    try await withStore { ground async throws in
      let other = try await ground.makeTenant("second")
      try await Isolation.fill(ground.store, ground.tenant, ground.now)
      try await ground.place.run(script: script)
      let leaks = try await Isolation.leaks(ground, own: other.id, foreign: ground.tenant)
      #expect(leaks.contains(leak), "\(leaks)")
    }
  }

  @Test("another tenant's ids and hashes find nothing, whichever is asked for")
  func foreignIDs() async throws {
    try await withStore { ground async throws in
      let other = try await ground.makeTenant("second")
      try await Isolation.fill(ground.store, ground.tenant, ground.now)
      let user = sampleUser(1, ground.now)
      #expect(try await ground.store.user(id: user.id) != nil)
      #expect(try await other.store.user(id: user.id) == nil)
      #expect(try await other.store.user(email: user.address) == nil)
      #expect(try await other.store.session(id: SessionID(id(2))) == nil)
      #expect(try await other.store.refreshToken(hash: hash(1)) == nil)
      #expect(try await other.store.code(tokenHash: hash(1), purpose: .resetPassword) == nil)
      #expect(try await other.store.secret("google") == nil)
      #expect(try await other.store.userCount() == 0)
      for change: Change in [
        .user(.delete(user.id)), .user(.setDisabled(user.id, true)),
        .user(.updateProfile(user.id, [:], unique: [])),
      ] {
        #expect(await refusal { try await other.store.commit([change]) } == .refused(.accountExists))
      }
      #expect(
        await refusal { try await other.store.commit([.code(.use(id(1), byToken: true))]) } == .refused(.codeIsLive))
      // The same address, unique value, ids and tokens are free in another tenant.
      try await Isolation.fill(other.store, other.id, ground.now)
    }
  }

  @Test("a tenant is set for its batch and nothing after it")
  func noLeftover() async throws {
    try await withStore { ground async throws in
      try await Isolation.fill(ground.store, ground.tenant, ground.now)
      // More batches than there are lanes, so that every lane has had a tenant.
      for _ in 0..<40 {
        _ = try await ground.app.write(ground.tenant.uuid, "SELECT count(*) FROM account")
        _ = try await ground.app.read(ground.tenant.uuid, "SELECT count(*) FROM account")
      }
      for _ in 0..<40 {
        for rows in [
          try await ground.app.read(nil, "SELECT count(*) FROM account"),
          try await ground.app.write(nil, "SELECT count(*) FROM account"),
        ] { #expect(try rows[0][0] == 0) }
      }
      #expect(
        await failure {
          try await ground.app.write(nil, "INSERT INTO secret (name, sealed, updated_at) VALUES ('x', '', now())")
        }?.sqlState == "42501")
    }
  }

  @Test("each role has the rights that its statements need and no others")
  func rights() async throws {
    try await withStore { ground async throws in
      let rows = try await ground.app.read(
        nil,
        """
        SELECT relname::text, rolname::text, array_to_string(ARRAY(
          SELECT kind FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'])
            WITH ORDINALITY AS k(kind, place)
          WHERE has_table_privilege(pg_roles.oid, pg_class.oid, kind) ORDER BY place), ' ')
        FROM pg_class CROSS JOIN pg_roles
        WHERE relnamespace = 'gatehouse'::regnamespace AND relkind IN ('r', 'p', 'v', 'S')
          AND rolname IN ('gatehouse_app', 'gatehouse_jobs')
        """)
      var rights: [String: [String: String]] = [:]
      for row in rows { rights[try row[1], default: [:]][try row[0]] = try row[2] }
      let append = "SELECT INSERT"
      let keep = "SELECT INSERT UPDATE"
      #expect(
        rights[Roles.app] == [
          "migration": "SELECT", "tenant": "SELECT INSERT DELETE", "tenant_host": "SELECT INSERT DELETE",
          "admin_token": append, "operator_answer": "SELECT INSERT DELETE", "prunable": "",
          "server": "SELECT INSERT DELETE", "backup": "SELECT", "floor_revision": append,
          "policy_revision": append, "data_key": append,
          "audit": append, "search_key": "SELECT INSERT DELETE", "signing_key": "SELECT INSERT DELETE",
          "unique_value": "SELECT INSERT DELETE",
          "credential": "SELECT INSERT UPDATE DELETE", "password_history": "SELECT INSERT DELETE", "session": keep,
          "refresh_token": keep, "erased_token": "SELECT", "deleted_account": "", "one_time_code": keep,
          "limit_counter": keep,
          "outbox": keep, "account": "SELECT INSERT UPDATE DELETE", "secret": "SELECT INSERT UPDATE DELETE",
          "sign_in_guard": "SELECT INSERT UPDATE DELETE", "password_compliance": "SELECT INSERT UPDATE DELETE",
          "idempotency_key": "SELECT INSERT UPDATE DELETE", "device": "SELECT INSERT UPDATE DELETE",
          "provider_identity": "SELECT INSERT UPDATE DELETE", "ticket": "SELECT INSERT DELETE",
          "provider_flow": "SELECT INSERT DELETE",
          "id_token_use": "SELECT INSERT UPDATE DELETE",
          "provider_grant": "SELECT INSERT UPDATE DELETE", "provider_revocation": "SELECT INSERT UPDATE DELETE",
          "webhook_endpoint": "SELECT INSERT UPDATE DELETE", "webhook_delivery": keep,
          "audit_unsealed": "SELECT INSERT DELETE", "audit_link": append, "audit_head": keep, "audit_key": append,
          "audit_cut": append,
          "totp": "SELECT INSERT DELETE", "passkey": "SELECT INSERT DELETE", "recovery_code": "SELECT INSERT DELETE",
          "attest_key": keep,
          "attest_challenge": append, "hand_back": "SELECT INSERT DELETE",
          "tenant_picture": "SELECT INSERT UPDATE DELETE", "tenant_logo": "SELECT DELETE",
          "backfill": "SELECT INSERT UPDATE DELETE", "backfill_value": "SELECT INSERT UPDATE DELETE",
        ])
      #expect(
        rights[Roles.jobs] == [
          "migration": "SELECT", "tenant": "SELECT", "tenant_host": "SELECT DELETE", "policy_revision": "SELECT",
          "admin_token": "", "operator_answer": "", "prunable": "SELECT", "server": "", "backup": "",
          "floor_revision": "",
          "data_key": "SELECT", "audit": "", "audit_cut": "",
          "signing_key": "SELECT", "search_key": "", "unique_value": "", "credential": "", "session": "DELETE",
          "refresh_token": "DELETE", "erased_token": "DELETE", "deleted_account": "", "one_time_code": "DELETE",
          "limit_counter": "DELETE",
          "outbox": "SELECT UPDATE DELETE", "account": "", "secret": "", "sign_in_guard": "DELETE",
          "audit_unsealed": "", "audit_link": "", "audit_head": "", "audit_key": "",
          "password_compliance": "", "password_history": "", "idempotency_key": "DELETE", "device": "DELETE",
          "provider_identity": "", "provider_flow": "", "ticket": "DELETE", "id_token_use": "DELETE",
          "provider_grant": "", "provider_revocation": "SELECT UPDATE DELETE",
          "totp": "", "passkey": "", "recovery_code": "", "attest_key": "DELETE", "attest_challenge": "DELETE",
          "hand_back": "",
          "tenant_picture": "",
          "tenant_logo": "", "backfill": "", "backfill_value": "DELETE",
          "webhook_endpoint": "SELECT", "webhook_delivery": "SELECT UPDATE DELETE",
        ])
    }
  }

  @Test("the jobs role can not read a person's data")
  func jobsSeeNoUser() async throws {
    try await withStore { ground async throws in
      for statement: SQL in [
        "SELECT email FROM account", "SELECT phc FROM credential", "SELECT phc FROM password_history",
        "SELECT hash FROM refresh_token", "SELECT hash FROM erased_token",
        "SELECT email FROM deleted_account",
        "SELECT stored FROM backfill_value",
        "SELECT destination FROM one_time_code", "SELECT token_hash FROM one_time_code",
        "SELECT account_id FROM session", "SELECT sealed_push_token FROM session",
        "SELECT device_name FROM session", "SELECT key FROM sign_in_guard", "SELECT sealed FROM secret",
        "SELECT actor FROM audit", "SELECT name FROM admin_token", "SELECT sealed_answer FROM operator_answer",
        "SELECT sealed_answer FROM idempotency_key",
        "SELECT name FROM device", "SELECT key FROM search_key",
        "SELECT subject FROM provider_identity", "SELECT sealed_tokens FROM provider_grant",
        "SELECT account_id FROM provider_flow", "SELECT account_id FROM ticket", "SELECT sealed_payload FROM ticket",
        "SELECT hash FROM id_token_use",
        "SELECT token_hash FROM device", "SELECT audit_id FROM audit_unsealed", "SELECT hash FROM audit_link",
        "SELECT sealed_private_key FROM audit_key", "SELECT gatehouse.erase_account(gen_random_uuid())",
        "SELECT gatehouse.erase_tenant()",
      ] {
        #expect(await failure { try await ground.jobs.write(nil, statement) }?.sqlState == "42501", "\(statement)")
      }
    }
  }
}
