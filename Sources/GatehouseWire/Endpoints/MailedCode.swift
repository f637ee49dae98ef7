/// The part that all confirmations share: what a mail brought, by its link or by its code.
public protocol MailedCodeInput {
  /// From the link.
  var token: String? { get }
  /// The address, with the code.
  var email: String? { get }
  /// Six digits from the mail.
  var code: String? { get }
}

/// What is answered when a mail was asked for, whether or not one was sent.
public struct MailSent: Codable, Hashable, Sendable {
  /// Seconds until it may be sent again.
  public var resendAfter: Int

  /// The whole of it.
  public init(resendAfter: Int) {
    self.resendAfter = resendAfter
  }

  enum CodingKeys: String, CodingKey {
    case resendAfter = "resend_after"
  }
}
