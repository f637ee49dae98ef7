import GatehouseWire

/// One difference between two policies.
package struct PolicyDifference: Codable, Hashable, Sendable {
  /// `stricter`, `weaker`, `neutral` or `incomparable`.
  package var relation: String
  /// A rule's id, or the path of a setting.
  package var subject: String
  /// The meaning of the difference, in words.
  package var sentence: String
  /// Where it stood.
  package var oldLine: Int?
  /// Where it stands.
  package var newLine: Int?
  /// Whether it changes the trust of the tenant, in either direction: applying it needs `trust:write`. Absent
  /// otherwise.
  package var trust: Bool?

  package init(
    relation: String, subject: String, sentence: String, oldLine: Int? = nil, newLine: Int? = nil, trust: Bool? = nil
  ) {
    self.relation = relation
    self.subject = subject
    self.sentence = sentence
    self.oldLine = oldLine
    self.newLine = newLine
    self.trust = trust
  }
}

/// The differences between a file and the live policy, or an older revision, each stricter or weaker.
package enum DiffPolicyOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/policy/diff", .policyRead, "Compare a policy file with the live policy", form: .text)

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The policy file's exact text.
    package var text: String
    /// The name of the file in messages.
    package var file: String?
    /// The revision to compare with; the live one without it.
    package var revision: Int?

    package init(tenant: String, text: String, file: String? = nil, revision: Int? = nil) {
      (self.tenant, self.text, self.file, self.revision) = (tenant, text, file, revision)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The revision it was compared with.
    package var revision: Int
    /// In the order of the text; none where they mean the same.
    package var items: [PolicyDifference]
    /// The reasons for which the file would not be applied; absent where there are none.
    package var notes: [String]?

    package init(revision: Int, items: [PolicyDifference], notes: [String]? = nil) {
      (self.revision, self.items, self.notes) = (revision, items, notes)
    }
  }
}

/// The differences between two revisions of a tenant's policy, each stricter or weaker.
package enum DiffRevisionsOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .get, "/tenants/{tenant}/policy/diff", .policyRead, "Compare two revisions of a policy")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The revision that is taken as the old one.
    package var from: Int
    /// The revision that is taken as the new one; the live one without it.
    package var to: Int?

    package init(tenant: String, from: Int, to: Int? = nil) { (self.tenant, self.from, self.to) = (tenant, from, to) }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The old revision.
    package var from: Int
    /// The new revision.
    package var to: Int
    /// In the order of the text; none where they mean the same.
    package var items: [PolicyDifference]

    package init(from: Int, to: Int, items: [PolicyDifference]) { (self.from, self.to, self.items) = (from, to, items) }
  }
}
