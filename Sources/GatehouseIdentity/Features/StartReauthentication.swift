// The first step of a fresh proof: the ways that are open, and the options for a passkey.

import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum StartReauthentication {
  package static func run(_ input: Nothing, _ call: Call, _ services: Services) async throws
    -> StartReauthenticationEndpoint.Output
  {
    let me = try await call.signedIn(services)
    let ways = me.freshWays(call, services)
    var answer = StartReauthenticationEndpoint.Output(methods: ways.map(\.name))
    guard ways.contains(.passkey) else { return answer }
    let purpose = Ticket.Purpose.reauthenticate
    let token = OpaqueToken.generate(purpose.terms.token)
    guard
      let options = try await PasskeyCeremony.request(
        of: me.user.id, after: 0, ticket: token.digest, purpose, call, services)
    else { return answer }
    try await services.store.open(call.tenant.id).commit(
      [.ticket(.begin(Ticket(token, purpose, of: me, call)))], as: .caller(me, restingOn: .session))
    answer.challengeID = token.text.expose { $0 }
    answer.publicKey = options
    answer.expiresIn = purpose.terms.seconds
    return answer
  }
}

extension FreshWay {
  /// An answer of a passkey, to the options of `StartReauthentication`.
  package static let passkey = FreshWay(
    name: Proof.Method.passkey.name, members: ["passkey", "challenge_id"], isSecond: true,
    isOpen: { user, call, _ in user.provesByPasskey(call) },
    prove: { input, me, call, services in
      guard let answer = input.passkey, let id = input.challengeID else { throw Refusal(.codeExpired) }
      return try await FreshProof(answer, challengeID: id, me, call, services)
    })
}

extension FreshProof {
  /// Refuses `code_expired` for a challenge that is unknown, over, used, another session's or out of tries, and
  /// `passkey_invalid` with the options of the next try.
  fileprivate init(
    _ answer: AuthenticationAnswer, challengeID: String, _ me: SignedIn, _ call: Call, _ services: Services
  ) async throws {
    let purpose = Ticket.Purpose.reauthenticate
    let tried = try await TriedTicket.find(challengeID, purpose, of: me.session.id, call, services)
    let challenge = try PasskeyCeremony(call).challenge(ofTry: tried.number, ticket: tried.hash)
    do {
      let given = AnsweredPasskey(answer: answer, challenge: challenge, isAlone: false)
      let proof = try await FactorProof.verify(.passkey(given), of: me.user, call, services)
      // GUARD: fresh proof: a challenge of a passkey proves once
      let taking: [Change] = [.ticket(.take(tried.claim))]
      self.init(proofs: proof.proofs, using: taking + proof.changes)
    } catch var refusal as Refusal where refusal.code == .passkeyInvalid {
      refusal.passkey = try await PasskeyCeremony.request(
        of: me.user.id, after: tried.number, ticket: tried.hash, purpose, call, services)
      throw refusal
    }
  }
}
