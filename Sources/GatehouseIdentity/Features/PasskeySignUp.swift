// A sign-up with a passkey in the place of a password. The mailed code proves the address, as for any sign-up.

import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum StartPasskeySignUp {
  /// The options for the passkey of a new account, alike for every address. Refuses `not_found` where the policy has no
  /// sign-up by passkeys, `passkeys_unavailable`, `rate_limited`.
  package static func run(_ input: StartPasskeySignUpEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> StartPasskeySignUpEndpoint.Output
  {
    let ceremony = try PasskeyCeremony.ofSignUp(call)
    // GUARD: passkey: sign-ups that begin at an address
    try await Limiting.reserve(.passkeyStart, call, services)
    let purpose = Ticket.Purpose.passkeySignUp
    let token = OpaqueToken.generate(purpose.terms.token)
    let begun = BegunSignUp(user: services.clock.makeID())
    try await services.store.open(call.tenant.id).commit(
      [
        .ticket(
          .begin(
            Ticket(
              hash: token.digest, purpose: purpose, client: call.client.id, holderHash: call.browser,
              sealedPayload: try call.tenant.vault.seal(
                try JSONEncoding.encode(begun), for: .ticket(hash: token.digest)))))
      ], as: .anonymous)
    let address = input.email.flatMap { call.policy.normalisedEmail($0, using: services.facts) }
    return StartPasskeySignUpEndpoint.Output(
      challengeID: token.text.expose { $0 },
      publicKey: ceremony.creation(
        of: UserID(begun.user), named: address ?? call.policy.app.name, ticket: token.digest, purpose),
      expiresIn: purpose.terms.seconds)
  }
}

package enum CompletePasskeySignUp {
  /// Judges the form at door `sign_up` and makes the account with the passkey. The session of an account that exists at
  /// once has its passkey as its proof; one that waits for its mail is completed as a sign-up with a password is.
  ///
  /// Refuses `code_expired` for a challenge that is unknown, over, used, another client's or out of tries,
  /// `validation_failed` with every violation of the form or of the policy's rules for passkeys, `passkey_invalid`,
  /// `conflict` for a passkey that an account has, `account_exists` where the tenant reveals that, `rate_limited`.
  /// After a refusal of the form its next try answers the same options.
  package static func run(
    _ input: CompletePasskeySignUpEndpoint.Input, _ call: Call, _ services: Services
  ) async throws -> SignUpAnswer {
    let outcome: SignUp.Outcome<SessionAnswer> = try await open(input, call, services)
    return switch outcome {
    case .opened(let answer): .signedIn(answer)
    case .pending(let id, _): SignUp.pending(id, call)
    }
  }

  /// The same, for any client.
  package static func open<Opened: OpenedSession>(
    _ input: CompletePasskeySignUpEndpoint.Input, _ call: Call, _ services: Services
  ) async throws -> SignUp.Outcome<Opened> {
    let ceremony = try PasskeyCeremony.ofSignUp(call)
    let tried = try await TriedTicket.find(input.challengeID, .passkeySignUp, call, services)
    let facts = Facts(email: input.email, profile: input.profile ?? [:], writer: .user, bringsPasskey: true)
    let (decision, email) = try await SignUp.judge(facts, call, services)
    let count = try await SignUpCount.begin(call, services)
    do {
      let user = UserID(try BegunSignUp(tried, call).user)
      let made = MadePasskey(
        // A form that is corrected comes with the passkey that was made for it: all tries have one challenge.
        answer: input.credential, challenge: ceremony.challenge(ofTry: 1, ticket: tried.hash), owner: user,
        name: input.name)
      let (passkey, isUserVerified) = try await ceremony.passkey(of: made, call, services) { reason in
        call.bounded(
          .signUpRefused, services, user: nil, details: ["method": Proof.Method.passkey.name, "reason": reason])
      }
      return try await SignUp.Form(
        id: user, email: email, credential: .passkey(passkey, isUserVerified: isUserVerified), decision: decision,
        device: input.device,
        // GUARD: passkey: a challenge makes one account
        taking: [.ticket(.take(tried.claim))]
      ).open(count, call, services)
    } catch {
      throw await count.refused(error, call, services)
    }
  }
}

/// A sign-up that began, as it is sealed. The account's id is there before the account, since the passkey is made for
/// it.
struct BegunSignUp: Codable {
  var user: UUID
}

extension BegunSignUp {
  /// Refuses `code_expired` for a ticket without one.
  fileprivate init(_ tried: TriedTicket, _ call: Call) throws {
    guard let sealed = tried.ticket.sealedPayload else { throw Refusal(.codeExpired) }
    self = try call.tenant.vault.open(sealed, for: .ticket(hash: tried.hash)).expose {
      try StrictDecoder.decode(BegunSignUp.self, from: $0)
    }
  }
}

extension PasskeyCeremony {
  /// Refuses `not_found` where the policy has no sign-up by passkeys.
  fileprivate static func ofSignUp(_ call: Call) throws -> PasskeyCeremony {
    // GUARD: passkey: signs up where the policy says so
    guard call.policy.uses(passkeysFor: .signUp) else { throw Refusal(.notFound) }
    return try PasskeyCeremony(call)
  }
}
