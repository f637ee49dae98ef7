/// The verification of addresses.
public struct Verification: Sendable, Hashable {
  /// The verification of e-mail addresses.
  public var email: EmailVerification

  /// The defaults are those of a file that is silent.
  public init(email: EmailVerification = EmailVerification()) { self.email = email }
}

/// The verification of e-mail addresses.
public struct EmailVerification: Sendable, Hashable {
  /// The content of the mail.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    case link, code
    case linkAndCode = "link_and_code"
  }

  /// The proof that must accompany a mailed link or code before it proves the address of an account.
  public enum Confirm: String, Sendable, Hashable, CaseIterable {
    /// The account as well: a session of it, or its password. A reader of the mail can not confirm another user's
    /// account.
    case account
    /// Nothing. A click proves the address for the maker of the account.
    case click
  }

  /// The content of the mail.
  public var method: Method
  /// The proof that must accompany a link or code.
  public var confirm: Confirm
  /// Seconds a link lives.
  public var linkTTL: Int64
  /// Seconds a six-digit code lives.
  public var codeTTL: Int64
  /// Sign-up sends the mail by itself and starts the cooldown.
  public var onSignUp: Bool
  /// Seconds between two mails to one account.
  public var resendCooldown: Int64
  /// Mails to one account in 24 hours.
  public var maxSendsPerDay: Int64

  /// The defaults are those of a file that is silent.
  public init(
    method: Method = .linkAndCode, confirm: Confirm = .account, linkTTL: Int64 = 86_400, codeTTL: Int64 = 600,
    onSignUp: Bool = true, resendCooldown: Int64 = 60, maxSendsPerDay: Int64 = 10
  ) {
    self.method = method
    self.confirm = confirm
    self.linkTTL = linkTTL
    self.codeTTL = codeTTL
    self.onSignUp = onSignUp
    self.resendCooldown = resendCooldown
    self.maxSendsPerDay = maxSendsPerDay
  }
}
