import GatehouseIdentity

/// Statements and rows of the ways from the pages to an app.
enum HandBackRows {
  static func begin(_ code: HandBackCode) -> [SQL] {
    [
      """
      INSERT INTO hand_back (code_hash, account_id, session_id, challenge_hash, created_at, expires_at)
      VALUES (\(code.hash), \(code.user.uuid), \(code.session.uuid), \(code.challengeHash), gatehouse.now(),
        gatehouse.now() + make_interval(secs => \(Double(HandBack.seconds))))
      """,
      """
      DELETE FROM hand_back WHERE code_hash = ANY (ARRAY(
        SELECT code_hash FROM hand_back WHERE session_id = \(code.session.uuid)
        ORDER BY created_at DESC OFFSET /* GUARD: hand-back: so many for each session */ \(HandBack.perSession)))
      """,
    ]
  }

  static func take(_ hash: [UInt8], _ challengeHash: [UInt8]) -> SQL {
    .requiring(
      .handBackIsLive,
      """
      DELETE FROM hand_back WHERE code_hash = \(hash)
        AND /* GUARD: hand-back: of this holder */ challenge_hash = \(challengeHash)
        AND /* GUARD: hand-back: within its time */ expires_at > gatehouse.now() RETURNING 1
      """)
  }
}

extension PostgresTenantStore {
  func handBack(hash: [UInt8]) async throws -> (session: Session, user: StoredUser)? {
    try await read(
      """
      SELECT \(SessionRows.columns), \(UserRows.columns) FROM hand_back
      JOIN session ON session.id = hand_back.session_id JOIN account ON account.id = session.account_id
      WHERE code_hash = \(hash)
      """
    ).single { columns in
      (session: try Session(&columns, of: tenant), user: try StoredUser(&columns))
    }
  }
}
