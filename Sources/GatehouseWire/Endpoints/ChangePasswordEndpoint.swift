/// Changes the caller's password and ends the other sessions.
public enum ChangePasswordEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/me/password", 204, "Change the password",
    refuses: .wrongPassword + [.notFound, .validationFailed])

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
