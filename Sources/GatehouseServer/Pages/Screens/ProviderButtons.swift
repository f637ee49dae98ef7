import GatehouseIdentity
import GatehousePolicy

/// The buttons of providers that people sign in with, below the form.
enum ProviderButtons {
  static let intent = "provider:"

  /// Providers that a browser can be sent to.
  private static func providers(_ policy: Policy) -> [Provider] {
    guard !policy.demandsAttestation(at: .federatedSignUp) else { return [] }
    return policy.providers.filter { $0.name != "password" && $0.use == .signIn && $0.clientID != nil }
  }

  static func pieces(_ visit: Visit) -> [Screen.Piece] {
    let providers = providers(visit.policy)
    guard !providers.isEmpty else { return [] }
    let line: [Screen.Piece] =
      visit.policy.hasPassword ? [.html("<p class=\"or\">\(visit.words.forms.or)</p>")] : []
    return line
      + providers.map { provider in
        .form(
          Form(
            button: visit.words.signIn.provider(Label.provider(provider.name)), style: .secondary,
            intent: intent + provider.name, action: visit.relative(PagePath.signIn)))
      }
  }

  static func send(_ name: String, _ visit: inout Visit) async throws -> Step {
    let cookie = BrowserCookie(tenant: visit.call.tenant.name, isSecure: visit.isSecure)
    let token = cookie.token(visit.request)
    let start = try await BrowserSignIn.start(
      at: name, flow: visit.flow.id, visit.call.from(browser: token), visit.services)
    return .away(to: start, name: Label.provider(name), cookie: cookie.setting(token))
  }
}
