import Foundation
import GatehouseIdentity
import GatehousePolicy

/// Statements of keys of attested apps, and of challenges that were used.
enum AttestRows {
  static func statements(of change: AttestChange) -> [SQL] {
    switch change {
    case .useChallenge(let mark): [use(mark)]
    case .insertKey(let key): [insert(key)]
    case .useKey(let id, let counter): [use(id, counter: counter)]
    case .bindKey(let id, let user): [bind(id, to: user)]
    }
  }

  /// Single use: of several requests with one challenge one leaves the mark, and the others wait for it.
  private static func use(_ mark: AttestMark) -> SQL {
    .requiring(
      .attestChallengeIsFresh,
      """
      INSERT INTO attest_challenge (digest, expires_at) SELECT \(mark.digest)::bytea, \(mark.expiresAt)::timestamptz
      WHERE /* GUARD: attest: no challenge from before a restore */ \(mark.madeAt)::timestamptz > \(RestoreRows.recordedAt)
      ON CONFLICT DO NOTHING RETURNING 1
      """)
  }

  private static func insert(_ key: AttestKey) -> SQL {
    .requiring(
      .attestKeyIsNew,
      """
      INSERT INTO attest_key (key_id, point, environment, counter, created_at, last_used_at)
      VALUES (\(key.id), \(key.point), \(key.environment.rawValue), \(Int64(key.counter)), \(key.createdAt), \(key.lastUsedAt))
      ON CONFLICT DO NOTHING RETURNING 1
      """)
  }

  private static func use(_ id: [UInt8], counter: UInt32) -> SQL {
    .requiring(
      .attestCounterRises,
      """
      UPDATE attest_key SET counter = \(Int64(counter)), last_used_at = gatehouse.now()
      WHERE key_id = \(id) AND /* GUARD: attest: the counter rises */ counter < \(Int64(counter)) RETURNING 1
      """)
  }

  private static func bind(_ id: [UInt8], to user: UserID) -> SQL {
    """
    UPDATE attest_key SET account_id = \(user.uuid)
    WHERE key_id = \(id) AND account_id IS DISTINCT FROM \(user.uuid)
    """
  }

  static let table = AccountTable(
    name: "attest_key",
    copy: .list(
      "attest_keys",
      [.bytes("key_id"), .text("environment"), .moment("created_at"), .moment("last_used_at")]
    ) { id in
      """
      SELECT key_id, environment, created_at, last_used_at FROM attest_key WHERE account_id = \(id.uuid)
      ORDER BY last_used_at DESC, key_id
      """
    })
}

extension PostgresTenantStore {
  func attestKey(id: [UInt8]) async throws -> AttestKey? {
    let found =
      """
      SELECT key_id, point, environment, counter, account_id, created_at, last_used_at FROM attest_key WHERE key_id = \(id)
      """ as SQL
    return try await read(found).single { columns in
      AttestKey(
        id: try columns.next(), point: try columns.next(),
        environment: Attest.Environment(rawValue: try columns.next()) ?? .development,
        counter: UInt32(clamping: try columns.next(Int64.self)), user: try columns.next(),
        createdAt: try columns.next(), lastUsedAt: try columns.next())
    }
  }
}
