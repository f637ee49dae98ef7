import Foundation
import GatehousePolicy

/// The passkeys that open a session of a tenant: under a policy, and with these hosts.
struct PasskeyReach: Sendable {
  /// The relying party of today; nil: the tenant has none.
  let party: String?
  /// The one before, while its passkeys prove.
  let former: Passkeys.FormerParty?
  /// Whether passkeys that can be synced are allowed.
  let takesSynced: Bool
  /// Whether a passkey opens a session by itself.
  let signsIn: Bool
  /// Whether the policy has passkeys at all.
  let isThere: Bool

  init(_ policy: Policy, hosts: [TenantHost], publicURL: String, at now: Date) {
    let own = hosts.filter { $0.verifiedAt != nil }.map(\.host.description)
    let local = TenantSnapshot.localOrigin(publicURL).map { _ in TenantSnapshot.localParty }
    party = own.isEmpty ? local : RelyingParty.id(under: policy, hosts: own)
    former = policy.passkeys?.former.flatMap { $0.proves(at: now) ? $0 : nil }
    takesSynced = policy.passkeys?.synced ?? false
    signsIn = policy.uses(passkeysFor: .signIn)
    isThere = policy.passkeys != nil
  }

  /// The relying parties whose passkeys prove. Without one of today there are none.
  var parties: [String] { party.map { [$0] + [former?.id].compactMap(\.self) } ?? [] }

  /// Whether a passkey of this kind opens a session.
  func opens(_ passkey: HeldPasskey) -> Bool {
    guard signsIn else { return false }
    // GUARD: lock-out: passkeys that can be synced
    guard takesSynced || !passkey.isBackupEligible else { return false }
    // GUARD: lock-out: passkeys of another relying party
    return parties.contains(passkey.rpID)
  }
}

extension PasskeyReach {
  /// Why passkeys of this reach open no session under another one, and what keeps them; nil where all of them do.
  func loss(under other: PasskeyReach) -> (why: String, remedy: String?)? {
    guard signsIn, let party else { return nil }
    if !other.isThere { return ("the section passkeys is gone", nil) }
    if !other.signsIn { return ("passkeys.use has no sign_in any more", nil) }
    if let lost = parties.first(where: { !other.parties.contains($0) }) {
      guard let next = other.party else { return ("no verified host is at \(lost) any more", nil) }
      return (
        "passkeys of \(lost) prove nothing \(next == party ? "without rp_id_from" : "at \(next)")",
        "write passkeys: {rp_id: \(next), rp_id_from: {id: \(lost), until: DATE}}"
      )
    }
    if takesSynced, !other.takesSynced { return ("synced: false refuses those that can be synced", nil) }
    return nil
  }
}

/// The ways in which a person can sign in under a policy.
struct WaysIn: Sendable {
  /// A password that opens the account.
  let password: Bool
  /// An identity at a provider that signs in.
  let provider: Bool
  let passkey: Bool
  /// Whether a reset by mail makes a password.
  let reset: Bool

  /// Whether the person has one of them at hand.
  var isOpen: Bool { password || provider || passkey }
  /// Whether the person comes back, be it by a reset.
  var leadsBack: Bool { isOpen || reset }
  /// Whether a passkey is all that the person has at hand.
  var isPasskeyAlone: Bool { passkey && !password && !provider }
}

extension ScannedUser {
  func waysIn(_ policy: Policy, _ reach: PasskeyReach) -> WaysIn {
    WaysIn(
      password: user.signsInByPassword(policy),
      provider: policy.signInProviders.contains(where: signInIdentities.contains),
      passkey: user.passkeys.contains(where: reach.opens), reset: policy.hasPassword)
  }

  /// Whether the person's only way in is a passkey that proves no more.
  func losesPasskey(_ before: WaysIn, _ after: WaysIn) -> Bool {
    // GUARD: lock-out: people whose only way in is a passkey
    return before.isPasskeyAlone && !after.isOpen && user.disabledAt == nil
  }
}
