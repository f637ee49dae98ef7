import Foundation
import GatehouseIdentity
import GatehousePrimitives

/// Statements of passkeys. Triggers keep the account's list of factors.
enum PasskeyRows {
  /// Commits of a caller hold the account's lock, so that two of them count each other.
  static func add(_ passkey: Passkey) -> SQL {
    .requiring(
      .factorHasRoom,
      """
      INSERT INTO passkey (id, account_id, credential_id, rp_id, public_key, algorithm, sign_count, model, attested,
        backup_eligible, backed_up, transports, name, created_at, last_used_at)
      SELECT \(passkey.id)::uuid, \(passkey.user.uuid)::uuid, \(passkey.credentialID)::bytea, \(passkey.rpID)::text,
        \(passkey.publicKey)::bytea, \(passkey.algorithm)::integer, \(Int64(passkey.signCount))::bigint,
        \(passkey.model)::bytea, \(passkey.isAttested)::boolean, \(passkey.isBackupEligible)::boolean,
        \(passkey.isBackedUp)::boolean, \(passkey.transports)::text[], \(passkey.name)::text, gatehouse.now(),
        gatehouse.now()
      WHERE /* GUARD: passkey: so many for each account */
        \(Passkey.perUser) > (SELECT count(*) FROM passkey WHERE account_id = \(passkey.user.uuid)) RETURNING 1
      """)
  }

  /// A counter never goes back: a copy of the authenticator that is behind the other one stays behind.
  static func use(_ use: PasskeyUse) -> SQL {
    .requiring(
      .factorIsUnused,
      """
      UPDATE passkey SET sign_count = greatest(sign_count, \(Int64(use.signCount))), last_used_at = gatehouse.now(),
        backup_eligible = \(use.isBackupEligible), backed_up = \(use.isBackedUp)
      WHERE id = \(use.id) AND account_id = \(use.user.uuid)
        AND /* GUARD: passkey: a counter that must rise */
          (NOT \(use.demandsCount) OR sign_count < \(Int64(use.signCount)) OR sign_count = 0)
      RETURNING 1
      """)
  }

  private static let columns: SQL = """
    passkey.id, passkey.account_id, passkey.credential_id, passkey.rp_id, passkey.public_key, passkey.algorithm,
    passkey.sign_count, passkey.model, passkey.attested, passkey.backup_eligible, passkey.backed_up, passkey.transports,
    passkey.name, passkey.created_at, passkey.last_used_at
    """

  static func all(of user: UserID) -> SQL {
    "SELECT \(columns) FROM passkey WHERE account_id = \(user.uuid) ORDER BY created_at, id"
  }

  fileprivate static func find(_ credentialID: [UInt8]) -> SQL {
    """
    SELECT \(columns), \(UserRows.columns) FROM passkey JOIN account ON account.id = passkey.account_id
    WHERE passkey.credential_id = \(credentialID)
    """
  }

  static let table = AccountTable(
    name: "passkey",
    copy: .list(
      "passkeys",
      [
        .id("id"), .text("name"), .bytes("credential_id"), .text("rp_id"), .bytes("model"), .truth("synced"),
        .moment("created_at"), .moment("last_used_at"),
      ]
    ) { id in
      """
      SELECT id, name, credential_id, rp_id, model, backed_up, created_at, last_used_at FROM passkey
      WHERE account_id = \(id.uuid) ORDER BY created_at, id
      """
    },
    isReclaimed: true,  // GUARD: reclaim: passkeys
    additions: {
      "DELETE FROM passkey WHERE account_id = \($0.uuid) AND /* GUARD: undo: passkeys of since go */ created_at > \($1)"
    })
}

extension Passkey {
  /// From `PasskeyRows.columns`.
  init(_ columns: inout RowReader) throws {
    self.init(
      id: try columns.next(), user: try columns.next(), credentialID: try columns.next(), rpID: try columns.next(),
      publicKey: try columns.next(), algorithm: try columns.next(),
      signCount: UInt32(clamping: try columns.next(Int64.self)), model: try columns.next(),
      isAttested: try columns.next(), isBackupEligible: try columns.next(), isBackedUp: try columns.next(),
      transports: try columns.next(), name: try columns.next(), createdAt: try columns.next(),
      lastUsedAt: try columns.next())
  }
}

extension PostgresTenantStore {
  func passkey(_ credentialID: [UInt8]) async throws -> (passkey: Passkey, user: StoredUser)? {
    try await read(PasskeyRows.find(credentialID)).single { columns in
      (passkey: try Passkey(&columns), user: try StoredUser(&columns))
    }
  }
}

extension HeldPasskey {
  /// The kinds of passkeys of an account as its row carries them; none where there is nothing.
  static func list(_ stored: JSONB?) throws -> [HeldPasskey] {
    guard let stored else { return [] }
    return (try JSONParser.parse(stored.bytes).array ?? []).compactMap { kind in
      guard let rpID = kind["rp"]?.string, case .bool(let isSynced) = kind["synced"] else { return nil }
      return HeldPasskey(rpID: rpID, isBackupEligible: isSynced)
    }
  }
}
