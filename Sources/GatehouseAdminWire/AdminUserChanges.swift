package import GatehouseWire

/// Changes all users that a filter finds, a batch at a time: it deletes them, switches them off, ends their sessions or
/// sets profile fields. Each user is changed in a commit of their own, and judged as by the operation on one user. At
/// least one member of the filter is required. An answer takes seconds at most, and says where to go on.
package enum ChangeUsersOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/user-changes", .userWrite, "Change the users that a filter finds")

  /// The change of each user.
  package enum Change: String, Hashable, Sendable, CaseIterable {
    case delete, disable, revoke, set
  }

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// `delete`, `disable`, `revoke`, which ends the sessions, or `set`, with `fields`.
    package var change: OpenWord<Change>
    /// Only those whose address, or a text of whose profile, begins with this.
    package var query: String?
    /// Only addresses that contain this.
    package var contains: String?
    /// Only those whose address is not proven.
    package var unverified: Bool?
    /// Only accounts that were made at this moment or later.
    package var since: Timestamp?
    /// Only accounts that were made before this moment.
    package var until: Timestamp?
    /// Only those with this stored value: `role=nurse`, or `role=` for none. The policy need not have the field.
    package var matching: String?
    /// With `set`: profile fields as typed, `role=ward_nurse`; `role=` clears one.
    package var fields: [String]?
    /// The greatest number of users that are changed by this call: 100 at most, and without it.
    package var limit: Int?
    /// The `next_cursor` of the previous answer, or the `start` of a count.
    package var cursor: String?
    /// With `delete`: for good, also where the policy lets a deletion be undone.
    package var now: Bool?
    /// Only count them.
    package var dryRun: Bool?
    /// With `set`: a job of the server changes all of them, and this answers at once with its id.
    package var background: Bool?

    package init(
      tenant: String, change: Change, query: String? = nil, contains: String? = nil, unverified: Bool? = nil,
      since: Timestamp? = nil, until: Timestamp? = nil, matching: String? = nil, fields: [String]? = nil,
      limit: Int? = nil, cursor: String? = nil, now: Bool? = nil, dryRun: Bool? = nil, background: Bool? = nil
    ) {
      (self.tenant, self.change) = (tenant, OpenWord(change))
      (self.query, self.contains) = (query, contains)
      (self.unverified, self.since, self.until) = (unverified, since, until)
      (self.matching, self.fields) = (matching, fields)
      (self.limit, self.cursor, self.now) = (limit, cursor, now)
      (self.dryRun, self.background) = (dryRun, background)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The number of users that this call found.
    package var found: Int
    /// The number of users that were changed: none by a dry run.
    package var changed: Int
    /// The number of users that the policy refuses to change.
    package var refused: Int
    /// Some of those, each with the rules that refuse.
    package var samples: [String]
    /// Of the first answer of a count: the `cursor` to change from, which leaves alone the users who are made after it.
    package var start: String?
    /// The `cursor` of the next call; absent where no user is left.
    package var nextCursor: String?
    /// The id of the job, where it is done in the background.
    package var backfill: String?

    package init(
      found: Int = 0, changed: Int = 0, refused: Int = 0, samples: [String] = [], start: String? = nil,
      nextCursor: String? = nil, backfill: String? = nil
    ) {
      (self.found, self.changed, self.refused, self.samples) = (found, changed, refused, samples)
      (self.start, self.nextCursor, self.backfill) = (start, nextCursor, backfill)
    }
  }
}
