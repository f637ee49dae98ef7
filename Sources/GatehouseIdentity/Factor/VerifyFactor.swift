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
    let way = try FactorAnswer(input)
    let tried = try await TriedSignIn.find(input.challengeID, call, services)
    guard let user = try await services.store.open(call.tenant.id).user(id: tried.user) else {
      throw Refusal(.codeExpired)
    }
    let typed: TypedFactor =
      switch way {
      case .typed(let typed): typed
      case .passkey(let answer):
        .passkey(AnsweredPasskey(answer: answer, challenge: try tried.passkeyChallenge(call), isAlone: false))
      }
    let proof: FactorProof
    do {
      proof = try await FactorProof.verify(typed, of: user, call, services)
    } catch var refusal as Refusal where [.codeInvalid, .passkeyInvalid].contains(refusal.code) {
      // The challenge of the options before is used up, whichever factor was tried.
      refusal.passkey = try await tried.nextOptions(call, services)
      throw refusal
    }
    return try await Completion.resume(
      tried, with: proof.proofs, using: proof.changes, remembering: input.rememberDevice == true, call, services)
  }
}

extension VerifyFactor {
  /// The options for a passkey at the next try; nil for a challenge that is unknown, over, another holder's or out of
  /// tries, and where no passkey of the account could answer here. No try is counted.
  package static func passkeyOptions(
    of challengeID: String, _ call: Call, _ services: Services
  ) async throws -> RequestOptions? {
    let purpose = Ticket.Purpose.secondFactor
    guard let claim = TicketClaim(challengeID, purpose, call),
      let ticket = try await services.store.open(call.tenant.id).ticket(claim), let user = ticket.user
    else { return nil }
    return try await PasskeyCeremony.request(
      of: user, after: ticket.attempts, ticket: claim.hash, purpose, call, services)
  }
}

/// The one factor that a request to verify gives.
private enum FactorAnswer {
  case typed(TypedFactor)
  case passkey(AuthenticationAnswer)

  /// Refuses `malformed_request` where not exactly one of them is given.
  init(_ input: VerifyFactorEndpoint.Input) throws {
    switch (input.totp, input.recoveryCode, input.passkey) {
    case (let digits?, nil, nil): self = .typed(.totp(digits))
    case (nil, let code?, nil): self = .typed(.recoveryCode(code))
    case (nil, nil, let answer?): self = .passkey(answer)
    default: throw Refusal.malformed("", "give one of \"totp\", \"recovery_code\" and \"passkey\"")
    }
  }
}

extension TriedSignIn {
  /// The WebAuthn challenge that this try answers.
  fileprivate func passkeyChallenge(_ call: Call) throws -> [UInt8] {
    try PasskeyCeremony(call).challenge(ofTry: number, ticket: hash)
  }

  /// The options for the next try; nil where no passkey is asked for.
  fileprivate func nextOptions(_ call: Call, _ services: Services) async throws -> RequestOptions? {
    guard asked.contains(.passkey) else { return nil }
    return try await PasskeyCeremony.request(of: user, after: number, ticket: hash, .secondFactor, call, services)
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
