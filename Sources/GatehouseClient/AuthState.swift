/// The authentication state of a person.
public enum AuthState: Sendable, Hashable {
  /// The store was not read yet, or cannot be read now: a device before its first unlock, for example.
  case restoring
  /// A session is on this device, and the owner of the device has to open it first: see `AuthClient.unlock()`. Only
  /// with `AuthConfiguration.unlock`.
  case locked
  /// No session.
  case signedOut(SignedOutReason)
  /// A sign-up waits until the address is confirmed by mail. There is no session yet.
  case awaitingEmail(String)
  /// A session whose access is limited until everything in `next` is done.
  case limited(AuthUser, next: [AuthStep])
  /// A session with full access.
  case signedIn(AuthUser)

  /// The person of the session, with limited or full access.
  public var user: AuthUser? {
    switch self {
    case .restoring, .locked, .signedOut, .awaitingEmail: nil
    case .limited(let user, _), .signedIn(let user): user
    }
  }

  /// The case's name, for logs.
  var name: String {
    switch self {
    case .restoring: "restoring"
    case .locked: "locked"
    case .signedOut(let reason): "signedOut.\(reason.rawValue)"
    case .awaitingEmail: "awaitingEmail"
    case .limited: "limited"
    case .signedIn: "signedIn"
    }
  }
}

/// The reason for which there is no session.
public enum SignedOutReason: String, Sendable, Hashable, Codable, CaseIterable {
  /// There was none on this device.
  case never
  /// The person signed out here.
  case byUser
  /// The session's time ran out, or what was stored of it cannot be read any more.
  case expired
  /// The session was ended elsewhere: on another device, by an operator, by a new password, or with the account.
  case revoked
  /// The account is disabled.
  case disabled
  /// The account was deleted by this client.
  case deleted
  /// Another process of the app removed the session.
  case elsewhere
  /// The address is confirmed; the person signs in now.
  case confirmed
}

extension AuthClient {
  /// The sentence for a person who was signed out for this reason; nil where there is nothing to say.
  public func sentence(for reason: SignedOutReason) -> String? {
    Sentences.text(reason, languages: configuration.languages)
  }
}

/// Something that a person has to do for full access. A step of a newer server is `unknown` to this version, and keeps
/// the server's word and sentence.
public struct AuthStep: Sendable, CustomStringConvertible {
  /// The kinds of steps, for a `switch`.
  public enum Kind: Sendable, Hashable {
    /// The address has to be confirmed.
    case verifyEmail
    /// The account needs an address, or another one.
    case changeEmail
    /// The password has to be changed.
    case changePassword
    /// A second factor has to be added.
    case enrollMFA
    /// A second factor has to be used in this session.
    case verifyMFA
    /// An account at this provider has to be linked.
    case link(String)
    /// This profile field needs a value.
    case profile(String)
    /// A step of a newer server: show its `message`.
    case unknown
  }

  /// The server's word: `verify_email`, `link:spotify`, `profile:username`, `change_password`, `enroll_mfa`.
  public var need: String
  /// The server's sentence for the person, in the person's language.
  public var message: String?

  /// A step.
  public init(need: String, message: String? = nil) {
    self.need = need
    self.message = message
  }

  /// The kind of the step; `unknown` where this version does not know it.
  public var kind: Kind {
    if let provider { return .link(provider) }
    if let field { return .profile(field) }
    return AuthStep.kinds[need] ?? .unknown
  }

  private static let kinds: [String: Kind] = [
    "verify_email": .verifyEmail, "change_email": .changeEmail, "change_password": .changePassword,
    "enroll_mfa": .enrollMFA, "verify_mfa": .verifyMFA,
  ]

  /// The address has to be confirmed.
  public static let verifyEmail = AuthStep(need: "verify_email")
  /// The account needs an address, or another one.
  public static let changeEmail = AuthStep(need: "change_email")
  /// The password has to be changed.
  public static let changePassword = AuthStep(need: "change_password")
  /// A second factor has to be added: `AuthClient.startTOTP(name:)`.
  public static let enrollMFA = AuthStep(need: "enroll_mfa")
  /// A second factor has to be used in this session: `AuthClient.reauthenticate(_:)`.
  public static let verifyMFA = AuthStep(need: "verify_mfa")
  /// An account at this provider has to be linked.
  public static func link(_ provider: String) -> AuthStep { AuthStep(need: "link:\(provider)") }
  /// This profile field needs a value.
  public static func profile(_ field: String) -> AuthStep { AuthStep(need: "profile:\(field)") }

  /// The provider to be linked, where that is the step.
  public var provider: String? { argument(of: "link:") }
  /// The profile field that needs a value, where that is the step.
  public var field: String? { argument(of: "profile:") }
  /// The server's word.
  public var description: String { need }

  private func argument(of prefix: String) -> String? {
    need.hasPrefix(prefix) ? String(need.dropFirst(prefix.count)) : nil
  }
}

/// Steps are the same when they need the same; the sentence depends on the language.
extension AuthStep: Hashable {
  /// Compares what is needed.
  public static func == (one: AuthStep, other: AuthStep) -> Bool { one.need == other.need }
  /// Hashes what is needed.
  public func hash(into hasher: inout Hasher) { hasher.combine(need) }
}
