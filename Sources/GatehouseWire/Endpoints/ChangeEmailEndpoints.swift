/// Asks to move the account to another address, which has to confirm it.
public enum RequestEmailChangeEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/me/email", 202, "Ask for another address",
    refuses: .freshProof + [.validationFailed, .accountExists, .cooldown])

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The new address.
    public var email: String
    /// The current password, unless the sign-in is recent.
    public var password: String?

    /// The whole of it.
    public init(email: String, password: String? = nil) {
      self.email = email
      self.password = password
    }
  }

  /// What it answers.
  public typealias Output = MailSent
}

/// Confirms the new address: by the link's token or by address and code, from the session that asked or with the account's password.
public enum ConfirmEmailChangeEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/email-change/confirm", 200, "Confirm the new address",
    refuses: .mailedCode + .freshProof + [.validationFailed, .accountExists])

  /// What it takes.
  public struct Input: MailedCodeInput, Codable, Hashable, Sendable {
    /// See `MailedCodeInput`.
    public var token, email, code: String?
    /// The account's password, where the caller is not the session that asked.
    public var password: String?

    /// The whole of it.
    public init(token: String? = nil, email: String? = nil, code: String? = nil, password: String? = nil) {
      self.token = token
      self.email = email
      self.code = code
      self.password = password
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// The person's record.
    public var user: User

    /// The whole of it.
    public init(user: User) {
      self.user = user
    }
  }
}

/// Takes an address change back, from the link that the old address got.
public enum UndoEmailChangeEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/email-change/undo", 204, "Undo an address change",
    refuses: .mailedCode)

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// From the link.
    public var token: String

    /// The whole of it.
    public init(token: String) {
      self.token = token
    }
  }

  /// What it answers.
  public typealias Output = Nothing
}
