/// What one rule says of a password.
public struct PasswordRuleVerdict: Codable, Hashable, Sendable {
  /// The rule's id.
  public var rule: String
  /// `pass`, `fail` or `warn`.
  public var verdict: String
  /// The text for a person, as a row of a checklist.
  public var message: String
  /// The same as a sentence that stands alone, `Password must be at least 6 characters.` Earlier servers say none.
  public var sentence: String?

  /// The whole of it.
  public init(rule: String, verdict: String, message: String, sentence: String? = nil) {
    self.rule = rule
    self.verdict = verdict
    self.message = message
    self.sentence = sentence
  }
}

/// Judges a password while it is typed. It is never stored or logged.
public enum PasswordCheckEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/password-check", 200, "Judge a password",
    refuses: [.notFound])

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// As typed so far.
    public var password: String
    /// So that the password may not contain it.
    public var email: String?
    /// So that the password may not contain it.
    public var profile: Profile?

    /// The whole of it.
    public init(password: String, email: String? = nil, profile: Profile? = nil) {
      self.password = password
      self.email = email
      self.profile = profile
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// Whether no enforced rule fails.
    public var ok: Bool
    /// Strength from 0 to 4.
    public var score: Int
    /// Each rule in the policy's order.
    public var rules: [PasswordRuleVerdict]

    /// The whole of it.
    public init(ok: Bool, score: Int, rules: [PasswordRuleVerdict]) {
      self.ok = ok
      self.score = score
      self.rules = rules
    }
  }
}
