/// The screen of a state: what an app's root shows.
public enum AuthScreen: Sendable, Hashable {
  /// The store was not read yet: the launch screen.
  case starting
  /// The owner of the device opens the session.
  case unlock
  /// No session: sign-in, with the ways to a new account and to another password.
  case signIn
  /// The address is to be confirmed.
  case verifyEmail
  /// Another address is needed.
  case changeEmail
  /// The password has to be changed.
  case changePassword
  /// A second factor has to be added.
  case enrollMFA
  /// A second factor has to be used.
  case verifyMFA
  /// An account at this provider is to be linked.
  case link(String)
  /// This profile field needs a value.
  case profile(String)
  /// A step of a newer server, with its sentence.
  case other(AuthStep)
  /// The app itself.
  case app
}

extension AuthState {
  /// The screen of this state. Of several steps the first one counts.
  public var screen: AuthScreen {
    switch self {
    case .restoring: .starting
    case .locked: .unlock
    case .signedOut: .signIn
    case .awaitingEmail: .verifyEmail
    case .signedIn: .app
    case .limited(_, let next): next.first.map(\.screen) ?? .app
    }
  }
}

extension AuthStep {
  fileprivate var screen: AuthScreen {
    switch kind {
    case .verifyEmail: .verifyEmail
    case .changeEmail: .changeEmail
    case .changePassword: .changePassword
    case .enrollMFA: .enrollMFA
    case .verifyMFA: .verifyMFA
    case .link(let provider): .link(provider)
    case .profile(let field): .profile(field)
    case .unknown: .other(self)
    }
  }
}
