/// Mails a way to set a new password; the answer is the same for every address.
package enum RequestPasswordResetEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/password-reset", 202, "Ask for a password reset",
    refuses: [.notFound, .validationFailed])

  package struct Input: Codable, Hashable, Sendable {
    /// The address.
    package var email: String
    /// The device that asks. A part of each day's mails is kept for devices on which the account was signed in before.
    package var device: Device?

    package init(email: String, device: Device? = nil) { (self.email, self.device) = (email, device) }
  }

  /// The same for every address, with or without an account.
  package struct Output: Codable, Hashable, Sendable {
    /// Seconds until it may be sent again.
    package var resendAfter: Int
    /// Names this request: the code of its mail is taken with it alone. Servers of earlier releases have none.
    package var resetID: String?

    package init(resendAfter: Int, resetID: String? = nil) { (self.resendAfter, self.resetID) = (resendAfter, resetID) }
  }
}

/// Sets a new password and ends all sessions.
package enum ConfirmPasswordResetEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/password-reset/confirm", 204, "Set a new password",
    refuses: .mailedCode + [.notFound, .validationFailed])

  package struct Input: MailedCodeInput, Codable, Hashable, Sendable {
    /// See `MailedCodeInput`.
    package var token, email, code: String?
    /// With the code: the id that the request for the mail answered. The token needs none.
    package var resetID: String?
    /// The new password.
    package var password: String

    package init(
      token: String? = nil, email: String? = nil, code: String? = nil, resetID: String? = nil, password: String
    ) {
      self.token = token
      self.email = email
      self.code = code
      self.resetID = resetID
      self.password = password
    }
  }

  package typealias Output = Nothing
}
