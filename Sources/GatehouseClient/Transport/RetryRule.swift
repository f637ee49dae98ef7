import GatehouseWire

/// The conduct of a client after a call failed for one reason: a row of the table below, which has one for each code of
/// the contract.
struct RetryRule: Sendable, Equatable {
  enum Again: Sendable {
    case never
    /// A call that the server does once, or whose repetition changes nothing, is sent again after a pause: the first
    /// one may have been done.
    case ifSafe
    /// Each call is sent again after the time that the server gives: nothing was done.
    case whenTold
    /// A call under a key is sent again, after the time that the server gives, until its deadline: the first one is
    /// under way.
    case underKey
    /// A call at a door that demands an attested app is sent again at once, a single time, with another attestation:
    /// nothing was done.
    case attested
  }

  var again: Again
  /// Whether the next try is one of the same request, under the same key. Otherwise the answer was definite.
  var keepsKey: Bool

  static let definite = RetryRule(again: .never, keepsKey: false)
  static let open = RetryRule(again: .never, keepsKey: true)
}

extension ErrorCode {
  /// The rule after this refusal.
  var retry: RetryRule {
    switch self {
    case .rateLimited, .overloaded: RetryRule(again: .whenTold, keepsKey: true)
    case .conflict: RetryRule(again: .underKey, keepsKey: true)
    case .unknownOutcome, .requestTimeout: RetryRule(again: .ifSafe, keepsKey: true)
    case .attestRequired, .attestInvalid: RetryRule(again: .attested, keepsKey: false)
    case .internal, .providerUnavailable: .open
    case .validationFailed, .invalidCredentials, .accountExists, .accountDisabled, .mfaRequired, .tooManyAttempts,
      .cooldown, .tenantNotFound, .tenantDisabled, .notFound, .unauthenticated, .tokenExpired, .forbidden,
      .reauthenticationRequired, .accessLimited, .refreshTokenInvalid, .sessionRevoked, .codeInvalid, .codeExpired,
      .codeUsed, .providerNotLinked, .providerLinkBroken, .providerScopesMissing, .providerError, .idempotencyConflict,
      .payloadTooLarge, .malformedRequest, .unsupportedMediaType, .methodNotAllowed, .refused, .exists,
      .consentRequired, .revisionStale, .preconditionRequired, .providerTokenInvalid, .providerDenied,
      .providerAccountTaken, .lastSignInMethod, .passkeyInvalid, .passkeysUnavailable, .uriTooLong, .expectationFailed,
      .headerFieldsTooLarge, .notImplemented, .httpVersionNotSupported:
      .definite
    }
  }
}

extension AuthError.Code {
  /// The rule after an error of this code. A code of a later server says nothing here, so its request stays open.
  var retry: RetryRule {
    switch self {
    case .network: RetryRule(again: .ifSafe, keepsKey: true)
    case .storage, .cancelled, .unknown, .attestUnavailable, .locked, .unlockFailed, .unlockUnavailable: .open
    case .attestUnsupported, .serverAddressDiffers, .accessDenied, .missing, .passwordsDiffer, .storageNotEntitled:
      .definite
    default: ErrorCode(rawValue: rawValue)?.retry ?? .open
    }
  }
}
