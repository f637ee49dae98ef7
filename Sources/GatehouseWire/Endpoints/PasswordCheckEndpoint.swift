/// The verdict of one rule about a password.
package struct PasswordRuleVerdict: Codable, Hashable, Sendable {
  /// The rule's id.
  package var rule: String
  /// `pass`, `fail` or `warn`.
  package var verdict: String
  /// The text for a person, as a row of a checklist.
  package var message: String
  /// The same as a sentence that stands alone, `Password must be at least 6 characters.` Earlier servers say none.
  package var sentence: String?

  package init(rule: String, verdict: String, message: String, sentence: String? = nil) {
    (self.rule, self.verdict, self.message, self.sentence) = (rule, verdict, message, sentence)
  }
}

/// Judges a password while it is typed. It is never stored or logged.
package enum PasswordCheckEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/password-check", 200, "Judge a password",
    refuses: [.notFound])

  package struct Input: Codable, Hashable, Sendable {
    /// As typed so far.
    package var password: String
    /// So that the password may not contain it.
    package var email: String?
    /// So that the password may not contain it.
    package var profile: Profile?

    package init(password: String, email: String? = nil, profile: Profile? = nil) {
      (self.password, self.email, self.profile) = (password, email, profile)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// Whether no enforced rule fails.
    package var ok: Bool
    /// Strength from 0 to 4.
    package var score: Int
    /// Each rule in the policy's order.
    package var rules: [PasswordRuleVerdict]

    package init(ok: Bool, score: Int, rules: [PasswordRuleVerdict]) {
      (self.ok, self.score, self.rules) = (ok, score, rules)
    }
  }
}
