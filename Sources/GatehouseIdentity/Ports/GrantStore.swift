package import Foundation
import GatehousePrimitives

/// A provider's tokens as they are stored.
package struct StoredGrant: Sendable, Equatable {
  package var user: UserID
  package var provider: String
  /// A random number at first, one more with each renewal.
  package var version: Int64
  /// SHA-256 of who the person is there.
  package var providerUserHash: [UInt8]
  /// `GrantedTokens`, sealed for account, provider and version.
  package var sealedTokens: [UInt8]
  /// Whether the provider has a way to take it back.
  package var isRevocable: Bool
  package var keptAt: Date
  /// When the access token ends; nil where the provider does not say.
  package var expiresAt: Date?
  /// A server refreshes it until then at most. Read only.
  package var leasedUntil: Date?
  /// The provider is not to be asked before. Read only.
  package var pausedUntil: Date?

  package init(
    user: UserID, provider: String, version: Int64, providerUserHash: [UInt8], sealedTokens: [UInt8],
    isRevocable: Bool, keptAt: Date, expiresAt: Date?, leasedUntil: Date? = nil, pausedUntil: Date? = nil
  ) {
    self.user = user
    self.provider = provider
    self.version = version
    self.providerUserHash = providerUserHash
    self.sealedTokens = sealedTokens
    self.isRevocable = isRevocable
    self.keptAt = keptAt
    self.expiresAt = expiresAt
    self.leasedUntil = leasedUntil
    self.pausedUntil = pausedUntil
  }
}

/// One tenant's grants at providers.
package protocol GrantStore: Sendable {
  func grant(of user: UserID, at provider: String) async throws -> StoredGrant?
  /// Takes the turn to refresh this version, for `seconds` at most. False, and nothing changes, when it is another
  /// version by now, another server has the turn, or the provider asked for patience. It MUST be one statement, by the
  /// database's clock.
  func leaseGrant(_ grant: StoredGrant, seconds: Int) async throws -> Bool
  /// Gives the turn back without a renewal; no server is to ask the provider again for `seconds`.
  func pauseGrant(_ grant: StoredGrant, seconds: Int) async throws
  /// Accounts whose tokens of a provider end within `margin` seconds, or half of their life, whichever is less; the
  /// most urgent first. No account is named while the provider has asked for patience, nor one whose grant a server
  /// refreshes just now.
  func grantsToWarm(at provider: String, margin: Int, limit: Int) async throws -> [UserID]
  /// Whether an account of the tenant has a grant of this person: giving another grant back would end that one at the
  /// provider.
  func hasGrant(providerUserHash: [UInt8]) async throws -> Bool
  /// The grant was given back, or never will be.
  func endRevocation(_ id: UUID, audit: AuditEntry?) async throws
  func postponeRevocation(_ id: UUID, seconds: Int) async throws
}

/// A grant that is to be given back.
package struct DueRevocation: Sendable {
  package let tenant: TenantID
  package let id: UUID
  package let user: UserID
  package let provider: String
  package let version: Int64
  package let providerUserHash: [UInt8]
  package let sealedTokens: [UInt8]
  /// This one included.
  package let attempts: Int

  package init(
    tenant: TenantID, id: UUID, user: UserID, provider: String, version: Int64, providerUserHash: [UInt8],
    sealedTokens: [UInt8], attempts: Int
  ) {
    self.tenant = tenant
    self.id = id
    self.user = user
    self.provider = provider
    self.version = version
    self.providerUserHash = providerUserHash
    self.sealedTokens = sealedTokens
    self.attempts = attempts
  }
}

/// The worker's side: orders of all tenants, by the jobs role.
package protocol RevocationQueue: Sendable {
  /// Takes up to `limit` orders that are due, for `lease` seconds. Those that are too old go here.
  func takeDueRevocations(limit: Int, lease: Int) async throws -> [DueRevocation]
}
