// Why a policy decides as it does.

/// One rule as it stands in a policy.
public struct ExplainedRule: Codable, Hashable, Sendable {
  /// Its id.
  public var rule: String
  /// Where it stands.
  public var line: Int
  /// That line of the file.
  public var source: String
  /// What it asks.
  public var meaning: String
  /// What it looks at.
  public var input: String
  /// What holds on the day asked about.
  public var stage: String
  /// The day from which it binds, if it only warns now.
  public var enforceFrom: String?
  /// What it means for people stored.
  public var existing: String
  /// Where it is asked.
  public var doors: [String]
  /// What people read.
  public var message: String
  /// Whether the public half of the policy lists it.
  public var disclosed: Bool

  /// The whole of it.
  public init(
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

  enum CodingKeys: String, CodingKey {
    case rule, line, source, meaning, input, stage, existing, doors, message, disclosed
    case enforceFrom = "enforce_from"
  }
}

/// One rule, or one requirement of access, and what it says. No value of a person stands here.
public struct ExplainedVerdict: Codable, Hashable, Sendable {
  /// Its id.
  public var rule: String
  /// Where it stands in the file.
  public var line: Int?
  /// That line.
  public var source: String
  /// What it looks at, as a pointer into a request.
  public var input: String
  /// `pass`, `fail`, `warn`, …
  public var verdict: String
  /// Why.
  public var why: String?
  /// What would make it pass.
  public var remedy: String?

  /// The whole of it.
  public init(
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

/// Explains a rule, a request at a door, or how a person stands (which needs `user:read` too). Nothing is stored.
public enum ExplainPolicyOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/policy/explain"
  /// What a token must allow.
  public static let scope = AdminScope.policyRead
  /// What it does.
  public static let summary = "Explain a rule, a request or how a person stands"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// A rule's id.
    public var rule: String?
    /// A request's body, as the JSON text that an app would send.
    public var request: String?
    /// Where that request comes in; otherwise `sign_up`.
    public var door: String?
    /// A person's address or id.
    public var user: String?
    /// By this revision instead of the live one.
    public var revision: Int?
    /// As of this day, `YYYY-MM-DD`, 00:00 UTC.
    public var at: String?

    /// The whole of it.
    public init(
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

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// The revision that was asked.
    public var revision: Int
    /// Of a rule.
    public var rule: ExplainedRule?
    /// Of a request or a person.
    public var verdicts: [ExplainedVerdict]?
    /// Whether the door opens, for a request.
    public var allow: Bool?
    /// `full` or `limited`.
    public var access: String?
    /// What would have to be done.
    public var next: [String]?

    /// The whole of it.
    public init(
      revision: Int, rule: ExplainedRule? = nil, verdicts: [ExplainedVerdict]? = nil, allow: Bool? = nil,
      access: String? = nil, next: [String]? = nil
    ) {
      self.revision = revision
      self.rule = rule
      self.verdicts = verdicts
      self.allow = allow
      self.access = access
      self.next = next
    }
  }
}
