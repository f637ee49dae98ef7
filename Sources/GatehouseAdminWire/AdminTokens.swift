package import GatehouseWire

// The tokens of this API themselves.

/// A token, without what proves it.
package struct AdminTokenSummary: Codable, Hashable, Sendable {
  /// Its name, which the audit log shows as the actor.
  package var name: String
  /// The scopes of the token.
  package var scopes: [AdminScope]
  /// The tenants it is for; absent for all.
  package var tenants: [String]?
  /// When it was made.
  package var createdAt: Timestamp
  /// The creator of the token.
  package var createdBy: String
  /// When it ends by itself.
  package var expiresAt: Timestamp
  /// When it was last used, to the minute.
  package var lastUsedAt: Timestamp?
  /// When it was revoked.
  package var revokedAt: Timestamp?

  package init(
    name: String, scopes: [AdminScope], tenants: [String]? = nil, createdAt: Timestamp, createdBy: String,
    expiresAt: Timestamp, lastUsedAt: Timestamp? = nil, revokedAt: Timestamp? = nil
  ) {
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

/// Every token whose reach lies within the caller's, revoked and expired ones included.
package enum ListAdminTokensOperation: AdminOperation {
  package static let row = AdminOperationRow(.get, "/tokens", .tokenRead, "List admin tokens")

  package typealias Input = PageRequest

  package struct Output: Codable, Hashable, Sendable {
    /// By name.
    package var items: [AdminTokenSummary]
    /// The `cursor` of the next page; absent on the last page.
    package var nextCursor: String?

    package init(items: [AdminTokenSummary], nextCursor: String? = nil) {
      (self.items, self.nextCursor) = (items, nextCursor)
    }
  }
}

/// A new token. It can allow no more, and live no longer, than the one that makes it.
package enum CreateAdminTokenOperation: AdminOperation {
  package static let row = AdminOperationRow(.post, "/tokens", .tokenWrite, "Create an admin token", status: 201)

  package struct Input: Codable, Hashable, Sendable {
    /// 1 to 63 lower-case letters, digits and inner hyphens; never used before.
    package var name: String
    /// The scopes of the token; a write scope includes the read scope.
    package var scopes: [AdminScope]
    /// The tenants it is for; absent for all, those made later included.
    package var tenants: [String]?
    /// Seconds until it ends: 60 to a year; 90 days without.
    package var expiresIn: Int?
    /// Leave what is there, if it is the same; `exists` if it differs.
    package var ifAbsent: Bool?

    package init(
      name: String, scopes: [AdminScope], tenants: [String]? = nil, expiresIn: Int? = nil, ifAbsent: Bool? = nil
    ) {
      (self.name, self.scopes, self.tenants, self.expiresIn) = (name, scopes, tenants, expiresIn)
      self.ifAbsent = ifAbsent
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The token itself, shown this once: only its SHA-256 is kept. Absent for one that was there already.
    package var token: String?
    /// The token that was made, or was there.
    package var item: AdminTokenSummary

    package init(token: String? = nil, item: AdminTokenSummary) { (self.token, self.item) = (token, item) }
  }
}

/// Ends a token with all that it made, and what those made: from the next call on they are refused everywhere.
package enum RevokeAdminTokenOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .delete, "/tokens/{name}", .tokenWrite, "Revoke an admin token and those that it made")

  package struct Input: Codable, Hashable, Sendable {
    /// Its name.
    package var name: String

    package init(name: String) { self.name = name }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The names of the tokens that went with it: those that it made, and what those made.
    package var alsoRevoked: [String]

    package init(alsoRevoked: [String]) { self.alsoRevoked = alsoRevoked }
  }
}
