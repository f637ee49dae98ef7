package import GatehousePrimitives

/// Speaks with identity providers on a tenant's behalf. Nothing is asked of any host but the provider's own, over
/// https; no call takes longer than a few seconds; a provider that keeps failing is left alone for a while.
package protocol ProviderClient: Sendable {
  /// The description of the provider before any request to it: its issuer, its quirks. Throws `misconfigured` for one
  /// that the policy does not describe well enough.
  func description(of registration: ProviderRegistration) throws(ProviderFailure) -> ProviderDescription

  /// The keys that sign the provider's ID tokens; from memory, used for up to a day when it does not answer.
  ///
  /// `isKeyMissing` says that a token named a key that was not among them. Then the keys are fetched anew, though not
  /// more often than twice a minute, for all callers together.
  func keys(at registration: ProviderRegistration, isKeyMissing: Bool) async throws(ProviderFailure) -> VerificationKeys

  /// Where to send a browser.
  func authorizationURL(
    _ request: ProviderAuthorization, at registration: ProviderRegistration
  ) async throws(ProviderFailure) -> String

  /// Redeems a code. The request is sent once: a code that is lost on the way cannot be redeemed again.
  func exchange(
    _ code: ProviderCode, at registration: ProviderRegistration
  ) async throws(ProviderFailure) -> ProviderGrant

  /// A new access token for a refresh token. The caller MUST keep the new refresh token, where there is one, before
  /// anything else.
  func refresh(
    _ token: Secret<String>, at registration: ProviderRegistration
  ) async throws(ProviderFailure) -> ProviderGrant

  /// The user of an access token, as `userinfo` says. The issuer is always the provider's, even if the answer names
  /// another one.
  func user(
    _ accessToken: Secret<String>, at registration: ProviderRegistration
  ) async throws(ProviderFailure) -> ProviderUser

  /// Gives a grant back. False where the provider has no way to; what it does not know (any more) counts as given back.
  func revoke(_ grant: GrantedTokens, at registration: ProviderRegistration) async throws(ProviderFailure) -> Bool

  /// Why a secret is of no use at the provider, as far as that shows without asking it; nil where it may be right.
  func problem(of secret: Secret<[UInt8]>, at registration: ProviderRegistration) -> String?

  /// Asks the provider everything that can be asked without a person: for operators.
  func examine(_ registration: ProviderRegistration) async -> [ProviderFinding]
}

extension ProviderClient {
  /// A client that knows no form of secrets takes all of them.
  package func problem(of secret: Secret<[UInt8]>, at registration: ProviderRegistration) -> String? { nil }

  /// A client that asks the provider nothing finds nothing.
  package func examine(_ registration: ProviderRegistration) async -> [ProviderFinding] { [] }
}

/// A person on their way to a provider (RFC 6749 section 4.1.1, with PKCE always).
package struct ProviderAuthorization: Sendable {
  /// One of the policy's, byte-exact.
  package var redirectURI: String
  package var state: String
  /// The base64url SHA-256 of the verifier.
  package var challenge: String
  /// For ID tokens; providers that make none are not told.
  package var nonce: String?
  /// The scopes to ask for; the policy's, or the provider's usual ones, when nil.
  package var scopes: [String]?
  /// Whether the person has to sign in there anew: for providers that send `auth_time`.
  package var isFresh: Bool

  package init(
    redirectURI: String, state: String, challenge: String, nonce: String? = nil, scopes: [String]? = nil,
    isFresh: Bool = false
  ) {
    self.isFresh = isFresh
    self.redirectURI = redirectURI
    self.state = state
    self.challenge = challenge
    self.nonce = nonce
    self.scopes = scopes
  }
}

/// The answer that a user brought back from a provider.
package struct ProviderCode: Sendable {
  package var code: Secret<String>
  /// The verifier whose SHA-256 the challenge was.
  package var verifier: Secret<String>
  /// The one that was asked with.
  package var redirectURI: String

  package init(code: Secret<String>, verifier: Secret<String>, redirectURI: String) {
    self.code = code
    self.verifier = verifier
    self.redirectURI = redirectURI
  }
}

/// The tokens of a grant that is kept.
package struct GrantedTokens: Sendable {
  package var accessToken: Secret<String>
  package var refreshToken: Secret<String>?

  package init(accessToken: Secret<String>, refreshToken: Secret<String>? = nil) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
  }
}
