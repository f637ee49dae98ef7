package import Foundation
import GatehousePolicy

/// An account that was deleted and can be brought back for a while.
package struct DeletedUser: Sendable, Equatable {
  package let id: UserID
  /// Its canonical address, which is free meanwhile.
  package let email: String?
  package let deletedAt: Date
  /// The end of the time that the policy of its deletion gave it.
  package let eraseAt: Date

  package init(id: UserID, email: String?, deletedAt: Date, eraseAt: Date) {
    (self.id, self.email, self.deletedAt, self.eraseAt) = (id, email, deletedAt, eraseAt)
  }

  /// The id or the address, for messages to operators.
  package var reference: String { email ?? id.text }
}

/// A look at deleted accounts that can be brought back.
package struct DeletedUserLook: Sendable {
  /// Only those that were deleted later than this.
  package let deletedAfter: Date
  package var id: UserID?
  /// A canonical address.
  package var email: String?
  /// Only those that were deleted at this moment or later.
  package var since: Date?
  /// Only those that were deleted before.
  package var until: Date?
  /// Only those behind this one.
  package var cursor: UserID?

  /// All that the policy of the call still lets come back.
  init(_ call: Call) { deletedAfter = call.undoesDeletionsSince }

  package init(deletedAfter: Date, id: UserID? = nil) { (self.deletedAfter, self.id) = (deletedAfter, id) }
}

extension Call {
  /// The moment until which an account that is deleted now can be brought back; nil where the policy has no such time.
  var undoesDeletionsUntil: Date? {
    let seconds = policy.accounts.undoDeletion
    return seconds > 0 ? now.addingTimeInterval(Double(seconds)) : nil
  }

  /// An account can be brought back if it was deleted later than this. A policy that shortens the time shortens it for
  /// accounts that are deleted already; one that makes it longer does not.
  var undoesDeletionsSince: Date { now.addingTimeInterval(-Double(policy.accounts.undoDeletion)) }

  /// The moment at which a deleted account is erased, if the policy stays as it is.
  func erases(_ user: DeletedUser) -> Date {
    min(user.eraseAt, user.deletedAt.addingTimeInterval(Double(policy.accounts.undoDeletion)))
  }
}
