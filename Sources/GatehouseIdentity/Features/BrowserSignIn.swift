// Sign-in in a browser: away to the provider, back to us with a code, on to the app with another, and only there a
// session. The provider's answer is settled when the browser returns; changes here are made when the app asks for them.

import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum BrowserSignIn {
  /// The user who came back, on the way to the app; sealed in the ticket of the app's code.
  struct Returned: Codable {
    var user: ProviderUser
    /// See `IDToken.Taken`.
    var isActive: Bool?
    var scopes: [String]
    var grant: ProviderExchange.Kept?

    enum CodingKeys: String, CodingKey {
      case user = "person"
      case isActive = "active"
      case scopes, grant
    }
  }

  /// Where to send the person. Refuses `not_found` where the provider is no way to sign in in a browser.
  package static func start(_ input: StartBrowserSignInEndpoint.Input, _ call: Call, _ services: Services)
    async throws -> AuthorizationStart
  {
    let provider = try call.policy.signInProvider(input.provider)
    guard let browser = call.browser else { throw Refusal(.forbidden) }
    // GUARD: flow: the browser goes on to listed addresses only
    guard call.client.redirects(to: input.continueTo) else {
      throw Refusal.malformed("/continue", "none of the addresses that the policy continues to")
    }
    guard let challenge = CodeChallenge(rawValue: input.codeChallenge) else {
      throw Refusal.malformed("/code_challenge", "the base64url SHA-256 of a verifier")
    }
    guard input.prompt == nil || input.prompt == "login" else {
      throw Refusal.malformed("/prompt", "\"login\", or left out")
    }
    let address = try await begin(provider, holder: browser, isFresh: input.prompt != nil, call, services) {
      $0.continueTo = input.continueTo
      $0.challenge = challenge
    }
    return AuthorizationStart(authorizationURL: address, expiresIn: Ticket.Purpose.providerSignIn.terms.seconds)
  }

  /// Where to send a browser from the hosted pages. It comes back to the flow of this name; with `owner`, only this
  /// account is signed in to then.
  /// - Parameter isFresh: whether the person has to sign in anew at a provider that can be asked for it.
  package static func start(
    at name: String, flow: String, owner: UserID? = nil, isFresh: Bool, _ call: Call, _ services: Services
  ) async throws -> String {
    let provider = try call.policy.signInProvider(name)
    // A browser is no attested app, and the person who comes back may be a new user.
    // GUARD: pages: no provider where an attested app is demanded
    guard !call.policy.demandsAttestation(at: .federatedSignUp) else { throw Refusal(.attestRequired) }
    guard let browser = call.browser else { throw Refusal(.forbidden) }
    return try await begin(provider, holder: browser, isFresh: isFresh, call, services) {
      $0.page = flow
      $0.owner = owner?.uuid
    }
  }

  private static func begin(
    _ provider: Provider, holder: [UInt8], isFresh: Bool, _ call: Call, _ services: Services,
    _ change: (inout FlowState) -> Void
  ) async throws -> String {
    let exchange = try ProviderExchange(provider, call, services)
    // GUARD: flow: rows of an address
    try await Limiting.reserve(.providerStart, call, services)
    var flowState = FlowState(redirectURI: provider.signInRedirect(at: call.issuer))
    change(&flowState)
    if isFresh, exchange.description.sendsAuthTime { flowState.freshSince = call.now.wholeSeconds }
    let (state, write) = try flowState.begin(.providerSignIn, at: provider, holder: holder, call, services)
    let address = try await call.naming(provider.name) { [flowState] in
      try await exchange.authorization(state: state, flowState)
    }
    try await services.store.open(call.tenant.id).commit([write], as: .anonymous)
    return address
  }

  /// Where a browser goes on that came back.
  package enum Landing: Sendable {
    /// To the app, at this address.
    case app(String)
    /// To the flow of the pages, signed in or refused.
    case pages(flow: String, Result<PageSession, Refusal>)
  }

  /// Where the browser goes that came back: to the app, with a code or the name of an error, or to a page. Refuses
  /// `code_invalid` for anything but the one way back to a flow that this browser began.
  /// - Parameter pages: the browser's key at the pages. A sign-in there that waits for a second proof is its holder's.
  package static func land(
    _ callback: ProviderCallback, at name: String, pages: String, _ call: Call, _ services: Services
  ) async throws -> Landing {
    let provider = try call.policy.signInProvider(name)
    guard let browser = call.browser else { throw Refusal(.codeInvalid) }
    let claim = TicketClaim(
      hash: callback.stateHash, purpose: .providerSignIn, provider: provider.name, client: call.client.id,
      holderHash: browser)
    let (_, flowState) = try await FlowState.take(claim, at: provider, call, services)
    if let page = flowState.page {
      do {
        let session = try await enter(callback, flowState, provider, call.from(browser: pages), services)
        return .pages(flow: page, .success(session))
      } catch {
        let refusal = Refusal(of: error)
        guard refusal.code.status < 500 || refusal.provider != nil else { throw error }
        return .pages(flow: page, .failure(refusal))
      }
    }
    guard let target = flowState.continueTo, let challenge = flowState.challenge else { throw Refusal(.codeInvalid) }
    do {
      let exchange = try ProviderExchange(provider, call, services)
      let redeemed = try await exchange.redeem(callback, flowState)
      let user = callback.named(redeemed.user)
      let purpose = Ticket.Purpose.browserSignInCode
      let code = OpaqueToken.generate(purpose.terms.token)
      let sealed = try call.tenant.vault.seal(
        try JSONEncoding.encode(
          Returned(
            user: user, isActive: redeemed.isActive, scopes: redeemed.scopes, grant: exchange.kept(redeemed))),
        for: .bound(
          .flow(stateHash: code.digest, provider: provider.name), to: Destination(exchange.description)))
      let ticket = Ticket(
        hash: code.digest, purpose: purpose, provider: provider.name, client: call.client.id,
        holderHash: challenge.holderHash, sealedPayload: sealed)
      try await services.store.open(call.tenant.id).commit([.ticket(.begin(ticket))], as: .anonymous)
      return .app(QueryText.address(target, adding: [("code", code.text.expose { $0 })]))
    } catch let refusal as Refusal where refusal.code.status != 500 {
      return .app(QueryText.address(target, adding: [("error", refusal.code.rawValue)]))
    }
  }

  /// Signs the person in at the pages: the browser that began is the one that came back.
  private static func enter(
    _ callback: ProviderCallback, _ flowState: FlowState, _ provider: Provider, _ call: Call, _ services: Services
  ) async throws -> PageSession {
    try await call.naming(provider.name) {
      let exchange = try ProviderExchange(provider, call, services)
      let redeemed = try await exchange.redeem(callback, flowState)
      var arrival = FederatedSignIn.Arrival(
        user: callback.named(redeemed.user), isActive: redeemed.isActive, provider: provider, scopes: redeemed.scopes,
        device: call.device.map { Device(name: nil, id: $0) }, owner: flowState.owner.map(UserID.init))
      arrival.kept = exchange.kept(redeemed)
      return try await FederatedSignIn.open(arrival, call, services)
    }
  }

  /// The session answer for the app that began. Refuses `code_invalid`, and everything that `FederatedSignIn` refuses.
  package static func complete(_ input: CompleteBrowserSignInEndpoint.Input, _ call: Call, _ services: Services)
    async throws -> SessionAnswer
  {
    let provider = try call.policy.signInProvider(input.provider)
    let purpose = Ticket.Purpose.browserSignInCode
    guard let hash = OpaqueToken.digest(of: input.code, kind: purpose.terms.token),
      let verifier = CodeVerifier(rawValue: input.codeVerifier)
    else { throw Refusal(.codeInvalid) }
    let claim = TicketClaim(
      hash: hash, purpose: purpose, provider: provider.name, client: call.client.id,
      holderHash: verifier.challenge.holderHash)
    guard let ticket = try await services.store.open(call.tenant.id).take(claim) else {
      await call.noteRefused(token: "code", services)
      throw Refusal(.codeInvalid)
    }
    let back = try await FlowState.opened(ticket, at: provider, call, services).expose {
      try StrictDecoder.decode(Returned.self, from: $0)
    }
    var arrival = FederatedSignIn.Arrival(
      user: back.user, isActive: back.isActive, provider: provider, scopes: back.scopes, profile: input.profile,
      device: input.device)
    arrival.kept = back.grant
    return try await FederatedSignIn.open(arrival, call, services)
  }
}
