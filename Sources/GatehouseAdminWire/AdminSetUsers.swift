// A change of many users at once, as an operation of the admin API.

import GatehouseWire

/// Sets profile fields of all users whose stored values are these, each judged as a change of one. An answer takes
/// seconds at most and says where to go on; a walk that begins again finds those who are left.
package enum SetUsersOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .patch, "/tenants/{tenant}/users", .userWrite, "Change the users who have a value")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The stored values that a user has to have, all of them: `role=nurse`, or `role=` for none.
    package var matching: [String]
    /// Profile fields as typed: `role=ward_nurse`; `role=` clears one.
    package var fields: [String]
    /// The `next_cursor` of the previous answer.
    package var cursor: String?
    /// Count, and change nothing.
    package var dryRun: Bool?

    package init(
      tenant: String, matching: [String], fields: [String], cursor: String? = nil, dryRun: Bool? = nil
    ) {
      (self.tenant, self.matching, self.fields, self.cursor, self.dryRun) = (tenant, matching, fields, cursor, dryRun)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// How many users this call looked at.
    package var seen = 0
    /// How many of them had the values.
    package var found = 0
    /// How many of those were changed: none after a dry run.
    package var changed = 0
    /// How many of those the policy refuses to change.
    package var refused = 0
    /// Some of them, each with the rules that refuse.
    package var samples: [String] = []
    /// The `cursor` of the next call; absent where no user is left.
    package var nextCursor: String?

    package init() {}
  }
}
