/// Ends sessions.
public enum SignOutEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(.post, "/v1/sign-out", 204, "Sign out here, elsewhere or everywhere")

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// `this` (default), `others` or `all`.
    public var scope: String?
    /// Serves instead of an access token that has expired.
    public var refreshToken: String?

    /// The whole of it.
    public init(scope: String? = nil, refreshToken: String? = nil) {
      self.scope = scope
      self.refreshToken = refreshToken
    }

    enum CodingKeys: String, CodingKey {
      case scope
      case refreshToken = "refresh_token"
    }
  }

  /// What it answers.
  public typealias Output = Nothing
}
