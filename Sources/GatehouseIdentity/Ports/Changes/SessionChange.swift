package import Foundation
package import GatehousePolicy

/// Writes of sessions, and of what an account shows of them.
package enum SessionChange: Sendable {
  /// A new session, and what its client presents; the oldest sessions beyond `keeping` end as `replaced`. The person is
  /// online. `refused(.accountIsEnabled)` when the account went or was disabled meanwhile. `on`: the known device that
  /// was used again. `under`: the hash of the password that was right; `refused(.passwordIsUnchanged)` when it is
  /// another by now.
  case insert(Session, by: StoredCredential, keeping: Int, on: KnownDevice? = nil, under: String? = nil)
  /// A session of the pages was used, now: it ends after so many seconds without use.
  case touch(SessionID, idleTTL: Int64)
  /// Proofs in the place of those that were seen: `refused(.proofsAreAsSeen)` when another re-authentication came
  /// between, whose proof would be lost. `refused(.sessionIsLive)`.
  case reauthenticate(SessionID, Proofs, seen: Proofs)
  /// The same where the proofs raise the session's level: the session ends as `raised`, and goes on as `to`, with this
  /// credential. A push token ends with it.
  case raise(SessionID, to: Session, by: StoredCredential, seen: Proofs)
  /// A refresh token's exchange, as that of `SessionStore.rotate`. `refused(.refreshTokenIsUnspent)`,
  /// `refused(.sessionIsLive)`.
  case rotate(Rotation)
  case end(SessionID, SessionEnd)
  case endAll(UserID, except: SessionID?, SessionEnd)
  /// Ends the account's sessions, but for one, that this second factor proved and no other one, as `factorRemoved`.
  case endLifted(UserID, by: UUID, except: SessionID)
  /// Demands that the account has (`remain`) or has not a live session which these rules do not end, after the changes
  /// before it: `refused(.sessionsAreAsSeen)` otherwise. It follows a change that locks the account's row.
  case require(UserID, remain: Bool, under: Sessions)
  /// The token of the session's device. Sessions of other accounts lose the same token: a device that changed hands
  /// shows its new owner nothing of the one before.
  case setPushToken(SessionID, PushToken?)
  /// The person is there now, online or not; nil: as before. A session that says so is seen with it.
  case setPresence(UserID, online: Bool?, by: SessionID? = nil)
}
