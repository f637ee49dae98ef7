/// The part that all confirmations share: what a mail brought, by its link or by its code.
package protocol MailedCodeInput {
  /// From the link.
  var token: String? { get }
  /// The address, with the code.
  var email: String? { get }
  /// Six digits from the mail.
  var code: String? { get }
}

/// The answer to a request for a mail, whether or not one was sent.
package struct MailSent: Codable, Hashable, Sendable {
  /// Seconds until it may be sent again.
  package var resendAfter: Int

  package init(resendAfter: Int) { self.resendAfter = resendAfter }
}
