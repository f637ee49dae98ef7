package import Foundation
package import GatehousePolicy

/// Writes of backfills.
package enum BackfillChange: Sendable {
  /// A revision of the policy has these fields: moves begin, turn round and stop as its renames demand.
  case follow(revision: Int, author: String, ProfileNames)
  /// One stretch of a backfill in transit. `refused(.backfillIsCurrent)` where another server was there first or the
  /// policy changed; `fieldTaken`. A value that was changed meanwhile stays.
  case stretch(BackfillStretch)
  /// Removes what a backfill that is over keeps, so many values at most; with the last one it is `ended`.
  case end(Backfill, atMost: Int)
  /// A new order to set fields, for the accounts before this place. `refused(.revisionIsCurrent)` where the revision is
  /// not the live one.
  case order(UUID, revision: Int, author: String, [UInt8], before: UserID)
  /// An order was carried out up to this account. `refused(.backfillIsCurrent)`.
  case reach(Backfill, UserID?, refused: Int, isLast: Bool)
  /// Values that an order set are put back, while its revision is live: `refused(.backfillIsCurrent)` otherwise.
  case undo(UUID)
  /// The account's values are put back by the changes behind this one, and are as they were given:
  /// `refused(.backfillIsCurrent)` otherwise. `isPutBack` false: they stay, and are kept no longer.
  case settle(Backfill, ReplacedValues, isPutBack: Bool)
  /// Nothing is left to be put back.
  case undone(Backfill)
  /// Removes the values of a field that backfills keep of these accounts.
  case forget(field: String, of: [UserID])
}

/// The names of a policy's profile fields.
package struct ProfileNames: Sendable {
  package let fields: [String]
  package let renames: [Rename]

  package init(_ profile: ProfilePolicy) {
    (fields, renames) = (profile.fields.map(\.name), profile.renames)
  }
}

/// The next accounts of a backfill, judged.
package struct BackfillStretch: Sendable {
  /// A value that moves.
  package struct Move: Sendable {
    package let user: UserID
    /// Under the former name.
    package let stored: FieldValue
    /// Under the present name.
    package let given: FieldValue
    /// The unique value under the name that it moves to.
    package let unique: UniqueValue?

    package init(user: UserID, stored: FieldValue, given: FieldValue, unique: UniqueValue?) {
      (self.user, self.stored, self.given, self.unique) = (user, stored, given, unique)
    }
  }

  /// As it was read.
  package let backfill: Backfill
  package var moves: [Move] = []
  /// Accounts of which the field refuses the value, which stays.
  package var refused: [UserID] = []
  package var skipped = 0
  /// The last account that was visited; nil: there was none.
  package var through: UserID?
  /// No account is left.
  package var isLast: Bool

  package init(_ backfill: Backfill, through: UserID?, isLast: Bool) {
    (self.backfill, self.through, self.isLast) = (backfill, through, isLast)
  }
}
