package import GatehousePrimitives

/// The answer of a provider to a code or a refresh token (RFC 6749 section 5.1).
package struct ProviderGrant: Sendable {
  package var accessToken: Secret<String>
  /// Absent in the answer to a refresh token that stays good.
  package var refreshToken: Secret<String>?
  /// Seconds from the answer on, from 0 to a year; nil where the provider does not say.
  package var expiresIn: Int?
  /// The granted scopes, where the provider names them; nil means the requested ones.
  package var scopes: [String]?
  /// Not verified yet.
  package var idToken: Secret<String>?

  package init(
    accessToken: Secret<String>, refreshToken: Secret<String>? = nil, expiresIn: Int?, scopes: [String]? = nil,
    idToken: Secret<String>? = nil
  ) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expiresIn = expiresIn
    self.scopes = scopes
    self.idToken = idToken
  }
}

/// Why a provider was of no help. No text holds anything that it said.
package enum ProviderFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// It does not answer, is failing, or limits us; seconds after which it may be asked again, at most an hour.
  case unavailable(retryAfter: Int?)
  /// It refuses what was shown to it, with a code of RFC 6749 section 5.2.
  case refused(Refused)
  /// The answer is malformed; the value names the part.
  case garbage(String)
  /// Nothing was asked: what is missing here.
  case misconfigured(String)

  /// Codes of RFC 6749 section 5.2; every other is `other`.
  package enum Refused: String, Sendable, CaseIterable {
    /// The code or the refresh token is used, withdrawn or another client's: asking again does not help.
    case invalidGrant = "invalid_grant"
    case invalidClient = "invalid_client"
    case invalidRequest = "invalid_request"
    case invalidScope = "invalid_scope"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedGrantType = "unsupported_grant_type"
    case other
  }

  package var description: String {
    switch self {
    case .unavailable: "the provider does not answer"
    case .refused(let code): "the provider refuses: \(code.rawValue)"
    case .garbage(let what): "the provider's answer makes no sense: \(what)"
    case .misconfigured(let what): "not set up: \(what)"
    }
  }
}
