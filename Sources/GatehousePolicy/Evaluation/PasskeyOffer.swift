public import Foundation

/// A step that a person may take and that nothing waits for, by the name that answers and files have for it.
public enum Offer: String, Sendable, Hashable, CaseIterable {
  /// Another way to sign in, beside the password.
  case addPasskey = "add_passkey"
}

extension Policy {
  /// Whether the owner of this account is offered a passkey: from the first day of `upgrade` on, where its conditions
  /// hold, the account has a password that opens it, and no passkey.
  public func offersPasskey(to user: StoredFacts, at instant: Date) -> Bool {
    guard let upgrade = passkeys?.upgrade, uses(passkeysFor: .signIn), hasPassword, user.passwordChangedAt != nil
    else { return false }
    return upgrade.from.start <= instant && !user.factors.contains(Factor.passkey.rawValue)
      && holds(upgrade.when, of: user.profile)
  }

  /// The offers to the owner of this account.
  public func offers(to user: StoredFacts, at instant: Date) -> [Offer] {
    offersPasskey(to: user, at: instant) ? [.addPasskey] : []
  }
}

extension Passkeys.FormerParty {
  /// Whether its passkeys still prove.
  public func proves(at instant: Date) -> Bool { instant < until.start }
}
