import GatehouseIdentity
import GatehousePolicy

/// Statements that begin a commit: what its authority demands.
enum AuthorityRows {
  /// None where nothing is demanded.
  static func demands(of authority: Authority) -> [SQL] {
    switch authority {
    case .anonymous, .code, .operator, .job: []
    case .proven(let user, let epoch):
      [lock(user), "SELECT \(.require(holds(user, epoch), .userIsUnchanged))"]
    case .caller(let caller, let grounds):
      [
        lock(caller.user.id),
        """
        SELECT \(.require(lives(caller), .sessionIsLive)), \(.require(holds(caller, grounds), .userIsUnchanged))
        """,
      ]
    }
  }

  /// The lock that a sign-in, a new password and the end of sessions take first. It is a statement of its own: what
  /// follows sees what was committed before the lock was had, and a single statement would see what was there before it
  /// waited.
  private static func lock(_ user: UserID) -> SQL {
    """
    SELECT 1 FROM account WHERE id = \(user.uuid)
    /* GUARD: authority: behind the account's lock */ FOR NO KEY UPDATE
    """
  }

  private static func lives(_ caller: SignedIn) -> SQL {
    """
    /* GUARD: authority: the session lives */ EXISTS (SELECT FROM session WHERE id = \(caller.session.id.uuid)
      AND /* GUARD: authority: the session is this account's */ account_id = \(caller.user.id.uuid)
      AND \(SessionRows.live))
    """
  }

  private static func holds(_ caller: SignedIn, _ grounds: Authority.Grounds) -> SQL {
    let user = caller.user
    return switch grounds {
    case .session: "true"
    case .proof: holds(user.id, user.epoch)
    case .role(let fields):
      """
      EXISTS (SELECT FROM account WHERE id = \(user.id.uuid) AND epoch = \(user.epoch)
        AND /* GUARD: authority: a role is still held */ \(BackfillRows.profile) @> \(UserRows.json(fields)))
      """
    }
  }

  private static func holds(_ user: UserID, _ epoch: Int64) -> SQL {
    """
    EXISTS (SELECT FROM account WHERE id = \(user.uuid)
      AND /* GUARD: authority: a proof ends with what it proved */ epoch = \(epoch))
    """
  }
}
