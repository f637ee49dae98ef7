import Foundation
import GatehouseIdentity

/// Statements of known devices.
enum DeviceRows {
  /// A new device; the ones unused for the longest time beyond the number that is kept go.
  static func insert(_ device: KnownDevice) -> [SQL] {
    [
      """
      INSERT INTO device (id, account_id, token_hash, name, created_at, last_seen_at)
      VALUES (\(device.id), \(device.account.uuid), \(device.hash), \(device.name), \(device.createdAt),
        \(device.lastSeenAt))
      """,
      """
      DELETE FROM device WHERE account_id = \(device.account.uuid) AND id <> \(device.id) AND id IN (
        SELECT id FROM device WHERE account_id = \(device.account.uuid) AND id <> \(device.id)
        ORDER BY last_seen_at DESC, id DESC OFFSET \(KnownDevice.perAccount - 1))
      """,
    ]
  }

  static func see(_ device: KnownDevice) -> SQL {
    "UPDATE device SET last_seen_at = \(device.lastSeenAt), name = \(device.name) WHERE id = \(device.id)"
  }

  /// What is left says that there was one: a new device is then a surprise.
  private static let forgotten: SQL = "UPDATE device SET token_hash = NULL, name = NULL"

  static func forget(of account: AccountID, except session: SessionID?) -> SQL {
    """
    \(forgotten) WHERE account_id = \(account.uuid) AND token_hash IS NOT NULL AND id IS DISTINCT FROM
      (SELECT device_id FROM session WHERE session.id = \(session?.uuid)::uuid)
    """
  }

  static func forget(of session: SessionID) -> SQL {
    """
    \(forgotten) WHERE id = (SELECT device_id FROM session WHERE session.id = \(session.uuid))
      AND token_hash IS NOT NULL
    """
  }
}

extension PostgresTenantStore {
  func device(hash: [UInt8]?, of account: AccountID) async throws -> (known: KnownDevice?, hadAny: Bool) {
    let rows = try await read(
      """
      SELECT id, token_hash, name, created_at, last_seen_at, token_hash = \(hash)::bytea AS known FROM device
      WHERE account_id = \(account.uuid) ORDER BY known DESC NULLS LAST LIMIT 1
      """)
    guard let row = try rows.single() else { return (nil, false) }
    guard let hash, try row["known"] as Bool? == true else { return (nil, true) }
    let known = KnownDevice(
      id: try row[0], account: account, hash: hash, name: try row[2], createdAt: try row[3], lastSeenAt: try row[4])
    return (known, true)
  }

  func deviceHash(of session: Session) async throws -> [UInt8]? {
    guard let device = session.device else { return nil }
    let found = "SELECT token_hash FROM device WHERE id = \(device) AND token_hash IS NOT NULL" as SQL
    return try await read(found).single().map { try $0[0] }
  }
}
