package import GatehousePolicy

/// A refusal as the API answers it: `application/problem+json` (RFC 9457).
package struct Problem: Codable, Hashable, Sendable {
  /// A URI that names the kind of problem.
  package var type: String
  /// The code's text, in the language asked for.
  package var title: String
  /// The HTTP status.
  package var status: Int
  /// The stable reason. A newer server may answer one that this version does not know: then `status` and `title` say
  /// what is left to know.
  package var code: ProblemCode
  /// For people: what exactly is wrong. Absent where the title says it all.
  package var detail: String?
  /// Each violated rule, in the policy file's order.
  package var errors: [ProblemError]?
  /// With `access_limited`: what would lift the limit.
  package var next: [String]?
  /// With `access_limited`: each step of `next`, in its order, as a person reads it.
  package var requirements: [AccessRequirement]?
  /// With `provider_…`: the provider, by the policy's name.
  package var provider: String?
  /// With `provider_scopes_missing`: what the person has to allow there.
  package var missing: [String]?
  /// With `reauthentication_required`, to a signed-in caller: the ways to a fresh proof that are open to their account,
  /// of `totp`, `passkey` (`POST /v1/reauthenticate/start`) and `recovery_code`, which are the only ones of an account
  /// that owes a second factor, `password`, `provider` (a fresh sign-in at one) and `code`
  /// (`POST /v1/reauthenticate/code`). A newer server may name one that this version does not know.
  package var methods: [String]?
  /// With 429: the name of the limit, as the policy spells it where it can set one.
  package var limit: String?
  /// With a challenge: the factors of which one is asked for. A newer server may name one that this version does not
  /// know.
  package var factors: [String]?
  /// With a challenge: seconds for which the policy lets a device be remembered. Absent where it lets none.
  package var rememberFor: Int?
  /// Finds this request in the server's log.
  package var requestID: String
  /// With 429 and 503: seconds to wait, as in the `Retry-After` header.
  package var retryAfter: Int?
  /// With a refusal that asks for another proof: what the next request names. It is a secret of the caller's.
  package var challengeID: String?
  /// With a challenge: seconds until it ends.
  package var expiresIn: Int?
  /// With a challenge that a passkey can answer, and with a refused answer: the options for the next one, as
  /// `PublicKeyCredentialRequestOptionsJSON` of WebAuthn.
  package var passkey: RequestOptions?

  /// A refusal.
  package init(
    type: String, title: String, status: Int, code: ErrorCode, requestID: String, detail: String? = nil,
    errors: [ProblemError]? = nil, next: [String]? = nil,
    requirements: [AccessRequirement]? = nil, provider: String? = nil, missing: [String]? = nil,
    methods: [String]? = nil,
    retryAfter: Int? = nil, limit: String? = nil, challengeID: String? = nil, expiresIn: Int? = nil,
    factors: [String]? = nil, rememberFor: Int? = nil, passkey: RequestOptions? = nil
  ) {
    self.type = type
    self.title = title
    self.status = status
    self.code = ProblemCode(code)
    self.requestID = requestID
    self.detail = detail
    self.errors = errors
    self.next = next
    self.requirements = requirements
    self.provider = provider
    self.missing = missing
    self.methods = methods
    self.retryAfter = retryAfter
    self.limit = limit
    self.challengeID = challengeID
    self.expiresIn = expiresIn
    self.factors = factors
    self.rememberFor = rememberFor
    self.passkey = passkey
  }
}

/// One violated rule.
package struct ProblemError: Codable, Hashable, Sendable {
  /// Where in the request, as an RFC 6901 pointer.
  package var pointer: String
  /// The rule's id, which never changes.
  package var rule: String
  /// The parameters of the rule.
  package var params: [String: ParameterValue]?
  /// The text for a person, as a row of a checklist.
  package var message: String
  /// The same as a sentence that stands alone, `Password must be at least 6 characters.` Earlier servers say none.
  package var sentence: String?

  /// One violation.
  package init(
    pointer: String, rule: String, params: [String: ParameterValue]? = nil, message: String, sentence: String? = nil
  ) {
    (self.pointer, self.rule, self.params, self.message, self.sentence) = (pointer, rule, params, message, sentence)
  }
}
