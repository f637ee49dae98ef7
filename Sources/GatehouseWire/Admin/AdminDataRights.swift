// What people may demand of an operator, as operations of the admin API.

/// Everything that is stored about a person, for them. Needs `audit:read` too; the copy is an event of the trail.
public enum ExportPersonOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tenants/{tenant}/users/{user}/export"
  /// What a token must allow.
  public static let scope = AdminScope.userRead
  /// What it does.
  public static let summary = "Export everything stored about a person"

  /// What it takes.
  public typealias Input = PersonReference

  /// What it answers.
  public typealias Output = DataExport
}

/// Erases a person: the account, and every trace of who they were.
public enum ErasePersonOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/users/{user}/erase"
  /// What a token must allow.
  public static let scope = AdminScope.userWrite
  /// What it does.
  public static let summary = "Erase a person"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// The person's address or id.
    public var user: String
    /// Only look; change nothing.
    public var dryRun: Bool?

    /// The whole of it.
    public init(tenant: String, user: String, dryRun: Bool? = nil) {
      self.tenant = tenant
      self.user = user
      self.dryRun = dryRun
    }

    enum CodingKeys: String, CodingKey {
      case tenant, user
      case dryRun = "dry_run"
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// Whose it was.
    public var email: String
    /// Sessions that went.
    public var sessions: Int
    /// Links and codes that went.
    public var codes: Int
    /// Mails that went.
    public var mails: Int
    /// Audit rows that say no more of addresses and requests.
    public var events: Int
    /// Revisions of the policy whose text names the address: a document that the operator wrote.
    public var revisions: [Int]

    /// The whole of it.
    public init(email: String, sessions: Int, codes: Int, mails: Int, events: Int, revisions: [Int]) {
      self.email = email
      self.sessions = sessions
      self.codes = codes
      self.mails = mails
      self.events = events
      self.revisions = revisions
    }
  }
}
