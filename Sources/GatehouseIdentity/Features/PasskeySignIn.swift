// A sign-in with a passkey. Nothing names the account until the passkey answers: the person chooses it.

import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum PasskeySignIn {
  /// The options for any passkey of the tenant, and those for any of its relying party before, as long as these prove.
  /// Refuses `not_found` where the policy has no sign-in by passkeys,
  /// `passkeys_unavailable`, `rate_limited`.
  package static func start(_ input: Nothing, _ call: Call, _ services: Services) async throws
    -> StartPasskeySignInEndpoint.Output
  {
    let ceremony = try demanded(call)
    // GUARD: passkey: sign-ins that begin at an address
    try await Limiting.reserve(.passkeyStart, call, services)
    let purpose = Ticket.Purpose.passkeySignIn
    let token = OpaqueToken.generate(purpose.terms.token)
    try await services.store.open(call.tenant.id).commit(
      [
        .ticket(
          .begin(
            Ticket(hash: token.digest, purpose: purpose, client: call.client.id, holderHash: call.browser)))
      ], as: .anonymous)
    return StartPasskeySignInEndpoint.Output(
      challengeID: token.text.expose { $0 },
      publicKey: ceremony.request(of: [], try: 1, ticket: token.digest, purpose),
      formerPublicKey: ceremony.formerRequest(try: 1, ticket: token.digest, purpose),
      expiresIn: purpose.terms.seconds)
  }

  package static func complete(_ input: CompletePasskeySignInEndpoint.Input, _ call: Call, _ services: Services)
    async throws
    -> SessionAnswer
  {
    try await open(input, call, services)
  }

  /// The session of the passkey's owner, for any client. Refuses `passkey_invalid` alike for a passkey that is not
  /// known and for an answer that breaks a rule, with the options of the next try; `code_expired` for a challenge that
  /// is unknown, over, used, another client's or out of tries; `account_disabled`; `mfa_required` where the passkey did
  /// not verify its user and the account owes a second proof.
  package static func open<Opened: OpenedSession>(
    _ input: CompletePasskeySignInEndpoint.Input, _ call: Call, _ services: Services
  ) async throws -> Opened {
    let ceremony = try demanded(call)
    let purpose = Ticket.Purpose.passkeySignIn
    let tried = try await TriedTicket.find(input.challengeID, purpose, call, services)
    let store = services.store.open(call.tenant.id)
    let given = AnsweredPasskey(
      answer: input.credential, challenge: ceremony.challenge(ofTry: tried.number, ticket: tried.hash), isAlone: true)
    do {
      guard let (passkey, user) = try await store.passkey(input.credential.id) else {
        throw try await FactorProof.refused(given, "unknown", of: nil, call, services)
      }
      let proof = try await FactorProof.passkey(given, passkey, of: user, call, services)
      // GUARD: passkey: a disabled person stays out
      guard user.disabledAt == nil else {
        try await store.commit(
          [
            call.bounded(
              .signInFailed, services, user: user.id,
              details: ["reason": "disabled", "method": Proof.Method.passkey.name])
          ], as: .anonymous)
        throw Refusal(.accountDisabled)
      }
      // GUARD: passkey: a challenge opens one session
      let taking: [Change] = [.ticket(.take(tried.claim))]
      let completion = Completion(
        account: .known, proofs: proof.proofs, user: user,
        decision: call.policy.decide(
          .signIn, Facts(writer: .user, stored: user.facts), at: call.now, using: services.facts),
        device: try await PresentedDevice.recognise(input.device, of: user, call, services),
        authority: .proven(user.id, epoch: user.epoch),
        beforeSession: taking + proof.changes)
      return try await completion.open(call, services)
    } catch var refusal as Refusal where refusal.code == .passkeyInvalid {
      if tried.number < purpose.terms.tries ?? .max {
        refusal.passkey = ceremony.request(of: [], try: tried.number + 1, ticket: tried.hash, purpose)
      }
      throw refusal
    } catch StoreError.refused(.factorIsUnused) {
      throw Refusal(.passkeyInvalid)
    } catch StoreError.refused(let condition) {
      throw Refusal(.codeExpired, note: condition.rawValue)
    }
  }

  /// Refuses `not_found` where the policy has no sign-in by passkeys.
  private static func demanded(_ call: Call) throws -> PasskeyCeremony {
    // GUARD: passkey: signs in where the policy says so
    guard call.policy.uses(passkeysFor: .signIn) else { throw Refusal(.notFound) }
    return try PasskeyCeremony(call)
  }
}
