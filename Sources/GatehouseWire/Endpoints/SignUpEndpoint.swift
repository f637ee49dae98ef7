/// Makes an account and signs it in.
public enum SignUpEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/sign-up", 201, "Create an account and sign in",
    refuses: [.notFound, .validationFailed, .accountExists])

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The address; missing is a violation of `email.required`.
    public var email: String?
    /// The password; missing is a violation of `password.required`.
    public var password: String?
    /// Fields by the policy's names.
    public var profile: Profile?
    /// Names the session for the list of devices.
    public var device: Device?

    /// The whole of it.
    public init(email: String? = nil, password: String? = nil, profile: Profile? = nil, device: Device? = nil) {
      self.email = email
      self.password = password
      self.profile = profile
      self.device = device
    }
  }

  /// What it answers.
  public typealias Output = SignUpAnswer

  /// 202 as long as a mail has to be read first.
  public static func status(of output: SignUpAnswer) -> Int {
    switch output {
    case .signedIn: status
    case .pending: 202
    }
  }

  /// Those of the session.
  public static func warnings(of output: SignUpAnswer) -> [RuleWarning] {
    switch output {
    case .signedIn(let answer): answer.warnings
    case .pending: []
    }
  }
}
