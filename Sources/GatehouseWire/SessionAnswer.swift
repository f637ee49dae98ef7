/// The answer of every way of signing in: tokens, the user, and the missing steps.
package struct SessionAnswer: Codable, Hashable, Sendable {
  /// A JWT (`typ: at+jwt`, RFC 9068) for the app's calls.
  package var accessToken: String
  /// Always `Bearer`.
  package var tokenType: String
  /// Seconds that the access token is good for.
  package var expiresIn: Int
  /// Exchanged at `/v1/token` for the next pair; each works once. Left out by `/v1/reauthenticate` alone, where none
  /// was sent: the stored one stays good.
  package var refreshToken: String?
  /// The session that both tokens belong to.
  package var session: SessionSummary
  /// The person. Left out by `/v1/token` unless it was asked to include it.
  package var user: User?
  /// `limited` until everything in `next` is done.
  package var access: String
  /// The missing steps, such as `verify_email` or `link:spotify`. Empty with full access.
  package var next: [String]
  /// Each step of `next`, in its order, as a person reads it. Absent where nothing is missing, and from earlier
  /// servers.
  package var requirements: [AccessRequirement]?
  /// Steps that the person may take and that nothing waits for, such as `add_passkey`. Absent where there is none, and
  /// from earlier servers.
  package var offers: [String]?
  /// Rules that this request broke but that do not bind yet.
  package var warnings: [RuleWarning]
  /// The policy that judged this request.
  package var policy: PolicyMark
  /// The mark that the device keeps for this person, to be recognised at the next sign-in. Only sign-up and sign-in
  /// give it.
  package var device: DeviceMark?
  /// The revision of the claims about the person in the access token: `GET /v1/me` says the one of now. Absent from
  /// earlier servers.
  package var claims: String?

  /// A session answer.
  package init(
    accessToken: String, expiresIn: Int, refreshToken: String?, session: SessionSummary, user: User?, access: String,
    next: [String], requirements: [AccessRequirement]? = nil, offers: [String]? = nil, warnings: [RuleWarning],
    policy: PolicyMark,
    device: DeviceMark? = nil, claims: String? = nil
  ) {
    self.claims = claims
    self.accessToken = accessToken
    tokenType = "Bearer"
    self.expiresIn = expiresIn
    self.refreshToken = refreshToken
    self.session = session
    self.user = user
    self.access = access
    self.next = next
    self.requirements = requirements
    self.offers = offers
    self.warnings = warnings
    self.policy = policy
    self.device = device
  }
}

/// The sentences about a rise of the user's access, for the descriptions of operations.
enum AccessRise {
  static let details =
    "Where this raises access from limited to full, an app refreshes (POST /v1/token) before it calls its own backend: access is a "
    + "claim of the access token, and the one that the app holds still says limited."
}

/// The mark by which a device is recognised.
package struct DeviceMark: Codable, Hashable, Sendable {
  /// Opaque and secret: a client that sends it is taken for this device.
  package var id: String

  /// A mark.
  package init(id: String) { self.id = id }
}

/// A session's name and bounds.
package struct SessionSummary: Codable, Hashable, Sendable {
  /// The session's id.
  package var id: String
  /// When the person signed in.
  package var createdAt: Timestamp
  /// When it ends, however busy it is.
  package var expiresAt: Timestamp

  /// A session's name and bounds.
  package init(id: String, createdAt: Timestamp, expiresAt: Timestamp) {
    (self.id, self.createdAt, self.expiresAt) = (id, createdAt, expiresAt)
  }
}

/// A rule that was broken and does not bind yet.
package struct RuleWarning: Codable, Hashable, Sendable {
  /// The rule's id.
  package var rule: String
  /// The text for a person, as a row of a checklist.
  package var message: String
  /// The same as a sentence that stands alone, `Password must be at least 6 characters.` Earlier servers say none.
  package var sentence: String?
  /// The day from which it binds (`2027-03-01`), if there is one.
  package var enforceFrom: String?

  /// A warning.
  package init(rule: String, message: String, sentence: String? = nil, enforceFrom: String? = nil) {
    (self.rule, self.message, self.sentence, self.enforceFrom) = (rule, message, sentence, enforceFrom)
  }
}

/// The revision of the tenant's policy that judged a request.
package struct PolicyMark: Codable, Hashable, Sendable {
  /// The revision's number.
  package var revision: Int

  /// A mark.
  package init(revision: Int) { self.revision = revision }
}
