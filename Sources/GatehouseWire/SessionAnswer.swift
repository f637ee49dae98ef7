/// What every way of signing in answers: tokens, who it is, and what is still missing.
public struct SessionAnswer: Codable, Hashable, Sendable {
  /// A JWT (`typ: at+jwt`, RFC 9068) for the app's calls.
  public var accessToken: String
  /// Always `Bearer`.
  public var tokenType: String
  /// Seconds that the access token is good for.
  public var expiresIn: Int
  /// Exchanged at `/v1/token` for the next pair; each works once. Left out by `/v1/reauthenticate` alone, where none was sent: the stored
  /// one stays good.
  public var refreshToken: String?
  /// The session that both tokens belong to.
  public var session: SessionSummary
  /// The person. Left out by `/v1/token` unless it was asked to include it.
  public var user: User?
  /// `limited` until everything in `next` is done.
  public var access: String
  /// What is missing, such as `verify_email` or `link:spotify`. Empty with full access.
  public var next: [String]
  /// Each step of `next`, in its order, as a person reads it. Absent where nothing is missing, and from earlier servers.
  public var requirements: [AccessRequirement]?
  /// Rules that this request broke but that do not bind yet.
  public var warnings: [RuleWarning]
  /// The policy that judged this request.
  public var policy: PolicyMark
  /// What the device keeps, for this person, to be recognised at the next sign-in. Only sign-up and sign-in give it.
  public var device: DeviceMark?

  /// A session answer.
  public init(
    accessToken: String, expiresIn: Int, refreshToken: String?, session: SessionSummary, user: User?, access: String,
    next: [String], requirements: [AccessRequirement]? = nil, warnings: [RuleWarning], policy: PolicyMark,
    device: DeviceMark? = nil
  ) {
    self.accessToken = accessToken
    tokenType = "Bearer"
    self.expiresIn = expiresIn
    self.refreshToken = refreshToken
    self.session = session
    self.user = user
    self.access = access
    self.next = next
    self.requirements = requirements
    self.warnings = warnings
    self.policy = policy
    self.device = device
  }

  enum CodingKeys: String, CodingKey {
    case accessToken = "access_token"
    case tokenType = "token_type"
    case expiresIn = "expires_in"
    case refreshToken = "refresh_token"
    case session, user, access, next, requirements, warnings, policy, device
  }
}

/// What descriptions of operations say that may raise the access of the person.
enum AccessRise {
  static let details =
    "Where this raises access from limited to full, an app refreshes (POST /v1/token) before it calls its own backend: access is a "
    + "claim of the access token, and the one that the app holds still says limited."
}

/// What a device is recognised by.
public struct DeviceMark: Codable, Hashable, Sendable {
  /// Opaque and secret: a client that sends it is taken for this device.
  public var id: String

  /// A mark.
  public init(id: String) { self.id = id }
}

/// A session's name and bounds.
public struct SessionSummary: Codable, Hashable, Sendable {
  /// The session's id.
  public var id: String
  /// When the person signed in.
  public var createdAt: Timestamp
  /// When it ends, however busy it is.
  public var expiresAt: Timestamp

  /// A session's name and bounds.
  public init(id: String, createdAt: Timestamp, expiresAt: Timestamp) {
    self.id = id
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }

  enum CodingKeys: String, CodingKey {
    case id
    case createdAt = "created_at"
    case expiresAt = "expires_at"
  }
}

/// A rule that was broken and does not bind yet.
public struct RuleWarning: Codable, Hashable, Sendable {
  /// The rule's id.
  public var rule: String
  /// The text for a person, as a row of a checklist.
  public var message: String
  /// The same as a sentence that stands alone, `Password must be at least 6 characters.` Earlier servers say none.
  public var sentence: String?
  /// The day from which it binds (`2027-03-01`), if there is one.
  public var enforceFrom: String?

  /// A warning.
  public init(rule: String, message: String, sentence: String? = nil, enforceFrom: String? = nil) {
    self.rule = rule
    self.message = message
    self.sentence = sentence
    self.enforceFrom = enforceFrom
  }

  enum CodingKeys: String, CodingKey {
    case rule, message, sentence
    case enforceFrom = "enforce_from"
  }
}

/// Which revision of the tenant's policy judged a request.
public struct PolicyMark: Codable, Hashable, Sendable {
  /// The revision's number.
  public var revision: Int

  /// A mark.
  public init(revision: Int) { self.revision = revision }
}
