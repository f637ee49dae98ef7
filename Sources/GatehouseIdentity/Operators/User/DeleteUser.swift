import Foundation
package import GatehouseAdminWire
package import GatehouseWire

/// `gatehouse user delete`: removes the user and all that belongs to them, and mails so to a proven address. Where the
/// policy lets a deletion be undone, and `now` does not forbid it, the rows that bring the account back are kept for
/// that time.
package enum DeleteUser {
  package static func run(_ input: DeleteUserOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let (user, seen) = try await call.user(input.user, of: input.tenant)
    try await remove(
      user, undoUntil: input.now == true ? nil : seen.undoesDeletionsUntil,
      mailing: Messaging.deleted(user, seen, call.services), seen, call)
    return Nothing()
  }

  /// Removes a user in one commit, together with a mail about it.
  static func remove(
    _ user: StoredUser, undoUntil moment: Date?, mailing notice: [Change], _ seen: Call, _ call: OperatorCall
  ) async throws {
    try await call.store(of: seen).commit(
      [
        .limit(.clearFailures(SignInKey(seen.tenant, of: user))), .user(.deletion(of: user.id, undoUntil: moment)),
        .audit(try call.entry(.userDeleted, user: user.id)),
      ] + notice, as: .operator)
  }
}
