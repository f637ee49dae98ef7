// The life of a policy change, as operations of the admin API.

/// The live policy's exact text, or that of an older revision.
public enum ShowPolicyOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tenants/{tenant}/policy"
  /// What a token must allow.
  public static let scope = AdminScope.policyRead
  /// How body and revision travel.
  public static let form = AdminForm.textAnswer
  /// What it does.
  public static let summary = "Read a tenant's policy"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// An older revision instead of the live one.
    public var revision: Int?

    /// The whole of it.
    public init(tenant: String, revision: Int? = nil) {
      self.tenant = tenant
      self.revision = revision
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// The exact text; the whole body of the answer.
    public var text: String
    /// Its number; the answer's `ETag`.
    public var revision: Int

    /// The whole of it.
    public init(text: String, revision: Int) {
      self.text = text
      self.revision = revision
    }
  }
}

/// Makes a text the tenant's live policy, unless the file, its tests, the floor, a weaker rule or the lock-out guard speak against it.
public enum ApplyPolicyOperation: AdminOperation {
  /// PUT.
  public static let method = Method.put
  /// Where it lives.
  public static let path = "/tenants/{tenant}/policy"
  /// What a token must allow.
  public static let scope = AdminScope.policyWrite
  /// How body and revision travel.
  public static let form = AdminForm.textAndRevision
  /// What it does.
  public static let summary = "Apply a policy file"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// The policy file's exact text.
    public var text: String
    /// What messages call the file.
    public var file: String?
    /// Only if this revision is still the live one: the header `If-Match`, where `*` is any.
    public var expecting: Int?
    /// Why, for the history.
    public var reason: String?
    /// Also where it would let in what the live policy refuses.
    public var allowWeaker: Bool?
    /// Also where administrators, or many active people, would lose full access.
    public var allowLockout: Bool?
    /// Also where tests in the file fail; `reason` is needed then.
    public var allowFailingTests: Bool?
    /// Do everything but the change itself.
    public var dryRun: Bool?

    /// The whole of it.
    public init(
      tenant: String, text: String, file: String? = nil, expecting: Int? = nil, reason: String? = nil,
      allowWeaker: Bool? = nil, allowLockout: Bool? = nil, allowFailingTests: Bool? = nil, dryRun: Bool? = nil
    ) {
      self.tenant = tenant
      self.text = text
      self.file = file
      self.expecting = expecting
      self.reason = reason
      self.allowWeaker = allowWeaker
      self.allowLockout = allowLockout
      self.allowFailingTests = allowFailingTests
      self.dryRun = dryRun
    }

    enum CodingKeys: String, CodingKey {
      case tenant, text, file, expecting, reason
      case allowWeaker = "allow_weaker"
      case allowLockout = "allow_lockout"
      case allowFailingTests = "allow_failing_tests"
      case dryRun = "dry_run"
    }
  }

  /// What it answers.
  public typealias Output = PolicyOutcome
}

/// What applying a text came to.
public struct PolicyOutcome: Codable, Hashable, Sendable {
  /// The tenant's name.
  public var tenant: String
  /// `applied`, `unchanged` (the live text is the same) or `checked` (a dry run).
  public var outcome: String
  /// The live revision's number.
  public var revision: Int
  /// What an operator should know besides, as servers of an earlier version that cannot read the text.
  public var notes: [String]?

  /// The whole of it.
  public init(tenant: String, outcome: String, revision: Int, notes: [String]? = nil) {
    self.tenant = tenant
    self.outcome = outcome
    self.revision = revision
    self.notes = notes
  }
}

/// A text that is to become a tenant's policy.
public struct PolicyCandidate: Codable, Hashable, Sendable {
  /// The tenant's name.
  public var tenant: String
  /// The policy file's exact text.
  public var text: String
  /// What messages call the file.
  public var file: String?
  /// Only if this revision is still the live one.
  public var expecting: Int?

  /// The whole of it.
  public init(tenant: String, text: String, file: String? = nil, expecting: Int? = nil) {
    self.tenant = tenant
    self.text = text
    self.file = file
    self.expecting = expecting
  }
}

/// Applies the texts of several tenants: all of them, or none.
public enum ApplyPoliciesOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/policies"
  /// What a token must allow.
  public static let scope = AdminScope.policyWrite
  /// What it does.
  public static let summary = "Apply several tenants' policies, all or none"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// One for each tenant.
    public var items: [PolicyCandidate]
    /// Why, for the history.
    public var reason: String?
    /// Also where it would let in what the live policy refuses.
    public var allowWeaker: Bool?
    /// Also where administrators, or many active people, would lose full access.
    public var allowLockout: Bool?
    /// Also where tests in the file fail; `reason` is needed then.
    public var allowFailingTests: Bool?
    /// Do everything but the change itself.
    public var dryRun: Bool?

    /// The whole of it.
    public init(
      items: [PolicyCandidate], reason: String? = nil, allowWeaker: Bool? = nil, allowLockout: Bool? = nil,
      allowFailingTests: Bool? = nil, dryRun: Bool? = nil
    ) {
      self.items = items
      self.reason = reason
      self.allowWeaker = allowWeaker
      self.allowLockout = allowLockout
      self.allowFailingTests = allowFailingTests
      self.dryRun = dryRun
    }

    enum CodingKeys: String, CodingKey {
      case items, reason
      case allowWeaker = "allow_weaker"
      case allowLockout = "allow_lockout"
      case allowFailingTests = "allow_failing_tests"
      case dryRun = "dry_run"
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// In the same order.
    public var items: [PolicyOutcome]

    /// The whole of it.
    public init(items: [PolicyOutcome]) {
      self.items = items
    }
  }
}

/// Makes an older revision's text the live policy again, as a new revision.
public enum RollbackPolicyOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/policy/rollback"
  /// What a token must allow.
  public static let scope = AdminScope.policyWrite
  /// What it does.
  public static let summary = "Apply an older revision again"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// The older revision.
    public var revision: Int
    /// Only if this revision is still the live one.
    public var expecting: Int?
    /// Why, for the history; by default it says which revision came back.
    public var reason: String?
    /// Also where it would let in what the live policy refuses.
    public var allowWeaker: Bool?
    /// Also where administrators, or many active people, would lose full access.
    public var allowLockout: Bool?
    /// Do everything but the change itself.
    public var dryRun: Bool?

    /// The whole of it.
    public init(
      tenant: String, revision: Int, expecting: Int? = nil, reason: String? = nil, allowWeaker: Bool? = nil,
      allowLockout: Bool? = nil, dryRun: Bool? = nil
    ) {
      self.tenant = tenant
      self.revision = revision
      self.expecting = expecting
      self.reason = reason
      self.allowWeaker = allowWeaker
      self.allowLockout = allowLockout
      self.dryRun = dryRun
    }

    enum CodingKeys: String, CodingKey {
      case tenant, revision, expecting, reason
      case allowWeaker = "allow_weaker"
      case allowLockout = "allow_lockout"
      case dryRun = "dry_run"
    }
  }

  /// What it answers.
  public typealias Output = PolicyOutcome
}

/// One revision without its text.
public struct PolicyRevisionSummary: Codable, Hashable, Sendable {
  /// Its number, from 1.
  public var revision: Int
  /// SHA-256 of the text, in hexadecimal.
  public var digest: String
  /// Who applied it.
  public var author: String
  /// Why.
  public var reason: String
  /// When.
  public var createdAt: Timestamp
  /// How many tests of the file failed when it was applied all the same; absent where none did.
  public var failingTests: Int?

  /// The whole of it.
  public init(
    revision: Int, digest: String, author: String, reason: String, createdAt: Timestamp, failingTests: Int? = nil
  ) {
    self.revision = revision
    self.digest = digest
    self.author = author
    self.reason = reason
    self.createdAt = createdAt
    self.failingTests = failingTests
  }

  enum CodingKeys: String, CodingKey {
    case revision, digest, author, reason
    case createdAt = "created_at"
    case failingTests = "failing_tests"
  }
}

/// A tenant's policy revisions, newest first.
public enum ListPolicyRevisionsOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tenants/{tenant}/policy/revisions"
  /// What a token must allow.
  public static let scope = AdminScope.policyRead
  /// What it does.
  public static let summary = "List a tenant's policy revisions"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// How many at most.
    public var limit: Int?
    /// Where to go on: the `next_cursor` of the answer before.
    public var cursor: String?

    /// The whole of it.
    public init(tenant: String, limit: Int? = nil, cursor: String? = nil) {
      self.tenant = tenant
      self.limit = limit
      self.cursor = cursor
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// Newest first.
    public var items: [PolicyRevisionSummary]
    /// What to send as `cursor` for the items after these; absent with the last ones.
    public var nextCursor: String?

    /// The whole of it.
    public init(items: [PolicyRevisionSummary], nextCursor: String? = nil) {
      self.items = items
      self.nextCursor = nextCursor
    }

    enum CodingKeys: String, CodingKey {
      case items
      case nextCursor = "next_cursor"
    }
  }
}
