/// A tenant's own words for refusals, pages and mails, instead of the server's.
public struct Messages: Sendable, Hashable {
  /// The codes of refusals that people meet, without those that only the HTTP layer or an operation of operators
  /// answers.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case validationFailed = "validation_failed"
    case invalidCredentials = "invalid_credentials"
    case accountExists = "account_exists"
    case accountDisabled = "account_disabled"
    case mfaRequired = "mfa_required"
    case tooManyAttempts = "too_many_attempts"
    case rateLimited = "rate_limited"
    case cooldown
    case overloaded
    case tenantDisabled = "tenant_disabled"
    case notFound = "not_found"
    case unauthenticated
    case tokenExpired = "token_expired"
    case forbidden
    case reauthenticationRequired = "reauthentication_required"
    case accessLimited = "access_limited"
    case refreshTokenInvalid = "refresh_token_invalid"
    case sessionRevoked = "session_revoked"
    case codeInvalid = "code_invalid"
    case codeExpired = "code_expired"
    case codeUsed = "code_used"
    case providerNotLinked = "provider_not_linked"
    case providerLinkBroken = "provider_link_broken"
    case providerScopesMissing = "provider_scopes_missing"
    case providerError = "provider_error"
    case providerUnavailable = "provider_unavailable"
    case providerTokenInvalid = "provider_token_invalid"
    case providerDenied = "provider_denied"
    case providerAccountTaken = "provider_account_taken"
    case lastSignInMethod = "last_sign_in_method"
    case attestRequired = "attest_required"
    case attestInvalid = "attest_invalid"
    case passkeyInvalid = "passkey_invalid"
    case passkeysUnavailable = "passkeys_unavailable"
    case conflict
    case `internal`
    case unknownOutcome = "unknown_outcome"
  }

  /// Text by language, by code.
  public var byCode: [Code: Texts]
  /// Text by language, by page and part of it.
  public var pages: [Page: [TextPart: Texts]] = [:]
  /// Text by language, by mail and part of it.
  public var mails: [Mail: [TextPart: Texts]] = [:]

  /// The server's words where the file is silent.
  public init(_ byCode: [Code: Texts] = [:]) { self.byCode = byCode }

  /// The tenant's text for a code of the API; nil where it has none.
  public subscript(code: String) -> Texts? { byCode.isEmpty ? nil : Code(rawValue: code).flatMap { byCode[$0] } }
}
