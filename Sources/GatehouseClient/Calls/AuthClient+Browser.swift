public import Foundation
import GatehouseWire

/// A way through pages in a browser: the hosted pages, or a provider's. The app opens `url`, and hands the address that
/// comes back to `AuthClient.finish(at:)`.
public struct BrowserFlow: Sendable, Hashable {
  /// The provider's name in the policy; nil for a way through the hosted pages.
  public var provider: String?
  /// The page to open.
  public var url: URL
  /// The address that the browser sends the person back to.
  public var redirect: URL?
  /// The page has to come back by then.
  public var expires: Date
}

/// The hosted page that a person sees first.
public enum HostedScreen: String, Sendable, Hashable {
  /// Sign-in, which leads to sign-up.
  case signIn = "sign-in"
  /// Sign-up, which leads to sign-in.
  case signUp = "sign-up"
}

extension AuthClient {
  /// Begins a sign-in on the server's own pages. Needs no network: the page is the first request.
  ///
  /// `returnTo` has to be an address of `app.continue` in the policy, letter for letter. A person who is signed in in
  /// the browser goes on with one tap, unless `promptsAgain` is true: then the page asks for a proof in any case.
  /// `loginHint` is an address to fill in. A way that was begun before is given up.
  ///
  /// The verifier that ties the answer to this device is kept in the record, so that `finish(at:)` works even after the
  /// system ended the app meanwhile. A present session stays as it is until then.
  public func hostedSignIn(
    returnTo: URL, screen: HostedScreen = .signIn, loginHint: String? = nil, promptsAgain: Bool = false
  ) async throws(AuthError) -> BrowserFlow {
    start()
    try await keeper.ready()
    let wish = HostedWish(returnTo: returnTo, screen: screen, loginHint: loginHint, promptsAgain: promptsAgain)
    let flow = PendingHostedSignIn(wish, configuration)
    guard let begun = BrowserFlow(flow) else { throw await keeper.own(.unknown) }
    await keeper.change { record in (record.flow, record.hosted) = (nil, flow) }
    return begun
  }

  /// The flow that waits for its way back, if there is one.
  public func pendingFlow() async -> BrowserFlow? {
    start()
    guard (try? await keeper.ready()) != nil else { return nil }
    let record = await keeper.ledger.record
    if let hosted = record.hosted { return hosted.expires > configuration.clock.now ? BrowserFlow(hosted) : nil }
    return record.session == nil ? nil : record.flow.flatMap(BrowserFlow.init)
  }

  /// Ends the way through a browser that was begun last, with the address that came back.
  ///
  /// After a provider's page the account is linked. Tokens are replaced before the state shows an access that this
  /// lifts.
  ///
  /// After the hosted pages the person is signed in, as after any other sign-in. Throws `accessDenied` where the person
  /// went back without signing in, and `codeInvalid` for an address that is not the answer to this way: of another
  /// target, `state` or server, or used before. Throws `serverAddressDiffers` for the answer of a server whose
  /// `public_url` is another address than the configuration's. None of them changes the session, and an address that is
  /// no answer leaves the way open.
  ///
  /// The code in the address works once, within a minute. A request that is lost is sent again, twice. Where no answer
  /// came the error is `network` and the way stays open: `finish(at:)` with the same address succeeds if the server saw
  /// no request, and otherwise the person begins anew, which takes one tap in a browser that is signed in. A call that
  /// is cancelled goes on without its caller, and a second call with the address meanwhile gets the same outcome.
  @discardableResult
  public func finish(at callback: URL) async throws(AuthError) -> AuthState {
    start()
    try await keeper.ready()
    let record = await keeper.ledger.record
    if let hosted = record.hosted { return try await keeper.finish(hosted, at: callback, as: await device()) }
    guard let flow = record.flow else { throw await keeper.own(.codeInvalid) }
    return try await finish(flow, at: callback)
  }
}

extension BrowserFlow {
  init?(_ flow: PendingFlow) {
    guard let url = URL(string: flow.url) else { return nil }
    let redirect = flow.redirect.flatMap { URL(string: $0) }
    self.init(provider: flow.provider, url: url, redirect: redirect, expires: flow.expires)
  }

  init?(_ flow: PendingHostedSignIn) {
    guard let url = URL(string: flow.url) else { return nil }
    self.init(provider: nil, url: url, redirect: URL(string: flow.returnTo), expires: flow.expires)
  }
}
