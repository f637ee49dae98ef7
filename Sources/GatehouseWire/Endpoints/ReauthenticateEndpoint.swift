/// Proves anew who is there: same session, fresh `auth_time`.
package enum ReauthenticateEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/reauthenticate", 200, "Prove again who you are",
    refuses: .wrongPassword + .providerFailure + [.notFound, .refreshTokenInvalid])
  package static let details: String? =
    "With refresh_token the token is exchanged as by POST /v1/token, under the same Idempotency-Key rules. Without it the answer has "
    + "no refresh token and the stored one stays good. A refresh token of another session is refused with refresh_token_invalid and "
    + "is not spent."

  /// What it takes: a password, or a provider with its ID token and nonce.
  package struct Input: Codable, Hashable, Sendable {
    /// The current password.
    package var password: String?
    /// A linked provider's name in the policy.
    package var provider: String?
    /// The raw nonce that it was asked with. Left out only where the policy says `nonce: optional`.
    package var nonce: String?
    /// As the provider signed it just now.
    package var idToken: String?
    /// The newest refresh token of this session, to be exchanged with it. No token is spent that is not here.
    package var refreshToken: String?

    /// By password.
    package init(password: String, refreshToken: String? = nil) {
      (self.password, self.refreshToken) = (password, refreshToken)
    }

    /// By a provider.
    package init(provider: String, idToken: String, nonce: String? = nil, refreshToken: String? = nil) {
      (self.provider, self.idToken, self.nonce, self.refreshToken) = (provider, idToken, nonce, refreshToken)
    }
  }

  package typealias Output = SessionAnswer
}
