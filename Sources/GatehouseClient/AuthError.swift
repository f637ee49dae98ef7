public import Foundation

/// The reason for which a call failed, with the sentence to show.
public struct AuthError: LocalizedError, Sendable, Hashable {
  /// The reason. Codes of later servers are kept as they come.
  public var code: Code
  /// The sentence for the person.
  public var message: String
  /// Each rule that was broken, in the policy's order.
  public var violations: [Violation]
  /// With `accessLimited`: what would lift the limit.
  public var next: [AuthStep]
  /// The provider that the refusal is about.
  public var provider: String?
  /// With `reauthenticationRequired`: the ways to a fresh proof that are open to the account.
  public var methods: [Reauthentication.Method]
  /// With `mfaRequired`: what `AuthClient.verifyMFA` completes the sign-in with.
  public var challenge: MFAChallenge?
  /// With a refused answer under a challenge that a passkey can answer: the options of the next try.
  public var passkey: PasskeyRequest?
  /// The time to wait before the same call is made again.
  public var retryAfter: Duration?
  /// Finds the request in the server's log.
  public var requestID: String?

  /// An error.
  public init(
    _ code: Code, message: String? = nil, violations: [Violation] = [], next: [AuthStep] = [],
    provider: String? = nil, methods: [Reauthentication.Method] = [], challenge: MFAChallenge? = nil,
    retryAfter: Duration? = nil, requestID: String? = nil
  ) {
    self.code = code
    self.message = message ?? Sentences.text(code, languages: ["en"])
    self.violations = violations
    self.next = next
    self.provider = provider
    self.methods = methods
    self.challenge = challenge
    self.retryAfter = retryAfter
    self.requestID = requestID
  }

  /// The sentence for the person.
  public var errorDescription: String? { message }

  /// The first broken rule about an input: `email`, `password`, or a profile field's name.
  public func violation(of input: String) -> Violation? { violations.first { $0.input == input } }

  /// One broken rule.
  public struct Violation: Sendable, Hashable {
    /// The input that it is about: `email`, `password`, or a profile field's name.
    public var input: String
    /// The rule's id, which never changes: `password.min8`.
    public var rule: String
    /// A row of a checklist: `At least 8 characters`.
    public var message: String
    /// A sentence that stands alone: `Password must be at least 8 characters.`
    public var sentence: String

    /// A broken rule.
    public init(input: String, rule: String, message: String, sentence: String? = nil) {
      self.input = input
      self.rule = rule
      self.message = message
      self.sentence = sentence ?? message
    }
  }

  /// A reason. The set is open: compare with the constants, and treat the rest by `message`.
  public struct Code: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible,
    ExpressibleByStringLiteral
  {
    /// The code's word.
    public var rawValue: String
    /// A code.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A code.
    public init(stringLiteral value: String) { rawValue = value }
    /// The code's word.
    public var description: String { rawValue }
  }
}

extension AuthError.Code {
  // The client's own.
  /// No answer of the server arrived: no network, a time-out, or an answer that is not the server's.
  public static let network: Self = "network"
  /// The store cannot be read or written now.
  public static let storage: Self = "storage"
  /// The app was built without the right to a key chain (`errSecMissingEntitlement`). Its developer adds the capability
  /// *Keychain Sharing* in Xcode and signs the app; its users can do nothing.
  public static let storageNotEntitled: Self = "storage_not_entitled"
  /// The session is locked: the owner of the device did not open it while the call waited.
  public static let locked: Self = "locked"
  /// The session stays locked: the proof was not that of the owner of the device.
  public static let unlockFailed: Self = "unlock_failed"
  /// The session stays locked: the device has neither biometrics nor a passcode.
  public static let unlockUnavailable: Self = "unlock_unavailable"
  /// The call was cancelled.
  public static let cancelled: Self = "cancelled"
  /// The server's answer cannot be understood.
  public static let unknown: Self = "unknown"
  /// The answer of the passkey could not be verified.
  public static let passkeyInvalid: Self = "passkey_invalid"
  /// The app has no passkeys at this server.
  public static let passkeysUnavailable: Self = "passkeys_unavailable"
  /// The policy demands an attested app, and this device cannot attest. The person uses another device.
  public static let attestUnsupported: Self = "attest_unsupported"
  /// The device could not attest the app now: Apple's servers gave no answer, or the system failed.
  public static let attestUnavailable: Self = "attest_unavailable"
  /// The hosted pages named another address of the server than the configuration has, such as `localhost` in place of
  /// `127.0.0.1`, and their answer was not taken. The app's developer gives `AuthConfiguration.server` and the server's
  /// `public_url` the same address; `message` names both.
  public static let serverAddressDiffers: Self = "server_address_differs"
  /// An input that the form needs is empty. Only models say it, as the rule of a violation.
  public static let missing: Self = "missing"
  /// The two inputs of a new password differ. Only models say it.
  public static let passwordsDiffer: Self = "passwords_differ"

  // The server's, of those an app tells apart.
  /// Rules were broken: see `violations`.
  public static let validationFailed: Self = "validation_failed"
  /// No such account, or a wrong password.
  public static let invalidCredentials: Self = "invalid_credentials"
  /// The address is registered.
  public static let accountExists: Self = "account_exists"
  /// The account is disabled.
  public static let accountDisabled: Self = "account_disabled"
  /// Too many wrong passwords.
  public static let tooManyAttempts: Self = "too_many_attempts"
  /// Too many requests.
  public static let rateLimited: Self = "rate_limited"
  /// A mail was sent a moment ago.
  public static let cooldown: Self = "cooldown"
  /// No session.
  public static let unauthenticated: Self = "unauthenticated"
  /// The access token's time ran out.
  public static let tokenExpired: Self = "token_expired"
  /// The session was ended.
  public static let sessionRevoked: Self = "session_revoked"
  /// The refresh token is unknown or its time ran out.
  public static let refreshTokenInvalid: Self = "refresh_token_invalid"
  /// The person may not do this.
  public static let forbidden: Self = "forbidden"
  /// The person has to prove again who they are: see `AuthClient.reauthenticate(_:)`.
  public static let reauthenticationRequired: Self = "reauthentication_required"
  /// Full access is needed: see `next`.
  public static let accessLimited: Self = "access_limited"
  /// A wrong code.
  public static let codeInvalid: Self = "code_invalid"
  /// A code whose time ran out.
  public static let codeExpired: Self = "code_expired"
  /// A code that was used.
  public static let codeUsed: Self = "code_used"
  /// The person left the hosted pages without signing in.
  public static let accessDenied: Self = "access_denied"
  /// The person did not allow this at the provider.
  public static let providerDenied: Self = "provider_denied"
  /// The provider's account is linked to another account of this app.
  public static let providerAccountTaken: Self = "provider_account_taken"
  /// No account at the provider is linked.
  public static let providerNotLinked: Self = "provider_not_linked"
  /// The linked account has to be linked again.
  public static let providerLinkBroken: Self = "provider_link_broken"
  /// The provider answered with an error.
  public static let providerError: Self = "provider_error"
  /// The provider did not answer.
  public static let providerUnavailable: Self = "provider_unavailable"
  /// The provider's token or code is not valid, or is for another app or person.
  public static let providerTokenInvalid: Self = "provider_token_invalid"
  /// The person did not grant every scope that the policy requires.
  public static let providerScopesMissing: Self = "provider_scopes_missing"
  /// The link is the only way to sign in to the account.
  public static let lastSignInMethod: Self = "last_sign_in_method"
  /// A second factor is needed to complete the sign-in: see `challenge`.
  public static let mfaRequired: Self = "mfa_required"
  /// The policy demands an attested app, and the request has no assertion: see `AuthConfiguration.attest`.
  public static let attestRequired: Self = "attest_required"
  /// The attestation or assertion of the app could not be verified.
  public static let attestInvalid: Self = "attest_invalid"
  /// Another request changed the same thing just now.
  public static let conflict: Self = "conflict"
  /// There is no such thing.
  public static let notFound: Self = "not_found"
  /// The server is busy.
  public static let overloaded: Self = "overloaded"
  /// The server failed.
  public static let `internal`: Self = "internal"
  /// The server does not know whether the change was made.
  public static let unknownOutcome: Self = "unknown_outcome"
  /// The request did not arrive in time.
  public static let requestTimeout: Self = "request_timeout"
  /// The server has no tenant of this name.
  public static let tenantNotFound: Self = "tenant_not_found"
  /// An operator has disabled the tenant.
  public static let tenantDisabled: Self = "tenant_disabled"
  /// The request does not have the form of the contract.
  public static let malformedRequest: Self = "malformed_request"
  /// The content is larger than the server accepts.
  public static let payloadTooLarge: Self = "payload_too_large"
  /// The type of the content is not supported.
  public static let unsupportedMediaType: Self = "unsupported_media_type"
  /// The key of the request was used for another one.
  public static let idempotencyConflict: Self = "idempotency_conflict"
}

extension AuthError {
  static let unauthenticated = AuthError(.unauthenticated)
  static let cancelled = AuthError(.cancelled)

  /// Whether the same call may succeed later, unchanged: no definite answer came. A view offers to try again then.
  public var isTemporary: Bool { code != .cancelled && code.retry.keepsKey }
}
