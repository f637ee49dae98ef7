package import Foundation

/// Everything that is stored about one user, for the copy that the user may have.
package protocol DataExportStore: Sendable {
  /// Nil when there is no such account. No secret is in it, hashed or sealed.
  func everything(about id: UserID) async throws -> StoredUserData?
}

/// A user's rows, except those of the audit log. Each table's part of the export fills its own member.
package struct StoredUserData: Sendable {
  package struct SessionRow: Sendable {
    package var session: Session
    package var endReason: String?
    package var pushPlatform: String?
    package var sealedPushToken: [UInt8]?

    package init(session: Session, endReason: String?, pushPlatform: String?, sealedPushToken: [UInt8]?) {
      self.session = session
      self.endReason = endReason
      self.pushPlatform = pushPlatform
      self.sealedPushToken = sealedPushToken
    }
  }

  package struct CodeRow: Sendable {
    package var purpose: String
    package var destination: String
    package var createdAt: Date
    package var expiresAt: Date
    package var usedAt: Date?

    package init(purpose: String, destination: String, createdAt: Date, expiresAt: Date, usedAt: Date?) {
      self.purpose = purpose
      self.destination = destination
      self.createdAt = createdAt
      self.expiresAt = expiresAt
      self.usedAt = usedAt
    }
  }

  package struct MailRow: Sendable {
    package var kind: String
    package var createdAt: Date
    package var deliveredAt: Date?

    package init(kind: String, createdAt: Date, deliveredAt: Date?) {
      self.kind = kind
      self.createdAt = createdAt
      self.deliveredAt = deliveredAt
    }
  }

  package struct DeviceRow: Sendable {
    package var id: UUID
    package var name: String?
    package var createdAt: Date
    package var lastSeenAt: Date
    /// Its hash is still there.
    package var isKnown: Bool

    package init(id: UUID, name: String?, createdAt: Date, lastSeenAt: Date, isKnown: Bool) {
      self.id = id
      self.name = name
      self.createdAt = createdAt
      self.lastSeenAt = lastSeenAt
      self.isKnown = isKnown
    }
  }

  package struct AttestKeyRow: Sendable {
    package var id: [UInt8]
    package var environment: String
    package var createdAt: Date
    package var lastUsedAt: Date

    package init(id: [UInt8], environment: String, createdAt: Date, lastUsedAt: Date) {
      self.id = id
      self.environment = environment
      self.createdAt = createdAt
      self.lastUsedAt = lastUsedAt
    }
  }

  package struct MessageRow: Sendable {
    package var event: String
    package var at: Date
    package var deliveredAt: Date?

    package init(event: String, at: Date, deliveredAt: Date?) {
      self.event = event
      self.at = at
      self.deliveredAt = deliveredAt
    }
  }

  package var user: StoredUser
  package var uniqueValues: [UniqueValue] = []
  package var hasPassword: Bool
  /// Whether the password met the rules when that was last measured.
  package var passwordComplies: Bool?
  /// How many earlier passwords are kept, as hashes.
  package var earlierPasswords: Int
  package var identities: [ProviderIdentity] = []
  package var sessions: [SessionRow] = []
  package var devices: [DeviceRow] = []
  package var codes: [CodeRow] = []
  package var mails: [MailRow] = []
  package var messages: [MessageRow] = []
  /// When each of the answers kept for the user expires.
  package var keptAnswers: [Date] = []
  /// Keys of attested apps that the user signed in with last.
  package var attestKeys: [AttestKeyRow] = []

  package init(user: StoredUser, hasPassword: Bool, passwordComplies: Bool?, earlierPasswords: Int) {
    self.user = user
    self.hasPassword = hasPassword
    self.passwordComplies = passwordComplies
    self.earlierPasswords = earlierPasswords
  }
}
