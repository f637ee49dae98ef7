/// Signs in, or up, with an ID token that an app got from a provider's own library.
public enum ProviderSignInEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/sign-in/{provider}", 200, "Sign in with a provider's ID token",
    refuses: .arrival + .providerFailure + [.notFound])

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The provider's name in the policy.
    public var provider: String
    /// As the provider signed it.
    public var idToken: String
    /// The nonce that the app asked the provider with: the raw value, also where the token carries its SHA-256. Left out only where
    /// the policy says `nonce: optional`; the token is then taken once, within ten minutes of its issue.
    public var nonce: String?
    /// For a new account: fields that the provider does not tell, or tells the app only (Apple's name, at the first time).
    public var profile: Profile?
    /// Names the session for the list of devices.
    public var device: Device?

    /// The whole of it.
    public init(
      provider: String, idToken: String, nonce: String? = nil, profile: Profile? = nil, device: Device? = nil
    ) {
      self.provider = provider
      self.idToken = idToken
      self.nonce = nonce
      self.profile = profile
      self.device = device
    }

    enum CodingKeys: String, CodingKey {
      case provider, nonce, profile, device
      case idToken = "id_token"
    }
  }

  /// What it answers.
  public typealias Output = SessionAnswer
}

/// Where to send a person, and for how long they are expected back.
public struct AuthorizationStart: Codable, Hashable, Sendable {
  /// To be opened in a browser.
  public var authorizationURL: String
  /// Seconds.
  public var expiresIn: Int

  /// The whole of it.
  public init(authorizationURL: String, expiresIn: Int) {
    self.authorizationURL = authorizationURL
    self.expiresIn = expiresIn
  }

  enum CodingKeys: String, CodingKey {
    case authorizationURL = "authorization_url"
    case expiresIn = "expires_in"
  }
}

/// Begins a sign-in in this browser. The answer sets a cookie, without which the sign-in can not be completed.
public enum StartBrowserSignInEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/sign-in/{provider}/start", 200, "Begin a sign-in with a provider in a browser",
    refuses: .providerFailure + [.notFound])

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The provider's name in the policy.
    public var provider: String
    /// Where the browser goes in the end, with `code` (or `error`) added: one of the policy's `app.continue`.
    public var continueTo: String
    /// The base64url SHA-256 of a verifier that the app keeps to itself (RFC 7636, S256).
    public var codeChallenge: String

    /// The whole of it.
    public init(provider: String, continueTo: String, codeChallenge: String) {
      self.provider = provider
      self.continueTo = continueTo
      self.codeChallenge = codeChallenge
    }

    enum CodingKeys: String, CodingKey {
      case provider
      case continueTo = "continue"
      case codeChallenge = "code_challenge"
    }
  }

  /// What it answers.
  public typealias Output = AuthorizationStart
}

/// Ends a sign-in in a browser: the app shows the code that it was handed, and that it is the app that began.
public enum CompleteBrowserSignInEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/sign-in/{provider}/complete", 200, "Finish a sign-in with a provider in a browser",
    refuses: .arrival + [.notFound, .codeInvalid])

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The provider's name in the policy.
    public var provider: String
    /// As the browser brought it; good for a minute and for one use.
    public var code: String
    /// What the challenge was made of: 43 to 128 characters.
    public var codeVerifier: String
    /// For a new account: fields that the provider does not tell.
    public var profile: Profile?
    /// Names the session for the list of devices.
    public var device: Device?

    /// The whole of it.
    public init(
      provider: String, code: String, codeVerifier: String, profile: Profile? = nil, device: Device? = nil
    ) {
      self.provider = provider
      self.code = code
      self.codeVerifier = codeVerifier
      self.profile = profile
      self.device = device
    }

    enum CodingKeys: String, CodingKey {
      case provider, code, profile, device
      case codeVerifier = "code_verifier"
    }
  }

  /// What it answers.
  public typealias Output = SessionAnswer
}
