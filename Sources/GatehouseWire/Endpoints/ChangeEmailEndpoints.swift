/// Asks to move the account to another address, which has to confirm it.
public enum RequestEmailChangeEndpoint: Endpoint {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/v1/me/email"
  /// The status of a success.
  public static let status = 202
  /// What it does.
  public static let summary = "Ask for another address"

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
  public struct Output: Codable, Hashable, Sendable {
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
}

/// Confirms the new address: by the link's token or by address and code, from the session that asked or with the account's password.
public enum ConfirmEmailChangeEndpoint: Endpoint {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/v1/email-change/confirm"
  /// The status of a success.
  public static let status = 200
  /// What it does.
  public static let summary = "Confirm the new address"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// From the link.
    public var token: String?
    /// The address, with the code.
    public var email: String?
    /// Six digits from the mail.
    public var code: String?
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
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/v1/email-change/undo"
  /// The status of a success.
  public static let status = 204
  /// What it does.
  public static let summary = "Undo an address change"

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
