package import GatehouseAdminWire
package import GatehouseWire

/// `gatehouse user delete`: removes the user and all that belongs to them, and mails so to a proven address.
package enum DeleteUser {
  package static func run(_ input: DeleteUserOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let (user, seen) = try await call.user(input.user, of: input.tenant)
    try await remove(user, mailing: Messaging.deleted(user, seen, call.services), seen, call)
    return Nothing()
  }

  /// Removes a user in one commit, together with a mail about it.
  static func remove(_ user: StoredUser, mailing notice: [Change], _ seen: Call, _ call: OperatorCall) async throws {
    try await call.store(of: seen).commit(
      [
        .limit(.clearFailures(SignInKey(seen.tenant, of: user))), .user(.delete(user.id)),
        .audit(try call.entry(.userDeleted, user: user.id)),
      ] + notice, as: .operator)
  }
}
