package import GatehouseAdminWire
package import GatehouseWire

/// `gatehouse user verify-email`: takes the user's address as proven.
package enum VerifyUserEmail {
  package static func run(_ input: VerifyUserEmailOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let (user, seen) = try await call.user(input.user, of: input.tenant)
    guard let email = user.email else {
      throw OperatorError(.refused, "\(user.reference) of \(seen.tenant.name) has no address")
    }
    try await call.store(of: seen).commit(
      [
        .user(.verifyEmail(user.id, email: email)),
        .audit(try call.entry(.emailVerified, user: user.id)),
      ], as: .operator)
    return Nothing()
  }
}
