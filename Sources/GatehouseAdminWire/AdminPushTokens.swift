import GatehouseWire

// Push tokens of a tenant's users, for the app's backend that notifies them.

/// The push token of a device that is signed in.
package struct PushAddress: Codable, Hashable, Sendable {
  /// The owner of the device: the user's id.
  package var user: String
  /// The push service: `apns` or `fcm`.
  package var platform: String
  /// The device token of that service.
  package var token: String

  package init(user: String, platform: String, token: String) {
    (self.user, self.platform, self.token) = (user, platform, token)
  }
}

/// The push tokens of users' living sessions. A user who is signed out, disabled, deleted or unknown has none.
package enum ListPushTokensOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/push-tokens", .pushRead, "Read the push tokens of users' living sessions")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// Ids of users, 1 to 1000.
    package var users: [String]
    /// The greatest number of items, 1 to 1000; 1000 by default.
    package var limit: Int?
    /// Where to go on with the same users: the `next_cursor` of the answer before.
    package var cursor: String?

    package init(tenant: String, users: [String], limit: Int? = nil, cursor: String? = nil) {
      (self.tenant, self.users, self.limit, self.cursor) = (tenant, users, limit, cursor)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// In the order of users' ids; a token that several sessions of a user have stands once in an answer.
    package var items: [PushAddress]
    /// The `cursor` of the next page; absent on the last page.
    package var nextCursor: String?

    package init(items: [PushAddress], nextCursor: String? = nil) {
      (self.items, self.nextCursor) = (items, nextCursor)
    }
  }
}

/// Removes a push token that the push service rejected. The session goes on, and its app may register another token.
package enum RemovePushTokenOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .delete, "/tenants/{tenant}/push-tokens", .pushWrite, "Remove a push token that the push service rejected",
    form: .body)

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The owner of the token: the user's id.
    package var user: String
    /// The token, as it was read.
    package var token: String

    package init(tenant: String, user: String, token: String) {
      (self.tenant, self.user, self.token) = (tenant, user, token)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The number of sessions that had it; none where it was replaced or removed before.
    package var removed: Int

    package init(removed: Int) { self.removed = removed }
  }
}
