import Foundation
import GatehouseIdentity

// Deleted accounts that are kept for a while.

extension PostgresTenantStore {
  func deletedUsers(_ look: DeletedUserLook, limit: Int) async throws -> [DeletedUser] {
    try await read(
      """
      SELECT id, email, deleted_at, erase_at FROM deleted_account
      WHERE erase_at > gatehouse.now() AND deleted_at > \(look.deletedAfter)
        AND (\(look.id?.uuid)::uuid IS NULL OR id = \(look.id?.uuid)::uuid)
        AND (\(look.email)::text IS NULL OR email = \(look.email)::text)
        AND (\(look.since)::timestamptz IS NULL OR deleted_at >= \(look.since)::timestamptz)
        AND (\(look.until)::timestamptz IS NULL OR deleted_at < \(look.until)::timestamptz)
        AND (\(look.cursor?.uuid)::uuid IS NULL OR id < \(look.cursor?.uuid)::uuid)
      ORDER BY id DESC LIMIT \(max(0, limit))
      """
    ).read {
      DeletedUser(
        id: UserID(try $0.next()), email: try $0.next(), deletedAt: try $0.next(), eraseAt: try $0.next())
    }
  }

  func dueDeletedUsers(deletedBefore moment: Date, limit: Int) async throws -> [UserID] {
    try await read(
      """
      SELECT id FROM deleted_account WHERE erase_at <= gatehouse.now() OR deleted_at <= \(moment)
      ORDER BY deleted_at LIMIT \(max(0, limit))
      """
    ).read { UserID(try $0.next()) }
  }
}
