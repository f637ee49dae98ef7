package import GatehouseAdminWire
package import GatehouseWire

/// `gatehouse user unlock`: ends what wrong passwords led to, delays and a disabled password, on every device.
package enum UnlockUser {
  package static func run(_ input: UnlockUserOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let (user, seen) = try await call.user(input.user, of: input.tenant)
    try await call.store(of: seen).commit(
      [
        .limit(.unlock(SignInKey(seen.tenant, of: user))),
        .audit(try call.entry(.userUnlocked, user: user.id)),
      ], as: .operator)
    return Nothing()
  }
}
