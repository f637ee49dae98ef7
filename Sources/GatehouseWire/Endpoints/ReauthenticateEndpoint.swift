/// Proves anew who is there: same session, fresh `auth_time`.
public enum ReauthenticateEndpoint: Endpoint {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/v1/reauthenticate"
  /// The status of a success.
  public static let status = 200
  /// What it does.
  public static let summary = "Prove again who you are"

  /// What it takes: a password, or a provider with its ID token and nonce.
  public struct Input: Codable, Hashable, Sendable {
    /// The current password.
    public var password: String?
    /// A linked provider's name in the policy.
    public var provider: String?
    /// As the provider signed it just now.
    public var idToken: String?
    /// The raw nonce that it was asked with. Left out only where the policy says `nonce: optional`.
    public var nonce: String?

    /// By password.
    public init(password: String) {
      self.password = password
    }

    /// By a provider.
    public init(provider: String, idToken: String, nonce: String? = nil) {
      self.provider = provider
      self.idToken = idToken
      self.nonce = nonce
    }

    enum CodingKeys: String, CodingKey {
      case password, provider, nonce
      case idToken = "id_token"
    }
  }

  /// What it answers.
  public typealias Output = SessionAnswer
}
