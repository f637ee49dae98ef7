import GatehouseIdentity

/// Statements of keys and kept answers.
enum IdempotencyRows {
  static func statements(of change: AnswerChange) -> [SQL] {
    switch change {
    case .keep(let claim, let sealed, let user): [keep(claim, sealed: sealed, user: user)]
    }
  }

  /// Only its holder may keep an answer, and with it make the effect of the same transaction.
  private static func keep(_ claim: IdempotencyClaim, sealed: [UInt8], user: UserID?) -> SQL {
    .requiring(
      .claimIsHeld,
      """
      UPDATE idempotency_key SET sealed_answer = \(sealed), account_id = \(user?.uuid)::uuid,
        expires_at = gatehouse.now() + interval '24 hours'
      WHERE key = \(claim.key) AND claim = \(claim.id) AND sealed_answer IS NULL RETURNING 1
      """)
  }

  static let table = AccountTable(
    name: "idempotency_key",
    copy: .list("kept_answers", [.moment("expires_at")]) { id in
      """
      SELECT expires_at FROM idempotency_key
      WHERE account_id = \(id.uuid) AND expires_at > gatehouse.now() ORDER BY expires_at DESC
      """
    })
}

extension PostgresTenantStore {
  func claim(_ claim: IdempotencyClaim) async throws -> IdempotencyVerdict {
    // The claim in the row tells whether this very attempt holds it: the row is locked while that is decided.
    let rows = try await write([
      """
      INSERT INTO idempotency_key AS k (key, body, claim, claimed_until, expires_at, account_id)
      VALUES (\(claim.key), \(claim.body), \(claim.id), gatehouse.now() + make_interval(secs => \(IdempotencyClaim.seconds)),
        gatehouse.now() + interval '24 hours', \(claim.user?.uuid))
      ON CONFLICT (tenant_id, key) DO UPDATE SET body = excluded.body, claim = excluded.claim,
        claimed_until = excluded.claimed_until, expires_at = excluded.expires_at, account_id = excluded.account_id,
        sealed_answer = NULL
      WHERE k.expires_at <= gatehouse.now() OR (k.sealed_answer IS NULL AND k.claimed_until <= gatehouse.now())
      """,
      """
      SELECT claim = \(claim.id), body = \(claim.body), sealed_answer FROM idempotency_key WHERE key = \(claim.key)
      """,
    ])
    // Its holder may have let go between the two statements' looks: as if it were still at work.
    return try rows[1].single { columns in
      let isMine: Bool = try columns.next()
      let isSameBody: Bool = try columns.next()
      let sealed: [UInt8]? = try columns.next()
      if isMine { return .claimed }
      guard isSameBody else { return .otherBody }
      return sealed.map { .kept(sealed: $0) } ?? .inFlight
    } ?? .inFlight
  }

  func release(_ claim: IdempotencyClaim) async throws {
    _ = try await write([
      "DELETE FROM idempotency_key WHERE key = \(claim.key) AND claim = \(claim.id) AND sealed_answer IS NULL"
    ])
  }
}
