// The audit trail, as operations of the admin API.

/// One row of a tenant's audit trail.
public struct AuditRecord: Codable, Hashable, Sendable {
  /// Its id.
  public var id: String
  /// When.
  public var at: Timestamp
  /// What happened, as `authn_login_fail`.
  public var event: String
  /// Who did it, as `operator:ci`.
  public var actor: String
  /// Whom it concerns.
  public var account: String?
  /// The caller's address.
  public var address: String?
  /// The request that did it.
  public var requestID: String?
  /// The policy revision that judged it.
  public var revision: Int?
  /// Further facts.
  public var details: [String: String]
  /// `success` or `failure`.
  public var outcome: String
  /// The session it happened in.
  public var session: String?
  /// Its place in the chain, once it is sealed.
  public var seq: Int?

  /// The whole of it.
  public init(
    id: String, at: Timestamp, event: String, actor: String, account: String? = nil, address: String? = nil,
    requestID: String? = nil, revision: Int? = nil, details: [String: String], outcome: String, session: String? = nil,
    seq: Int? = nil
  ) {
    self.id = id
    self.at = at
    self.event = event
    self.actor = actor
    self.account = account
    self.address = address
    self.requestID = requestID
    self.revision = revision
    self.details = details
    self.outcome = outcome
    self.session = session
    self.seq = seq
  }

  enum CodingKeys: String, CodingKey {
    case id, at, event, actor, account, address, revision, details, outcome, session, seq
    case requestID = "request_id"
  }
}

/// A tenant's audit trail, newest first.
public enum SearchAuditOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tenants/{tenant}/audit"
  /// What a token must allow.
  public static let scope = AdminScope.auditRead
  /// What it does.
  public static let summary = "Search the audit trail"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// Only this event.
    public var event: String?
    /// Only what concerns this person: an address or id; needs `user:read` too.
    public var user: String?
    /// Only from this moment on.
    public var since: Timestamp?
    /// Only before this moment.
    public var until: Timestamp?
    /// How many at most.
    public var limit: Int?
    /// Where to go on: the `next_cursor` of the answer before.
    public var cursor: String?

    /// The whole of it.
    public init(
      tenant: String, event: String? = nil, user: String? = nil, since: Timestamp? = nil, until: Timestamp? = nil,
      limit: Int? = nil, cursor: String? = nil
    ) {
      self.tenant = tenant
      self.event = event
      self.user = user
      self.since = since
      self.until = until
      self.limit = limit
      self.cursor = cursor
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// Newest first.
    public var items: [AuditRecord]
    /// What to send as `cursor` for the items after these; absent with the last ones.
    public var nextCursor: String?

    /// The whole of it.
    public init(items: [AuditRecord], nextCursor: String? = nil) {
      self.items = items
      self.nextCursor = nextCursor
    }

    enum CodingKeys: String, CodingKey {
      case items
      case nextCursor = "next_cursor"
    }
  }
}

/// What looking at a trail came to.
public struct AuditVerification: Codable, Hashable, Sendable {
  /// Whose it is.
  public var tenant: String
  /// The number of the last row that is good.
  public var sealed: Int
  /// Rows that wait to be sealed.
  public var waiting: Int?
  /// When the head was signed.
  public var signedAt: Timestamp?
  /// The thumbprint of the key that signs.
  public var key: String?
  /// What is wrong: `edited`, `deleted`, `inserted`, `reordered`, `truncated`, `forged`; absent when nothing is.
  public var finding: String?
  /// The number of the row it is wrong with.
  public var seq: Int?
  /// The id of that row.
  public var row: String?
  /// In words.
  public var why: String?

  /// The whole of it.
  public init(
    tenant: String, sealed: Int, waiting: Int? = nil, signedAt: Timestamp? = nil, key: String? = nil,
    finding: String? = nil, seq: Int? = nil, row: String? = nil, why: String? = nil
  ) {
    self.tenant = tenant
    self.sealed = sealed
    self.waiting = waiting
    self.signedAt = signedAt
    self.key = key
    self.finding = finding
    self.seq = seq
    self.row = row
    self.why = why
  }

  enum CodingKeys: String, CodingKey {
    case tenant, sealed, waiting, key, finding, seq, row, why
    case signedAt = "signed_at"
  }
}

/// Looks at the whole of a tenant's trail, in one request; asking again is safe.
public enum VerifyAuditOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tenants/{tenant}/audit/verify"
  /// What a token must allow.
  public static let scope = AdminScope.auditRead
  /// What it does.
  public static let summary = "Verify the audit trail"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// A signed head from an earlier export: the trail must go through it.
    public var known: String?

    /// The whole of it.
    public init(tenant: String, known: String? = nil) {
      self.tenant = tenant
      self.known = known
    }
  }

  /// What it answers.
  public typealias Output = AuditVerification
}

/// A copy of a tenant's trail with its hashes, some thousand rows in each answer. All lines together can be checked
/// without the server.
public enum ExportAuditOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tenants/{tenant}/audit/export"
  /// What a token must allow.
  public static let scope = AdminScope.auditRead
  /// What it does.
  public static let summary = "Export the audit trail"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// Only what comes behind this number.
    public var after: Int?
    /// Where to go on: the `next_cursor` of the answer before.
    public var cursor: String?

    /// The whole of it.
    public init(tenant: String, after: Int? = nil, cursor: String? = nil) {
      self.tenant = tenant
      self.after = after
      self.cursor = cursor
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// JSON objects: whose trail it is and by which key its head is signed, then rows with their hashes, then, with the last answer, the head.
    public var lines: [String]
    /// What to send as `cursor` for the lines after these; absent with the last ones.
    public var nextCursor: String?

    /// The whole of it.
    public init(lines: [String], nextCursor: String? = nil) {
      self.lines = lines
      self.nextCursor = nextCursor
    }

    enum CodingKeys: String, CodingKey {
      case lines
      case nextCursor = "next_cursor"
    }
  }
}
