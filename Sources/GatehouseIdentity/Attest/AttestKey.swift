package import Foundation
package import GatehousePolicy

/// A key of one copy of the app on one device, as Apple attested it.
package struct AttestKey: Sendable, Equatable {
  /// SHA-256 of the point.
  package var id: [UInt8]
  /// The public key, uncompressed: 65 bytes.
  package var point: [UInt8]
  /// Where the copy of the app came from.
  package var environment: Attest.Environment
  /// The counter of the newest assertion.
  package var counter: UInt32
  /// The account that last opened a session with it.
  package var user: UserID?
  package var createdAt: Date
  package var lastUsedAt: Date

  package init(
    id: [UInt8], point: [UInt8], environment: Attest.Environment, counter: UInt32 = 0, user: UserID? = nil,
    createdAt: Date, lastUsedAt: Date
  ) {
    self.id = id
    self.point = point
    self.environment = environment
    self.counter = counter
    self.user = user
    self.createdAt = createdAt
    self.lastUsedAt = lastUsedAt
  }
}

/// The record of a used challenge, until it expires.
package struct AttestMark: Sendable, Equatable {
  /// SHA-256 of the challenge.
  package let digest: [UInt8]
  /// When the challenge was made.
  package let madeAt: Date
  package let expiresAt: Date

  package init(digest: [UInt8], madeAt: Date, expiresAt: Date) {
    self.digest = digest
    self.madeAt = madeAt
    self.expiresAt = expiresAt
  }
}

/// Keys of attested apps.
package protocol AttestStore: Sendable {
  /// Nil when there is none of this name.
  func attestKey(id: [UInt8]) async throws -> AttestKey?
}
