// Mail, as operations of the admin API.

/// A mail as it would be sent, with made-up names, link and code.
public enum PreviewMailOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tenants/{tenant}/mails/{kind}"
  /// What a token must allow.
  public static let scope = AdminScope.policyRead
  /// What it does.
  public static let summary = "Preview a mail"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// What it is about, as `verify_email`.
    public var kind: String
    /// The reader's language; the app's first without.
    public var language: String?

    /// The whole of it.
    public init(tenant: String, kind: String, language: String? = nil) {
      self.tenant = tenant
      self.kind = kind
      self.language = language
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// One line.
    public var subject: String
    /// The text part.
    public var text: String
    /// The HTML part.
    public var html: String

    /// The whole of it.
    public init(subject: String, text: String, html: String) {
      self.subject = subject
      self.text = text
      self.html = html
    }
  }
}

/// Sends a mail with made-up contents at once, past the outbox. Refused with what the mail server said.
public enum SendTestMailOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/mails/test"
  /// What a token must allow.
  public static let scope = AdminScope.tenantWrite
  /// What it does.
  public static let summary = "Send a test mail"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// Who gets it.
    public var address: String
    /// Which mail; `test` without.
    public var kind: String?
    /// Only connect and sign in to the mail server.
    public var dryRun: Bool?

    /// The whole of it.
    public init(tenant: String, address: String, kind: String? = nil, dryRun: Bool? = nil) {
      self.tenant = tenant
      self.address = address
      self.kind = kind
      self.dryRun = dryRun
    }

    enum CodingKeys: String, CodingKey {
      case tenant, address, kind
      case dryRun = "dry_run"
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// What the mail server answered; may be empty.
    public var detail: String

    /// The whole of it.
    public init(detail: String) {
      self.detail = detail
    }
  }
}
