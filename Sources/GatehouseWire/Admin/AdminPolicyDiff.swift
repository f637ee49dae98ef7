/// One difference between two policies.
package struct PolicyDifference: Codable, Hashable, Sendable {
  /// `stricter`, `weaker`, `neutral` or `incomparable`.
  package var relation: String
  /// A rule's id, or the path of a setting.
  package var subject: String
  /// What it means.
  package var sentence: String
  /// Where it stood.
  package var oldLine: Int?
  /// Where it stands.
  package var newLine: Int?
  /// That it changes whom the tenant trusts, whatever the direction: applying it needs `trust:write`. Absent otherwise.
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

/// What a file would change, and whether that is stricter or weaker.
package enum DiffPolicyOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/policy/diff", .policyRead, "Compare a policy file with the live policy", form: .text)

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The policy file's exact text.
    package var text: String
    /// What messages call the file.
    package var file: String?

    package init(tenant: String, text: String, file: String? = nil) {
      (self.tenant, self.text, self.file) = (tenant, text, file)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The revision it was compared with.
    package var revision: Int
    /// In the order of the text; none where they mean the same.
    package var items: [PolicyDifference]
    /// What would keep the file from being applied; absent where there is nothing.
    package var notes: [String]?

    package init(revision: Int, items: [PolicyDifference], notes: [String]? = nil) {
      (self.revision, self.items, self.notes) = (revision, items, notes)
    }
  }
}
