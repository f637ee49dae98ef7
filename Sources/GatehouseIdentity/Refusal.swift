package import GatehousePolicy
package import GatehouseWire

/// A request that is refused, and why. The code is what counts; the note is for the operator's log and is never shown.
package struct Refusal: Error, Sendable {
  package var code: ErrorCode
  /// With `validation_failed`: every violated rule.
  package var violations: [Violation]
  /// With `malformed_request` or `not_found`: what a person should know beyond the code's own text.
  package var detail: String?
  /// With `access_limited`: what would lift the limit.
  package var next: [String]
  /// With `access_limited`: the same as people read it.
  package var requirements: [AccessRequirement]?
  /// With `provider_…`: the provider, by the policy's name.
  package var provider: String?
  /// With `provider_scopes_missing`: what the person did not allow at the provider.
  package var missing: [String] = []
  /// With `reauthentication_required`: the ways to a fresh proof that are open to the caller's account.
  package var methods: [String] = []
  /// With 429 and 503: seconds to wait.
  package var retryAfter: Int?
  /// With 429: the name of the limit, as the policy spells it where it can set one.
  package var limit: String?
  /// The answer that the caller may give instead of giving up; nil where only another request helps.
  package var challenge: Challenge?
  /// With `code_invalid`: whether the code has had all its tries. No answer of the API tells it.
  package var isUsedUp = false
  /// For the log only.
  package var note: String?
  /// The store's error that it is for, where it is for one.
  package private(set) var store: StoreError?

  /// The options for a passkey, with a challenge and with a refused answer.
  package var passkey: RequestOptions?

  /// Another proof that is asked for.
  package struct Challenge: Sendable, Equatable {
    /// The secret of the caller that the next request names.
    package let id: String
    /// Seconds until it ends.
    package let expiresIn: Int
    /// The factors of which one is asked for, in the order in which they are offered.
    package let factors: [String]
    /// Seconds for which the device can be remembered; nil where it can not.
    package let rememberSeconds: Int?

    package init(id: String, expiresIn: Int, factors: [String], rememberSeconds: Int? = nil) {
      self.id = id
      self.expiresIn = expiresIn
      self.factors = factors
      self.rememberSeconds = rememberSeconds
    }
  }

  package init(
    _ code: ErrorCode, violations: [Violation] = [], detail: String? = nil, next: [String] = [],
    retryAfter: Int? = nil, limit: String? = nil, note: String? = nil
  ) {
    self.code = code
    self.violations = violations
    self.detail = detail
    self.next = next
    self.retryAfter = retryAfter
    self.limit = limit
    self.note = note
  }

  /// A request whose shape is wrong at `pointer`.
  package static func malformed(_ pointer: String, _ what: String) -> Refusal {
    Refusal(.malformedRequest, detail: "\(pointer): \(what)")
  }
}

extension Refusal: CustomStringConvertible {
  /// The code alone: details may come from the caller.
  package var description: String { "refused: \(code.rawValue)" }
}

extension Refusal {
  /// The refusal for any thrown error. Internal details stay in the note.
  package init(of error: any Error) {
    switch error {
    case let refusal as Refusal: self = refusal
    case let error as StoreError: self.init(error)
    default: self.init(.internal, note: "\(type(of: error)): \(error)")
    }
  }

  /// Whether the refusal says that the store is away, or has too much to do.
  package var isOfStore: Bool { code == .overloaded || code == .unknownOutcome }

  /// The refusal for a store's error, where the feature has no better one.
  package init(_ error: StoreError) {
    switch error {
    case .emailTaken: self.init(.accountExists)
    case .fieldTaken, .exists: self.init(.conflict)
    case .refused(.sessionIsLive): self.init(.sessionRevoked)
    case .refused(let condition): self.init(.conflict, note: condition.rawValue)
    case .limited(let name, let retryAfter): self.init(.rateLimited, retryAfter: retryAfter, limit: name)
    case .overloaded: self.init(.overloaded, retryAfter: 1)
    case .unavailable: self.init(.overloaded, retryAfter: 2, note: "database unavailable")
    case .unknownOutcome: self.init(.unknownOutcome, retryAfter: 2)
    case .impaired(let state): self.init(.overloaded, retryAfter: 5, note: "database refused: \(state)")
    }
    store = error
  }
}
