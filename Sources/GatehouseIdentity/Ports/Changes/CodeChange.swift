package import Foundation

/// Writes of mailed codes.
package enum CodeChange: Sendable {
  /// A new code. Of the same purpose and account (or destination, where there is no account) the newest
  /// `CodePurpose.living` live. `within`: nothing is kept once this counter has exceeded its limit.
  case insert(OneTimeCode, isAskedByAnyone: Bool = false, within: Reservation? = nil)
  /// Uses a code, once: `refused(.codeIsLive)` when it is used, void or expired by the database's clock.
  case use(UUID, byToken: Bool)
  /// Returns an attempt whose code was right but had no effect; does nothing to a code that was used.
  case giveBackTry(UUID)
  /// Makes all outstanding codes of the account void that this ends.
  case void(UserID, by: CodeEnding)
  /// Makes the ways back void that were made at or after this one.
  case voidUndos(UserID, from: UUID, Date)
  /// Makes the sign-ups void that wait at this contact.
  case voidSignUps(destination: Contact)
}
