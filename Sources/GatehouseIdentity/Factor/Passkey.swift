package import Foundation

/// A passkey of an account, as it is stored (WebAuthn section 4, credential record).
package struct Passkey: Sendable, Equatable {
  package var id: UUID
  package var user: UserID
  /// The authenticator's id of it: 1 to 1023 bytes, of one passkey in a tenant.
  package var credentialID: [UInt8]
  /// The relying party that it was made for.
  package var rpID: String
  /// SubjectPublicKeyInfo, DER.
  package var publicKey: [UInt8]
  /// Its number in COSE. A later version may have made one that this one has no word for.
  package var algorithm: Int
  package var signCount: UInt32
  /// The model of its authenticator (AAGUID), as that says: 16 bytes.
  package var model: [UInt8]
  /// Whether the roots of the policy vouch for the authenticator.
  package var isAttested: Bool
  /// Whether it may be synced between devices.
  package var isBackupEligible: Bool
  package var isBackedUp: Bool
  /// Ways to reach the authenticator, as its client said. Untrusted.
  package var transports: [String]
  /// The name that its owner gave it.
  package var name: String?
  package var createdAt: Date
  package var lastUsedAt: Date?

  package init(
    id: UUID, user: UserID, credentialID: [UInt8], rpID: String, publicKey: [UInt8], algorithm: Int,
    signCount: UInt32, model: [UInt8], isAttested: Bool, isBackupEligible: Bool, isBackedUp: Bool, transports: [String],
    name: String?, createdAt: Date, lastUsedAt: Date? = nil
  ) {
    self.id = id
    self.user = user
    self.credentialID = credentialID
    self.rpID = rpID
    self.publicKey = publicKey
    self.algorithm = algorithm
    self.signCount = signCount
    self.model = model
    self.isAttested = isAttested
    self.isBackupEligible = isBackupEligible
    self.isBackedUp = isBackedUp
    self.transports = transports
    self.name = name
    self.createdAt = createdAt
    self.lastUsedAt = lastUsedAt
  }

  /// How many an account has at most.
  package static let perUser = 20

  /// The ways to reach an authenticator that WebAuthn section 5.8.4 knows; others are not stored.
  static let transports = ["ble", "hybrid", "internal", "nfc", "smart-card", "usb"]
}
