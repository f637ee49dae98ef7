import GatehouseIdentity
import GatehousePolicy

/// Statements that begin a commit: what its authority demands.
enum AuthorityRows {
  /// None where nothing is demanded.
  static func demands(of authority: Authority) -> [SQL] {
    switch authority {
    case .anonymous, .code, .operator, .job: []
    case .proven(let account, let epoch):
      [lock(account), "SELECT \(.require(holds(account, epoch), .accountIsUnchanged))"]
    case .caller(let caller, let grounds):
      [
        lock(caller.account.id),
        """
        SELECT \(.require(lives(caller), .sessionIsLive)), \(.require(holds(caller, grounds), .accountIsUnchanged))
        """,
      ]
    }
  }

  /// The lock that a sign-in, a new password and the end of sessions take first. It is a statement of its own: what follows sees what
  /// was committed before the lock was had, and a single statement would see what was there before it waited.
  private static func lock(_ account: AccountID) -> SQL {
    """
    SELECT 1 FROM account WHERE id = \(account.uuid)
    /* GUARD: authority: behind the account's lock */ FOR NO KEY UPDATE
    """
  }

  private static func lives(_ caller: SignedIn) -> SQL {
    """
    /* GUARD: authority: the session lives */ EXISTS (SELECT FROM session WHERE id = \(caller.session.id.uuid)
      AND /* GUARD: authority: the session is this account's */ account_id = \(caller.account.id.uuid)
      AND \(SessionRows.live))
    """
  }

  private static func holds(_ caller: SignedIn, _ grounds: Authority.Grounds) -> SQL {
    let account = caller.account
    return switch grounds {
    case .session: "true"
    case .proof: holds(account.id, account.epoch)
    case .role(let fields):
      """
      EXISTS (SELECT FROM account WHERE id = \(account.id.uuid) AND epoch = \(account.epoch)
        AND /* GUARD: authority: a role is still held */ profile @> \(AccountRows.json(fields)))
      """
    }
  }

  private static func holds(_ account: AccountID, _ epoch: Int64) -> SQL {
    """
    EXISTS (SELECT FROM account WHERE id = \(account.uuid)
      AND /* GUARD: authority: a proof ends with what it proved */ epoch = \(epoch))
    """
  }
}
