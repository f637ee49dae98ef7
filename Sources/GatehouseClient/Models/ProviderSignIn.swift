/// The sign-in of a provider's own SDK, as a screen of the app starts it.
public struct ProviderSignIn: Sendable, Identifiable {
  /// The answer of the provider's SDK.
  public struct Token: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The ID token.
    public var idToken: String
    /// The nonce whose hash is in the ID token; nil where the SDK takes none.
    public var nonce: String?
    /// Values for the profile of a new account: the name that Apple tells once, for example.
    public var profile: Profile
    /// Shows no token.
    public var description: String { "ProviderSignIn.Token(…)" }
    /// Nothing within.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// A token.
    public init(idToken: String, nonce: String? = nil, profile: Profile = [:]) {
      (self.idToken, self.nonce, self.profile) = (idToken, nonce, profile)
    }
  }

  /// The provider's name in the policy.
  public let provider: String
  let token: @MainActor @Sendable (SignInNonce) async throws -> Token?
  /// The name.
  public var id: String { provider }

  /// `token` shows the SDK's screen. It returns nil where the person closed it, and throws where the SDK failed. The
  /// nonce is new for each sign-in; a token whose SDK takes none comes back without one.
  public init(_ provider: String, token: @escaping @MainActor @Sendable (SignInNonce) async throws -> Token?) {
    (self.provider, self.token) = (provider, token)
  }

  /// The token of one sign-in; nil where the person closed the SDK's screen. A failure of the SDK is `providerError`,
  /// and an `AuthError` stays what it is.
  @MainActor
  func run(for client: AuthClient) async throws(AuthError) -> Token? {
    do {
      return try await token(SignInNonce())
    } catch let error as AuthError {
      if error.code == .cancelled { return nil }
      throw error
    } catch is CancellationError {
      return nil
    } catch {
      throw await client.keeper.own(.providerError, of: provider)
    }
  }
}
