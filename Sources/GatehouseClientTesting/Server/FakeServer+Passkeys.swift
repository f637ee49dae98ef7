import Foundation
import GatehouseClient
import GatehousePolicy

/// Passkeys for tests.
extension FakeServer {
  /// Adds a passkey to an account, as another device does; nil where there is no such account. The first factor comes
  /// with recovery codes.
  /// - Parameter relyingParty: the domain that it was made for; nil: that of now.
  @discardableResult
  public func addPasskey(to email: String, name: String? = nil, relyingParty: String? = nil) -> FakePasskey? {
    let now = clock.now
    return withWorld { world in
      guard var account = world.account(email: email) else { return nil }
      var passkey = FakePasskey(userHandle: Data(account.handle))
      passkey.relyingParty = relyingParty ?? FakeWorld.relyingParty
      if account.factors.isEmpty { account.recoveryCodes = FakeRecoveryCode.makeSet() }
      account.passkeys.append(
        FakeStoredPasskey(
          id: world.id(), credentialID: Array(passkey.credentialID), name: name, isSynced: passkey.isSynced,
          createdAt: now, relyingParty: relyingParty ?? FakeWorld.relyingParty))
      account.raiseEpoch()
      world.accounts[account.id] = account
      return passkey
    }
  }
}

extension FakePolicy {
  /// Whether a passkey opens a session by itself: `sign_in` in `passkeys.use` of the policy file. For passkeys as
  /// second factors see `factors`.
  public var signsInWithPasskeys: Bool {
    get { policy.uses(passkeysFor: .signIn) }
    set { usePasskeys(newValue, for: .signIn) }
  }

  /// Whether a passkey makes an account: `sign_up` in `passkeys.use` of the policy file.
  public var signsUpWithPasskeys: Bool {
    get { policy.uses(passkeysFor: .signUp) }
    set { usePasskeys(newValue, for: .signUp) }
  }

  /// Whether people who have a password and no passkey are offered one: `passkeys.upgrade` of the policy file. Only
  /// where passkeys sign in.
  public var offersPasskeys: Bool {
    get { policy.passkeys?.upgrade != nil }
    set {
      policy.passkeys?.upgrade = newValue ? Day(year: 2020, month: 1, day: 1).map { Passkeys.Upgrade(from: $0) } : nil
    }
  }

  /// Keeps the passkeys that were made for a domain before, until a day such as `2031-03-01`: `passkeys.rp_id_from` of
  /// the policy file. Only where there are passkeys, and for a day in this form.
  public mutating func keepPasskeys(of domain: String, until day: String) {
    policy.passkeys?.former = Day(day).map { Passkeys.FormerParty(id: domain, until: $0) }
  }

  /// Puts passkeys to a use, or to that use no more. Without any use the section goes.
  mutating func usePasskeys(_ isUsed: Bool, for use: Passkeys.Use) {
    let uses = (policy.passkeys?.use ?? []).filter { $0 != use } + (isUsed ? [use] : [])
    guard !uses.isEmpty else { return policy.passkeys = nil }
    if policy.passkeys == nil { policy.passkeys = Passkeys(use: uses) }
    policy.passkeys?.use = Passkeys.Use.allCases.filter(uses.contains)
  }
}
