/// Everything that is stored about a person, but for secrets: no password or token is in it, not even hashed. Its JSON
/// is one object: the members of `facts`, and each list under its name.
package struct DataExport: Codable, Hashable, Sendable {
  package var facts: Facts
  package var lists: [ExportedList]

  package init(facts: Facts, lists: [ExportedList]) { (self.facts, self.lists) = (facts, lists) }

  /// Reads the facts, and every further list. Another member, which a newer server may send, is skipped.
  package init(from decoder: any Decoder) throws {
    facts = try Facts(from: decoder)
    let container = try decoder.container(keyedBy: ExportedName.self)
    let own = Set(Facts.CodingKeys.allCases.map { ContractJSON.spelled($0.stringValue) })
    let names = container.allKeys.filter { !own.contains(ContractJSON.spelled($0.stringValue)) }
    lists = names.sorted { $0.stringValue < $1.stringValue }.compactMap { name in
      (try? container.decode([ExportedRow].self, forKey: name)).map {
        ExportedList(name: ContractJSON.spelled(name.stringValue), rows: $0)
      }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    try facts.encode(to: encoder)
    var container = encoder.container(keyedBy: ExportedName.self)
    for list in lists { try container.encode(list.rows, forKey: ExportedName(list.name)) }
  }

  /// The number of rows in a list.
  package func count(of list: String) -> Int { lists.first { $0.name == list }?.rows.count ?? 0 }

  /// The members that are no lists of plain values.
  package struct Facts: Codable, Hashable, Sendable {
    /// Of this shape: 1. Keys are only ever added.
    package var version: Int
    /// The app.
    package var tenant: String
    /// The record, with every field that is stored.
    package var user: User
    /// The person's access under the app's policy.
    package var access: String
    /// About the password.
    package var password: PasswordFacts
    /// The person's identities at other services.
    package var identities: [ExportedIdentity]
    /// Sign-ins, newest first, ended ones for a month.
    package var sessions: [ExportedSession]
    /// The events of the audit log, newest first.
    package var events: [ExportedEvent]
    /// When it was made.
    package var exportedAt: Timestamp
    /// The origin of the account: `sign_up`, `admin_create`.
    package var enteredBy: String
    /// When the address was proven.
    package var emailVerifiedAt: Timestamp?
    /// When mail of the address was last shown to be read.
    package var mailProvenAt: Timestamp?
    /// When the account was switched off.
    package var disabledAt: Timestamp?
    /// Values that no other user of the app may have, in the form that is compared.
    package var uniqueValues: [UniqueFieldValue]
    /// False when there are more events than are shown.
    package var eventsAreComplete: Bool

    package init(
      version: Int = 1, exportedAt: Timestamp, tenant: String, user: User, access: String, enteredBy: String,
      emailVerifiedAt: Timestamp?, mailProvenAt: Timestamp? = nil, disabledAt: Timestamp?, password: PasswordFacts,
      uniqueValues: [UniqueFieldValue], identities: [ExportedIdentity], sessions: [ExportedSession],
      events: [ExportedEvent], eventsAreComplete: Bool
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
      self.events = events
      self.eventsAreComplete = eventsAreComplete
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
      case version, tenant, user, access, password, identities, sessions, events, exportedAt
      case enteredBy, emailVerifiedAt, mailProvenAt, disabledAt, uniqueValues, eventsAreComplete
    }
  }
}

/// The facts known about a password.
package struct PasswordFacts: Codable, Hashable, Sendable {
  /// Whether the password met the rules at its last measurement; absent if it was never measured.
  package var complies: Bool?
  /// Whether the account has a password.
  package var isSet: Bool
  /// When it last changed.
  package var changedAt: Timestamp?
  /// Whether the next sign-in asks for another one.
  package var mustChange: Bool
  /// The number of earlier passwords that are kept as hashes, so that none of them is set again.
  package var earlierKept: Int

  package init(isSet: Bool, changedAt: Timestamp?, mustChange: Bool, complies: Bool?, earlierKept: Int = 0) {
    self.isSet = isSet
    self.changedAt = changedAt
    self.mustChange = mustChange
    self.complies = complies
    self.earlierKept = earlierKept
  }
}

/// A value that no other user of the app may have.
package struct UniqueFieldValue: Codable, Hashable, Sendable {
  /// The field's name.
  package var field: String
  /// As it is compared.
  package var value: String

  package init(field: String, value: String) { (self.field, self.value) = (field, value) }
}

/// The person's identity at another service.
package struct ExportedIdentity: Codable, Hashable, Sendable {
  /// The service's name in the policy.
  package var provider: String
  /// The issuer of the identity.
  package var issuer: String
  /// The person's id there.
  package var subject: String
  /// The scopes that the person granted there.
  package var scopes: [String]
  /// `linked` or `broken`.
  package var state: String
  /// When it was linked.
  package var linkedAt: Timestamp

  package init(provider: String, issuer: String, subject: String, scopes: [String], linkedAt: Timestamp, state: String)
  {
    self.provider = provider
    self.issuer = issuer
    self.subject = subject
    self.scopes = scopes
    self.linkedAt = linkedAt
    self.state = state
  }
}

/// A sign-in on a device.
package struct ExportedSession: Codable, Hashable, Sendable {
  /// The session's id.
  package var id: String
  /// The name that the device gives itself.
  package var device: Device
  /// Where they signed in there, roughly, if the server was told to know places.
  package var place: String?
  /// The methods by which the person authenticated (RFC 8176).
  package var methods: [String]
  /// The id of the device in `devices`, as long as the device is remembered.
  package var deviceID: String?
  /// When the person signed in there.
  package var createdAt: Timestamp
  /// When they last proved who they are.
  package var authenticatedAt: Timestamp
  /// When it was last used.
  package var lastSeenAt: Timestamp
  /// When it ends by itself.
  package var expiresAt: Timestamp
  /// When it ended.
  package var endedAt: Timestamp?
  /// The reason for which the session ended.
  package var endReason: String?
  /// Where push messages go: `apns` or `fcm`.
  package var pushPlatform: String?
  /// The device's address there.
  package var pushToken: String?

  package init(
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
}

/// Everything that is stored about the caller.
package enum ExportMeEndpoint: Endpoint {
  package static let row = EndpointRow(
    .get, "/v1/me/export", 200, "Export everything stored about you, within five minutes of a sign-in",
    refuses: [.reauthenticationRequired, .notFound])

  package typealias Input = Nothing
  package typealias Output = DataExport
}
