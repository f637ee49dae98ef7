package import Foundation

/// A link token and a six-digit code that were mailed together; either redeems both, once.
package struct OneTimeCode: Sendable, Equatable {
  package var id: UUID
  package var purpose: CodePurpose
  /// The account that it acts on; nil for a sign-up that is not complete.
  package var user: UserID?
  /// The session that asked for it, where that counts.
  package var session: SessionID?
  /// The contact that got the message: the code proves that its owner reads it, and nothing about another contact.
  package var destination: Contact
  /// SHA-256 of the link's token.
  package var tokenHash: [UInt8]?
  /// HMAC of the six digits with the server's pepper, bound to tenant, purpose and destination.
  package var codeMAC: [UInt8]?
  package var tokenExpiresAt: Date
  package var codeExpiresAt: Date
  /// The data that the effect needs (a sign-up waiting to be completed), sealed.
  package var sealedPayload: [UInt8]?
  package var createdAt: Date
  package var usedAt: Date?
  /// Set when newer codes took its place, or a `CodeEnding` made it void.
  package var supersededAt: Date?
  /// Tries at the six digits so far, reserved before they are compared.
  package var attempts: Int

  package init(
    id: UUID, purpose: CodePurpose, user: UserID?, session: SessionID? = nil, destination: Contact,
    tokenHash: [UInt8]?, codeMAC: [UInt8]?, tokenExpiresAt: Date, codeExpiresAt: Date, sealedPayload: [UInt8]? = nil,
    createdAt: Date, usedAt: Date? = nil, supersededAt: Date? = nil, attempts: Int = 0
  ) {
    self.id = id
    self.purpose = purpose
    self.user = user
    self.session = session
    self.destination = destination
    self.tokenHash = tokenHash
    self.codeMAC = codeMAC
    self.tokenExpiresAt = tokenExpiresAt
    self.codeExpiresAt = codeExpiresAt
    self.sealedPayload = sealedPayload
    self.createdAt = createdAt
    self.usedAt = usedAt
    self.supersededAt = supersededAt
    self.attempts = attempts
  }

  /// The worth of its digits.
  package enum Standing: Sendable, Equatable {
    case living
    /// Its time is over, or another code took its place.
    case expired
    /// It has had all its tries.
    case usedUp
  }

  /// The worth of its digits at `now`.
  package func standing(at now: Date) -> Standing {
    if usedAt != nil || supersededAt != nil || now >= codeExpiresAt { return .expired }
    return attempts >= CodeMint.maxAttempts ? .usedUp : .living
  }

  /// Whether its link or its digits still open something.
  package func isLive(at now: Date) -> Bool {
    usedAt == nil && supersededAt == nil && now < max(codeExpiresAt, tokenHash == nil ? codeExpiresAt : tokenExpiresAt)
  }
}
