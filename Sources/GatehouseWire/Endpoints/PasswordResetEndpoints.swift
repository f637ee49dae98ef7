/// Mails a way to set a new password; the answer is the same for every address.
public enum RequestPasswordResetEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/password-reset", 202, "Ask for a password reset",
    refuses: [.notFound, .validationFailed])

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The address.
    public var email: String
    /// The device that asks. A part of each day's mails is kept for devices on which the account was signed in before.
    public var device: Device?

    /// The whole of it.
    public init(email: String, device: Device? = nil) {
      self.email = email
      self.device = device
    }
  }

  /// What it answers.
  public typealias Output = MailSent
}

/// Sets a new password and ends all sessions.
public enum ConfirmPasswordResetEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/password-reset/confirm", 204, "Set a new password",
    refuses: .mailedCode + [.notFound, .validationFailed])

  /// What it takes.
  public struct Input: MailedCodeInput, Codable, Hashable, Sendable {
    /// See `MailedCodeInput`.
    public var token, email, code: String?
    /// The new password.
    public var password: String

    /// The whole of it.
    public init(token: String? = nil, email: String? = nil, code: String? = nil, password: String) {
      self.token = token
      self.email = email
      self.code = code
      self.password = password
    }
  }

  /// What it answers.
  public typealias Output = Nothing
}
