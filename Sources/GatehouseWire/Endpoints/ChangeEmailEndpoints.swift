/// Asks to move the account to another address, which has to confirm it.
package enum RequestEmailChangeEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/me/email", 202, "Ask for another address",
    refuses: .freshProof + [.validationFailed, .accountExists, .cooldown])

  package struct Input: Codable, Hashable, Sendable {
    /// The new address.
    package var email: String
    /// The current password, unless the sign-in is recent.
    package var password: String?

    package init(email: String, password: String? = nil) { (self.email, self.password) = (email, password) }
  }

  package typealias Output = MailSent
}

/// Confirms the new address: by the link's token or by address and code, from the session that asked or with the
/// account's password.
package enum ConfirmEmailChangeEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/email-change/confirm", 200, "Confirm the new address",
    refuses: .mailedCode + .freshProof + [.validationFailed, .accountExists])
  package static let details: String? = AccessRise.details

  package struct Input: MailedCodeInput, Codable, Hashable, Sendable {
    /// See `MailedCodeInput`.
    package var token, email, code: String?
    /// The account's password, where the caller is not the session that asked.
    package var password: String?

    package init(token: String? = nil, email: String? = nil, code: String? = nil, password: String? = nil) {
      (self.token, self.email, self.code, self.password) = (token, email, code, password)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The person's record.
    package var user: User

    package init(user: User) { self.user = user }
  }
}

/// Takes an address change back, from the link that the old address got.
package enum UndoEmailChangeEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/email-change/undo", 204, "Undo an address change",
    refuses: .mailedCode)

  package struct Input: Codable, Hashable, Sendable {
    /// From the link.
    package var token: String

    package init(token: String) { self.token = token }
  }

  package typealias Output = Nothing
}
