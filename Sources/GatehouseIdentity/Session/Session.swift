package import Foundation
import GatehousePrimitives

/// A session's number: a UUIDv7, used as a name only; what proves a session is its tokens.
package struct SessionID: UUIDIdentifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// One signed-in device. All its refresh tokens are one family, which ends with it.
package struct Session: Sendable, Equatable {
  package var id: SessionID
  package var user: UserID
  package var createdAt: Date
  package var lastSeenAt: Date
  /// The proofs of its owner.
  package var proofs: Proofs
  /// The end that no refresh moves.
  package var expiresAt: Date
  /// The end unless a refresh comes before.
  package var idleExpiresAt: Date
  package var deviceName: String?
  /// The device it was opened on, while that is remembered.
  package var device: UUID?
  /// Where it was opened, roughly, where the server was told to know places: `Manhattan, US`.
  package var place: String?
  package var endedAt: Date?
  /// The client of the session.
  package var client: SessionClient

  package init(
    id: SessionID, user: UserID, createdAt: Date, lastSeenAt: Date, proofs: Proofs,
    expiresAt: Date, idleExpiresAt: Date, deviceName: String?, device: UUID? = nil, place: String? = nil,
    endedAt: Date? = nil, client: SessionClient = .app
  ) {
    self.id = id
    self.user = user
    self.createdAt = createdAt
    self.lastSeenAt = lastSeenAt
    self.proofs = proofs
    self.expiresAt = expiresAt
    self.idleExpiresAt = idleExpiresAt
    self.deviceName = deviceName
    self.device = device
    self.place = place
    self.endedAt = endedAt
    self.client = client
  }
}

/// Why a session ended; kept for the audit and for what its tokens answer afterwards.
package enum SessionEnd: String, Sendable, CaseIterable {
  case signedOut = "signed_out"
  case revoked
  case reuse
  case replaced
  case passwordChanged = "password_changed"
  case disabled
  /// Another proof raised its level: it goes on under another id, with other tokens.
  case raised
  /// The second factor that proved it was removed.
  case factorRemoved = "factor_removed"
  /// The database was restored to an earlier moment.
  case restored
}

/// A refresh token as stored: its hash, never itself.
package struct RefreshToken: Sendable, Equatable {
  /// SHA-256 of the token.
  package var hash: [UInt8]
  package var session: SessionID
  package var createdAt: Date
  /// When it was exchanged; it still answers with the same successor for the policy's grace, and under its key for
  /// longer.
  package var spentAt: Date?
  /// The successor's text, sealed; erased after the grace, or, where there is a `retryDigest`, with the successor's
  /// exchange.
  package var sealedSuccessor: [UInt8]?
  /// The hash of the successor, once spent.
  package var successorHash: [UInt8]?
  /// The digest by which a repetition of the request that spent it is recognised; nil where that came without an
  /// `Idempotency-Key`.
  package var retryDigest: [UInt8]?

  package init(
    hash: [UInt8], session: SessionID, createdAt: Date, spentAt: Date? = nil, sealedSuccessor: [UInt8]? = nil,
    successorHash: [UInt8]? = nil, retryDigest: [UInt8]? = nil
  ) {
    self.hash = hash
    self.session = session
    self.createdAt = createdAt
    self.spentAt = spentAt
    self.sealedSuccessor = sealedSuccessor
    self.successorHash = successorHash
    self.retryDigest = retryDigest
  }
}
