/// Signs in with a password.
public enum SignInEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/sign-in", 200, "Sign in with a password",
    refuses: .wrongPassword + [.notFound, .accountDisabled])

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The address.
    public var email: String
    /// The password.
    public var password: String
    /// Names the session for the list of devices.
    public var device: Device?

    /// The whole of it.
    public init(email: String, password: String, device: Device? = nil) {
      self.email = email
      self.password = password
      self.device = device
    }
  }

  /// What it answers.
  public typealias Output = SessionAnswer
}
