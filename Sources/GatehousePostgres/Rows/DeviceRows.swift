import Foundation
import GatehouseIdentity

/// Statements of known devices.
enum DeviceRows {
  static func statements(of change: DeviceChange) -> [SQL] {
    switch change {
    case .insert(let device): insert(device)
    case .forgetAll(let user, let session): [forget(of: user, except: session)]
    case .forget(let session): [forget(of: session)]
    }
  }

  /// A new device; the ones unused for the longest time beyond the number that is kept go.
  private static func insert(_ device: KnownDevice) -> [SQL] {
    [
      """
      INSERT INTO device (id, account_id, token_hash, name, created_at, last_seen_at)
      VALUES (\(device.id), \(device.user.uuid), \(device.hash), \(device.name), gatehouse.now(),
        \(device.lastSeenAt))
      """,
      """
      DELETE FROM device WHERE account_id = \(device.user.uuid) AND id <> \(device.id) AND id IN (
        SELECT id FROM device WHERE account_id = \(device.user.uuid) AND id <> \(device.id)
        ORDER BY last_seen_at DESC, id DESC OFFSET \(KnownDevice.perUser - 1))
      """,
    ]
  }

  /// The account that `condition` names, its password, what was found of that today, and its device with this hash.
  private static func look(where condition: SQL, device hash: [UInt8]?) -> SQL {
    """
    SELECT credential.phc, \(UserRows.columns), device.id, device.name, device.created_at, device.last_seen_at,
      device.known, CASE WHEN /* GUARD: remembered device: of this epoch */ device.trusted_epoch = account.epoch
        THEN device.trusted_at END, measured.rules, measured.complies
    FROM account LEFT JOIN credential ON credential.account_id = account.id
    LEFT JOIN password_compliance AS measured
      ON measured.account_id = account.id AND measured.seen_on = gatehouse.now()::date
    LEFT JOIN LATERAL (
      SELECT id, name, created_at, last_seen_at, trusted_at, trusted_epoch, true AS known FROM device
      WHERE device.account_id = account.id
        AND /* GUARD: guessing: one lane for all unknown devices */ token_hash = \(hash)::bytea LIMIT 1) AS device ON true
    WHERE \(condition)
    """
  }

  static func look(email: String, device hash: [UInt8]?) -> SQL {
    look(where: "account.email = \(email)", device: hash)
  }

  static func look(of id: UserID, device hash: [UInt8]?) -> SQL {
    look(where: "account.id = \(id.uuid)", device: hash)
  }

  /// The same, and statements of the same batch can say `isKnown`.
  static func noting(email: String, device hash: [UInt8]) -> SQL {
    """
    SELECT look.*, set_config('app.known_device', coalesce(look.known, false)::text, true)
    FROM (\(look(email: email, device: hash))) AS look
    """
  }

  /// Whether a look of the same batch found the device that it was asked for.
  static let isKnown: SQL = "current_setting('app.known_device', true) = 'true'"

  static func see(_ device: KnownDevice) -> SQL {
    "UPDATE device SET last_seen_at = \(device.lastSeenAt), name = \(device.name) WHERE id = \(device.id)"
  }

  /// The device without its mark. The row stays, so that the account is known to have had a device, and a new one is
  /// reported.
  private static let forgotten: SQL =
    "UPDATE device SET token_hash = NULL, name = NULL, trusted_at = NULL, trusted_epoch = NULL"

  private static func forget(of user: UserID, except session: SessionID?) -> SQL {
    """
    \(forgotten) WHERE account_id = \(user.uuid) AND token_hash IS NOT NULL AND id IS DISTINCT FROM
      (SELECT device_id FROM session WHERE session.id = \(session?.uuid)::uuid)
    """
  }

  private static func forget(of session: SessionID) -> SQL {
    """
    \(forgotten) WHERE id = (SELECT device_id FROM session WHERE session.id = \(session.uuid))
      AND token_hash IS NOT NULL
    """
  }

  static let table = AccountTable(
    name: "device",
    copy: .list(
      "devices",
      [
        .id("id"), .text("name"), .moment("created_at"), .moment("last_seen_at"), .truth("is_known"),
        .moment("remembered_at"),
      ]
    ) { id in
      """
      SELECT id, name, created_at, last_seen_at, token_hash IS NOT NULL, trusted_at FROM device WHERE account_id = \(id.uuid)
      ORDER BY last_seen_at DESC, id DESC
      """
    },
    additions: {
      "\(forgotten) WHERE account_id = \($0.uuid) AND created_at > \($1) AND token_hash IS NOT NULL"
    })
}

extension SignInLookup {
  /// The row of `DeviceRows.look`, for that device.
  init(_ columns: inout RowReader, device hash: [UInt8]?) throws {
    let passwordHash: String? = try columns.next()
    let user = try StoredUser(&columns)
    let device = try KnownDevice.read(&columns, of: user.id, hash: hash)
    self.init(
      user: user, passwordHash: passwordHash, compliance: try Compliance.read(&columns), device: device)
  }
}

extension KnownDevice {
  /// The columns are null where the account has no device with this hash.
  fileprivate static func read(
    _ columns: inout RowReader, of user: UserID, hash: [UInt8]?
  ) throws -> KnownDevice? {
    let id: UUID? = try columns.next()
    let name: String? = try columns.next()
    let createdAt: Date? = try columns.next()
    let lastSeenAt: Date? = try columns.next()
    let isKnown: Bool? = try columns.next()
    let trustedAt: Date? = try columns.next()
    guard let id, let hash, let createdAt, let lastSeenAt, isKnown == true else { return nil }
    return KnownDevice(
      id: id, user: user, hash: hash, name: name, createdAt: createdAt, lastSeenAt: lastSeenAt, trustedAt: trustedAt)
  }
}

extension PostgresTenantStore {
  func signInLook(email: String, device hash: [UInt8]?) async throws -> SignInLookup? {
    try await read(DeviceRows.look(email: email, device: hash)).single { try SignInLookup(&$0, device: hash) }
  }

  func signInLook(of id: UserID, device hash: [UInt8]?) async throws -> SignInLookup? {
    try await read(DeviceRows.look(of: id, device: hash)).single { try SignInLookup(&$0, device: hash) }
  }

  func deviceHash(of session: Session) async throws -> [UInt8]? {
    guard let device = session.device else { return nil }
    let found = "SELECT token_hash FROM device WHERE id = \(device) AND token_hash IS NOT NULL" as SQL
    return try await read(found).single { try $0.next() }
  }
}
