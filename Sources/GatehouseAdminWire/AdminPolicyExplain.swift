import GatehouseWire

// Why a policy decides as it does.

/// One rule as it stands in a policy.
package struct ExplainedRule: Codable, Hashable, Sendable {
  /// Its id.
  package var rule: String
  /// Where it stands.
  package var line: Int
  /// The text of that line of the file.
  package var source: String
  /// The demand of the rule, in words.
  package var meaning: String
  /// The value that the rule judges.
  package var input: String
  /// The stage of the rule on the day of the question.
  package var stage: String
  /// The meaning of the rule for stored users.
  package var existing: String
  /// The doors at which the rule is asked.
  package var doors: [String]
  /// The text that people read.
  package var message: String
  /// Whether the public half of the policy lists it.
  package var disclosed: Bool
  /// The day from which it binds, if it only warns now.
  package var enforceFrom: String?

  package init(
    rule: String, line: Int, source: String, meaning: String, input: String, stage: String, enforceFrom: String? = nil,
    existing: String, doors: [String], message: String, disclosed: Bool
  ) {
    self.rule = rule
    self.line = line
    self.source = source
    self.meaning = meaning
    self.input = input
    self.stage = stage
    self.enforceFrom = enforceFrom
    self.existing = existing
    self.doors = doors
    self.message = message
    self.disclosed = disclosed
  }
}

/// One rule, or one requirement of access, and what it says. No value of a user stands here.
package struct ExplainedVerdict: Codable, Hashable, Sendable {
  /// Its id.
  package var rule: String
  /// Where it stands in the file.
  package var line: Int?
  /// The text of that line.
  package var source: String
  /// The value that the rule judges, as a pointer into a request.
  package var input: String
  /// `pass`, `fail`, `warn`, …
  package var verdict: String
  /// The reason for the verdict.
  package var why: String?
  /// The remedy: the change that makes the rule pass.
  package var remedy: String?

  package init(
    rule: String, line: Int? = nil, source: String, input: String, verdict: String, why: String? = nil,
    remedy: String? = nil
  ) {
    self.rule = rule
    self.line = line
    self.source = source
    self.input = input
    self.verdict = verdict
    self.why = why
    self.remedy = remedy
  }
}

/// Explains a rule, a request at a door, or how a user stands (which needs `user:read` too). Nothing is stored.
package enum ExplainPolicyOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/policy/explain", .policyRead, "Explain a rule, a request or a user's access")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// A rule's id.
    package var rule: String?
    /// A request's body, as the JSON text that an app would send.
    package var request: String?
    /// Where that request comes in; otherwise `sign_up`.
    package var door: String?
    /// A user's address or id.
    package var user: String?
    /// By this revision instead of the live one.
    package var revision: Int?
    /// As of this day, `YYYY-MM-DD`, 00:00 UTC.
    package var at: String?

    package init(
      tenant: String, rule: String? = nil, request: String? = nil, door: String? = nil, user: String? = nil,
      revision: Int? = nil, at: String? = nil
    ) {
      self.tenant = tenant
      self.rule = rule
      self.request = request
      self.door = door
      self.user = user
      self.revision = revision
      self.at = at
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The revision that was asked.
    package var revision: Int
    /// Of a rule.
    package var rule: ExplainedRule?
    /// Of a request or a user.
    package var verdicts: [ExplainedVerdict]?
    /// Whether the door opens, for a request.
    package var allow: Bool?
    /// `full` or `limited`.
    package var access: String?
    /// The steps that are missing.
    package var next: [String]?
    /// Steps that the person may take and that nothing waits for, such as `add_passkey`; absent where there is none.
    package var offers: [String]?

    package init(
      revision: Int, rule: ExplainedRule? = nil, verdicts: [ExplainedVerdict]? = nil, allow: Bool? = nil,
      access: String? = nil, next: [String]? = nil, offers: [String]? = nil
    ) {
      self.revision = revision
      self.rule = rule
      self.verdicts = verdicts
      self.allow = allow
      self.access = access
      self.next = next
      self.offers = offers
    }
  }
}
