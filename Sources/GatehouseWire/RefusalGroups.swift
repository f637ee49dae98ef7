/// Codes that operations share because they share a step.
extension [ErrorCode] {
  /// A mailed code or link is redeemed.
  static let mailedCode: [ErrorCode] = [.codeInvalid, .codeExpired, .codeUsed]
  /// A password is checked.
  static let wrongPassword: [ErrorCode] = [.invalidCredentials, .tooManyAttempts]
  /// A fresh proof is demanded: a recent sign-in, or the password.
  static let freshProof: [ErrorCode] = [.reauthenticationRequired] + wrongPassword
  /// A provider is asked.
  static let providerFailure: [ErrorCode] = [.providerTokenInvalid, .providerError, .providerUnavailable]
  /// A session is opened for an account that exists.
  static let opening: [ErrorCode] = [.accountDisabled, .mfaRequired]
  /// Refusals of a sign-in or sign-up with a provider.
  static let arrival: [ErrorCode] = [.forbidden, .validationFailed, .accountExists] + opening
}
