package import Foundation

/// Writes of second factors. The store keeps the account's list of them, and raises its epoch with each authenticator
/// app that comes or goes.
package enum FactorChange: Sendable {
  /// A new authenticator app, by a right code of its own; its owner's failures begin again. `refused(.factorHasRoom)`
  /// when the account has `AuthenticatorApp.perUser`.
  case add(AuthenticatorApp)
  /// A right code of this time step; its owner's failures begin again. `refused(.factorIsUnused)` when the code of this
  /// step or of a newer one was taken, or the app is gone.
  case useApp(UUID, of: UserID, step: Int64)
  /// A new passkey. `refused(.factorHasRoom)` when the account has `Passkey.perUser`; `exists` when an account of the
  /// tenant has one with this id of its authenticator.
  case addPasskey(Passkey)
  /// A right answer of a passkey. `refused(.factorIsUnused)` when it is gone, or the counter is not above the stored
  /// one and `demandsCount` asks for that.
  case usePasskey(PasskeyUse)
  /// `refused(.factorExists)` without such a factor of this account.
  case rename(UUID, of: UserID, String?)
  /// The account's codes end with its last factor. `refused(.factorExists)`.
  case remove(UUID, of: UserID)
  /// All factors and codes of the account, and the trust in its devices.
  case removeAll(UserID)
  /// A new set of recovery codes, as MACs, in place of the one before.
  case setCodes(UserID, [[UInt8]])
  /// Uses a recovery code, once: `refused(.factorIsUnused)` when the account has no unused one of this MAC. Its
  /// authenticator apps are unlocked.
  case useCode(UserID, [UInt8])
  /// A demand for a second factor binds the account's sessions, or none does any more: its grace begins now, unless it
  /// has begun, or ends.
  case ask(UserID, Bool)
  /// A second factor was used on the device: sign-ins on it ask for none for a while.
  case trust(device: UUID, of: UserID)
}

/// The news of a passkey's right answer.
package struct PasskeyUse: Sendable {
  package let id: UUID
  package let user: UserID
  package let signCount: UInt32
  package let isBackupEligible: Bool
  package let isBackedUp: Bool
  /// Whether the counter has to rise, unless the authenticator has none.
  package let demandsCount: Bool

  package init(
    id: UUID, user: UserID, signCount: UInt32, isBackupEligible: Bool, isBackedUp: Bool, demandsCount: Bool
  ) {
    self.id = id
    self.user = user
    self.signCount = signCount
    self.isBackupEligible = isBackupEligible
    self.isBackedUp = isBackedUp
    self.demandsCount = demandsCount
  }
}
