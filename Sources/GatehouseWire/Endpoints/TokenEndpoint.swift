/// Exchanges a refresh token for the next pair of tokens.
public enum TokenEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/token", 200, "Rotate a refresh token",
    refuses: [.refreshTokenInvalid, .sessionRevoked, .accountDisabled])
  /// What a client has to know.
  public static let details: String? =
    "Each refresh token is exchanged once. A client whose answer was lost sends the same token with the same Idempotency-Key again, "
    + "however late, and gets the same successor with a fresh access token, while that successor is unspent and the session lives. "
    + "Another key or none is answered alike within the policy's grace, and ends the session afterwards. account_disabled, "
    + "session_revoked and refresh_token_invalid say that the session is over; no other answer does."

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The newest refresh token.
    public var refreshToken: String?
    /// `user` adds the person's record to the answer.
    public var include: String?

    /// The whole of it.
    public init(refreshToken: String?, include: String? = nil) {
      self.refreshToken = refreshToken
      self.include = include
    }

    enum CodingKeys: String, CodingKey {
      case include
      case refreshToken = "refresh_token"
    }
  }

  /// What it answers.
  public typealias Output = SessionAnswer
}
