// A passkey becomes a factor of an account: its client makes it from options with a challenge, and answers once.

import Foundation
import GatehousePolicy
package import GatehousePrimitives
package import GatehouseWire

package enum StartPasskey {
  /// The options for a new passkey. Refuses `not_found` where the policy has none, `passkeys_unavailable`,
  /// `reauthentication_required`, `conflict` beyond `Passkey.perUser`.
  package static func run(_ input: Nothing, _ call: Call, _ services: Services) async throws
    -> StartPasskeyEndpoint.Output
  {
    let me = try await call.signedIn(services)
    try call.demandFactor(.passkey)
    let ceremony = try PasskeyCeremony(call)
    // GUARD: passkey: added by a fresh proof
    try me.demandFreshProof(for: .factors, call, services)
    let store = services.store.open(call.tenant.id)
    let passkeys = try await store.factors(of: me.user.id).passkeys
    guard passkeys.count < Passkey.perUser else { throw Enrolment.full(Passkey.perUser) }
    let terms = Ticket.Purpose.addPasskey.terms
    let token = OpaqueToken.generate(terms.token)
    try await store.commit([.ticket(.begin(Ticket(token, .addPasskey, of: me, call)))], as: me.proven)
    return StartPasskeyEndpoint.Output(
      challengeID: token.text.expose { $0 },
      publicKey: ceremony.creation(
        of: me.user.id, named: me.user.reference, beside: passkeys, ticket: token.digest, .addPasskey),
      expiresIn: terms.seconds)
  }
}

package enum AddPasskey {
  /// Enrols the passkey. It is a proof: the session rises to its level, under another id. Refuses `passkey_invalid` for
  /// an answer that breaks a rule of WebAuthn, `validation_failed` for a passkey that the policy does not admit,
  /// `conflict` for one that an account has, `code_expired` for a challenge that is unknown, over, used or another
  /// session's. A challenge has one try.
  package static func run(_ input: AddPasskeyEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> AddPasskeyEndpoint.Output
  {
    let (passkey, codes, joined) = try await enrol(input, call, services)
    return AddPasskeyEndpoint.Output(
      factor: FactorRecord(passkey), recoveryCodes: codes.map { $0.map(\.shown) },
      session: try joined.answer(call, services))
  }

  /// The same, for any client.
  package static func enrol(
    _ input: AddPasskeyEndpoint.Input, _ call: Call, _ services: Services
  ) async throws -> (passkey: Passkey, codes: [RecoveryCode]?, session: JoinedSession) {
    let me = try await call.signedIn(services)
    try call.demandFactor(.passkey)
    let ceremony = try PasskeyCeremony(call)
    let tried = try await TriedTicket.find(input.challengeID, .addPasskey, of: me.session.id, call, services)
    // GUARD: passkey: made without its owner as an upgrade alone
    let isUpgrade = call.policy.makesPasskeySilently(for: me.user.facts, at: call.now)
    let answer = MadePasskey(
      answer: input.credential, challenge: ceremony.challenge(ofTry: tried.number, ticket: tried.hash),
      owner: me.user.id, name: input.name, maySkipOwner: isUpgrade)
    let (passkey, isUserVerified) = try await ceremony.passkey(of: answer, call, services) { reason in
      call.bounded(
        .secondProofFailed, services, user: me.user.id,
        details: ["method": Proof.Method.passkey.name, "reason": reason])
    }
    let adding: [Change] = [.ticket(.take(tried.claim)), .factor(.addPasskey(passkey))]
    do {
      let (codes, joined) = try await Enrolment(
        method: .passkey, factor: passkey.id, isUserVerified: isUserVerified,
        // No one may be there who could keep codes, and none is asked for: it is no second factor that is owed.
        makesCodes: isUserVerified || !isUpgrade, adding: adding
      ).commit(Passkey.perUser, of: me, call, services)
      return (passkey, codes, joined)
    } catch StoreError.exists {
      throw AddPasskey.taken
    }
  }

  /// The refusal of a passkey that an account has.
  static var taken: Refusal { Refusal(.conflict, detail: "This passkey belongs to an account already.") }
}

extension FactorRecord {
  package init(_ passkey: Passkey) {
    self.init(
      id: passkey.id.text, type: Proof.Method.passkey.name, name: passkey.name,
      createdAt: Timestamp(passkey.createdAt), lastUsedAt: passkey.lastUsedAt.map(Timestamp.init),
      synced: passkey.isBackedUp)
  }
}
