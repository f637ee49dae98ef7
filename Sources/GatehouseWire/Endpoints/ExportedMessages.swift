/// A link or code that was mailed; never the code itself.
package struct ExportedCode: Codable, Hashable, Sendable {
  /// The purpose of the code: `verify_email`, `reset_password`.
  package var purpose: String
  /// Where it was mailed.
  package var destination: String
  /// When it was made.
  package var createdAt: Timestamp
  /// When it ended, or ends.
  package var expiresAt: Timestamp
  /// When it was used.
  package var usedAt: Timestamp?

  package init(purpose: String, destination: String, createdAt: Timestamp, expiresAt: Timestamp, usedAt: Timestamp?) {
    self.purpose = purpose
    self.destination = destination
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.usedAt = usedAt
  }
}

/// A mail about the account.
package struct ExportedMail: Codable, Hashable, Sendable {
  /// The kind of the mail: `verify_email`, `password_changed`.
  package var kind: String
  /// When it was written.
  package var createdAt: Timestamp
  /// When the mail server took it.
  package var deliveredAt: Timestamp?

  package init(kind: String, createdAt: Timestamp, deliveredAt: Timestamp?) {
    (self.kind, self.createdAt, self.deliveredAt) = (kind, createdAt, deliveredAt)
  }
}

/// A device that the person signed in on.
package struct ExportedDevice: Codable, Hashable, Sendable {
  /// Its id here; what the device keeps is a secret of its own.
  package var id: String
  /// The name that the device gives itself.
  package var name: String?
  /// When it was first seen.
  package var createdAt: Timestamp
  /// When the person last signed in on it.
  package var lastSeenAt: Timestamp
  /// False once it was forgotten.
  package var isKnown: Bool

  package init(id: String, name: String?, createdAt: Timestamp, lastSeenAt: Timestamp, isKnown: Bool) {
    (self.id, self.name, self.createdAt, self.lastSeenAt, self.isKnown) = (id, name, createdAt, lastSeenAt, isKnown)
  }
}

/// A message about the person to a server of the app's (a webhook).
package struct ExportedMessage: Codable, Hashable, Sendable {
  /// The event of the message, such as `user.created`.
  package var event: String
  /// When that happened.
  package var at: Timestamp
  /// When the server took it.
  package var deliveredAt: Timestamp?

  package init(event: String, at: Timestamp, deliveredAt: Timestamp?) {
    (self.event, self.at, self.deliveredAt) = (event, at, deliveredAt)
  }
}

/// An answer that is kept for a request that may be sent again.
package struct ExportedKeptAnswer: Codable, Hashable, Sendable {
  /// Until when.
  package var expiresAt: Timestamp

  package init(expiresAt: Timestamp) { self.expiresAt = expiresAt }
}

/// A row of the audit log that concerns the person.
package struct ExportedEvent: Codable, Hashable, Sendable {
  /// The time of it.
  package var at: Timestamp
  /// The name of the event, such as `authn_login_success`.
  package var event: String
  /// `success` or `failure`.
  package var outcome: String
  /// The actor: `you`, `nobody` (unknown), `administrator`, `operator`, `system`.
  package var by: String
  /// From where; only where it was the person, or may have been.
  package var address: String?
  /// The session it happened in.
  package var session: String?
  /// Further facts, such as `method`.
  package var details: [String: String]
  /// The request's name.
  package var requestID: String?
  /// The revision of the app's policy that judged it.
  package var policyRevision: Int?

  package init(
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
}

/// Everything that is stored about the caller.
package enum ExportMeEndpoint: Endpoint {
  package static let row = EndpointRow(
    .get, "/v1/me/export", 200, "Export everything stored about you, within five minutes of a sign-in",
    refuses: [.reauthenticationRequired, .notFound])

  package typealias Input = Nothing
  package typealias Output = DataExport
}
