// The second proof of a sign-in that waits for one.

import GatehousePolicy
package import GatehouseWire

package enum VerifyFactor {
  /// Ends the sign-in that waits under the challenge. Refuses `code_invalid` for a wrong code, `code_expired` for a
  /// challenge that is unknown, over, used, another client's or out of tries, `rate_limited` beyond the tries of the
  /// account.
  package static func run(_ input: VerifyFactorEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> SessionAnswer
  {
    try await open(input, call, services)
  }

  /// The same, for any client.
  package static func open<Opened: OpenedSession>(
    _ input: VerifyFactorEndpoint.Input, _ call: Call, _ services: Services
  ) async throws -> Opened {
    let typed = try TypedFactor(totp: input.totp, recoveryCode: input.recoveryCode)
    let tried = try await TriedSignIn.find(input.challengeID, call, services)
    guard let user = try await services.store.open(call.tenant.id).user(id: tried.user) else {
      throw Refusal(.codeExpired)
    }
    let proof = try await FactorProof.verify(typed, of: user, call, services)
    return try await Completion.resume(
      tried, with: proof.proofs, using: proof.changes, remembering: input.rememberDevice == true, call, services)
  }
}

extension TypedFactor {
  /// Refuses `malformed_request` where not exactly one of them is given.
  init(totp: String?, recoveryCode: String?) throws {
    switch (totp, recoveryCode) {
    case (let digits?, nil): self = .totp(digits)
    case (nil, let code?): self = .recoveryCode(code)
    default: throw Refusal.malformed("", "give \"totp\" or \"recovery_code\"")
    }
  }
}

extension FreshWay {
  /// A code of an authenticator app.
  package static let totp = FreshWay(
    name: Proof.Method.totp.name, members: ["totp"], isSecond: true,
    isOpen: { user, _, _ in user.factors.contains(Proof.Method.totp.name) },
    prove: { input, me, call, services in try await FreshProof(.totp(input.totp ?? ""), me, call, services) })

  /// A recovery code.
  package static let recoveryCode = FreshWay(
    name: Proof.Method.recoveryCode.name, members: ["recovery_code"], isSecond: true,
    isOpen: { user, _, _ in user.factors.contains(Proof.Method.recoveryCode.name) },
    prove: { input, me, call, services in
      try await FreshProof(.recoveryCode(input.recoveryCode ?? ""), me, call, services)
    })
}

extension FreshProof {
  fileprivate init(_ typed: TypedFactor, _ me: SignedIn, _ call: Call, _ services: Services) async throws {
    // GUARD: fresh proof: tries at a second factor
    let counted = try await Limiting.reserve(.secondProof(me.user.id), call, services)
    let proof = try await FactorProof.verify(typed, of: me.user, call, services)
    self.init(proofs: proof.proofs, using: proof.changes, counted: [.limit(.giveBack(counted))])
  }
}
