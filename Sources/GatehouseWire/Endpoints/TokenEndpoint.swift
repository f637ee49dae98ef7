/// Exchanges a refresh token for the next pair of tokens, or the code of the hosted pages for a session.
package enum TokenEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/token", 200, "Exchange a refresh token, or a code of the hosted pages",
    refuses: .opening + [.refreshTokenInvalid, .sessionRevoked, .codeInvalid])
  package static let details: String? =
    "Takes exactly one of refresh_token and code. "
    + "Each refresh token is exchanged once. A client whose answer was lost sends the same token with the same Idempotency-Key again, "
    + "however late, and gets the same successor with a fresh access token, while that successor is unspent and the session lives. "
    + "Another key or none is answered alike within the policy's grace, and ends the session afterwards. account_disabled, "
    + "session_revoked and refresh_token_invalid say that the session is over; no other answer does. "
    + "A code is what the hosted pages handed to the app's address. It opens a session of its own, once and within a minute, for the "
    + "app that knows code_verifier, and is answered as a sign-in is, with user and device. code_verifier and device go with a code "
    + "alone, include with a refresh token alone."

  package struct Input: Codable, Hashable, Sendable {
    /// As the address brought it that the hosted pages sent the person back to: `gh_hb_…`.
    package var code: String?
    /// With a refresh token: `user` adds the person's record to the answer.
    package var include: String?
    /// With a code: names the session for the list of devices.
    package var device: Device?
    /// The newest refresh token.
    package var refreshToken: String?
    /// With a code: what the challenge was made of, 43 to 128 unreserved characters (RFC 7636, section 4.1).
    package var codeVerifier: String?

    /// A refresh token to exchange.
    package init(refreshToken: String?, include: String? = nil) {
      (self.refreshToken, self.include) = (refreshToken, include)
    }

    /// A code to redeem.
    package init(code: String, codeVerifier: String, device: Device? = nil) {
      (self.code, self.codeVerifier, self.device) = (code, codeVerifier, device)
    }
  }

  package typealias Output = SessionAnswer
}
