/// A link or code that was mailed; never the code itself.
public struct ExportedCode: Codable, Hashable, Sendable {
  /// What it was for: `verify_email`, `reset_password`.
  public var purpose: String
  /// Where it was mailed.
  public var destination: String
  /// When it was made.
  public var createdAt: Timestamp
  /// When it ended, or ends.
  public var expiresAt: Timestamp
  /// When it was used.
  public var usedAt: Timestamp?

  /// The whole of it.
  public init(purpose: String, destination: String, createdAt: Timestamp, expiresAt: Timestamp, usedAt: Timestamp?) {
    self.purpose = purpose
    self.destination = destination
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.usedAt = usedAt
  }

  enum CodingKeys: String, CodingKey {
    case purpose, destination
    case createdAt = "created_at"
    case expiresAt = "expires_at"
    case usedAt = "used_at"
  }
}

/// A mail about the account.
public struct ExportedMail: Codable, Hashable, Sendable {
  /// Which one: `verify_email`, `password_changed`.
  public var kind: String
  /// When it was written.
  public var createdAt: Timestamp
  /// When the mail server took it.
  public var deliveredAt: Timestamp?

  /// The whole of it.
  public init(kind: String, createdAt: Timestamp, deliveredAt: Timestamp?) {
    self.kind = kind
    self.createdAt = createdAt
    self.deliveredAt = deliveredAt
  }

  enum CodingKeys: String, CodingKey {
    case kind
    case createdAt = "created_at"
    case deliveredAt = "delivered_at"
  }
}

/// A device that the person signed in on.
public struct ExportedDevice: Codable, Hashable, Sendable {
  /// Its id here; what the device keeps is a secret of its own.
  public var id: String
  /// What it calls itself.
  public var name: String?
  /// When it was first seen.
  public var createdAt: Timestamp
  /// When the person last signed in on it.
  public var lastSeenAt: Timestamp
  /// False once it was forgotten.
  public var isKnown: Bool

  /// The whole of it.
  public init(id: String, name: String?, createdAt: Timestamp, lastSeenAt: Timestamp, isKnown: Bool) {
    self.id = id
    self.name = name
    self.createdAt = createdAt
    self.lastSeenAt = lastSeenAt
    self.isKnown = isKnown
  }

  enum CodingKeys: String, CodingKey {
    case id, name
    case createdAt = "created_at"
    case lastSeenAt = "last_seen_at"
    case isKnown = "is_known"
  }
}

/// A message about the person to a server of the app's (a webhook).
public struct ExportedMessage: Codable, Hashable, Sendable {
  /// What it tells, such as `user.created`.
  public var event: String
  /// When that happened.
  public var at: Timestamp
  /// When the server took it.
  public var deliveredAt: Timestamp?

  /// The whole of it.
  public init(event: String, at: Timestamp, deliveredAt: Timestamp?) {
    self.event = event
    self.at = at
    self.deliveredAt = deliveredAt
  }

  enum CodingKeys: String, CodingKey {
    case event, at
    case deliveredAt = "delivered_at"
  }
}

/// An answer that is kept for a request that may be sent again.
public struct ExportedKeptAnswer: Codable, Hashable, Sendable {
  /// Until when.
  public var expiresAt: Timestamp

  /// The whole of it.
  public init(expiresAt: Timestamp) { self.expiresAt = expiresAt }

  enum CodingKeys: String, CodingKey {
    case expiresAt = "expires_at"
  }
}

/// A row of the audit trail that concerns the person.
public struct ExportedEvent: Codable, Hashable, Sendable {
  /// When.
  public var at: Timestamp
  /// What happened, such as `authn_login_success`.
  public var event: String
  /// `success` or `failure`.
  public var outcome: String
  /// Who did it: `you`, `nobody` (who is known), `administrator`, `operator`, `system`.
  public var by: String
  /// From where; only where it was the person, or may have been.
  public var address: String?
  /// The session it happened in.
  public var session: String?
  /// The request's name.
  public var requestID: String?
  /// The revision of the app's policy that judged it.
  public var policyRevision: Int?
  /// Further facts, such as `method`.
  public var details: [String: String]

  /// The whole of it.
  public init(
    at: Timestamp, event: String, outcome: String, by: String, address: String?, session: String?, requestID: String?,
    policyRevision: Int?, details: [String: String]
  ) {
    self.at = at
    self.event = event
    self.outcome = outcome
    self.by = by
    self.address = address
    self.session = session
    self.requestID = requestID
    self.policyRevision = policyRevision
    self.details = details
  }

  enum CodingKeys: String, CodingKey {
    case at, event, outcome, by, address, session, details
    case requestID = "request_id"
    case policyRevision = "policy_revision"
  }
}

/// Everything that is stored about the caller.
public enum ExportMeEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .get, "/v1/me/export", 200, "Export everything stored about you, within five minutes of a sign-in",
    refuses: [.reauthenticationRequired, .notFound])

  /// What it takes.
  public typealias Input = Nothing

  /// What it answers.
  public typealias Output = DataExport
}
