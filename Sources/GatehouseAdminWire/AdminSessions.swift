package import GatehouseWire

// Where users are signed in, as operations of the admin API.

/// One place where a user is signed in.
package struct UserSession: Codable, Hashable, Sendable {
  /// The session's id.
  package var id: String
  /// The name that the device gives itself.
  package var device: String?
  /// Where they signed in there, roughly, if the server was told to know places.
  package var place: String?
  /// When the user signed in there.
  package var createdAt: Timestamp
  /// When it was last used.
  package var lastSeenAt: Timestamp

  package init(
    id: String, device: String? = nil, place: String? = nil, createdAt: Timestamp, lastSeenAt: Timestamp
  ) {
    (self.id, self.device, self.place, self.createdAt, self.lastSeenAt) = (id, device, place, createdAt, lastSeenAt)
  }
}

/// Where a user is signed in, newest first.
package enum ListUserSessionsOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .get, "/tenants/{tenant}/users/{user}/sessions", .userRead, "List the sessions of a user")

  package typealias Input = UserReference

  package struct Output: Codable, Hashable, Sendable {
    /// Newest first.
    package var items: [UserSession]

    package init(items: [UserSession]) { self.items = items }
  }
}

/// Ends a user's sessions, all or one.
package enum RevokeSessionsOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .delete, "/tenants/{tenant}/users/{user}/sessions", .userWrite, "End a user's sessions", status: 204)

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The user's address or id.
    package var user: String
    /// Only this one.
    package var session: String?

    package init(tenant: String, user: String, session: String? = nil) {
      (self.tenant, self.user, self.session) = (tenant, user, session)
    }
  }

  package typealias Output = Nothing
}
