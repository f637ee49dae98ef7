package import GatehousePolicy

/// On whose authority changes are committed: what must hold at the moment of the commit, beside the conditions of the
/// changes.
package enum Authority: Sendable {
  /// A request without a session. Its changes are counters, refusals, codes for an address, and what has conditions of
  /// its own.
  case anonymous
  /// A mailed link or code. Its use stands among the changes.
  case code
  /// A proof in this request that the account is the requester's: `refused(.accountIsUnchanged)` when password,
  /// address, identities or disabled state are not those of this epoch.
  case proven(UserID, epoch: Int64)
  /// An operator, by the command line or by an admin token.
  case `operator`
  /// The server itself: a job, or the end of work that must not be lost with its request.
  case job
  /// A signed-in caller: `refused(.sessionIsLive)` when the session ended, `refused(.accountIsUnchanged)` when
  /// `grounds` do not hold.
  case caller(SignedIn, restingOn: Grounds)

  /// The facts beside the session that a caller's request relied on.
  package enum Grounds: Sendable {
    /// Nothing. A password change elsewhere does not disturb the request.
    case session
    /// A proof of who the caller is: a recent sign-in, or the password in the request.
    case proof
    /// A role: these fields of the caller's profile.
    case role([String: FieldValue])
  }
}
