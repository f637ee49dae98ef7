public import Foundation

extension Policy {
  /// Whether a passkey may be made without asking its owner (WebAuthn Level 3 section 5.1.3, `conditional`). Not where
  /// it would be asked for after a password, which its owner could not answer on a device that lacks it, and not where
  /// an authenticator has to be vouched for.
  public var makesPasskeysSilently: Bool {
    uses(passkeysFor: .signIn) && !uses(passkeysFor: .secondFactor) && passkeys?.attestation != .direct
  }

  /// Whether the owner of this account may get a passkey that way.
  public func makesPasskeySilently(for user: StoredFacts, at instant: Date) -> Bool {
    makesPasskeysSilently && offersPasskey(to: user, at: instant)
  }
}
