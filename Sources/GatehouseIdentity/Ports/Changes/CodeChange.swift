package import Foundation

/// Writes of mailed codes.
package enum CodeChange: Sendable {
  /// A new code; older ones of the same purpose and account (or destination, where there is no account) are void. Ways
  /// back to an address that was left are never void by it, and of the sign-ups that wait at one address the newest
  /// `OneTimeCode.waitingSignUps` live.
  case insert(OneTimeCode)
  /// Uses a code, once: `refused(.codeIsLive)` when it is used, void or expired by the database's clock.
  case use(UUID, byToken: Bool)
  /// Takes a try back, which was right and came to nothing; does nothing to a code that was used.
  case giveBackTry(UUID)
  /// Makes all outstanding codes of these purposes void.
  case void(UserID, [CodePurpose])
  /// Makes the ways back void that were made at or after this one.
  case voidUndos(UserID, from: UUID, Date)
  /// Makes the sign-ups void that wait at this address.
  case voidSignUps(destination: String)
}
