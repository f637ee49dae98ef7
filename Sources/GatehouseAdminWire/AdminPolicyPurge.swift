// The values that a change of a policy left behind, as an operation of the admin API.

import GatehouseWire

/// Removes the stored values of a profile field that the live policy does not have. An answer takes seconds at most and
/// says where to go on; a walk that begins again finds what is left.
package enum PurgePolicyFieldOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/policy/purge", .userWrite, "Remove the values of a field that the policy does not have")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The name of the field.
    package var field: String
    /// The `next_cursor` of the previous answer.
    package var cursor: String?
    /// Count, and change nothing.
    package var dryRun: Bool?

    package init(tenant: String, field: String, cursor: String? = nil, dryRun: Bool? = nil) {
      (self.tenant, self.field, self.cursor, self.dryRun) = (tenant, field, cursor, dryRun)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// How many users this call looked at.
    package var seen: Int
    /// How many of them had a value.
    package var found: Int
    /// The `cursor` of the next call; absent where no user is left.
    package var nextCursor: String?

    package init(seen: Int, found: Int, nextCursor: String? = nil) {
      (self.seen, self.found, self.nextCursor) = (seen, found, nextCursor)
    }
  }
}
