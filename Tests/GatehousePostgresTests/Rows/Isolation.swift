import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting

/// What the tests of isolation read and write.
enum Isolation {
  /// Tables without a tenant: a new one is listed here. An admin token may reach several tenants, and is looked up
  /// before its tenant is known.
  static let tablesWithoutTenant = [
    "admin_token", "backup", "floor_revision", "migration", "operator_answer", "prunable", "server", "tenant",
    "tenant_host",
  ]

  static func tenantTables(_ database: Database) async throws -> [String] {
    try await database.read(
      nil,
      """
      SELECT relname::text FROM pg_class WHERE relnamespace = 'gatehouse'::regnamespace AND relkind IN ('r', 'p')
        AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'tenant_id')
      ORDER BY 1
      """
    ).map { try $0[0] }
  }

  /// At least one row of this tenant in every table.
  static func fill(_ store: any TenantStore, _ tenant: TenantID, _ now: Date) async throws {
    let user = sampleUser(1, now)
    let phone = session(2, of: user, now)
    let claim = IdempotencyClaim(key: hash(1), body: hash(2), id: id(9), user: nil)
    guard try await store.claim(claim) == .claimed else { throw StoreError.exists }
    _ = try await store.reserveSignIn(signInKey(tenant, "x@example.com"))
    try await store.setSecret("google", sealed: [1], audit: entry(.secretChanged, now))
    try await store.setPicture(sampleLogo([1], now), content: [1], audit: entry(.tenantChanged, now))
    try await store.commit([
      .webhook(
        .insert(
          WebhookEndpoint(
            id: id(7), url: "https://example.com/", events: [.userCreated], fields: [], sealedSecret: [1],
            createdAt: now)
        )),
      .audit(entry(.userCreated, now)), .user(.insert(user, unique: [UniqueValue(field: "handle", key: "me")])),
      .user(.setPassword(user.id, phc: "w")), .user(.setPassword(user.id, phc: "x", remembering: 1)),
      .user(.recordCompliance(user.id, Compliance(rules: [UInt8](repeating: 1, count: 32), complies: true))),
      .device(
        .insert(
          KnownDevice(id: id(8), user: user.id, hash: hash(8), name: "Pixel", createdAt: now, lastSeenAt: now))),
      .provider(.link(identity(of: user, provider: "github", now))),
      .grant(.keep(grant(of: user, provider: "github", now))),
      .grant(.drop(user.id, providers: ["github"], unlinking: ["github"])),
      // Of a grant that is to be given back the order would be refused, and what let the grant be deleted go unseen.
      .provider(.link(identity(of: user, now))), .grant(.keep(grant(of: user, isRevocable: false, now))),
      .ticket(.begin(flow(1, of: user))),
      .factor(
        .add(AuthenticatorApp(id: id(10), user: user.id, sealedSeed: [1], name: "Phone", lastStep: 1, createdAt: now))),
      .factor(.addPasskey(samplePasskey(11, of: user.id, now))),
      .factor(.setCodes(user.id, [hash(6)])),
      .attest(.useChallenge(AttestMark(digest: hash(3), madeAt: now, expiresAt: now))),
      .attest(
        .insertKey(
          AttestKey(
            id: hash(4), point: hash(4) + hash(5) + [4], environment: .production, createdAt: now, lastUsedAt: now))),
      .provider(
        .useIDToken(IDTokenUse(hash: hash(1), issuedAt: now, expiresAt: now.addingTimeInterval(600), isSingle: true))),
      .session(.insert(phone, by: .refreshToken(token(1, of: phone, now)), keeping: 5)),
      .code(.insert(code(1, user: user, now))),
      .limit(.reserve([Reservation(name: "x", key: "k", count: 5, window: 60)])), .message(.enqueue(mail(1, now))),
    ])
    var profile = ProfilePolicy(fields: [Field(name: "unit", type: .string)])
    profile.fields[0].renamedFrom = "ward"
    try await store.commit([
      .backfill(.follow(revision: 1, author: "cli", ProfileNames(profile))),
      .user(.updateProfile(user.id, ["ward": "north"], unique: [])),
    ])
    for move in try await store.backfills() {
      var stretch = BackfillStretch(move, through: user.id, isLast: true)
      stretch.moves = [.init(user: user.id, stored: "north", given: "north", unique: nil)]
      try await store.commit([.backfill(.stretch(stretch))])
    }
    let gone = sampleUser(3, now)
    let tablet = session(4, of: gone, now)
    try await store.commit([
      .user(.insert(gone, unique: [])),
      .session(.insert(tablet, by: .refreshToken(token(9, of: tablet, now)), keeping: 5)),
    ])
    try await store.commit([.user(.setAside(gone.id, until: now.addingTimeInterval(60)))])
    try await store.keepAuditCut(StoredAuditCut(seq: 1, row: id(6), token: "signed"), audit: entry(.auditCut, now, 6))
    try await store.keepAuditKey([1])
    let (state, rows) = try await store.unsealedAudit(limit: 1)
    let chain = AuditChain(tenant: tenant.uuid)
    let links = rows.map { chain.link($0, seq: 1, after: chain.start, sealedAt: state.now.microseconds) }
    try await store.seal(links, head: "signed", expecting: state.version)
  }

  /// Rows by table and tenant, as a superuser sees them.
  static func counts(_ ground: StoreFixture) async throws -> [String: [UUID: Int]] {
    var counts: [String: [UUID: Int]] = [:]
    for table in try await tenantTables(ground.app) {
      counts[table] = [:]
      for row in try await ground.everything(
        "SELECT tenant_id, count(*) FROM gatehouse.\(identifier: table) GROUP BY tenant_id")
      {
        counts[table]?[try row[0]] = try row[1]
      }
    }
    return counts
  }

  /// What is wrong with the schema's walls between tenants, one line each.
  static func flaws(_ database: Database) async throws -> [String] {
    var flaws: [String] = []
    for row in try await database.read(nil, tables) {
      flaws += try row.read { columns in
        let table: String = try columns.next()
        let (enabled, forced): (Bool, Bool) = (try columns.next(), try columns.next())
        let (tenanted, required): (Bool, Bool) = (try columns.next(), try columns.next())
        let policies: Int = try columns.next()
        guard tenanted else { return tablesWithoutTenant.contains(table) ? [] : ["\(table) has no tenant_id"] }
        return [
          enabled ? nil : "\(table) does not enable row-level security",
          forced ? nil : "\(table) does not force row-level security",
          required ? nil : "\(table) has rows without a tenant",
          policies == 1 ? nil : "\(table) has not exactly one policy for the server",
        ].compactMap(\.self)
      }
    }
    for row in try await database.read(nil, keys) {
      flaws.append("\(try row[0] as String) does not begin with tenant_id")
    }
    for row in try await database.read(nil, ways) { flaws.append("\(try row[0] as String)") }
    return flaws
  }

  /// Functions that run as the owner: a new one is listed here, and shows by `leaks` what it can not reach.
  static let ownersFunctions = [
    "erase_account", "erase_tenant", "set_account_aside", "bring_account_back", "erase_deleted_account",
    // Deletes entries of the audit log behind a mark; `AuditCutRowsTests`.
    "delete_cut_audit",
    // Of a table without tenants.
    "admin_token_of", "note_admin_token_use", "make_admin_token", "revoke_admin_token",
  ]

  /// Ways around the walls: views show what their owner sees, unless they ask as the one who reads them; functions may
  /// run with their owner's rights.
  private static let ways: SQL = """
    SELECT relname || ' is a view' FROM pg_class
    WHERE relnamespace = 'gatehouse'::regnamespace AND relkind IN ('v', 'm')
      AND NOT coalesce('security_invoker=true' = ANY (reloptions), false)
    UNION ALL
    SELECT proname || ' runs as its owner' FROM pg_proc
    WHERE pronamespace = 'gatehouse'::regnamespace AND prosecdef AND proname <> ALL (\(ownersFunctions))
    """

  private static let policy: StaticString = """
    (tenant_id = ( SELECT (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid AS "nullif"))
    """

  /// Policies of the jobs role are its own; any other counts, and must be the one that holds tenants apart.
  private static let tables: SQL = """
    SELECT relname::text, relrowsecurity, relforcerowsecurity,
      column_of.attnum IS NOT NULL, coalesce(column_of.attnotnull, false),
      (SELECT CASE WHEN bool_and(permissive = 'PERMISSIVE' AND cmd = 'ALL' AND policyname = 'tenant'
                     AND qual = \(String(describing: policy)) AND with_check = \(String(describing: policy)))
              THEN count(*) ELSE 0 END
       FROM pg_policies WHERE schemaname = 'gatehouse' AND tablename = relname AND roles <> '{gatehouse_jobs}')
    FROM pg_class LEFT JOIN pg_attribute AS column_of ON attrelid = pg_class.oid AND attname = 'tenant_id'
    WHERE relnamespace = 'gatehouse'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1
    """

  /// Unique indices and foreign keys of tenant tables that begin with another column.
  private static let keys: SQL = """
    SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    JOIN pg_attribute ON attrelid = indrelid AND attname = 'tenant_id'
    WHERE relnamespace = 'gatehouse'::regnamespace AND indisunique AND indkey[0] <> attnum
    UNION ALL
    SELECT conname::text FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attname = 'tenant_id'
    WHERE connamespace = 'gatehouse'::regnamespace AND contype = 'f' AND conkey[1] <> attnum
    """

  /// Where `own` reaches rows of `foreign` in these tables (all of them, if none are named), one line each; only
  /// row-level security stands between.
  static func leaks(_ ground: StoreFixture, own: TenantID, foreign: TenantID, in tables: [String]? = nil) async throws
    -> [String]
  {
    let tables = if let tables { tables } else { try await tenantTables(ground.app) }
    var leaks = try await erased(ground, own: own, foreign: foreign, in: tables)
    for table in tables {
      let visible = try await ground.app.read(
        own.uuid, "SELECT count(*) FROM \(identifier: table) WHERE tenant_id = \(foreign.uuid)")
      if try visible[0][0] as Int != 0 { leaks.append("\(table): foreign rows are seen") }
      for (verb, statement) in [
        ("changed", "UPDATE \(identifier: table) SET tenant_id = tenant_id WHERE tenant_id = \(foreign.uuid)"),
        ("removed", "DELETE FROM \(identifier: table) WHERE tenant_id = \(foreign.uuid)"),
      ] as [(String, SQL)] {
        if try await affected(by: statement, as: own, ground) > 0 { leaks.append("\(table): foreign rows are \(verb)") }
      }
      if try await !refusesForeignRow(ground, table, own: own, foreign: foreign) {
        leaks.append("\(table): a row for another tenant is taken")
      }
    }
    return leaks
  }

  /// Which tables lose rows of `foreign` when `own` is erased, which the schema's owner does; it is taken back.
  private static func erased(
    _ ground: StoreFixture, own: TenantID, foreign: TenantID, in tables: [String]
  ) async throws -> [String] {
    struct Undone: Error { let lines: [String] }
    do {
      return try await ground.app.transaction(foreign.uuid) { transaction -> [String] in
        func counts() async throws -> [Int] {
          var counts: [Int] = []
          for table in tables {
            counts.append(try await transaction.query("SELECT count(*) FROM \(identifier: table)")[0][0])
          }
          return counts
        }
        func become(_ tenant: TenantID) async throws {
          _ = try await transaction.query("SELECT set_config('app.tenant', \(tenant.uuid.text), true)")
        }
        let before = try await counts()
        try await become(own)
        _ = try await transaction.query("UPDATE tenant SET enabled = false WHERE id = \(own.uuid)")
        _ = try await transaction.query("SELECT gatehouse.erase_tenant()")
        try await become(foreign)
        let after = try await counts()
        throw Undone(
          lines: zip(tables, zip(before, after)).compactMap { table, count in
            count.0 == count.1 ? nil : "\(table): foreign rows are erased"
          })
      }
    } catch let undone as Undone {
      return undone.lines
    }
  }

  /// How many rows a statement would touch; it is taken back. None where the server has not the right at all.
  private static func affected(by statement: SQL, as own: TenantID, _ ground: StoreFixture) async throws -> Int {
    struct Undone: Error { let affected: Int }
    do {
      return try await ground.app.transaction(own.uuid) { transaction -> Int in
        throw Undone(affected: try await transaction.query(statement).affected)
      }
    } catch let undone as Undone {
      return undone.affected
    } catch let error as DatabaseError where error.sqlState == "42501" {
      return 0
    }
  }

  /// Offers a copy of a foreign row. Past row-level security it would meet the primary key.
  private static func refusesForeignRow(
    _ ground: StoreFixture, _ table: String, own: TenantID, foreign: TenantID
  ) async throws -> Bool {
    let row: String = try await ground.everything(
      "SELECT to_jsonb(t)::text FROM gatehouse.\(identifier: table) AS t WHERE tenant_id = \(foreign.uuid) LIMIT 1")[0][
        0]
    let insert: SQL = """
      INSERT INTO \(identifier: table)
      SELECT * FROM jsonb_populate_record(NULL::\(identifier: table), \(row)::jsonb)
      """
    let error = await failure { try await ground.app.write(own.uuid, insert) }
    return error?.sqlState == "42501"
  }
}
