import Foundation
import GatehouseClient
import GatehousePolicy

/// Passkeys for tests.
extension FakeServer {
  /// Adds a passkey to an account, as another device does; nil where there is no such account. The first factor comes
  /// with recovery codes.
  @discardableResult
  public func addPasskey(to email: String, name: String? = nil) -> FakePasskey? {
    let now = clock.now
    return withWorld { world in
      guard var account = world.account(email: email) else { return nil }
      let passkey = FakePasskey(userHandle: Data(account.handle))
      if account.factors.isEmpty { account.recoveryCodes = FakeRecoveryCode.makeSet() }
      account.passkeys.append(
        FakeStoredPasskey(
          id: world.id(), credentialID: Array(passkey.credentialID), name: name, isSynced: passkey.isSynced,
          createdAt: now))
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

  /// Puts passkeys to a use, or to that use no more. Without any use the section goes.
  mutating func usePasskeys(_ isUsed: Bool, for use: Passkeys.Use) {
    let uses = (policy.passkeys?.use ?? []).filter { $0 != use } + (isUsed ? [use] : [])
    guard !uses.isEmpty else { return policy.passkeys = nil }
    if policy.passkeys == nil { policy.passkeys = Passkeys(use: uses) }
    policy.passkeys?.use = Passkeys.Use.allCases.filter(uses.contains)
  }
}
