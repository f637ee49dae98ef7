import GatehousePolicy

/// The verdict of one rule about a request, with its place.
package struct RuleVerdict: Codable, Hashable, Sendable {
  /// The rule's id.
  package var rule: String
  /// The value that the rule judges, as a pointer into the request: `/email`.
  package var input: String
  /// `pass`, `fail`, `warn`, `off`, `not_reached` (an earlier rule failed, or there is no value), `undecidable` (what
  /// it needs is not known), or `deferred` (only storing tells, as with names that must be unique).
  package var verdict: String
  /// The remedy, in the caller's language; absent where the rule passes.
  package var message: String?
  /// With `warn`: the day from which it refuses.
  package var enforceFrom: String?

  package init(rule: String, input: String, verdict: String, message: String? = nil, enforceFrom: String? = nil) {
    (self.rule, self.input, self.verdict, self.message, self.enforceFrom) = (rule, input, verdict, message, enforceFrom)
  }
}

/// Explains what the policy says to a request, rule by rule, without making it. No stored account is looked up, nothing
/// is stored or logged, and rules that the policy does not disclose are left out.
package enum ExplainEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/explain", 200, "Explain what each rule says to a request",
    refuses: [.notFound])

  package struct Input: Codable, Hashable, Sendable {
    /// `sign_up` (without it), `update_profile`, `change_email` or `set_password`.
    package var door: String?
    /// The address.
    package var email: String?
    /// The password.
    package var password: String?
    /// Profile fields.
    package var profile: Profile?
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The door that was asked.
    package var door: String
    /// Whether no rule among these refuses.
    package var ok: Bool
    /// Each rule, in the policy's order.
    package var rules: [RuleVerdict]

    package init(door: String, ok: Bool, rules: [RuleVerdict]) { (self.door, self.ok, self.rules) = (door, ok, rules) }
  }
}
