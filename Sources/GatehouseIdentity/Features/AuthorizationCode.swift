// From the hosted pages to an app: the browser takes an authorization code (RFC 6749 section 4.1) to an address of the
// client, which exchanges it for a session of its own. The code is good for the client that began (RFC 7636), once and
// for a minute.

import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

package enum AuthorizationCode {
  private static let purpose = Ticket.Purpose.authorizationCode

  /// A code for the client of the request, which holds the verifier of this challenge.
  package static func begin(
    challenge: CodeChallenge, _ signedIn: SignedIn, _ call: Call, _ services: Services
  ) async throws -> String {
    // The code is a way to sign in, which comes from a browser.
    // GUARD: authorization code: none where an attested app is demanded
    guard !call.policy.demandsAttestation(at: .signIn) else { throw Refusal(.attestRequired) }
    let code = OpaqueToken.generate(purpose.terms.token)
    let ticket = Ticket(
      hash: code.digest, purpose: purpose, user: signedIn.user.id, session: signedIn.session.id, client: call.client.id,
      holderHash: challenge.holderHash)
    try await services.store.open(call.tenant.id).commit(
      [.ticket(.begin(ticket))], as: .caller(signedIn, restingOn: .session))
    return code.text.expose { $0 }
  }

  /// The address at which the client of the request goes on, with a code for it. `iss` says which server answers (RFC
  /// 9207): the tenant as it is called where the page was opened.
  package static func leave(
    to address: String, state: String, challenge: CodeChallenge, from issuer: String,
    _ signedIn: SignedIn, _ call: Call, _ services: Services
  ) async throws -> String {
    let code = try await begin(challenge: challenge, signedIn, call, services)
    return QueryText.address(address, adding: [("code", code), ("state", state), ("iss", issuer)])
  }

  /// The same where its user changed their mind.
  package static func refusal(to address: String, state: String, from issuer: String) -> String {
    QueryText.address(address, adding: [("error", "access_denied"), ("state", state), ("iss", issuer)])
  }

  /// The session for the client of the request. Refuses `code_invalid` for anything but a code that is good, of this
  /// tenant, for this client, with its verifier; `account_disabled`.
  static func redeem<Opened: OpenedSession>(
    _ code: String, by verifier: CodeVerifier, on device: Device?, _ call: Call, _ services: Services
  ) async throws -> Opened {
    let store = services.store.open(call.tenant.id)
    guard let hash = OpaqueToken.digest(of: code, kind: purpose.terms.token),
      let found = try await store.session(ofTicket: hash, for: purpose),
      // GUARD: authorization code: the browser's session lives
      found.session.isLive(at: call.now, under: call.policy.sessions)
    else { throw try await refused(call, services) }
    guard found.user.disabledAt == nil else { throw Refusal(.accountDisabled) }
    let claim = TicketClaim(
      hash: hash, purpose: purpose, session: found.session.id, client: call.client.id,
      holderHash: verifier.challenge.holderHash)
    do {
      return try await open(
        claim, SignedIn(session: found.session, user: found.user), device, call, services)
    } catch StoreError.refused(.ticketIsLive) {
      throw try await refused(call, services)
    }
  }

  private static func refused(_ call: Call, _ services: Services) async throws -> Refusal {
    await call.noteRefused(token: "code", services)
    return Refusal(.codeInvalid)
  }

  private static func open<Opened: OpenedSession>(
    _ claim: TicketClaim, _ browser: SignedIn, _ presented: Device?, _ call: Call, _ services: Services
  ) async throws -> Opened {
    let user = browser.user
    let decision = call.policy.decide(
      .signIn, Facts(writer: .user, stored: user.facts), at: call.now, using: services.facts)
    let look = try await services.store.open(call.tenant.id).signInLook(
      of: user.id, device: KnownDevice.hash(presented: presented?.id))
    // The browser's sign-in was told where it had to be: the app on the way from there is no surprise.
    let device =
      if let look, look.device != nil {
        PresentedDevice.recognise(presented, in: look, call, services)
      } else {
        PresentedDevice.new(name: DeviceName.of(presented, call), of: user.id, call, services)
      }
    let completion = Completion(
      account: .known, proofs: browser.session.proofs, user: user, decision: decision, device: device,
      details: ["from": "pages"],
      authority: .caller(browser, restingOn: .session),
      beforeSession: [
        // GUARD: authorization code: once
        .ticket(.take(claim))
      ])
    return try await completion.open(call, services)
  }
}
