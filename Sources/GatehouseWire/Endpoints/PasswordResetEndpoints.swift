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

  package typealias Output = MailSent
}

/// Sets a new password and ends all sessions.
package enum ConfirmPasswordResetEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/password-reset/confirm", 204, "Set a new password",
    refuses: .mailedCode + [.notFound, .validationFailed])

  package struct Input: MailedCodeInput, Codable, Hashable, Sendable {
    /// See `MailedCodeInput`.
    package var token, email, code: String?
    /// The new password.
    package var password: String

    package init(token: String? = nil, email: String? = nil, code: String? = nil, password: String) {
      (self.token, self.email, self.code, self.password) = (token, email, code, password)
    }
  }

  package typealias Output = Nothing
}
