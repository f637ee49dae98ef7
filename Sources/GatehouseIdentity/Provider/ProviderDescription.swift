package import GatehousePolicy

/// The description of an identity provider, as data: a provider is one file that fills this in.
package struct ProviderDescription: Sendable, Equatable {
  /// How it tells who a person is.
  package enum Base: Sendable, Equatable {
    /// By an ID token (OpenID Connect Core).
    case openIDConnect
    /// By an answer of its own to a client that shows an access token (RFC 6749 says nothing of people).
    case oauth2(UserInfoShape)
  }

  /// Where in the JSON of `userinfo` things are.
  package struct UserInfoShape: Sendable, Equatable {
    /// The member that names the account there, text or a whole number. It MUST be one that never passes to another
    /// person.
    package var subject: String
    package var email: String?
    /// A member that is `true` when it proved the address; nil where it never says so, and then no address counts as
    /// proven.
    package var emailVerified: String?
    /// Claims of OpenID Connect Core section 5.1, and the members they are taken from.
    package var claims: [String: String]

    package init(
      subject: String = "sub", email: String? = "email", emailVerified: String? = "email_verified",
      claims: [String: String] = ["name": "name", "picture": "picture"]
    ) {
      self.subject = subject
      self.email = email
      self.emailVerified = emailVerified
      self.claims = claims
    }
  }

  /// How the server proves itself at the token endpoint.
  package enum ClientSecret: Sendable, Equatable {
    /// It does not: a public client, with PKCE alone.
    case none
    /// A secret in the header `Authorization` (RFC 6749 section 2.3.1).
    case basic
    /// A secret in the form.
    case post
    /// A signed statement that is made from a key (Apple).
    case appleJWT
  }

  /// How a grant is given back.
  package enum Revocation: Sendable, Equatable {
    /// It can not be.
    case none
    /// RFC 7009.
    case standard
    /// `DELETE` of an address with `{client_id}` in it, the access token in a JSON body.
    case github
  }

  /// The name in the policy.
  package var name: String
  package var base: Base
  /// Spellings of `iss`; the first is the one that is stored.
  package var issuers: [String]
  /// The provider's addresses. Those that an OpenID provider leaves out are discovered at its issuer.
  package var endpoints: Provider.Endpoints
  /// Where releases before this one had it, so that what was sealed then still opens. Never of a provider whose
  /// addresses are the policy's.
  package var formerly: [Provider.Endpoints]
  /// The only hosts that are asked, in lower case. Discovery can not lead anywhere else.
  package var hosts: [String]
  package var clientSecret: ClientSecret
  package var revocation: Revocation
  /// Between scopes: a space, except for providers that read RFC 6749 section 3.3 otherwise.
  package var scopeSeparator: String
  /// Asked for where the policy asks for nothing.
  package var usualScopes: [String]
  /// Added to the address that a browser is sent to.
  package var parameters: [String: String]
  /// Added to it where the policy keeps tokens: without them some give no refresh token.
  package var offlineParameters: [String: String]
  /// Whether the provider honours `prompt=login` and `max_age`, and says in `auth_time` when its user signed in there
  /// (OpenID Connect Core section 3.1.2.1). No provider with a preset promises this.
  package var sendsAuthTime: Bool

  package init(
    name: String, base: Base, issuers: [String], endpoints: Provider.Endpoints, hosts: [String],
    clientSecret: ClientSecret, revocation: Revocation = .none, scopeSeparator: String = " ",
    usualScopes: [String] = [], parameters: [String: String] = [:],
    offlineParameters: [String: String] = [:], sendsAuthTime: Bool = false,
    formerly: [Provider.Endpoints] = []
  ) {
    self.name = name
    self.base = base
    self.issuers = issuers
    self.endpoints = endpoints
    self.hosts = hosts
    self.clientSecret = clientSecret
    self.revocation = revocation
    self.scopeSeparator = scopeSeparator
    self.usualScopes = usualScopes
    self.parameters = parameters
    self.offlineParameters = offlineParameters
    self.formerly = formerly
    self.sendsAuthTime = sendsAuthTime
  }

  /// Whether the provider signs ID tokens.
  package var isOpenIDConnect: Bool { base == .openIDConnect }
}
