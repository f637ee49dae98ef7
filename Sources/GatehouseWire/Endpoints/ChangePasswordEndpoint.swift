/// Changes the caller's password and ends the other sessions.
public enum ChangePasswordEndpoint: Endpoint {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/v1/me/password"
  /// The status of a success.
  public static let status = 204
  /// What it does.
  public static let summary = "Change the password"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The password until now.
    public var currentPassword: String
    /// The new one.
    public var password: String

    /// The whole of it.
    public init(currentPassword: String, password: String) {
      self.currentPassword = currentPassword
      self.password = password
    }

    enum CodingKeys: String, CodingKey {
      case password
      case currentPassword = "current_password"
    }
  }

  /// What it answers.
  public typealias Output = Nothing
}
