/// An identity provider: how people sign in with it or link it.
public struct Provider: Sendable, Hashable {
  /// A use of a provider.
  public enum Use: String, Sendable, Hashable, CaseIterable {
    case signIn = "sign_in"
    case link
  }

  /// The way in which its proof reaches the server.
  public enum Flow: String, Sendable, Hashable, CaseIterable {
    /// Authorization code with PKCE (RFC 7636).
    case codePKCE = "code_pkce"
    /// The app hands over an ID token with a nonce.
    case idToken = "id_token"
  }

  /// Whether a request with an ID token names the nonce that the provider was asked with.
  public enum Nonce: String, Sendable, Hashable, CaseIterable {
    /// The request names it, and the token carries it.
    case required
    /// A request may leave it out: each token is then taken once, within ten minutes of its issue.
    case optional
  }

  /// The treatment of a provider's address that already has an account.
  public enum ExistingEmail: String, Sendable, Hashable, CaseIterable {
    case refuse
    case linkIfBothVerified = "link_if_both_verified"
  }

  /// The scopes that a complete link has.
  public enum RequireScopes: Sendable, Hashable {
    /// Nothing is required.
    case none
    /// Every one of `scopes`.
    case all
    case these([String])
  }

  /// The fate of the grant when the account's last session ends by a sign-out or is revoked.
  public enum OnSignOut: String, Sendable, Hashable, CaseIterable {
    case keep, drop
  }

  /// The storage of its tokens.
  public enum TokenStore: String, Sendable, Hashable, CaseIterable {
    case none, encrypted
  }

  /// The tokens that the app gets.
  public enum HandOut: String, Sendable, Hashable, CaseIterable {
    case none
    /// The app gets access tokens; the refresh token never leaves the server.
    case accessTokenOnly = "access_token_only"
  }

  /// Addresses of a generic provider. With `issuer` alone they are discovered (OpenID Connect Discovery).
  public struct Endpoints: Sendable, Hashable {
    /// `iss` of its tokens, and the base of discovery.
    public var issuer: String?
    /// Where browsers are sent.
    public var authorization: String?
    /// Where codes and refresh tokens are exchanged.
    public var token: String?
    /// Where claims are fetched.
    public var userinfo: String?
    /// Its keys.
    public var jwks: String?
    /// Where a grant is dropped (RFC 7009).
    public var revocation: String?

    /// The defaults are those of a file that is silent.
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
  /// The uses of the provider.
  public var use: Use
  /// The way in which its proof reaches the server.
  public var flow: Flow?
  /// Accepted `aud` of ID tokens.
  public var audiences: [String]
  /// Whether a request with an ID token names its nonce.
  public var nonce: Nonce
  /// Our name at the provider.
  public var clientID: String?
  /// Name of an entry of the server's secret store, never the secret.
  public var clientSecret: String?
  /// Registered there, byte-exact.
  public var redirectURIs: [String]
  /// The scopes that are requested.
  public var scopes: [String]
  /// The scopes that must be granted.
  public var requireScopes: RequireScopes
  /// Whether the provider signs a person in again when a fresh proof is asked for, and is held to its `auth_time`.
  public var requireAuthTime: Bool
  /// When it brings an address that already has an account.
  public var existingEmail: ExistingEmail
  /// Profile fields asked for after the first sign-in.
  public var promptFor: [String]
  /// The storage of its tokens.
  public var tokenStore: TokenStore
  /// The tokens that the app gets.
  public var handOut: HandOut
  /// Whether tokens are refreshed before they end, also while no app asks for them.
  public var keepWarm: Bool
  /// An account there is linked to one person here at most.
  public var oneAccountPerUser: Bool
  /// The fate of the grant at sign-out.
  public var onSignOut: OnSignOut
  /// The addresses of a generic provider.
  public var endpoints: Endpoints?
  /// Where the file says so.
  public let position: SourcePosition

  /// The defaults are those of a file that is silent.
  public init(
    name: String, use: Use, flow: Flow? = nil, audiences: [String] = [], nonce: Nonce = .required,
    clientID: String? = nil, clientSecret: String? = nil, redirectURIs: [String] = [], scopes: [String] = [],
    requireScopes: RequireScopes = .none, requireAuthTime: Bool = false, existingEmail: ExistingEmail = .refuse,
    promptFor: [String] = [],
    tokenStore: TokenStore = .none, handOut: HandOut = .none, keepWarm: Bool = false,
    oneAccountPerUser: Bool = false, onSignOut: OnSignOut = .keep, endpoints: Endpoints? = nil,
    position: SourcePosition = .none
  ) {
    self.name = name
    self.use = use
    self.flow = flow
    self.audiences = audiences
    self.nonce = nonce
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.redirectURIs = redirectURIs
    self.scopes = scopes
    self.requireScopes = requireScopes
    self.requireAuthTime = requireAuthTime
    self.existingEmail = existingEmail
    self.promptFor = promptFor
    self.tokenStore = tokenStore
    self.handOut = handOut
    self.keepWarm = keepWarm
    self.oneAccountPerUser = oneAccountPerUser
    self.onSignOut = onSignOut
    self.endpoints = endpoints
    self.position = position
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
