/// Exchanges a refresh token for the next pair of tokens.
package enum TokenEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/token", 200, "Rotate a refresh token",
    refuses: [.refreshTokenInvalid, .sessionRevoked, .accountDisabled])
  package static let details: String? =
    "Each refresh token is exchanged once. A client whose answer was lost sends the same token with the same Idempotency-Key again, "
    + "however late, and gets the same successor with a fresh access token, while that successor is unspent and the session lives. "
    + "Another key or none is answered alike within the policy's grace, and ends the session afterwards. account_disabled, "
    + "session_revoked and refresh_token_invalid say that the session is over; no other answer does."

  package struct Input: Codable, Hashable, Sendable {
    /// `user` adds the person's record to the answer.
    package var include: String?
    /// The newest refresh token.
    package var refreshToken: String?

    package init(refreshToken: String?, include: String? = nil) {
      (self.refreshToken, self.include) = (refreshToken, include)
    }
  }

  package typealias Output = SessionAnswer
}
