package import Foundation
package import GatehouseAdminWire
import GatehouseWire

/// A token of the admin API as stored: without what proves it.
package struct AdminToken: Sendable, Equatable {
  package var id: UUID
  /// Unique for good: the audit log names it as the actor.
  package var name: String
  package var scopes: [AdminScope]
  /// Nil for all tenants, those made later included.
  package var tenants: [TenantID]?
  package var createdAt: Date
  package var createdBy: String
  package var expiresAt: Date
  package var lastUsedAt: Date?
  package var revokedAt: Date?

  package init(
    id: UUID, name: String, scopes: [AdminScope], tenants: [TenantID]?, createdAt: Date, createdBy: String,
    expiresAt: Date, lastUsedAt: Date? = nil, revokedAt: Date? = nil
  ) {
    self.id = id
    self.name = name
    self.scopes = scopes
    self.tenants = tenants
    self.createdAt = createdAt
    self.createdBy = createdBy
    self.expiresAt = expiresAt
    self.lastUsedAt = lastUsedAt
    self.revokedAt = revokedAt
  }
}

extension AdminToken {
  /// Its scopes as they are stored.
  package var scopeNames: [String] { scopes.map(\.rawValue) }

  /// Scopes from their names; a scope of a newer version allows nothing here.
  package static func scopes(named names: [String]) -> [AdminScope] { names.compactMap { AdminScope(rawValue: $0) } }
}

/// The tokens of the admin API. They belong to no tenant: one may reach several, or all.
package protocol AdminTokenStore: OperatorAnswerStore {
  /// Every token there ever was, by name.
  func adminTokens() async throws -> [AdminToken]
  /// The token with this SHA-256 if it is neither revoked nor expired by the store's clock; its use is noted, once a
  /// minute. MUST see a revocation that was committed before.
  func liveAdminToken(hash: [UInt8]) async throws -> AdminToken?
  /// Stores a new token, its row in each tenant's audit log, and the answer to keep, all or nothing.
  /// `StoreError.exists` when the name was ever used.
  ///
  /// `asking` is the SHA-256 of the token that makes it; nil at the console. `refused(.askingTokenIsLive)` when that
  /// one ended, `refused(.askingTokenReaches)` when it may not.
  func insert(
    _ token: AdminToken, hash: [UInt8], asking: [UInt8]?, audit: [TenantID: AuditEntry], keeping: OperatorAnswer?
  ) async throws
  /// Ends a token and those that it made, transitively, and returns their names, its own included. Each has its row in
  /// the audit logs of its tenants.
  ///
  /// `refused(.tokenIsLive)` when it was revoked before; `asking` is as above.
  func revokeAdminToken(_ id: UUID, asking: [UInt8]?, audit: [TenantID: AuditEntry]) async throws -> [String]
}
