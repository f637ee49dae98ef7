/// Writes of identities at providers.
package enum ProviderChange: Sendable {
  /// The account's identity at its provider, in the place of another one there: `refused(.identityIsFree)` when it is
  /// another account's. The grant of a replaced identity goes with it.
  case link(ProviderIdentity)
  case unlink(UserID, UnlinkScope)
  /// The state of a link; without scopes they stay the same. `refused(.linkExists)` when there is none.
  case setLink(UserID, provider: String, LinkedIdentity.State, scopes: [String]?)
  /// The account can sign in by one of these: by `password` with one that is stored, by a provider with an exclusive
  /// identity there, by a passkey of one of these relying parties. `refused(.signInMethodRemains)` otherwise.
  case requireSignInMethod(UserID, among: [String], passkeysOf: [String] = [])
  /// The true owner of an unproven address arrived: the account is theirs, and its password and identities go.
  /// (Sessions, devices and codes are ended beside it.) `refused(.addressIsUnproven)` when it is another address by
  /// now, or proven.
  case reclaim(UserID, email: String)
  /// An ID token is taken: `refused(.idTokenIsUnused)` when it was before, and one of the two uses is single.
  case useIDToken(IDTokenUse)
}
