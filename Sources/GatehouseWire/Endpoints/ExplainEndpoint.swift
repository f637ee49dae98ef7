import GatehousePolicy

/// What one rule says of a request, and where.
public struct RuleVerdict: Codable, Hashable, Sendable {
  /// The rule's id.
  public var rule: String
  /// What it looks at, as a pointer into the request: `/email`.
  public var input: String
  /// `pass`, `fail`, `warn`, `off`, `not_reached` (an earlier rule failed, or there is no value), `undecidable` (what it
  /// needs is not known), or `deferred` (only storing tells, as with names that must be unique).
  public var verdict: String
  /// What would make it pass, in the caller's language; only where it does not.
  public var message: String?
  /// With `warn`: the day from which it refuses.
  public var enforceFrom: String?

  /// The whole of it.
  public init(rule: String, input: String, verdict: String, message: String? = nil, enforceFrom: String? = nil) {
    self.rule = rule
    self.input = input
    self.verdict = verdict
    self.message = message
    self.enforceFrom = enforceFrom
  }

  private enum CodingKeys: String, CodingKey {
    case rule, input, verdict, message
    case enforceFrom = "enforce_from"
  }
}

/// Explains what the policy says to a request, rule by rule, without making it. No stored account is looked up, nothing
/// is stored or logged, and rules that the policy does not disclose are left out.
public enum ExplainEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/explain", 200, "Explain what each rule says to a request",
    refuses: [.notFound])

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// `sign_up` (without it), `update_profile`, `change_email` or `set_password`.
    public var door: String?
    /// The address.
    public var email: String?
    /// The password.
    public var password: String?
    /// Profile fields.
    public var profile: Profile?

    /// The whole of it.
    public init(door: String? = nil, email: String? = nil, password: String? = nil, profile: Profile? = nil) {
      self.door = door
      self.email = email
      self.password = password
      self.profile = profile
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// The door that was asked.
    public var door: String
    /// Whether no rule among these refuses.
    public var ok: Bool
    /// Each rule, in the policy's order.
    public var rules: [RuleVerdict]

    /// The whole of it.
    public init(door: String, ok: Bool, rules: [RuleVerdict]) {
      self.door = door
      self.ok = ok
      self.rules = rules
    }
  }
}
