/// Proves anew who is there: same session, fresh `auth_time`.
public enum ReauthenticateEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/reauthenticate", 200, "Prove again who you are",
    refuses: .wrongPassword + .providerFailure + [.notFound, .refreshTokenInvalid])
  /// What a client has to know.
  public static let details: String? =
    "With refresh_token the token is exchanged as by POST /v1/token, under the same Idempotency-Key rules. Without it the answer has "
    + "no refresh token and the stored one stays good. A refresh token of another session is refused with refresh_token_invalid and "
    + "is not spent."

  /// What it takes: a password, or a provider with its ID token and nonce.
  public struct Input: Codable, Hashable, Sendable {
    /// The current password.
    public var password: String?
    /// A linked provider's name in the policy.
    public var provider: String?
    /// As the provider signed it just now.
    public var idToken: String?
    /// The raw nonce that it was asked with. Left out only where the policy says `nonce: optional`.
    public var nonce: String?
    /// The newest refresh token of this session, to be exchanged with it. No token is spent that is not here.
    public var refreshToken: String?

    /// By password.
    public init(password: String, refreshToken: String? = nil) {
      self.password = password
      self.refreshToken = refreshToken
    }

    /// By a provider.
    public init(provider: String, idToken: String, nonce: String? = nil, refreshToken: String? = nil) {
      self.provider = provider
      self.idToken = idToken
      self.nonce = nonce
      self.refreshToken = refreshToken
    }

    enum CodingKeys: String, CodingKey {
      case password, provider, nonce
      case idToken = "id_token"
      case refreshToken = "refresh_token"
    }
  }

  /// What it answers.
  public typealias Output = SessionAnswer
}
