/// Ends sessions.
public enum SignOutEndpoint: Endpoint {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/v1/sign-out"
  /// The status of a success.
  public static let status = 204
  /// What it does.
  public static let summary = "Sign out here, elsewhere or everywhere"

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
