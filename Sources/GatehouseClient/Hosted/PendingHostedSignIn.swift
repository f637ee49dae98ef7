import Foundation

/// A way through the hosted pages that was begun. It is kept in the record: the system may end the app while the person
/// is in the browser.
struct PendingHostedSignIn: Codable, Sendable, Equatable {
  var url: String
  var returnTo: String
  var state: String
  var verifier: String
  var expires: Date

  /// Seconds until a way is given up. Every page gives the person a quarter of an hour more; a sign-up that waits for
  /// its mail takes longer than the first one.
  static let seconds = 86_400.0

  /// A way that begins now.
  init(_ wish: HostedWish, _ configuration: AuthConfiguration) {
    (state, verifier) = (PKCE.secret(), PKCE.secret())
    returnTo = wish.returnTo.absoluteString
    url = wish.address(configuration, state: state, challenge: PKCE.challenge(of: verifier))
    expires = configuration.clock.now.addingTimeInterval(Self.seconds)
  }
}

/// The parameters of a flow on the hosted pages.
struct HostedWish {
  var returnTo: URL
  var screen: HostedScreen
  var loginHint: String?
  var promptsAgain: Bool

  /// The page to open. Parameters that say nothing are left out.
  func address(_ configuration: AuthConfiguration, state: String, challenge: String) -> String {
    let languages = QueryWords.languages(configuration.languages).joined(separator: " ")
    let parameters: [(name: String, value: String?)] = [
      ("continue", returnTo.absoluteString), ("state", state), ("code_challenge", challenge),
      ("code_challenge_method", "S256"), ("screen", screen == .signIn ? nil : screen.rawValue),
      ("login_hint", loginHint), ("ui_locales", languages), ("prompt", promptsAgain ? "login" : nil),
    ]
    let query = parameters.compactMap { name, value in
      value.flatMap { $0.isEmpty ? nil : "\(name)=\(QueryWords.escaped($0))" }
    }
    return configuration.base + "/ui/sign-in?" + query.joined(separator: "&")
  }
}

/// Ways hold a verifier: they show nothing.
extension PendingHostedSignIn: CustomStringConvertible, CustomReflectable {
  var description: String { "PendingHostedSignIn(…)" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
