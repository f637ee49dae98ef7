/// A fresh access token of a linked provider, for the app to use there. The refresh token never leaves the server.
package enum ProviderTokenEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/me/links/{provider}/token", 200, "Get a fresh access token of a linked provider",
    refuses: [
      .notFound, .accessLimited, .providerNotLinked, .providerLinkBroken, .providerError, .providerUnavailable,
    ])

  package struct Input: Codable, Hashable, Sendable {
    /// The provider's name in the policy.
    package var provider: String

    package init(provider: String) { self.provider = provider }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The scopes that the person granted.
    package var scopes: [String]
    /// For the provider's own API.
    package var accessToken: String
    /// Always `Bearer` (RFC 6750).
    package var tokenType: String
    /// Seconds that it is good for, at least a minute unless the provider makes shorter ones; absent where the provider
    /// does not say.
    package var expiresIn: Int?

    package init(accessToken: String, tokenType: String = "Bearer", expiresIn: Int?, scopes: [String]) {
      (self.accessToken, self.tokenType, self.expiresIn, self.scopes) = (accessToken, tokenType, expiresIn, scopes)
    }
  }
}
