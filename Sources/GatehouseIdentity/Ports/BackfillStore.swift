package import Foundation
package import GatehousePolicy

/// Work on stored values that a job of the server does. One that moves values from the former name of a profile field
/// to its present one begins with the revision of the policy that says `renamed_from`, and turns round with a later one
/// that has the former name again. One that sets fields was ordered by an operator.
package struct Backfill: Sendable, Equatable {
  /// Raw values are stored.
  package enum State: String, Sendable, CaseIterable {
    case moving, moved, returning, returned
    /// The policy has neither name any more; where one returns, so does the move.
    case stopped
    /// The move of another field took one of the names over: it can not be undone, and what it keeps is removed.
    case ending, ended
    /// Ordered fields are being set, and were set; they are being put back, and were put back.
    case setting, set, undoing, undone

    /// Whether readers see values under a name that they are not yet stored under.
    package var isInTransit: Bool { self == .moving || self == .returning }
  }

  package let id: UUID
  /// The present name; empty where fields are set.
  package let field: String
  /// The former name; empty where fields are set.
  package let source: String
  /// The order to set fields, as JSON; nil where values move.
  package var order: [UInt8]?
  /// The revision that began it.
  package var revision: Int
  /// The author of that revision.
  package var author: String
  package var state: State
  /// The accounts up to this one were visited.
  package var reached: UserID?
  /// How many values were moved, or moved back.
  package var moved: Int
  /// How many the field refuses: they stay where they are.
  package var refused: Int
  /// How many accounts have a value of their own under the new name, or have changed it since.
  package var skipped: Int
  package var begunAt: Date
  package var endedAt: Date?
  /// Every server has the revision: values may move.
  package var isDue: Bool

  package init(
    id: UUID, field: String, source: String, order: [UInt8]? = nil, revision: Int, author: String, state: State,
    reached: UserID? = nil, moved: Int = 0, refused: Int = 0, skipped: Int = 0, begunAt: Date, endedAt: Date? = nil,
    isDue: Bool = true
  ) {
    (self.id, self.field, self.source, self.order) = (id, field, source, order)
    (self.revision, self.author, self.state, self.reached) = (revision, author, state, reached)
    (self.moved, self.refused, self.skipped) = (moved, refused, skipped)
    (self.begunAt, self.endedAt, self.isDue) = (begunAt, endedAt, isDue)
  }

  /// The name that values move to.
  package var target: String { state == .returning ? source : field }
}

/// An account that a backfill visits.
package struct BackfillVisit: Sendable, Equatable {
  package let user: UserID
  /// The stored value under the name that it moves from, or the kept one; nil: there is none.
  package let value: FieldValue?
  /// Whether there is a value under the name that it moves to.
  package let isFilled: Bool

  package init(user: UserID, value: FieldValue?, isFilled: Bool) {
    (self.user, self.value, self.isFilled) = (user, value, isFilled)
  }
}

/// The values that a backfill replaced at an account, and those that it gave; null where there is none.
package struct ReplacedValues: Sendable, Equatable {
  package let user: UserID
  package let stored: [String: FieldValue]
  package let given: [String: FieldValue]

  package init(user: UserID, stored: [String: FieldValue], given: [String: FieldValue]) {
    (self.user, self.stored, self.given) = (user, stored, given)
  }
}

/// Backfills of a tenant, and what they keep.
package protocol BackfillStore: Sendable {
  /// All of them, the newest first.
  func backfills() async throws -> [Backfill]
  /// The next accounts of a backfill in transit, by id. Fewer than `limit`: there are no more.
  func visits(of backfill: Backfill, limit: Int) async throws -> [BackfillVisit]
  /// The next accounts whose fields a backfill set, by id.
  func replaced(by backfill: Backfill, limit: Int) async throws -> [ReplacedValues]
  /// Those of these accounts of which a backfill keeps a value that this field had.
  func users(keeping field: String, among users: [UserID]) async throws -> Set<UserID>
}

/// Where work of backfills is.
package protocol BackfillQueue: Sendable {
  /// The tenants with a backfill that is due.
  func tenants() async throws -> [TenantID]
}
