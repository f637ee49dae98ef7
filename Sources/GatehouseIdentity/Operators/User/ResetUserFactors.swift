package import GatehouseAdminWire
package import GatehouseWire

/// `gatehouse user mfa-reset`: removes the second factors of a user who lost them, with recovery codes, remembered
/// devices and sessions. The password stays, and opens the account alone from then on: a user who had one is told by
/// mail.
package enum ResetUserFactors {
  package static func run(_ input: ResetUserFactorsOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    guard let reason = Decoration.line(input.reason, longest: 500) else {
      throw Refusal.malformed("/reason", "1 to 500 characters that say how the user was recognised")
    }
    let (user, seen) = try await call.user(input.user, of: input.tenant)
    try await call.store(of: seen).commit(
      [
        .factor(.removeAll(user.id)), .device(.forgetAll(user.id, except: nil)),
        .session(.endAll(user.id, except: nil, .factorRemoved)),
        .audit(try call.entry(.factorsReset, user: user.id, details: ["reason": reason])),
      ] + (user.factors.isEmpty ? [] : try Messaging.notice(.mfaReset, to: user, seen, call.services)),
      as: .operator)
    return Nothing()
  }
}
