/// Sends the verification mail: to the caller, or without sign-in to an address.
package enum SendEmailVerificationEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/email-verification", 202, "Send the verification mail",
    refuses: [.cooldown])

  package struct Input: Codable, Hashable, Sendable {
    /// Without sign-in: the address.
    package var email: String?

    package init(email: String? = nil) { self.email = email }
  }

  package typealias Output = MailSent
}

/// Proves the address of an account: by the link's token or by address and code, and by a session of the account or its
/// password. A sign-up that waits is completed by its id, its password, or a new one.
package enum ConfirmEmailVerificationEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/email-verification/confirm", 200, "Verify the address",
    refuses: .mailedCode + .freshProof + [.validationFailed, .accountExists, .conflict])
  package static let details: String? = AccessRise.details

  package struct Input: MailedCodeInput, Codable, Hashable, Sendable {
    /// See `MailedCodeInput`.
    package var token, email, code: String?
    /// The password of the account or of the sign-up, where the caller has neither its session nor its id.
    package var password: String?
    /// The sign-up that the mail completes, as the sign-up answered it.
    package var signUpID: String?
    /// With the token of a sign-up: another password for it.
    package var newPassword: String?

    package init(
      token: String? = nil, email: String? = nil, code: String? = nil, signUpID: String? = nil,
      password: String? = nil, newPassword: String? = nil
    ) {
      self.token = token
      self.email = email
      self.code = code
      self.signUpID = signUpID
      self.password = password
      self.newPassword = newPassword
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// Always true.
    package var emailVerified: Bool

    package init(emailVerified: Bool) { self.emailVerified = emailVerified }
  }
}
