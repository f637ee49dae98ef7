/// A fresh access token of a linked provider, for the app to use there. What it was made from never leaves the server.
public enum ProviderTokenEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/me/links/{provider}/token", 200, "Get a fresh access token of a linked provider",
    refuses: [
      .notFound, .accessLimited, .providerNotLinked, .providerLinkBroken, .providerError, .providerUnavailable,
    ])

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The provider's name in the policy.
    public var provider: String

    /// The whole of it.
    public init(provider: String) { self.provider = provider }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// For the provider's own API.
    public var accessToken: String
    /// Always `Bearer` (RFC 6750).
    public var tokenType: String
    /// Seconds that it is good for, at least a minute unless the provider makes shorter ones; absent where the provider does not say.
    public var expiresIn: Int?
    /// What the person allowed.
    public var scopes: [String]

    /// The whole of it.
    public init(accessToken: String, tokenType: String = "Bearer", expiresIn: Int?, scopes: [String]) {
      self.accessToken = accessToken
      self.tokenType = tokenType
      self.expiresIn = expiresIn
      self.scopes = scopes
    }

    enum CodingKeys: String, CodingKey {
      case scopes
      case accessToken = "access_token"
      case tokenType = "token_type"
      case expiresIn = "expires_in"
    }
  }
}
