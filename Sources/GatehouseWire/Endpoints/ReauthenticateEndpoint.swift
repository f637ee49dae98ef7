/// Proves anew who is there: same session, fresh `auth_time`.
public enum ReauthenticateEndpoint: Endpoint {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/v1/reauthenticate"
  /// The status of a success.
  public static let status = 200
  /// What it does.
  public static let summary = "Confirm the password again"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The current password.
    public var password: String

    /// The whole of it.
    public init(password: String) {
      self.password = password
    }
  }

  /// What it answers.
  public typealias Output = SessionAnswer
}
