package import Foundation
package import GatehousePolicy

/// Writes of accounts and their passwords.
package enum UserChange: Sendable {
  /// A new account with its unique values. `fieldTaken`; `emailTaken`, also where another account left the address and
  /// may come back.
  case insert(StoredUser, unique: [UniqueValue])
  /// Sets these fields with their unique values and leaves the others as they are at that moment; `.null` removes one.
  /// The values that it replaces are kept for this backfill. `fieldTaken`, `refused(.accountExists)`.
  case updateProfile(UserID, [String: FieldValue], unique: [UniqueValue], keeping: UUID? = nil)
  /// Sets the password's hash and when it changed; nothing has to be changed any more. Of the hashes before it so many
  /// are kept, the newest; nil: it is the first one of a new account.
  case setPassword(UserID, phc: String, remembering: Int? = nil)
  /// Replaces a password's hash by one of another cost of the same password, if it still is `old`. It is no change of
  /// the password: the account's epoch, sessions and codes stay.
  case upgradePassword(UserID, old: String, phc: String)
  /// Moves the account to this address, whose mail was shown to be read. `emailTaken`, also where another account left
  /// it and may come back.
  case setEmail(UserID, email: String)
  /// The address is proven, if it still is this one: `refused(.accountExists)` otherwise.
  case verifyEmail(UserID, email: String)
  /// Mail of the account's address was shown to be read, now.
  case noteMailProof(UserID)
  case setDisabled(UserID, Bool)
  /// Whether a sign-in found that the password has to be changed. `setPassword` takes it back.
  case setMustChangePassword(UserID, Bool)
  /// The result of a sign-in: whether the password meets the rules of this digest (`Compliance.rules`). One bit an
  /// account.
  case recordCompliance(UserID, Compliance)
  /// Removes what was added to the account after this moment: password, identities, devices.
  case removeAdditions(UserID, since: Date)
  /// Removes the account and all that belongs to it: codes to its address, mails that wait. Its audit rows stay,
  /// without addresses, requests and details. (`LimitChange.clearFailures` goes beside it: the store can not find the
  /// account's counter.)
  case delete(UserID)
  /// The same, but the rows that make the account again are kept until this moment. They reserve nothing.
  case setAside(UserID, until: Date)
  /// Brings an account back that was set aside later than `since`, signed in nowhere. `refused(.accountExists)` where
  /// there is none, or its time is over. `emailTaken`, `fieldTaken` or `refused(.identityIsFree)` for a value that
  /// another account has by now: it stays set aside.
  case bringBack(UserID, email: String?, since: Date)
  /// Erases an account that was set aside: `refused(.accountExists)` where there is none.
  case eraseAside(UserID)

  /// The removal of an account, for good where there is no moment until which it can be undone.
  package static func deletion(of id: UserID, undoUntil moment: Date?) -> UserChange {
    moment.map { .setAside(id, until: $0) } ?? .delete(id)
  }
}
