package import GatehouseWire

// Deleted users that can be brought back, as operations of the admin API.

/// A deleted user.
package struct DeletedUserSummary: Codable, Hashable, Sendable {
  /// The user's id.
  package var id: String
  /// The address, which is free for another account; absent where the user had none.
  package var email: String?
  /// When the user was deleted.
  package var deletedAt: Timestamp
  /// When the user is erased for good.
  package var eraseAt: Timestamp

  package init(id: String, email: String? = nil, deletedAt: Timestamp, eraseAt: Timestamp) {
    (self.id, self.email, self.deletedAt, self.eraseAt) = (id, email, deletedAt, eraseAt)
  }
}

/// The deleted users that can be brought back, newest first.
package enum ListDeletedUsersOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .get, "/tenants/{tenant}/deleted-users", .userRead, "List deleted users")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// Only users that were deleted at this moment or later.
    package var since: Timestamp?
    /// Only users that were deleted before this moment.
    package var until: Timestamp?
    /// The greatest number of items.
    package var limit: Int?
    /// The `next_cursor` of the previous answer.
    package var cursor: String?

    package init(
      tenant: String, since: Timestamp? = nil, until: Timestamp? = nil, limit: Int? = nil, cursor: String? = nil
    ) {
      (self.tenant, self.since, self.until, self.limit, self.cursor) = (tenant, since, until, limit, cursor)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// Newest first.
    package var items: [DeletedUserSummary]
    /// The `cursor` of the next page; absent on the last page.
    package var nextCursor: String?

    package init(items: [DeletedUserSummary], nextCursor: String? = nil) {
      (self.items, self.nextCursor) = (items, nextCursor)
    }
  }
}

/// Brings a deleted user back, with profile, password and linked providers, and signed in nowhere. It is refused with
/// `conflict` where another account has the address, a unique value or an identity at a provider by now; the user
/// stays deleted and can be brought back later.
package enum UndeleteUserOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/deleted-users/{user}/restore", .userWrite, "Bring a deleted user back")

  package typealias Input = UserReference
  package typealias Output = UserRecord
}

/// Brings back all users that were deleted within a time, a batch at a time: each in a commit of their own, as by the
/// operation on one user. `since` or `until` is required. An answer takes seconds at most, and says where to go on.
package enum UndeleteUsersOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/deleted-users/restore", .userWrite, "Bring the users back that were deleted in a time")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// Only users that were deleted at this moment or later.
    package var since: Timestamp?
    /// Only users that were deleted before this moment.
    package var until: Timestamp?
    /// The greatest number of users of this call: 100 at most, and without it.
    package var limit: Int?
    /// The `next_cursor` of the previous answer.
    package var cursor: String?
    /// Only count them.
    package var dryRun: Bool?

    package init(
      tenant: String, since: Timestamp? = nil, until: Timestamp? = nil, limit: Int? = nil, cursor: String? = nil,
      dryRun: Bool? = nil
    ) {
      (self.tenant, self.since, self.until) = (tenant, since, until)
      (self.limit, self.cursor, self.dryRun) = (limit, cursor, dryRun)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The number of users that this call found.
    package var found: Int
    /// The number of users that are back: none by a dry run.
    package var changed: Int
    /// The number of users that stay deleted because another account has a value of theirs.
    package var refused: Int
    /// Some of those, each with the reason.
    package var samples: [String]
    /// The `cursor` of the next call; absent where no user is left.
    package var nextCursor: String?

    package init(
      found: Int = 0, changed: Int = 0, refused: Int = 0, samples: [String] = [], nextCursor: String? = nil
    ) {
      (self.found, self.changed, self.refused, self.samples) = (found, changed, refused, samples)
      self.nextCursor = nextCursor
    }
  }
}
