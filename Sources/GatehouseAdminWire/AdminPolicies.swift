package import GatehouseWire

// The life of a policy change, as operations of the admin API.

/// The live policy's exact text, or that of an older revision.
package enum ShowPolicyOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .get, "/tenants/{tenant}/policy", .policyRead, "Read a tenant's policy", form: .textAnswer)

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// An older revision instead of the live one.
    package var revision: Int?

    package init(tenant: String, revision: Int? = nil) { (self.tenant, self.revision) = (tenant, revision) }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The exact text; the whole body of the answer.
    package var text: String
    /// Its number; the answer's `ETag`.
    package var revision: Int

    package init(text: String, revision: Int) { (self.text, self.revision) = (text, revision) }
  }
}

/// The consent of the author of a change, as a request states it.
package protocol PolicyConsent {
  var allowWeaker: Bool? { get }
  var allow: [String]? { get }
  var allowLockout: Bool? { get }
  var allowFailingTests: Bool? { get }
}

extension PolicyConsent {
  package var allowFailingTests: Bool? { nil }
}

/// Makes a text the tenant's live policy, unless the file, its tests, the floor, a weaker rule or the lock-out guard
/// speak against it.
package enum ApplyPolicyOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .put, "/tenants/{tenant}/policy", .policyWrite, "Apply a policy file", form: .textAndRevision)

  package struct Input: PolicyConsent, Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The policy file's exact text.
    package var text: String
    /// The name of the file in messages.
    package var file: String?
    /// Only if this revision is still the live one: the header `If-Match`, where `*` is any.
    package var expecting: Int?
    /// The reason, for the history.
    package var reason: String?
    /// Also where it would let in what the live policy refuses.
    package var allowWeaker: Bool?
    /// Also where these changes would, each by its subject, such as `email.allowed_domains`.
    package var allow: [String]?
    /// Also where administrators, or many active users, would lose full access.
    package var allowLockout: Bool?
    /// Also where tests in the file fail; `reason` is needed then.
    package var allowFailingTests: Bool?
    /// Do everything but the change itself.
    package var dryRun: Bool?

    package init(
      tenant: String, text: String, file: String? = nil, expecting: Int? = nil, reason: String? = nil,
      allowWeaker: Bool? = nil, allow: [String]? = nil, allowLockout: Bool? = nil, allowFailingTests: Bool? = nil,
      dryRun: Bool? = nil
    ) {
      self.tenant = tenant
      self.text = text
      self.file = file
      self.expecting = expecting
      self.reason = reason
      self.allowWeaker = allowWeaker
      self.allow = allow
      self.allowLockout = allowLockout
      self.allowFailingTests = allowFailingTests
      self.dryRun = dryRun
    }
  }

  package typealias Output = PolicyOutcome
}

/// The result of applying a policy text.
package struct PolicyOutcome: Codable, Hashable, Sendable {
  /// The outcome of an apply.
  package enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// It is the next revision.
    case applied
    /// The live text is the same.
    case unchanged
    /// It may be applied; it was a dry run.
    case checked
  }

  /// The tenant's name.
  package var tenant: String
  /// The outcome of the apply.
  package var outcome: OpenWord<Outcome>
  /// The live revision's number.
  package var revision: Int
  /// Notes for the operator, as that servers of an earlier version cannot read the text.
  package var notes: [String]?
  /// The changes to the trust of the tenant, in sentences; absent where nothing of it changes.
  package var trust: [String]?

  package init(tenant: String, outcome: Outcome, revision: Int, notes: [String]? = nil, trust: [String]? = nil) {
    (self.tenant, self.outcome, self.revision, self.notes) = (tenant, OpenWord(outcome), revision, notes)
    self.trust = trust
  }
}

/// Applies the texts of several tenants: all of them, or none.
package enum ApplyPoliciesOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/policies", .policyWrite, "Apply several tenants' policies, all or none")

  /// A text that is to become a tenant's policy.
  package struct Item: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The policy file's exact text.
    package var text: String
    /// The name of the file in messages.
    package var file: String?
    /// Only if this revision is still the live one.
    package var expecting: Int?

    package init(tenant: String, text: String, file: String? = nil, expecting: Int? = nil) {
      (self.tenant, self.text, self.file, self.expecting) = (tenant, text, file, expecting)
    }
  }

  package struct Input: PolicyConsent, Codable, Hashable, Sendable {
    /// One for each tenant.
    package var items: [Item]
    /// The reason, for the history.
    package var reason: String?
    /// Also where it would let in what the live policy refuses.
    package var allowWeaker: Bool?
    /// Also where these changes would, each by its subject, such as `email.allowed_domains`.
    package var allow: [String]?
    /// Also where administrators, or many active users, would lose full access.
    package var allowLockout: Bool?
    /// Also where tests in the file fail; `reason` is needed then.
    package var allowFailingTests: Bool?
    /// Do everything but the change itself.
    package var dryRun: Bool?

    package init(
      items: [Item], reason: String? = nil, allowWeaker: Bool? = nil, allow: [String]? = nil,
      allowLockout: Bool? = nil, allowFailingTests: Bool? = nil, dryRun: Bool? = nil
    ) {
      self.items = items
      self.reason = reason
      self.allowWeaker = allowWeaker
      self.allow = allow
      self.allowLockout = allowLockout
      self.allowFailingTests = allowFailingTests
      self.dryRun = dryRun
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// In the same order.
    package var items: [PolicyOutcome]

    package init(items: [PolicyOutcome]) { self.items = items }
  }
}

/// Makes an older revision's text the live policy again, as a new revision.
package enum RollbackPolicyOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/policy/rollback", .policyWrite, "Apply an older revision again")

  package struct Input: PolicyConsent, Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The older revision.
    package var revision: Int
    /// Only if this revision is still the live one.
    package var expecting: Int?
    /// The reason, for the history; the default names the revision that came back.
    package var reason: String?
    /// Also where it would let in what the live policy refuses.
    package var allowWeaker: Bool?
    /// Also where these changes would, each by its subject, such as `email.allowed_domains`.
    package var allow: [String]?
    /// Also where administrators, or many active users, would lose full access.
    package var allowLockout: Bool?
    /// Do everything but the change itself.
    package var dryRun: Bool?

    package init(
      tenant: String, revision: Int, expecting: Int? = nil, reason: String? = nil, allowWeaker: Bool? = nil,
      allow: [String]? = nil, allowLockout: Bool? = nil, dryRun: Bool? = nil
    ) {
      self.tenant = tenant
      self.revision = revision
      self.expecting = expecting
      self.reason = reason
      self.allowWeaker = allowWeaker
      self.allow = allow
      self.allowLockout = allowLockout
      self.dryRun = dryRun
    }
  }

  package typealias Output = PolicyOutcome
}

/// One revision without its text.
package struct PolicyRevisionSummary: Codable, Hashable, Sendable {
  /// Its number, from 1.
  package var revision: Int
  /// SHA-256 of the text, in hexadecimal.
  package var digest: String
  /// The author of the revision.
  package var author: String
  /// The reason.
  package var reason: String
  /// The time of it.
  package var createdAt: Timestamp
  /// The number of the file's tests that failed when it was applied all the same; absent where none did.
  package var failingTests: Int?
  /// The changes to the trust of the tenant: rules' ids and paths of settings; absent where nothing of it changed, and
  /// for revisions that an earlier version applied.
  package var trust: [String]?

  package init(
    revision: Int, digest: String, author: String, reason: String, createdAt: Timestamp, failingTests: Int? = nil,
    trust: [String]? = nil
  ) {
    self.revision = revision
    self.digest = digest
    self.author = author
    self.reason = reason
    self.createdAt = createdAt
    self.failingTests = failingTests
    self.trust = trust
  }
}

/// A tenant's policy revisions, newest first.
package enum ListPolicyRevisionsOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .get, "/tenants/{tenant}/policy/revisions", .policyRead, "List a tenant's policy revisions")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The greatest number of items.
    package var limit: Int?
    /// The `next_cursor` of the previous answer.
    package var cursor: String?

    package init(tenant: String, limit: Int? = nil, cursor: String? = nil) {
      (self.tenant, self.limit, self.cursor) = (tenant, limit, cursor)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// Newest first.
    package var items: [PolicyRevisionSummary]
    /// The `cursor` of the next page; absent on the last page.
    package var nextCursor: String?

    package init(items: [PolicyRevisionSummary], nextCursor: String? = nil) {
      (self.items, self.nextCursor) = (items, nextCursor)
    }
  }
}
