package import GatehouseWire

/// Changes all users that a filter finds, a batch at a time: it deletes them, switches them off or ends their sessions.
/// Each user is changed in a commit of their own, as by the operation on one user. At least one member of the filter is
/// required.
package enum ChangeUsersOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/user-changes", .userWrite, "Change the users that a filter finds")

  /// The change of each user.
  package enum Change: String, Hashable, Sendable, CaseIterable {
    case delete, disable, revoke
  }

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// `delete`, `disable` or `revoke`, which ends the sessions.
    package var change: OpenWord<Change>
    /// Only addresses that contain this.
    package var query: String?
    /// Only those whose address is not proven.
    package var unverified: Bool?
    /// Only accounts that were made at this moment or later.
    package var since: Timestamp?
    /// Only accounts that were made before this moment.
    package var until: Timestamp?
    /// The greatest number of users that are changed by this call: 100 at most, and without it.
    package var limit: Int?
    /// The `next_cursor` of the previous answer.
    package var cursor: String?
    /// Only count them.
    package var dryRun: Bool?

    package init(
      tenant: String, change: Change, query: String? = nil, unverified: Bool? = nil, since: Timestamp? = nil,
      until: Timestamp? = nil, limit: Int? = nil, cursor: String? = nil, dryRun: Bool? = nil
    ) {
      (self.tenant, self.change, self.query) = (tenant, OpenWord(change), query)
      (self.unverified, self.since, self.until) = (unverified, since, until)
      (self.limit, self.cursor, self.dryRun) = (limit, cursor, dryRun)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// With `dry_run`: the number of users that the filter finds.
    package var found: Int?
    /// The number of users that were changed.
    package var changed: Int
    /// The `cursor` of the next call; absent when all are changed. That of a dry run leaves alone the users who are
    /// made after it.
    package var nextCursor: String?

    package init(found: Int? = nil, changed: Int = 0, nextCursor: String? = nil) {
      (self.found, self.changed, self.nextCursor) = (found, changed, nextCursor)
    }
  }
}
