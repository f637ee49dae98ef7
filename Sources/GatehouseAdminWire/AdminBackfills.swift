package import GatehouseWire

// Work on stored values that a job of the server does, as operations of the admin API.

/// The move of the stored values of a renamed field, or an order to set fields of many users.
package struct BackfillRecord: Codable, Hashable, Sendable {
  /// Its id.
  package var id: String
  /// The present name of the field, or the fields that are set.
  package var fields: [String]
  /// The former name; absent where fields are set.
  package var renamedFrom: String?
  /// Of a rename `moving`, `moved`, `returning`, `returned`, `stopped` or `ended`; of an order `setting`, `set`,
  /// `undoing`, `undone` or `ended`.
  package var state: String
  /// The revision of the policy that began it.
  package var revision: Int
  /// The author of that revision.
  package var author: String
  /// How many values were moved, or users changed; of one that is undone, put back.
  package var moved: Int
  /// How many values stay because the policy refuses the change.
  package var refused: Int
  /// How many users have a value of their own under the other name, or changed it since.
  package var skipped: Int
  /// When it began.
  package var begunAt: Timestamp
  /// When it was done; absent until then.
  package var endedAt: Timestamp?

  package init(
    id: String, fields: [String], renamedFrom: String?, state: String, revision: Int, author: String, moved: Int,
    refused: Int,
    skipped: Int, begunAt: Timestamp, endedAt: Timestamp?
  ) {
    (self.id, self.fields, self.renamedFrom, self.state) = (id, fields, renamedFrom, state)
    (self.revision, self.author) = (revision, author)
    (self.moved, self.refused, self.skipped) = (moved, refused, skipped)
    (self.begunAt, self.endedAt) = (begunAt, endedAt)
  }
}

/// The backfills of a tenant, the newest first.
package enum ListBackfillsOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .get, "/tenants/{tenant}/policy/backfills", .policyRead,
    "List moves of values of renamed fields, and orders to set fields")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String

    package init(tenant: String) { self.tenant = tenant }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The backfills, the newest first.
    package var items: [BackfillRecord]

    package init(items: [BackfillRecord]) { self.items = items }
  }
}

/// Puts back what an order to set fields of many users replaced, while the revision of the policy that it ran under is
/// live. A value that was changed since stays. A job of the server does it.
package enum UndoBackfillOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/policy/backfills/undo", .userWrite, "Put back what an order to set fields replaced")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The order's id; without it the newest order.
    package var backfill: String?

    package init(tenant: String, backfill: String? = nil) { (self.tenant, self.backfill) = (tenant, backfill) }
  }

  package typealias Output = BackfillRecord
}
