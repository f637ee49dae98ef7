/// An identity provider: how people sign in with it or link it.
public struct Provider: Sendable, Hashable {
  public enum Use: String, Sendable, Hashable, CaseIterable {
    case signIn = "sign_in"
    case link
  }

  public enum Flow: String, Sendable, Hashable, CaseIterable {
    /// Authorization code with PKCE (RFC 7636).
    case codePKCE = "code_pkce"
    /// The app hands over an ID token with a nonce.
    case idToken = "id_token"
  }

  /// What to do when a provider brings an address that already has an account.
  public enum ExistingEmail: String, Sendable, Hashable, CaseIterable {
    case refuse
    case linkIfBothVerified = "link_if_both_verified"
  }

  public enum RequireScopes: Sendable, Hashable {
    /// Nothing is required.
    case none
    /// Every one of `scopes`.
    case all
    case these([String])
  }

  public enum OnSignOut: String, Sendable, Hashable, CaseIterable {
    case keep, drop
  }

  public enum TokenStore: String, Sendable, Hashable, CaseIterable {
    case none, encrypted
  }

  public enum HandOut: String, Sendable, Hashable, CaseIterable {
    case none
    /// The app gets access tokens; the refresh token never leaves the server.
    case accessTokenOnly = "access_token_only"
  }

  /// Addresses of a generic provider. With `issuer` alone they are discovered (OpenID Connect Discovery).
  public struct Endpoints: Sendable, Hashable {
    public var issuer: String?
    public var authorization: String?
    public var token: String?
    public var userinfo: String?
    public var jwks: String?
    public var revocation: String?

    public init(
      issuer: String? = nil, authorization: String? = nil, token: String? = nil, userinfo: String? = nil,
      jwks: String? = nil, revocation: String? = nil
    ) {
      self.issuer = issuer
      self.authorization = authorization
      self.token = token
      self.userinfo = userinfo
      self.jwks = jwks
      self.revocation = revocation
    }
  }

  /// `password`, `google`, `spotify`, or the operator's name for a generic one.
  public let name: String
  public var use: Use
  public var flow: Flow?
  /// Accepted `aud` of ID tokens.
  public var audiences: [String]
  public var clientID: String?
  /// Name of an entry of the server's secret store, never the secret.
  public var clientSecret: String?
  public var redirectURIs: [String]
  public var scopes: [String]
  public var requireScopes: RequireScopes
  public var existingEmail: ExistingEmail
  /// Profile fields asked for after the first sign-in.
  public var promptFor: [String]
  public var tokenStore: TokenStore
  public var handOut: HandOut
  public var oneAccountPerUser: Bool
  public var onSignOut: OnSignOut
  public var endpoints: Endpoints?
  public let location: Location

  public init(
    name: String, use: Use, flow: Flow? = nil, audiences: [String] = [], clientID: String? = nil,
    clientSecret: String? = nil, redirectURIs: [String] = [], scopes: [String] = [],
    requireScopes: RequireScopes = .none, existingEmail: ExistingEmail = .refuse, promptFor: [String] = [],
    tokenStore: TokenStore = .none, handOut: HandOut = .none, oneAccountPerUser: Bool = false,
    onSignOut: OnSignOut = .keep, endpoints: Endpoints? = nil, location: Location = .none
  ) {
    self.name = name
    self.use = use
    self.flow = flow
    self.audiences = audiences
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.redirectURIs = redirectURIs
    self.scopes = scopes
    self.requireScopes = requireScopes
    self.existingEmail = existingEmail
    self.promptFor = promptFor
    self.tokenStore = tokenStore
    self.handOut = handOut
    self.oneAccountPerUser = oneAccountPerUser
    self.onSignOut = onSignOut
    self.endpoints = endpoints
    self.location = location
  }

  /// Required scopes that `granted` lacks, in the file's order.
  public func missingScopes(granted: some Collection<String>) -> [String] {
    let required: [String]
    switch requireScopes {
    case .none: return []
    case .all: required = scopes
    case .these(let some): required = some
    }
    return required.filter { !granted.contains($0) }
  }
}
