import Foundation
import GatehouseIdentity

/// Statements of second factors. Triggers keep the account's list of them.
enum FactorRows {
  static func statements(of change: FactorChange) -> [SQL] {
    switch change {
    case .add(let app): [add(app), forgetFailures(of: app.user)]
    case .useApp(let id, let user, let step): [use(id, of: user, step: step)] + [forgetFailures(of: user)]
    case .addPasskey(let passkey): [PasskeyRows.add(passkey), forgetFailures(of: passkey.user)]
    case .usePasskey(let use): [PasskeyRows.use(use), forgetFailures(of: use.user)]
    case .rename(let id, let user, let name): [rename(id, of: user, name)]
    case .remove(let id, let user): [remove(id, of: user)]
    case .removeAll(let user): removeAll(of: user)
    case .setCodes(let user, let macs): setCodes(of: user, macs)
    case .useCode(let user, let mac): [use(mac, of: user), forgetFailures(of: user)]
    case .ask(let user, let isAsked): [ask(user, isAsked)]
    case .trust(let device, let user): [trust(device, of: user)]
    }
  }

  /// Commits of a caller hold the account's lock, so that two of them count each other.
  private static func add(_ app: AuthenticatorApp) -> SQL {
    .requiring(
      .factorHasRoom,
      """
      INSERT INTO totp (id, account_id, sealed_seed, name, last_step, created_at, last_used_at)
      SELECT \(app.id)::uuid, \(app.user.uuid)::uuid, \(app.sealedSeed)::bytea, \(app.name)::text, \(app.lastStep)::bigint,
        gatehouse.now(), gatehouse.now()
      WHERE /* GUARD: factor: so many for each account */
        \(AuthenticatorApp.perUser) > (SELECT count(*) FROM totp WHERE account_id = \(app.user.uuid)) RETURNING 1
      """)
  }

  private static func use(_ id: UUID, of user: UserID, step: Int64) -> SQL {
    .requiring(
      .factorIsUnused,
      """
      UPDATE totp SET last_step = \(step), last_used_at = gatehouse.now()
      WHERE id = \(id) AND account_id = \(user.uuid) AND /* GUARD: totp: a code is taken once */ last_step < \(step)
      RETURNING 1
      """)
  }

  private static func forgetFailures(of user: UserID) -> SQL {
    "UPDATE totp SET failures = 0 WHERE account_id = \(user.uuid) AND failures > 0"
  }

  private static func rename(_ id: UUID, of user: UserID, _ name: String?) -> SQL {
    """
    WITH app AS (
        UPDATE totp SET name = \(name) WHERE id = \(id)
          AND /* GUARD: factor: the name of one of this account */ account_id = \(user.uuid) RETURNING 1),
      key AS (
        UPDATE passkey SET name = \(name) WHERE id = \(id)
          AND /* GUARD: passkey: the name of one of this account */ account_id = \(user.uuid) RETURNING 1)
    SELECT \(isOne)
    """
  }

  private static func remove(_ id: UUID, of user: UserID) -> SQL {
    """
    WITH app AS (
        DELETE FROM totp WHERE id = \(id)
          AND /* GUARD: factor: of this account */ account_id = \(user.uuid) RETURNING 1),
      key AS (
        DELETE FROM passkey WHERE id = \(id)
          AND /* GUARD: passkey: removed by its owner */ account_id = \(user.uuid) RETURNING 1)
    SELECT \(isOne)
    """
  }

  /// That the statement found an app or a passkey.
  private static let isOne = SQL.require("EXISTS (SELECT FROM app) OR EXISTS (SELECT FROM key)", .factorExists)

  private static func removeAll(of user: UserID) -> [SQL] {
    [
      "DELETE FROM totp WHERE account_id = \(user.uuid)",
      "DELETE FROM passkey WHERE account_id = \(user.uuid)",
      "UPDATE device SET trusted_at = NULL, trusted_epoch = NULL WHERE account_id = \(user.uuid) AND trusted_at IS NOT NULL",
    ]
  }

  private static func setCodes(of user: UserID, _ macs: [[UInt8]]) -> [SQL] {
    [
      "DELETE FROM recovery_code WHERE account_id = \(user.uuid)",
      """
      INSERT INTO recovery_code (mac, account_id, created_at)
      SELECT mac, \(user.uuid)::uuid, gatehouse.now() FROM unnest(\(macs)::bytea[]) AS mac
      """,
    ]
  }

  private static func use(_ mac: [UInt8], of user: UserID) -> SQL {
    .requiring(
      .factorIsUnused,
      """
      UPDATE recovery_code SET used_at = gatehouse.now() WHERE mac = \(mac)
        AND /* GUARD: recovery code: of this account */ account_id = \(user.uuid)
        AND /* GUARD: recovery code: once */ used_at IS NULL RETURNING 1
      """)
  }

  private static func ask(_ user: UserID, _ isAsked: Bool) -> SQL {
    """
    UPDATE account SET mfa_asked_at = CASE WHEN \(isAsked) THEN gatehouse.now() END
    WHERE id = \(user.uuid) AND /* GUARD: grace: begins once */ (mfa_asked_at IS NULL) = \(isAsked)
    """
  }

  /// With the epoch that the account has then: a change of what opens it ends the trust.
  private static func trust(_ device: UUID, of user: UserID) -> SQL {
    """
    UPDATE device SET trusted_at = gatehouse.now(), trusted_epoch = account.epoch FROM account
    WHERE device.id = \(device) AND device.account_id = \(user.uuid) AND account.id = device.account_id
    """
  }

  fileprivate static let columns: SQL =
    "id, account_id, sealed_seed, name, last_step, failures, created_at, last_used_at"

  static func apps(of user: UserID) -> SQL {
    "SELECT \(columns) FROM totp WHERE account_id = \(user.uuid) ORDER BY created_at, id"
  }

  static func codesLeft(of user: UserID) -> SQL {
    "SELECT count(*) FROM recovery_code WHERE account_id = \(user.uuid) AND used_at IS NULL"
  }

  static func isLive(_ mac: [UInt8], of user: UserID) -> SQL {
    "SELECT 1 FROM recovery_code WHERE mac = \(mac) AND account_id = \(user.uuid) AND used_at IS NULL"
  }

  static func reserveTry(of user: UserID) -> SQL {
    """
    UPDATE totp SET failures = failures + 1 WHERE account_id = \(user.uuid)
      AND /* GUARD: totp: so many wrong codes */ failures < \(AuthenticatorApp.maxFailures)
    RETURNING \(columns)
    """
  }

  static let apps = AccountTable(
    name: "totp",
    copy: .list(
      "authenticator_apps", [.id("id"), .text("name"), .moment("created_at"), .moment("last_used_at")]
    ) { id in
      """
      SELECT id, name, created_at, last_used_at FROM totp WHERE account_id = \(id.uuid) ORDER BY created_at, id
      """
    },
    isReclaimed: true,  // GUARD: reclaim: factors
    additions: {
      "DELETE FROM totp WHERE account_id = \($0.uuid) AND /* GUARD: undo: factors of since go */ created_at > \($1)"
    })

  static let codes = AccountTable(
    name: "recovery_code",
    copy: .list("recovery_codes", [.moment("created_at"), .moment("used_at")]) { id in
      """
      SELECT created_at, used_at FROM recovery_code WHERE account_id = \(id.uuid)
      ORDER BY created_at, used_at NULLS LAST, mac
      """
    },
    isReclaimed: true,
    additions: {
      """
      DELETE FROM recovery_code WHERE account_id = \($0.uuid)
        AND /* GUARD: undo: recovery codes of since go */ created_at > \($1)
      """
    })
}

extension AuthenticatorApp {
  /// From `FactorRows.columns`.
  fileprivate init(_ columns: inout RowReader) throws {
    self.init(
      id: try columns.next(), user: try columns.next(), sealedSeed: try columns.next(), name: try columns.next(),
      lastStep: try columns.next(), failures: try columns.next(), createdAt: try columns.next(),
      lastUsedAt: try columns.next())
  }
}

extension PostgresTenantStore {
  func factors(of user: UserID) async throws -> StoredFactors {
    let answers = try await translating {
      try await database.read(
        tenant.uuid, [FactorRows.apps(of: user), PasskeyRows.all(of: user), FactorRows.codesLeft(of: user)])
    }
    return StoredFactors(
      apps: try answers[0].read { try AuthenticatorApp(&$0) },
      passkeys: try answers[1].read { try Passkey(&$0) },
      codesLeft: Int(try answers[2].single { try $0.next(Int64.self) } ?? 0))
  }

  func isLive(recoveryCode mac: [UInt8], of user: UserID) async throws -> Bool {
    try await read(FactorRows.isLive(mac, of: user)).single { try $0.next(Int.self) } != nil
  }

  func reserveAppTry(of user: UserID) async throws -> [AuthenticatorApp] {
    try await write([FactorRows.reserveTry(of: user)])[0].read { try AuthenticatorApp(&$0) }
  }
}
