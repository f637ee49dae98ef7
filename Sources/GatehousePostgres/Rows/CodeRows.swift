import Foundation
import GatehouseIdentity

/// Statements and rows of one-time codes.
enum CodeRows {
  static func statements(of change: CodeChange) -> [SQL] {
    switch change {
    case .insert(let code, let isAskedByAnyone, let kept):
      insert(
        code, living: isAskedByAnyone ? code.purpose.terms.livingForAnyone : code.purpose.terms.living,
        where: kept.map(LimitRows.hasRoom))
    case .use(let id, let byToken): [use(id, byToken: byToken)]
    case .giveBackTry(let id): [giveBackTry(id)]
    case .void(let id, let ending): [void(id, ending)]
    case .voidUndos(let user, let id, let moment): [voidUndos(user, from: id, moment)]
    case .voidSignUps(let destination): [voidSignUps(destination)]
    }
  }

  static func isAt(_ contact: Contact) -> SQL {
    "destination = \(contact.value) AND contact = \(contact.kind.rawValue)"
  }

  static let live: SQL = "used_at IS NULL AND superseded_at IS NULL"

  /// A way back to an address that an account left: while it lives, the address is no other account's.
  static func reserves(_ email: String) -> SQL {
    """
    purpose = \(CodePurpose.undoEmailChange.rawValue) AND destination = \(email) AND \(live)
      AND /* GUARD: reservation: ends with its way back */ token_expires_at > gatehouse.now()
    """
  }

  static let columns: SQL = """
    purpose, one_time_code.id, account_id, session_id, contact, destination, token_hash, code_mac, token_expires_at,
    code_expires_at, sealed_payload, created_at, used_at, superseded_at, attempts
    """

  /// The codes whose tries this holder uses up.
  static func holds(_ holder: CodeHolder) -> SQL {
    switch holder {
    case .account(let user): "/* GUARD: code: of the proven account */ account_id = \(user.uuid)"
    case .id(let id): "/* GUARD: sign-up: digits are its own */ id = \(id)"
    case .session(let session, let user):
      """
      account_id = \(user.uuid)
        AND /* GUARD: fresh proof: a code of the session that asked */ session_id = \(session.uuid)
      """
    case .reader: "true"
    }
  }

  private static func giveBackTry(_ id: UUID) -> SQL {
    "UPDATE one_time_code SET attempts = attempts - 1 WHERE id = \(id) AND attempts > 0 AND used_at IS NULL"
  }

  private static func insert(_ code: OneTimeCode, living: Int?, where condition: SQL?) -> [SQL] {
    let new: SQL = """
      INSERT INTO one_time_code (id, purpose, account_id, contact, destination, token_hash, code_mac,
        token_expires_at, code_expires_at, sealed_payload, created_at, session_id)
      SELECT \(code.id)::uuid, \(code.purpose.rawValue)::text, \(code.user?.uuid)::uuid,
        \(code.destination.kind.rawValue)::text, \(code.destination.value)::text, \(code.tokenHash)::bytea,
        \(code.codeMAC)::bytea, \(code.tokenExpiresAt)::timestamptz, \(code.codeExpiresAt)::timestamptz, \(code.sealedPayload)::bytea, gatehouse.now(), \(code.session?.uuid)::uuid
      WHERE \(condition ?? "true")
      """
    // A second change of address must not take the first owner's way back.
    guard let living else { return [new] }
    let sameOwner: SQL =
      if let user = code.user {
        // A fresh proof is its session's: another session's request leaves it alone.
        code.purpose == .reauthenticate
          ? "account_id = \(user.uuid) AND session_id = \(code.session?.uuid)::uuid" : "account_id = \(user.uuid)"
      } else {
        // Asked so that the index on destinations alone can serve it: an account that is NULL is no place to look,
        // there are as many such rows as strangers who asked.
        "num_nulls(account_id) = 1 AND \(isAt(code.destination))"
      }
    let owner = code.user?.text ?? code.destination.value
    // Two requests at the same moment would not see each other's code, and both codes would live.
    let turn: SQL = """
      SELECT pg_advisory_xact_lock(
        hashtextextended(concat_ws(' ', gatehouse.tenant(), \(code.purpose.rawValue)::text, \(owner)::text), 0))
      """
    let older: SQL = "purpose = \(code.purpose.rawValue) AND \(sameOwner)"
    // GUARD: sign-up: none takes the place of another
    let replaced = living > 1 ? surplus(older, beyond: living) : older
    return [turn, supersede(replaced), new]
  }

  /// The codes that exceed the bound once a new one is stored.
  private static func surplus(_ which: SQL, beyond living: Int) -> SQL {
    """
    id IN (SELECT id FROM one_time_code
      WHERE \(which) AND \(live) AND greatest(token_expires_at, code_expires_at) > gatehouse.now()
      ORDER BY created_at DESC, id DESC OFFSET \(living - 1))
    """
  }

  /// Ends codes. The payload of a dead code (a sign-up waiting to be completed) goes with it.
  private static func supersede(_ which: SQL) -> SQL {
    """
    UPDATE one_time_code SET superseded_at = gatehouse.now(), sealed_payload = NULL
    WHERE \(which) AND \(live)
    """
  }

  private static func use(_ id: UUID, byToken: Bool) -> SQL {
    .requiring(
      .codeIsLive,
      """
      UPDATE one_time_code SET used_at = gatehouse.now(), sealed_payload = NULL
      WHERE id = \(id)
        AND /* GUARD: code: used once */ used_at IS NULL
        AND /* GUARD: code: not a superseded one */ superseded_at IS NULL
        AND /* GUARD: code: ends */
          CASE WHEN \(byToken) THEN token_expires_at ELSE code_expires_at END > gatehouse.now()
      RETURNING 1
      """)
  }

  private static func voidUndos(_ user: UserID, from id: UUID, _ moment: Date) -> SQL {
    supersede(
      """
      account_id = \(user.uuid) AND purpose = \(CodePurpose.undoEmailChange.rawValue)
        AND /* GUARD: undo: leaves earlier ways back */ (created_at, id) >= (\(moment), \(id))
      """)
  }

  private static func voidSignUps(_ destination: Contact) -> SQL {
    supersede("\(ends(.signUpCompleted)) AND \(isAt(destination))")
  }

  private static func void(_ user: UserID, _ ending: CodeEnding) -> SQL {
    supersede("account_id = \(user.uuid) AND \(ends(ending))")
  }

  private static func ends(_ ending: CodeEnding) -> SQL { "purpose = ANY(\(ending.ends.map(\.rawValue)))" }

  /// Codes to the address as well: a code that completes a sign-up belongs to no account yet.
  static let table = AccountTable(
    name: "one_time_code",
    copy: .list(
      "codes",
      [.text("purpose"), .text("destination"), .moment("created_at"), .moment("expires_at"), .moment("used_at")]
    ) { id in
      """
      SELECT purpose, destination, created_at, greatest(token_expires_at, code_expires_at), used_at
      FROM one_time_code WHERE account_id = \(id.uuid)
        OR destination = (SELECT email FROM account WHERE id = \(id.uuid))
      ORDER BY created_at DESC, id DESC
      """
    })
}

extension OneTimeCode {
  /// From `CodeRows.columns`.
  fileprivate init?(_ columns: inout RowReader) throws {
    guard let purpose = CodePurpose(rawValue: try columns.next()) else { return nil }
    let (id, user, session): (UUID, UserID?, SessionID?) = (
      try columns.next(), try columns.next(), try columns.next()
    )
    guard let kind = Contact.Kind(rawValue: try columns.next()) else { return nil }
    self.init(
      id: id, purpose: purpose, user: user, session: session,
      destination: Contact(kind, try columns.next()), tokenHash: try columns.next(), codeMAC: try columns.next(),
      tokenExpiresAt: try columns.next(), codeExpiresAt: try columns.next(), sealedPayload: try columns.next(),
      createdAt: try columns.next(), usedAt: try columns.next(), supersededAt: try columns.next(),
      attempts: try columns.next())
  }
}

extension PostgresTenantStore {
  func code(tokenHash: [UInt8], purpose: CodePurpose) async throws -> OneTimeCode? {
    try await read(
      """
      SELECT \(CodeRows.columns) FROM one_time_code WHERE token_hash = \(tokenHash) AND purpose = \(purpose.rawValue)
      """
    ).singleKnown { try OneTimeCode(&$0) }
  }

  func code(id: UUID, purpose: CodePurpose) async throws -> OneTimeCode? {
    try await read(
      "SELECT \(CodeRows.columns) FROM one_time_code WHERE id = \(id) AND purpose = \(purpose.rawValue)"
    ).singleKnown { try OneTimeCode(&$0) }
  }

  func newestCode(for purpose: CodePurpose, to destination: Contact, of user: UserID?) async throws -> OneTimeCode? {
    try await read(
      """
      SELECT \(CodeRows.columns) FROM one_time_code
      WHERE purpose = \(purpose.rawValue) AND \(CodeRows.isAt(destination))
        AND (\(user?.uuid)::uuid IS NULL OR account_id = \(user?.uuid)::uuid)
      ORDER BY created_at DESC, id DESC LIMIT 1
      """
    ).singleKnown { try OneTimeCode(&$0) }
  }

  func requester(of purpose: CodePurpose, at destination: Contact, decoy: String, of user: UserID?) async throws
    -> CodeRequester?
  {
    let account: SQL = "coalesce(one_time_code.account_id, session.account_id)"
    return try await read(
      """
      SELECT \(account), one_time_code.session_id
      FROM one_time_code LEFT JOIN session ON session.id = one_time_code.session_id
      WHERE purpose = \(purpose.rawValue) AND destination = ANY(\([destination.value, decoy]))
        AND contact = \(destination.kind.rawValue)
        AND \(account) = coalesce(\(user?.uuid)::uuid, \(account))
      ORDER BY one_time_code.created_at DESC, one_time_code.id DESC LIMIT 1
      """
    ).single { row in
      CodeRequester(user: try row.next(), session: try row.next())
    }
  }

  func undoCode(reserving email: String) async throws -> OneTimeCode? {
    try await read(
      """
      SELECT \(CodeRows.columns) FROM one_time_code WHERE \(CodeRows.reserves(email))
      ORDER BY created_at DESC, id DESC LIMIT 1
      """
    ).singleKnown { try OneTimeCode(&$0) }
  }

  func tryCodes(_ purpose: CodePurpose, at destination: Contact, decoy: String, of holder: CodeHolder) async throws
    -> [OneTimeCode]
  {
    // Rows are locked in one order, so that two tries never deadlock.
    let rows = try await write([
      """
      WITH tried AS (
        SELECT id FROM one_time_code WHERE purpose = \(purpose.rawValue)
          AND destination = ANY(\([destination.value, decoy])) AND contact = \(destination.kind.rawValue)
          AND \(CodeRows.holds(holder))
        ORDER BY created_at DESC, id DESC LIMIT \(purpose.terms.livingForAnyone ?? 1) FOR NO KEY UPDATE)
      UPDATE one_time_code SET attempts = least(attempts + \(holder == .reader ? 0 : 1), 1000000)
      FROM tried WHERE one_time_code.id = tried.id
      RETURNING \(CodeRows.columns)
      """
    ])
    return try rows[0].readKnown { try OneTimeCode(&$0) }
  }
}
