/// Everything that is stored about a person, but for secrets: no password or token is in it, not even hashed.
public struct PersonExport: Codable, Hashable, Sendable {
  /// Of this shape: 1. Keys are only ever added.
  public var version: Int
  /// When it was made.
  public var exportedAt: Timestamp
  /// The app.
  public var tenant: String
  /// The record, with every field that is stored.
  public var user: User
  /// What the app's policy lets the person do.
  public var access: String
  /// How the account came to be: `sign_up`, `admin_create`.
  public var enteredBy: String
  /// When the address was proven.
  public var emailVerifiedAt: Timestamp?
  /// When mail of the address was last shown to be read.
  public var mailProvenAt: Timestamp?
  /// When the account was switched off.
  public var disabledAt: Timestamp?
  /// About the password.
  public var password: PasswordFacts
  /// Values that nobody else of the app may have, in the form that is compared.
  public var uniqueValues: [UniqueFieldValue]
  /// Who the person is at other services.
  public var identities: [ExportedIdentity]
  /// Sign-ins, newest first, ended ones for a month.
  public var sessions: [ExportedSession]
  /// Devices that somebody signed in on, the last used one first; a forgotten one is a new one when it comes again.
  public var devices: [ExportedDevice]
  /// Links and codes that were mailed, while they are remembered.
  public var codes: [ExportedCode]
  /// Mails, while they are remembered.
  public var mails: [ExportedMail]
  /// What the app's own servers were told of the person, or are about to be, while it is remembered.
  public var messages: [ExportedMessage]
  /// Answers that are kept, sealed, for requests that are sent again (`Idempotency-Key`).
  public var keptAnswers: [ExportedKeptAnswer]
  /// What happened, newest first.
  public var events: [ExportedEvent]
  /// False when there are more events than are shown.
  public var eventsAreComplete: Bool

  /// The whole of it.
  public init(
    version: Int = 1, exportedAt: Timestamp, tenant: String, user: User, access: String, enteredBy: String,
    emailVerifiedAt: Timestamp?, mailProvenAt: Timestamp? = nil, disabledAt: Timestamp?, password: PasswordFacts,
    uniqueValues: [UniqueFieldValue],
    identities: [ExportedIdentity],
    sessions: [ExportedSession], devices: [ExportedDevice], codes: [ExportedCode], mails: [ExportedMail],
    messages: [ExportedMessage], keptAnswers: [ExportedKeptAnswer], events: [ExportedEvent], eventsAreComplete: Bool
  ) {
    self.version = version
    self.exportedAt = exportedAt
    self.tenant = tenant
    self.user = user
    self.access = access
    self.enteredBy = enteredBy
    self.emailVerifiedAt = emailVerifiedAt
    self.mailProvenAt = mailProvenAt
    self.disabledAt = disabledAt
    self.password = password
    self.uniqueValues = uniqueValues
    self.identities = identities
    self.sessions = sessions
    self.devices = devices
    self.codes = codes
    self.mails = mails
    self.messages = messages
    self.keptAnswers = keptAnswers
    self.events = events
    self.eventsAreComplete = eventsAreComplete
  }

  enum CodingKeys: String, CodingKey {
    case version, tenant, user, access, password, identities, sessions, devices, codes, mails, messages, events
    case exportedAt = "exported_at"
    case enteredBy = "entered_by"
    case emailVerifiedAt = "email_verified_at"
    case mailProvenAt = "mail_proven_at"
    case disabledAt = "disabled_at"
    case uniqueValues = "unique_values"
    case keptAnswers = "kept_answers"
    case eventsAreComplete = "events_are_complete"
  }
}

/// What is known about a password.
public struct PasswordFacts: Codable, Hashable, Sendable {
  /// Whether there is one.
  public var isSet: Bool
  /// When it last changed.
  public var changedAt: Timestamp?
  /// Whether the next sign-in asks for another one.
  public var mustChange: Bool
  /// Whether it met the rules when that was last measured; absent when it never was.
  public var complies: Bool?

  /// The whole of it.
  public init(isSet: Bool, changedAt: Timestamp?, mustChange: Bool, complies: Bool?) {
    self.isSet = isSet
    self.changedAt = changedAt
    self.mustChange = mustChange
    self.complies = complies
  }

  enum CodingKeys: String, CodingKey {
    case complies
    case isSet = "is_set"
    case changedAt = "changed_at"
    case mustChange = "must_change"
  }
}

/// A value that nobody else may have.
public struct UniqueFieldValue: Codable, Hashable, Sendable {
  /// The field's name.
  public var field: String
  /// As it is compared.
  public var value: String

  /// The whole of it.
  public init(field: String, value: String) {
    self.field = field
    self.value = value
  }
}

/// Who the person is at another service.
public struct ExportedIdentity: Codable, Hashable, Sendable {
  /// The service's name in the policy.
  public var provider: String
  /// Who says so there.
  public var issuer: String
  /// The person's id there.
  public var subject: String
  /// What the person allowed there.
  public var scopes: [String]
  /// When it was linked.
  public var linkedAt: Timestamp
  /// `linked` or `broken`.
  public var state: String

  /// The whole of it.
  public init(provider: String, issuer: String, subject: String, scopes: [String], linkedAt: Timestamp, state: String) {
    self.provider = provider
    self.issuer = issuer
    self.subject = subject
    self.scopes = scopes
    self.linkedAt = linkedAt
    self.state = state
  }

  enum CodingKeys: String, CodingKey {
    case provider, issuer, subject, scopes, state
    case linkedAt = "linked_at"
  }
}

/// A sign-in on a device.
public struct ExportedSession: Codable, Hashable, Sendable {
  /// The session's id.
  public var id: String
  /// What the device calls itself.
  public var device: Device
  /// Which of the devices it is, while that is remembered.
  public var deviceID: String?
  /// Where they signed in there, roughly, if the server was told to know places.
  public var place: String?
  /// How the person proved who they are (RFC 8176).
  public var methods: [String]
  /// When the person signed in there.
  public var createdAt: Timestamp
  /// When they last proved who they are.
  public var authenticatedAt: Timestamp
  /// When it was last used.
  public var lastSeenAt: Timestamp
  /// When it ends by itself.
  public var expiresAt: Timestamp
  /// When it ended.
  public var endedAt: Timestamp?
  /// Why it ended.
  public var endReason: String?
  /// Where push messages go: `apns` or `fcm`.
  public var pushPlatform: String?
  /// The device's address there.
  public var pushToken: String?

  /// The whole of it.
  public init(
    id: String, device: Device, deviceID: String?, place: String?, methods: [String], createdAt: Timestamp,
    authenticatedAt: Timestamp, lastSeenAt: Timestamp, expiresAt: Timestamp, endedAt: Timestamp?, endReason: String?,
    pushPlatform: String?,
    pushToken: String?
  ) {
    self.id = id
    self.device = device
    self.deviceID = deviceID
    self.place = place
    self.methods = methods
    self.createdAt = createdAt
    self.authenticatedAt = authenticatedAt
    self.lastSeenAt = lastSeenAt
    self.expiresAt = expiresAt
    self.endedAt = endedAt
    self.endReason = endReason
    self.pushPlatform = pushPlatform
    self.pushToken = pushToken
  }

  enum CodingKeys: String, CodingKey {
    case id, device, place, methods
    case deviceID = "device_id"
    case createdAt = "created_at"
    case authenticatedAt = "authenticated_at"
    case lastSeenAt = "last_seen_at"
    case expiresAt = "expires_at"
    case endedAt = "ended_at"
    case endReason = "end_reason"
    case pushPlatform = "push_platform"
    case pushToken = "push_token"
  }
}

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

/// A device that somebody signed in on.
public struct ExportedDevice: Codable, Hashable, Sendable {
  /// Its id here; what the device keeps is a secret of its own.
  public var id: String
  /// What it calls itself.
  public var name: String?
  /// When it was first seen.
  public var createdAt: Timestamp
  /// When somebody last signed in on it.
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
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/v1/me/export"
  /// The status of a success.
  public static let status = 200
  /// What it does.
  public static let summary = "Export everything stored about you"

  /// What it takes.
  public typealias Input = Nothing

  /// What it answers.
  public typealias Output = PersonExport
}
