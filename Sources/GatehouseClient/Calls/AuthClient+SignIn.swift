import Foundation
import GatehouseWire

extension AuthClient {
  /// Makes an account and signs in, or begins to wait until the address is confirmed (`awaitingEmail`). Account and
  /// profile are made together or not at all. A call that is repeated after a lost answer makes one account.
  @discardableResult
  public func signUp(email: String, password: String, profile: Profile = [:]) async throws(AuthError) -> AuthState {
    let input = SignUpEndpoint.Input(
      email: email, password: password, profile: profile.mapValues(\.wire), device: await device())
    return try await once(SignUpEndpoint.self, input) { key async throws(AuthError) -> AuthState in
      let answer = try await atDoor(.signUp, SignUpEndpoint.self, input, key: key)
      switch answer.content {
      case .signedIn(let session): return try await keeper.adopt(answer.with(session))
      case .pending(let pending):
        return await keeper.wait(for: PendingSignUp(email: email, signUpID: pending.signUpID))
      }
    }
  }

  /// Signs in with a password. Throws `mfaRequired` where a second factor is asked for: `AuthError.challenge` goes to
  /// `verifyMFA` then.
  @discardableResult
  public func signIn(email: String, password: String) async throws(AuthError) -> AuthState {
    let input = SignInEndpoint.Input(email: email, password: password, device: await device())
    return try await keeper.adopt(atDoor(.signIn, SignInEndpoint.self, input), mayUpgrade: true)
  }

  /// Signs in with a provider's ID token, as the provider's own SDK gives it to the app: `signIn(with: "google", …)`.
  /// An account that does not exist yet is made, with this profile. `nonce` is the value whose hash or text the token
  /// carries; nil where the provider's SDK made one that the app does not know, which the policy has to allow. Throws
  /// `mfaRequired` as a sign-in with a password does.
  @discardableResult
  public func signIn(with provider: String, idToken: String, nonce: String? = nil, profile: Profile = [:])
    async throws(AuthError) -> AuthState
  {
    let input = ProviderSignInEndpoint.Input(
      provider: provider, idToken: idToken, nonce: nonce,
      profile: profile.isEmpty ? nil : profile.mapValues(\.wire), device: await device())
    return try await keeper.adopt(atDoor(.provider, ProviderSignInEndpoint.self, input))
  }

  /// Signs out here, at once. The server is told when it can be reached.
  public func signOut() async {
    start()
    await keeper.signOut()
  }

  /// Signs out on other devices, or everywhere. Needs the server.
  public func signOut(_ scope: SignOutScope) async throws(AuthError) {
    let generation = try await generation()
    let input = SignOutEndpoint.Input(scope: scope.rawValue)
    _ = try await signedIn(SignOutEndpoint.self, input, of: generation, mayRepeat: true)
    if scope == .everywhere { await keeper.end(.byUser, generation) }
  }

  /// Proves again who the person is, for what asks for a recent proof (`reauthenticationRequired`). The session stays.
  /// A second factor may raise it: it goes on with new tokens then, and a push token is sent again, for the server has
  /// it under another id.
  ///
  /// A proof that had no answer is not sent again. Where the lost answer raised the session, the state becomes
  /// `signedOut(.revoked)`.
  public func reauthenticate(_ proof: Reauthentication) async throws(AuthError) {
    let input: ReauthenticateEndpoint.Input =
      switch proof {
      case .password(let password): .init(password: password)
      case .code(let code): .init(code: code)
      case .totp(let code): .init(totp: code)
      case .recoveryCode(let code): .init(recoveryCode: code)
      case .provider(let name, let idToken, let nonce): .init(provider: name, idToken: idToken, nonce: nonce)
      }
    let generation = try await generation()
    _ = try await join(ReauthenticateEndpoint.self, input, of: generation) { $0 }
  }

  /// Mails a code for `reauthenticate(.code(_:))` to the address of an account without a password. Returns how long to
  /// wait before the next. The code is good in this session.
  @discardableResult
  public func sendReauthenticationCode() async throws(AuthError) -> Duration {
    let generation = try await generation()
    return try await once(SendReauthenticationCodeEndpoint.self, Nothing(), of: generation) {
      key async throws(AuthError) -> Duration in
      let answer = try await signedIn(SendReauthenticationCodeEndpoint.self, Nothing(), of: generation, key: key)
      return .seconds(answer.content.resendAfter)
    }
  }

  /// The device as the server knows it. The record has to be read for that; where it cannot be, the call itself says
  /// so.
  func device() async -> Device? {
    start()
    try? await keeper.ready()
    let id = await keeper.ledger.record.deviceID
    return configuration.deviceName == nil && id == nil ? nil : Device(name: configuration.deviceName, id: id)
  }
}

/// The sessions that end.
public enum SignOutScope: String, Sendable, Hashable {
  /// Those of the person's other devices.
  case others
  /// All of the person's sessions, this one too.
  case everywhere = "all"
}

/// A fresh proof of a person's identity.
public enum Reauthentication: Sendable {
  /// By the account's password.
  case password(String)
  /// By the code that `AuthClient.sendReauthenticationCode()` mailed: for accounts without a password.
  case code(String)
  /// By six digits of an authenticator app: for accounts with a second factor.
  case totp(String)
  /// By a recovery code, which is used up by that.
  case recoveryCode(String)
  /// By a fresh ID token of a linked provider.
  case provider(String, idToken: String, nonce: String?)

  /// A way to a fresh proof, as `AuthError.methods` names it. The set is open: a later server may know more.
  public struct Method: RawRepresentable, Sendable, Hashable {
    /// The way's word.
    public var rawValue: String
    /// A way.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// By the account's password.
    public static let password = Method(rawValue: "password")
    /// By a fresh sign-in at a linked provider.
    public static let provider = Method(rawValue: "provider")
    /// By a mailed code.
    public static let code = Method(rawValue: "code")
    /// By six digits of an authenticator app.
    public static let totp = Method(rawValue: "totp")
    /// By a passkey: `AuthClient.startReauthentication()` has the options for it.
    public static let passkey = Method(rawValue: "passkey")
    /// By a recovery code.
    public static let recoveryCode = Method(rawValue: "recovery_code")
  }
}

/// Proofs show nothing.
extension Reauthentication: CustomStringConvertible, CustomReflectable {
  /// The kind alone.
  public var description: String {
    switch self {
    case .password: "Reauthentication.password(…)"
    case .code: "Reauthentication.code(…)"
    case .totp: "Reauthentication.totp(…)"
    case .recoveryCode: "Reauthentication.recoveryCode(…)"
    case .provider(let name, _, _): "Reauthentication.provider(\(name), …)"
    }
  }
  /// Nothing within.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Answer {
  /// The same answer, looked at more closely.
  func with<Other>(_ content: Other) -> Answer<Other> { Answer<Other>(content: content, sentAt: sentAt, date: date) }
}

extension SessionKeeper {
  /// A sign-up that waits for its address. It ends no session.
  func wait(for signUp: PendingSignUp) -> AuthState {
    change { record in if record.session == nil { record.signUp = signUp } }
    return board.state
  }
}
