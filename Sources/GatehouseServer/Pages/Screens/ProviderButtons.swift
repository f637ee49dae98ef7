import GatehouseIdentity
import GatehousePolicy

/// The buttons of providers that people sign in with, below the form.
enum ProviderButtons {
  static let intent = "provider:"

  /// Providers that a browser can be sent to.
  private static func providers(_ visit: Visit) -> [Provider] {
    guard !visit.policy.demandsAttestation(at: .federatedSignUp) else { return [] }
    return visit.policy.providers.filter {
      $0.name != "password" && $0.use == .signIn && $0.clientID != nil && $0.signsInBrowsers(at: visit.call.issuer)
    }
  }

  /// For people who sign in or up: a page of any other path sends the form to the sign-in page.
  static func pieces(_ visit: Visit) -> [Screen.Piece] {
    let providers = providers(visit)
    guard !providers.isEmpty else { return [] }
    let line: [Screen.Piece] =
      visit.policy.hasPassword ? [.html("<p class=\"or\">\(visit.words.forms.or)</p>")] : []
    return line + providers.map { button($0, visit, action: visit.relative(PagePath.signIn)) }
  }

  /// For a fresh proof by the owner of an account: of providers whose sign-in is one.
  static func pieces(of user: StoredUser, _ visit: Visit) -> [Screen.Piece] {
    providers(visit).filter { visit.reads.proves(user, $0, visit.call) }
      .map { button($0, visit, action: nil) }
  }

  private static func button(_ provider: Provider, _ visit: Visit, action: String?) -> Screen.Piece {
    .form(
      Form(
        button: visit.words.signIn.provider(Label.provider(provider.name)), style: .secondary,
        intent: intent + provider.name, action: action
      ).leading(to: provider.name, visit))
  }

  /// The provider of a form that was sent; nil for other forms.
  static func name(_ typed: Typed) -> String? {
    guard let intent = typed.intent, intent.hasPrefix(Self.intent) else { return nil }
    return String(intent.dropFirst(Self.intent.count))
  }

  /// Sends the owner of the account to a provider for a fresh proof; back to the page where a sign-in there is none.
  static func prove(_ name: String, _ visit: inout Visit) async throws -> Step {
    guard let user = visit.signedIn?.user,
      providers(visit).contains(where: {
        $0.name.utf8.elementsEqual(name.utf8) && visit.reads.proves(user, $0, visit.call)
      })
    else { return .page(PagePath.reauthenticate) }
    return try await send(name, owner: user.id, &visit)
  }

  static func send(_ name: String, owner: UserID? = nil, _ visit: inout Visit) async throws -> Step {
    try visit.carry()
    let cookie = BrowserCookie(tenant: visit.call.tenant.name, isSecure: visit.isSecure)
    let token = cookie.token(visit.request)
    let start = try await BrowserSignIn.start(
      at: name, flow: visit.carried, owner: owner, isFresh: owner != nil || visit.flow.promptsAgain == true,
      visit.call.from(browser: token), visit.services)
    return .away(to: start, name: Label.provider(name), cookie: cookie.setting(token))
  }
}
