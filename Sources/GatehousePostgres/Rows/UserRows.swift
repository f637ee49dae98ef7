import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives

/// Statements and rows of accounts, their unique values and passwords.
enum UserRows {
  static func statements(of change: UserChange) -> [SQL] {
    switch change {
    case .insert(let user, let unique): insert(user) + unique.map { claim($0, for: user.id) }
    case .updateProfile(let id, let profile, let unique, let backfill):
      updateProfile(id, profile, unique, keeping: backfill)
    case .setPassword(let id, let phc, let remembering): setPassword(id, phc, remembering: remembering)
    case .upgradePassword(let id, let old, let phc): [upgradePassword(id, from: old, to: phc)]
    case .setEmail(let id, let email): setEmail(id, email)
    case .verifyEmail(let id, let email): [verifyEmail(id, email)]
    case .noteMailProof(let id): ["UPDATE account SET mail_proven_at = gatehouse.now() WHERE id = \(id.uuid)"]
    case .setDisabled(let id, let disabled): [setDisabled(id, disabled)]
    case .setMustChangePassword(let id, let must):
      ["UPDATE account SET must_change_password = \(must) WHERE id = \(id.uuid)"]
    case .recordCompliance(let id, let compliance): [record(compliance, of: id)]
    case .removeAdditions(let id, let moment): removeAdditions(id, since: moment)
    case .delete(let id): [delete(id)]
    case .setAside(let id, let until): ["SELECT gatehouse.set_account_aside(\(id.uuid), \(until))"]
    case .bringBack(let id, let email, let since):
      ["SELECT gatehouse.bring_account_back(\(id.uuid), \(since))"] + (email.map { [addressIsFree($0, for: id)] } ?? [])
    case .eraseAside(let id): ["SELECT gatehouse.erase_deleted_account(\(id.uuid))"]
    }
  }

  static let columns: SQL = """
    account.id, account.email, account.email_verified_at, account.disabled_at, \(BackfillRows.profile), account.is_online,
    account.last_seen, account.created_at, account.updated_at, account.password_changed_at,
    account.must_change_password, account.entered_by, \(links), account.epoch, account.mail_proven_at,
    account.factors, \(passkeys), account.mfa_asked_at
    """

  /// The account's identities at providers; null where there are none, as with most people.
  private static let links: SQL = """
    (SELECT jsonb_agg(jsonb_build_object('provider', p.provider, 'scopes', p.scopes, 'state', p.state,
      'at', (extract(epoch FROM p.linked_at) * 1000000)::bigint) ORDER BY p.linked_at, p.provider)
      FROM provider_identity AS p WHERE p.account_id = account.id)
    """

  /// The kinds of the account's passkeys; null where there are none, which are not looked for.
  private static let passkeys: SQL = """
    (SELECT jsonb_agg(DISTINCT jsonb_build_object('rp', p.rp_id, 'synced', p.backup_eligible))
      FROM passkey AS p WHERE 'passkey' = ANY(account.factors) AND p.account_id = account.id)
    """

  static func find(email: String) -> SQL {
    """
    SELECT credential.phc, \(columns) FROM account
    LEFT JOIN credential ON credential.account_id = account.id WHERE account.email = \(email)
    """
  }

  private static func insert(_ user: StoredUser) -> [SQL] {
    [
      """
      INSERT INTO account (id, email, email_verified_at, disabled_at, profile, is_online, last_seen, created_at,
        updated_at, password_changed_at, must_change_password, entered_by)
      VALUES (\(user.id.uuid), \(user.email),
        CASE WHEN \(user.emailVerifiedAt != nil) THEN gatehouse.now() END, \(user.disabledAt),
        \(json(user.profile)), \(user.isOnline), \(user.lastSeen), \(user.createdAt), \(user.updatedAt),
        \(user.passwordChangedAt), \(user.mustChangePassword), \(user.enteredBy.rawValue))
      """
    ] + (user.email.map { [addressIsFree($0, for: user.id)] } ?? [])
  }

  /// Refuses an address that another account left and may come back to. It stands behind the statement that takes the
  /// address: that one waits for an account which is just leaving, and only what follows sees the way back.
  private static func addressIsFree(_ email: String, for id: UserID) -> SQL {
    """
    SELECT \(
      .require(
        """
        /* GUARD: reservation: a new account */
          NOT EXISTS (SELECT FROM one_time_code WHERE \(CodeRows.reserves(email))
          AND account_id IS DISTINCT FROM \(id.uuid)::uuid)
        """, "\(StoreError.addressIsReserved)"))
    """
  }

  private static func setEmail(_ id: UserID, _ email: String) -> [SQL] {
    [
      .requiring(
        .accountExists,
        """
        UPDATE account SET email = \(email), email_verified_at = gatehouse.now(), updated_at = gatehouse.now()
        WHERE id = \(id.uuid) RETURNING 1
        """), addressIsFree(email, for: id),
    ]
  }

  private static func verifyEmail(_ id: UserID, _ email: String) -> SQL {
    .requiring(
      .accountExists,
      """
      UPDATE account SET email_verified_at = coalesce(email_verified_at, gatehouse.now()), updated_at = gatehouse.now()
      WHERE id = \(id.uuid) AND email = \(email) RETURNING 1
      """)
  }

  private static func setDisabled(_ id: UserID, _ disabled: Bool) -> SQL {
    .requiring(
      .accountExists,
      """
      UPDATE account SET disabled_at = CASE WHEN \(disabled) THEN coalesce(disabled_at, gatehouse.now()) END,
        updated_at = gatehouse.now() WHERE id = \(id.uuid) RETURNING 1
      """)
  }

  /// Removes everything that was added since. Rows of before stay as they are.
  private static func removeAdditions(_ id: UserID, since moment: Date) -> [SQL] {
    AccountTables.removeAdditions(id, since: moment) + [
      """
      UPDATE account SET password_changed_at = NULL, must_change_password = false
      WHERE \(hasPassword(id, since: moment))
      """
    ]
  }

  /// Takes the account's own columns back from a former holder (`StoredUser.reclaim`).
  static func reclaim(_ id: UserID, _ email: String) -> SQL {
    .requiring(
      .addressIsUnproven,
      """
      UPDATE account SET email_verified_at = gatehouse.now(), password_changed_at = NULL, must_change_password = false,
        factors = '{}', updated_at = gatehouse.now()
      WHERE id = \(id.uuid) AND email = \(email)
        AND /* GUARD: reclaim: of an unproven address only */ email_verified_at IS NULL RETURNING 1
      """)
  }

  private static func hasPassword(_ id: UserID, since moment: Date) -> SQL {
    "id = \(id.uuid) AND /* GUARD: undo: the password of since goes */ password_changed_at > \(moment)"
  }

  /// Removes the rows of a table about the account's password, if it was set since a moment.
  static func ofPassword(_ table: String, of id: UserID, since moment: Date) -> SQL {
    """
    DELETE FROM \(identifier: table)
    WHERE account_id = \(id.uuid) AND EXISTS (SELECT FROM account WHERE \(hasPassword(id, since: moment)))
    """
  }

  /// Takes a unique value. Another account's claim, even one that commits at the same moment, refuses this one.
  private static func claim(_ value: UniqueValue, for id: UserID) -> SQL {
    """
    WITH done AS (
      INSERT INTO unique_value (field, key, account_id) SELECT \(value.field), \(value.key), \(id.uuid)
      WHERE /* GUARD: backfill: a value under the former name is taken */ NOT EXISTS (
        SELECT FROM unique_value WHERE key = \(value.key) AND field = ANY(gatehouse.names_in_transit(\(value.field)))
          AND account_id <> \(id.uuid))
      ON CONFLICT DO NOTHING RETURNING 1)
    SELECT \(.require("(SELECT count(*) FROM done) = 1", "\("field_taken:" + value.field)"))
    """
  }

  private static func updateProfile(
    _ id: UserID, _ fields: [String: FieldValue], _ unique: [UniqueValue], keeping backfill: UUID?
  ) -> [SQL] {
    let removed = fields.filter { $0.value == .null }.keys.sorted()
    let names = fields.keys.sorted()
    return [
      """
      UPDATE backfill_value SET stored = stored - \(names), given = given - \(names) WHERE account_id = \(id.uuid)
        AND EXISTS (SELECT FROM backfill WHERE id = backfill_id AND item IS NOT NULL AND id IS DISTINCT FROM \(backfill)::uuid)
      """
    ] + (backfill.map { [BackfillRows.keep(id, fields, for: $0)] } ?? []) + [
      .requiring(
        .accountExists,
        """
        UPDATE account SET updated_at = gatehouse.now(),
          profile = (profile
            - (/* GUARD: backfill: a changed value does not come back under its former name */ ARRAY(
              SELECT origin FROM gatehouse.in_transit(account.id, account.profile) WHERE target = ANY(\(names))))
            || \(json(fields))) - \(removed)
        WHERE id = \(id.uuid) RETURNING 1
        """),
      """
      DELETE FROM unique_value AS u WHERE u.account_id = \(id.uuid) AND (u.field = ANY(\(names))
        OR (u.field = ANY(ARRAY(SELECT unnest(gatehouse.names_in_transit(name)) FROM unnest(\(names)) AS name))
          AND NOT EXISTS (SELECT FROM account WHERE id = u.account_id AND profile ? u.field)))
      """,
      // Behind the change, which asks for values that are on their way.
      """
      DELETE FROM backfill_value AS v USING backfill AS b WHERE v.account_id = \(id.uuid) AND b.id = v.backfill_id
        AND /* GUARD: backfill: of a changed value nothing is kept */ (b.field = ANY(\(names)) OR b.source = ANY(\(names)))
      """,
    ] + unique.map { claim($0, for: id) }
  }

  private static func setPassword(_ id: UserID, _ phc: String, remembering count: Int?) -> [SQL] {
    [
      // Account before password, as a sign-in locks them.
      """
      UPDATE account SET password_changed_at = gatehouse.now(), must_change_password = false,
        updated_at = gatehouse.now() WHERE id = \(id.uuid)
      """
    ] + (count.map { remember(id, $0) } ?? []) + [
      """
      INSERT INTO credential (account_id, phc) VALUES (\(id.uuid), \(phc))
      ON CONFLICT (tenant_id, account_id) DO UPDATE SET phc = excluded.phc
      """,
      "DELETE FROM password_compliance WHERE account_id = \(id.uuid)",
    ]
  }

  private static func upgradePassword(_ id: UserID, from old: String, to phc: String) -> SQL {
    """
    UPDATE credential SET phc = \(phc) WHERE account_id = \(id.uuid)
    AND /* GUARD: hash: made anew while the old one is stored */ phc = \(old)
    """
  }

  /// Keeps the hash that is about to be replaced, and no more than so many of the newest.
  private static func remember(_ id: UserID, _ count: Int) -> [SQL] {
    guard count > 0 else { return ["DELETE FROM password_history WHERE account_id = \(id.uuid)"] }
    return [
      """
      INSERT INTO password_history (account_id, number, phc)
      SELECT account_id, 1 + coalesce((SELECT max(number) FROM password_history WHERE account_id = \(id.uuid)), 0), phc
      FROM credential WHERE account_id = \(id.uuid)
      """,
      """
      DELETE FROM password_history WHERE account_id = \(id.uuid)
        AND /* GUARD: history: no more than the policy asks for */
          number <= (SELECT max(number) FROM password_history WHERE account_id = \(id.uuid)) - \(count)
      """,
    ]
  }

  /// Writes nothing when the same was found earlier on the same day.
  private static func record(_ compliance: Compliance, of id: UserID) -> SQL {
    """
    INSERT INTO password_compliance AS known (account_id, rules, complies, seen_on)
    VALUES (\(id.uuid), \(compliance.rules), \(compliance.complies), gatehouse.now()::date)
    ON CONFLICT (tenant_id, account_id) DO UPDATE
      SET rules = excluded.rules, complies = excluded.complies, seen_on = excluded.seen_on
      WHERE (known.rules, known.complies, known.seen_on)
        IS DISTINCT FROM (excluded.rules, excluded.complies, excluded.seen_on)
    """
  }

  /// The account, all that refers to it, and the person's part of the audit log.
  private static func delete(_ id: UserID) -> SQL { "SELECT gatehouse.erase_account(\(id.uuid))" }

  static func json(_ profile: [String: FieldValue]) -> JSONB {
    var object = JSONObject()
    for name in profile.keys.sorted() {
      if let value = profile[name], value != .null { object[name] = JSONValue(value) }
    }
    return JSONB(JSONValue.object(object).bytes)
  }

  /// The user of a copy of data, with the facts about passwords.
  static func exported(_ id: UserID) -> SQL {
    """
    SELECT \(columns), EXISTS (SELECT FROM credential WHERE account_id = account.id),
      (SELECT complies FROM password_compliance WHERE account_id = account.id),
      (SELECT count(*) FROM password_history WHERE account_id = account.id)
    FROM account WHERE id = \(id.uuid)
    """
  }

  static let uniqueValues = AccountTable(
    name: "unique_value",
    copy: .part { id in
      "SELECT field, key FROM unique_value WHERE account_id = \(id.uuid) ORDER BY field, key"
    } _: { data, rows, _ in
      data.uniqueValues = try rows.read { UniqueValue(field: try $0.next(), key: try $0.next()) }
    })
}

extension StoredUser {
  /// From `UserRows.columns`.
  init(_ columns: inout RowReader) throws {
    self.init(
      id: try columns.next(), email: try columns.next(), emailVerifiedAt: try columns.next(),
      disabledAt: try columns.next(), profile: try StoredUser.profile(columns.next()), isOnline: try columns.next(),
      lastSeen: try columns.next(), createdAt: try columns.next(), updatedAt: try columns.next(),
      passwordChangedAt: try columns.next(), mustChangePassword: try columns.next(),
      enteredBy: Door(rawValue: try columns.next()) ?? .signUp, links: try LinkedIdentity.list(columns.next()),
      epoch: try columns.next(), mailProvenAt: try columns.next(), factors: try columns.next(),
      passkeys: try HeldPasskey.list(columns.next()), mfaAskedAt: try columns.next())
  }

  private static func profile(_ stored: JSONB) throws -> [String: FieldValue] {
    var profile: [String: FieldValue] = [:]
    for member in try JSONParser.parse(stored.bytes, limits: .stored).object?.members ?? [] {
      profile[member.key] = FieldValue(member.value)
    }
    return profile
  }
}

extension Compliance {
  /// From the columns of its rules and whether the password meets them, both null where it was never looked at.
  static func read(_ columns: inout RowReader) throws -> Compliance? {
    let rules: [UInt8]? = try columns.next()
    let complies: Bool? = try columns.next()
    guard let rules, let complies else { return nil }
    return Compliance(rules: rules, complies: complies)
  }
}

extension PostgresTenantStore {
  func user(id: UserID) async throws -> StoredUser? {
    try await read("SELECT \(UserRows.columns) FROM account WHERE id = \(id.uuid)").single { try StoredUser(&$0) }
  }

  func user(email: String) async throws -> (user: StoredUser, passwordHash: String?)? {
    try await read(UserRows.find(email: email)).single { columns in
      let passwordHash: String? = try columns.next()
      return (user: try StoredUser(&columns), passwordHash: passwordHash)
    }
  }

  func passwordHash(of id: UserID) async throws -> String? {
    try await read("SELECT phc FROM credential WHERE account_id = \(id.uuid)").single { try $0.next() }
  }

  func passwordHashes(of id: UserID, atMost limit: Int) async throws -> [String] {
    try await read(
      """
      SELECT phc FROM (
        SELECT 9223372036854775807 AS number, phc FROM credential WHERE account_id = \(id.uuid)
        UNION ALL SELECT number, phc FROM password_history WHERE account_id = \(id.uuid)) AS known
      ORDER BY number DESC LIMIT \(max(0, limit))
      """
    ).read { try $0.next() }
  }

  func users(ids: [UserID]) async throws -> [StoredUser] {
    let ids = ids.prefix(100).map(\.uuid)
    guard !ids.isEmpty else { return [] }
    return try await read("SELECT \(UserRows.columns) FROM account WHERE id = ANY(\(ids))").read { try StoredUser(&$0) }
  }

  func userCount() async throws -> Int {
    try await read("SELECT count(*) FROM account").single { try $0.next() } ?? 0
  }

  func userCount(withoutIdentityAt providers: [String]) async throws -> Int {
    try await read(
      """
      SELECT count(*) FROM account WHERE disabled_at IS NULL AND NOT EXISTS (
        SELECT FROM provider_identity WHERE account_id = account.id AND exclusive AND provider = ANY(\(providers)))
      """
    ).single { try $0.next() } ?? 0
  }

  func taken(_ values: [UniqueValue], except: UserID?) async throws -> [UniqueValue] {
    guard !values.isEmpty else { return [] }
    return try await read(
      """
      SELECT w.field, w.key FROM unnest(\(values.map(\.field)), \(values.map(\.key))) AS w (field, key)
      CROSS JOIN LATERAL (SELECT FROM unique_value AS u
        WHERE u.field = ANY(gatehouse.names_in_transit(w.field)) AND u.key = w.key
          AND u.account_id IS DISTINCT FROM \(except?.uuid)::uuid LIMIT 1) AS held
      """
    ).read { UniqueValue(field: try $0.next(), key: try $0.next()) }
  }
}
