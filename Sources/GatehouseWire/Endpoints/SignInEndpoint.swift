/// Signs in with a password.
public enum SignInEndpoint: Endpoint {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/v1/sign-in"
  /// The status of a success.
  public static let status = 200
  /// What it does.
  public static let summary = "Sign in with a password"

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
