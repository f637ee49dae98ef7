// From the hosted pages to an app: the browser takes a code to the address that the app is known by, and the app
// exchanges it for a session of its own. The code is good for the client that began (RFC 7636), once and for a minute.

import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// A code for an app, as it is stored.
package struct HandBackCode: Sendable {
  /// SHA-256 of the code.
  package let hash: [UInt8]
  package let user: UserID
  /// The browser's session.
  package let session: SessionID
  /// SHA-256 of the app's code challenge.
  package let challengeHash: [UInt8]

  package init(hash: [UInt8], user: UserID, session: SessionID, challengeHash: [UInt8]) {
    self.hash = hash
    self.user = user
    self.session = session
    self.challengeHash = challengeHash
  }
}

package enum HandBack {
  /// Seconds in which the app has to exchange the code.
  package static let seconds = 60
  /// How many codes of one browser's session can be good at a time.
  package static let perSession = 5

  /// A code for the app that holds the verifier of this challenge.
  package static func begin(challenge: String, of signedIn: SignedIn, _ call: Call, _ services: Services) async throws
    -> String
  {
    // The code is a way to sign in, which comes from a browser.
    // GUARD: hand-back: none where an attested app is demanded
    guard !call.policy.demandsAttestation(at: .signIn) else { throw Refusal(.attestRequired) }
    let code = OpaqueToken.generate(.handBack)
    try await services.store.open(call.tenant.id).commit(
      [
        .session(
          .beginHandBack(
            HandBackCode(
              hash: code.digest, user: signedIn.user.id, session: signedIn.session.id,
              challengeHash: SHA256.digest(challenge))))
      ], as: .caller(signedIn, restingOn: .session))
    return code.text.expose { $0 }
  }

  /// The address at which the app goes on, with a code for it. `iss` says which server answers (RFC 9207): the tenant
  /// as it is called where the page was opened.
  package static func leave(
    to address: String, state: String, challenge: String, from issuer: String, of signedIn: SignedIn, _ call: Call,
    _ services: Services
  ) async throws -> String {
    let code = try await begin(challenge: challenge, of: signedIn, call, services)
    return QueryText.address(address, adding: [("code", code), ("state", state), ("iss", issuer)])
  }

  /// The same where its user changed their mind.
  package static func refusal(to address: String, state: String, from issuer: String) -> String {
    QueryText.address(address, adding: [("error", "access_denied"), ("state", state), ("iss", issuer)])
  }

  /// The session answer for the app. Refuses `code_invalid` for anything but a code that is good, of this tenant, with
  /// its verifier; `account_disabled`.
  static func redeem(_ input: TokenEndpoint.Input, _ call: Call, _ services: Services) async throws -> SessionAnswer {
    let store = services.store.open(call.tenant.id)
    guard let hash = input.code.flatMap({ OpaqueToken.digest(of: $0, kind: .handBack) }),
      let verifier = input.codeVerifier, let found = try await store.handBack(hash: hash),
      // GUARD: hand-back: the browser's session lives
      found.session.isLive(at: call.now, under: call.policy.sessions)
    else { throw try await refused(call, services) }
    guard found.user.disabledAt == nil else { throw Refusal(.accountDisabled) }
    let browser = SignedIn(session: found.session, user: found.user)
    do {
      return try await open(hash, verifier, browser, input, call, services)
    } catch StoreError.refused(.handBackIsLive) {
      throw try await refused(call, services)
    }
  }

  private static func refused(_ call: Call, _ services: Services) async throws -> Refusal {
    await call.noteRefused(token: "code", services)
    return Refusal(.codeInvalid)
  }

  private static func open(
    _ hash: [UInt8], _ verifier: String, _ browser: SignedIn, _ input: TokenEndpoint.Input, _ call: Call,
    _ services: Services
  ) async throws -> SessionAnswer {
    let user = browser.user
    let decision = call.policy.decide(
      .signIn, Facts(writer: .user, stored: user.facts), at: call.now, using: services.facts)
    let look = try await services.store.open(call.tenant.id).signInLook(
      of: user.id, device: KnownDevice.hash(presented: input.device?.id))
    // The browser's sign-in was told where it had to be: the app on the way from there is no surprise.
    let device =
      if let look, look.device != nil {
        try PresentedDevice.recognise(input.device, in: look, call, services)
      } else {
        PresentedDevice.new(name: try DeviceName.of(input.device, call), of: user.id, call, services)
      }
    let completion = Completion(
      proofs: browser.session.proofs, user: user, decision: decision, device: device,
      arrival: .known(["method": browser.session.proofs.newest.method.reference, "from": "pages"]),
      authority: .caller(browser, restingOn: .session),
      first: [
        // GUARD: hand-back: once
        .session(.takeHandBack(hash: hash, challengeHash: SHA256.digest(FlowState.challenge(verifier))))
      ])
    return try await completion.commit(call, services).forApp()
  }
}
