import GatehousePolicy
package import GatehouseAdminWire
package import GatehouseWire

/// `gatehouse user send-reset`: mails a way to set a new password. Throws `OperatorError` where the policy closes the
/// password door.
package enum SendUserReset {
  package static func run(_ input: SendUserResetOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let (user, seen) = try await call.user(input.user, of: input.tenant)
    // GUARD: password door: an operator's reset
    guard seen.policy.hasPassword else {
      throw OperatorError(
        .refused, "no user of \(seen.tenant.name) has a password: \(seen.policy.passwordClosure)",
        hint: "gatehouse policy show \(seen.tenant.name)")
    }
    try await call.store(of: seen).commit(
      try PasswordLink.message(.resetPassword, to: user, seen, call.services)
        + [.audit(try call.entry(.passwordResetRequested, user: user.id))], as: .operator)
    return Nothing()
  }
}
