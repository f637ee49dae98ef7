// Linking an account at a provider: a signed-in user goes there, allows what the policy asks for, and comes back to the
// session (or browser) that they left from.

import Foundation
package import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum Links {
  /// Where to send the person. Refuses `not_found` for a provider that can not be linked in a browser, and
  /// `reauthentication_required` without a recent sign-in for a provider that signs in.
  package static func start(_ input: StartLinkEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> AuthorizationStart
  {
    let provider = try call.policy.linkProvider(input.provider)
    let signedIn = try await call.signedIn(services)
    // GUARD: link: a recent sign-in to begin, where it becomes a way in
    guard provider.use == .link || signedIn.isRecent(call) else {
      throw Refusal.reauthentication(of: signedIn, call, services)
    }
    let grounds: Authority.Grounds = provider.use == .link ? .session : .proof
    guard let redirect = try redirect(input, provider) else { throw Refusal(.notFound) }
    let address = try await begin(provider, redirect, signedIn, restingOn: grounds, call, services)
    return AuthorizationStart(authorizationURL: address, expiresIn: Ticket.Purpose.providerLink.terms.seconds)
  }

  /// The provider's address at which browsers come back to the host that they left; nil where it has none, or cannot be
  /// asked.
  package static func redirect(of provider: Provider, _ call: Call, _ services: Services) -> String? {
    guard provider.clientID != nil, (try? ProviderExchange(provider, call, services)) != nil else { return nil }
    let here = provider.linkCallback(at: call.issuer)
    return provider.redirectURIs.first { $0.utf8.elementsEqual(here.utf8) }
  }

  /// Where to send a browser from the hosted pages. It comes back to the flow of this name.
  package static func start(at provider: Provider, flow: String, _ call: Call, _ services: Services) async throws
    -> String
  {
    let signedIn = try await call.signedIn(services)
    guard provider.use == .link || signedIn.isRecent(call) else {
      throw Refusal.reauthentication(of: signedIn, call, services)
    }
    guard let redirect = redirect(of: provider, call, services) else { throw Refusal(.notFound) }
    return try await begin(
      provider, redirect, signedIn, restingOn: provider.use == .link ? .session : .proof, page: flow, call, services)
  }

  private static func begin(
    _ provider: Provider, _ redirect: String, _ signedIn: SignedIn, restingOn grounds: Authority.Grounds,
    page: String? = nil, _ call: Call, _ services: Services
  ) async throws -> String {
    let exchange = try ProviderExchange(provider, call, services)
    try await Limiting.reserve(.link(signedIn.user.id), call, services)
    var flowState = FlowState(redirectURI: redirect)
    flowState.page = page
    // Back at this server it is a browser that comes, without a token: then the browser that began is the one to come.
    let isHere = exchange.isHere(redirect)
    if isHere { flowState.session = signedIn.session.id.uuid }
    guard let browser = call.browser else { throw Refusal(.forbidden) }
    let (state, change) = try flowState.begin(
      .providerLink, at: provider, holder: isHere ? browser : nil, user: signedIn.user.id,
      session: isHere ? nil : signedIn.session.id, call, services)
    let address = try await call.naming(provider.name) { [flowState] in
      try await exchange.authorization(state: state, flowState)
    }
    try await services.store.open(call.tenant.id).commit([change], as: .caller(signedIn, restingOn: grounds))
    return address
  }

  private static func redirect(_ input: StartLinkEndpoint.Input, _ provider: Provider) throws -> String? {
    guard let wanted = input.redirectURI else { return provider.redirectURIs.first }
    // GUARD: flow: links begin towards listed addresses only
    guard provider.redirectURIs.contains(where: { $0.utf8.elementsEqual(wanted.utf8) }) else {
      throw Refusal.malformed("/redirect_uri", "none of the provider's redirect_uris")
    }
    return wanted
  }

  /// Links for the browser that came back to this server. Refuses `code_invalid` for anything but the one way back to a
  /// flow that this browser began, and what `complete` refuses. Where a page began it, the outcome is the page's to
  /// tell.
  package static func land(_ callback: ProviderCallback, at name: String, _ call: Call, _ services: Services)
    async throws -> Landing
  {
    let provider = try call.policy.linkProvider(name)
    guard let browser = call.browser else { throw Refusal(.codeInvalid) }
    let claim = TicketClaim(
      hash: callback.stateHash, purpose: .providerLink, provider: provider.name, client: call.client.id,
      holderHash: browser)
    let (ticket, flowState) = try await FlowState.take(claim, at: provider, call, services)
    guard let user = ticket.user, let session = flowState.session else { throw Refusal(.codeInvalid) }
    let owner = call.identified(as: Caller(user: user, session: SessionID(session)))
    guard let page = flowState.page else {
      _ = try await link(callback, flowState, provider, try await owner.signedIn(services), owner, services)
      return .linked
    }
    do {
      _ = try await owner.naming(provider.name) {
        try await link(callback, flowState, provider, try await owner.signedIn(services), owner, services)
      }
      return .pages(flow: page, nil)
    } catch let refusal as Refusal where refusal.code.status < 500 || refusal.provider != nil {
      return .pages(flow: page, refusal)
    }
  }

  /// Where a browser goes on that came back.
  package enum Landing: Sendable {
    case linked
    /// To the flow of the pages, with what was refused.
    case pages(flow: String, Refusal?)
  }

  /// Links by the address that the app was opened with, or by an ID token.
  ///
  /// Refuses `code_invalid` for any other address, `provider_denied` where the person said no,
  /// `provider_scopes_missing` with what they did not allow, `provider_account_taken` for a provider account that
  /// belongs to another user, `validation_failed` where the policy's door does not open.
  package static func complete(_ input: CompleteLinkEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> MeAnswer
  {
    try await call.naming(input.provider) { try await take(input, call, services) }
  }

  private static func take(_ input: CompleteLinkEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> MeAnswer
  {
    let provider = try call.policy.linkProvider(input.provider)
    let signedIn = try await call.signedIn(services)
    switch (input.callbackURL, input.idToken) {
    case (let address?, nil) where input.nonce == nil:
      let (callback, flowState) = try await taken(address, provider, signedIn, call, services)
      return Me.answer(
        try await link(callback, flowState, provider, signedIn, call, services), in: signedIn.session,
        .present(call.now), to: .`self`, call)
    case (nil, let token?):
      guard provider.use == .signIn else { throw Refusal(.notFound) }
      // GUARD: link: a recent sign-in by ID token
      guard signedIn.isRecent(call) else {
        throw Refusal.reauthentication(of: signedIn, call, services)
      }
      let exchange = try ProviderExchange(provider, call, services)
      let proven = try await exchange.proven(idToken: token, nonce: input.nonce)
      let granted = Granted(user: proven.user, provider: provider, taking: proven.taking)
      return try await exchange.once {
        Me.answer(
          try await keep(granted, signedIn, restingOn: .proof, call, services), in: signedIn.session,
          .present(call.now), to: .`self`, call)
      }
    default: throw Refusal.malformed("", "give \"callback_url\", or \"id_token\" and \"nonce\"")
    }
  }

  /// The flow behind an address; the redirect address is known only once it is taken, and must be the beginning of the
  /// other.
  private static func taken(
    _ address: String, _ provider: Provider, _ signedIn: SignedIn, _ call: Call, _ services: Services
  ) async throws -> (ProviderCallback, FlowState) {
    let callbacks = provider.redirectURIs.compactMap { ProviderCallback(address: address, redirectURI: $0) }
    guard let callback = callbacks.first else { throw Refusal(.codeInvalid) }
    let claim = TicketClaim(
      hash: callback.stateHash, purpose: .providerLink, provider: provider.name, session: signedIn.session.id,
      client: call.client.id)
    let (ticket, flowState) = try await FlowState.take(claim, at: provider, call, services)
    guard ticket.user == signedIn.user.id,
      let exact = ProviderCallback(address: address, redirectURI: flowState.redirectURI)
    else { throw Refusal(.codeInvalid) }
    return (exact, flowState)
  }

  private static func link(
    _ callback: ProviderCallback, _ flowState: FlowState, _ provider: Provider, _ signedIn: SignedIn, _ call: Call,
    _ services: Services
  ) async throws -> StoredUser {
    var given: [Change] = []
    do {
      let exchange = try ProviderExchange(provider, call, services)
      let redeemed = try await exchange.redeem(callback, flowState)
      given = try exchange.givingBack(redeemed, of: signedIn.user.id)
      let missing = provider.missingScopes(granted: redeemed.scopes)
      // GUARD: link: required scopes
      guard missing.isEmpty else {
        var refusal = Refusal(.providerScopesMissing)
        refusal.missing = missing
        throw refusal
      }
      return try await keep(
        Granted(
          user: redeemed.user, provider: provider, scopes: redeemed.scopes, kept: exchange.kept(redeemed)), signedIn,
        restingOn: .session, call, services)
    } catch let refusal as Refusal {
      await call.note(
        .linkRefused, about: signedIn.user.id.text, services, user: signedIn.user.id,
        session: signedIn.session.id, details: ["provider": provider.name, "reason": refusal.code.rawValue])
      // A grant without a use is given back. If the order is lost, the user can revoke it at the provider's own pages.
      if !given.isEmpty { try? await services.store.open(call.tenant.id).commit(given, as: .job) }
      throw refusal
    }
  }

  /// The person's identity at a provider, and the scopes that they granted.
  private struct Granted {
    var user: ProviderUser
    var provider: Provider
    var scopes: [String] = []
    var kept: ProviderExchange.Kept?
    /// See `FederatedSignIn.Arrival`.
    var taking: [Change] = []
  }

  private static func keep(
    _ granted: Granted, _ signedIn: SignedIn, restingOn grounds: Authority.Grounds, _ call: Call, _ services: Services
  ) async throws -> StoredUser {
    let (provider, user) = (granted.provider, signedIn.user)
    let facts = Facts(
      provider: granted.user.facts(provider, scopes: granted.scopes, call.policy), stored: user.facts)
    let decision = call.policy.decide(.link, facts, at: call.now, using: services.facts)
    // GUARD: link: passes its door
    guard decision.allow else { throw Refusal(.validationFailed, violations: decision.violations) }
    let link = LinkedIdentity(provider: provider.name, scopes: granted.scopes, linkedAt: call.now)
    let identity = ProviderIdentity(
      user: user.id, provider: provider.name, issuer: granted.user.issuer, subject: granted.user.subject,
      isExclusive: provider.use == .signIn || provider.oneAccountPerUser, link: link)
    var changes: [Change] = granted.taking + [.provider(.link(identity))]
    changes += try ProviderExchange.keeping(granted.kept, of: user.id, at: provider, call, services)
    changes += call.exceptionsUsed(decision, services, actor: .user(user.id), user: user.id)
    changes.append(
      .audit(
        call.entry(
          .linked, services, actor: .user(user.id), user: user.id, session: signedIn.session.id,
          details: ["provider": provider.name])))
    changes += try Messaging.link(.providerLinked, at: provider.name, to: user, call, services)
    do {
      try await services.store.open(call.tenant.id).commit(changes, as: .caller(signedIn, restingOn: grounds))
    } catch StoreError.refused(.identityIsFree) {
      throw Refusal(.providerAccountTaken)
    } catch StoreError.refused(.sessionIsLive) {
      throw Refusal(.sessionRevoked)
    }
    var linked = user
    linked.links = user.links.filter { $0.provider != provider.name } + [link]
    return linked
  }
}

package enum Unlink {
  /// Removes a link, also one to a provider that the policy does not name any more. Refuses `reauthentication_required`
  /// without a fresh proof, `provider_not_linked`, and `last_sign_in_method` where nothing else would let the person
  /// in.
  package static func run(_ input: UnlinkEndpoint.Input, _ call: Call, _ services: Services) async throws -> Nothing {
    try await call.naming(input.provider) { try await unlink(input, call, services) }
  }

  private static func unlink(_ input: UnlinkEndpoint.Input, _ call: Call, _ services: Services) async throws -> Nothing
  {
    let signedIn = try await call.signedIn(services)
    let user = signedIn.user
    guard let link = user.links.first(where: { $0.provider.utf8.elementsEqual(input.provider.utf8) }) else {
      throw Refusal(.providerNotLinked)
    }
    // GUARD: unlink: a fresh proof
    try await Reauthenticate.demand(password: input.password, signedIn, call, services)
    let wasWayIn = call.policy.signInProviders.contains(link.provider)
    var changes: [Change] = [.provider(.unlink(user.id, .provider(link.provider)))]
    // GUARD: unlink: the last way in
    if wasWayIn {
      changes.append(
        .provider(
          .requireSignInMethod(user.id, among: call.policy.signInMethods, passkeysOf: call.partiesOfWaysIn)))
    }
    changes.append(
      .audit(
        call.entry(
          .unlinked, services, actor: .user(user.id), user: user.id, session: signedIn.session.id,
          details: ["provider": link.provider])))
    changes += try Messaging.link(.providerUnlinked, at: link.provider, to: user, call, services)
    do {
      try await services.store.open(call.tenant.id).commit(changes, as: signedIn.proven)
    } catch StoreError.refused(.linkExists) {
      throw Refusal(.providerNotLinked)
    } catch StoreError.refused(.signInMethodRemains) {
      throw Refusal(.lastSignInMethod)
    }
    return Nothing()
  }
}
