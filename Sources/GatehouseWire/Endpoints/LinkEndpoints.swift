/// Begins to link an account at a provider to the caller's.
public enum StartLinkEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/me/links/{provider}", 200, "Begin to link an account at a provider",
    refuses: .providerFailure + [.notFound, .reauthenticationRequired])

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The provider's name in the policy.
    public var provider: String
    /// Where the provider sends the person back to: one of the policy's `redirect_uris`, the first if none is given.
    /// Back at this server the browser that began is recognised by a cookie; an app that is opened itself hands the
    /// address over (`complete`).
    public var redirectURI: String?

    /// The whole of it.
    public init(provider: String, redirectURI: String? = nil) {
      self.provider = provider
      self.redirectURI = redirectURI
    }

    enum CodingKeys: String, CodingKey {
      case provider
      case redirectURI = "redirect_uri"
    }
  }

  /// What it answers.
  public typealias Output = AuthorizationStart
}

/// Links an account at a provider: by the address that the app was opened with, or by an ID token.
public enum CompleteLinkEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/me/links/{provider}/complete", 200, "Link an account at a provider",
    refuses: .providerFailure + [
      .notFound, .codeInvalid, .reauthenticationRequired, .validationFailed, .providerDenied, .providerScopesMissing,
      .providerAccountTaken,
    ])
  /// What a client has to know.
  public static let details: String? = AccessRise.details

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The provider's name in the policy.
    public var provider: String
    /// The whole address that the app was opened with.
    public var callbackURL: String?
    /// In its place: as the provider signed it, and the nonce that it was asked with.
    public var idToken: String?
    /// With an ID token. Left out only where the policy says `nonce: optional`.
    public var nonce: String?

    /// The whole of it.
    public init(provider: String, callbackURL: String? = nil, idToken: String? = nil, nonce: String? = nil) {
      self.provider = provider
      self.callbackURL = callbackURL
      self.idToken = idToken
      self.nonce = nonce
    }

    enum CodingKeys: String, CodingKey {
      case provider, nonce
      case callbackURL = "callback_url"
      case idToken = "id_token"
    }
  }

  /// What it answers.
  public typealias Output = MeAnswer
}

/// Removes a link, and with it what the provider gave.
public enum UnlinkEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .delete, "/v1/me/links/{provider}", 204, "Remove a linked account",
    refuses: .freshProof + [.providerNotLinked, .lastSignInMethod])

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The provider's name in the policy.
    public var provider: String
    /// The current password, unless the sign-in is recent.
    public var password: String?

    /// The whole of it.
    public init(provider: String, password: String? = nil) {
      self.provider = provider
      self.password = password
    }
  }

  /// What it answers.
  public typealias Output = Nothing
}
