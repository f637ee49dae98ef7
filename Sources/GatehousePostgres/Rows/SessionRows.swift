import Foundation
import GatehouseIdentity
import GatehousePolicy

/// Statements and rows of sessions and refresh tokens.
enum SessionRows {
  static func statements(of change: SessionChange) -> [SQL] {
    switch change {
    case .insert(let session, let credential, let keeping, let device, let password):
      insert(session, credential, keeping: keeping, on: device, under: password)
    case .touch(let id, let idleTTL): [touch(id, idleTTL)]
    case .reauthenticate(let id, let proofs, let seen): [ProvenSessionRows.reauthenticate(id, proofs, seen: seen)]
    case .raise(let id, let session, let credential, let seen):
      [ProvenSessionRows.raise(id, to: session, credential, seen: seen)]
    case .rotate(let rotation): [rotateAmongOthers(rotation)]
    case .end(let id, let why): end(id, why)
    case .endAll(let user, let session, let why): endAll(of: user, except: session, why) + [endPending(of: user)]
    case .endLifted(let user, let factor, let session):
      end(.factorRemoved, ProvenSessionRows.lifted(of: user, by: factor, except: session), of: "\(user.uuid)")
    case .require(let user, let remain, let rules): [require(user, remain: remain, under: rules)]
    case .setPushToken(let id, let token): PushTokenRows.set(token, of: id)
    case .setPresence(let user, let online, let session): setPresence(user, online, by: session)
    }
  }

  static let columns: SQL = """
    session.id, session.account_id, session.created_at, session.last_seen_at, session.proofs, session.authenticated_at,
    session.methods, session.expires_at, session.idle_expires_at, session.device_name, session.device_id,
    session.place, session.ended_at, session.client
    """

  static let live: SQL = """
    ended_at IS NULL AND expires_at > gatehouse.now() AND idle_expires_at > gatehouse.now()
    """

  static func findRefreshToken(hash: [UInt8]) -> SQL {
    """
    SELECT \(columns), \(UserRows.columns), refresh_token.created_at, refresh_token.spent_at,
      refresh_token.sealed_successor, refresh_token.successor_hash, refresh_token.retry_digest, gatehouse.now()
    FROM refresh_token JOIN session ON session.id = refresh_token.session_id
    JOIN account ON account.id = session.account_id WHERE refresh_token.hash = \(hash)
    """
  }

  static func find(_ id: SessionID) -> SQL {
    """
    SELECT \(columns), \(UserRows.columns) FROM session
    JOIN account ON account.id = session.account_id WHERE session.id = \(id.uuid)
    """
  }

  static func findPage(hash: [UInt8]) -> SQL {
    """
    SELECT \(columns), \(UserRows.columns) FROM session
    JOIN account ON account.id = session.account_id WHERE session.page_hash = \(hash)
    """
  }

  private static func touch(_ id: SessionID, _ idleTTL: Int64) -> SQL {
    """
    UPDATE session SET last_seen_at = gatehouse.now(),
      idle_expires_at = least(expires_at, gatehouse.now() + make_interval(secs => \(Double(idleTTL))))
    WHERE id = \(id.uuid) AND \(live)
    """
  }

  /// Everything of an exchange in one statement. No row: there is no such unspent token. A session that died takes the
  /// whole back.
  static func rotate(_ rotation: Rotation) -> SQL {
    """
    \(exchange(rotation))
    SELECT \(columns), \(UserRows.columns),
      \(.require("session.id IS NOT NULL", .sessionIsLive)),
      \(.require("/* GUARD: refresh: not for a disabled account */ account.disabled_at IS NULL", .userIsEnabled))
    FROM spent LEFT JOIN living AS session ON true
    LEFT JOIN account ON account.id = (SELECT account_id FROM living)
    """
  }

  /// The common tables of an exchange: `spent` has its row where the token was unspent, `living` where the session
  /// lives.
  private static func exchange(_ rotation: Rotation) -> SQL {
    """
    WITH spent AS (
      UPDATE refresh_token SET spent_at = gatehouse.now(), sealed_successor = \(rotation.sealedSuccessor),
        successor_hash = \(rotation.successor), retry_digest = \(rotation.retryDigest), superseded = false
      WHERE hash = \(rotation.spent)
        AND /* GUARD: refresh: a token is spent once */ spent_at IS NULL RETURNING session_id, predecessor_hash),
    before AS (
      UPDATE refresh_token SET sealed_successor = NULL, superseded = true
      WHERE hash = (SELECT predecessor_hash FROM spent)),
    living AS (
      UPDATE session SET last_seen_at = gatehouse.now(),
        idle_expires_at = least(expires_at, gatehouse.now() + make_interval(secs => \(Double(rotation.idleTTL))))
      WHERE id = (SELECT session_id FROM spent) AND /* GUARD: refresh: in a session that lives */ \(live)
        AND /* GUARD: refresh: a shortened absolute time */
          created_at > gatehouse.now() - make_interval(secs => \(Double(rotation.maxTTL)))
        AND /* GUARD: refresh: a shortened idle time */
          last_seen_at > gatehouse.now() - make_interval(secs => \(Double(rotation.idleTTL)))
        AND /* GUARD: refresh: by the session's client */ client = \(rotation.client.name) RETURNING *),
    successor AS (
      INSERT INTO refresh_token (hash, session_id, created_at, predecessor_hash)
      SELECT \(rotation.successor), id, gatehouse.now(), \(rotation.spent) FROM living)
    """
  }

  /// The same exchange as one of several writes, which answers nothing.
  private static func rotateAmongOthers(_ rotation: Rotation) -> SQL {
    """
    \(exchange(rotation))
    SELECT \(.require("EXISTS (SELECT FROM spent)", .refreshTokenIsUnspent)),
      \(.require("EXISTS (SELECT FROM living)", .sessionIsLive))
    """
  }

  private static func end(_ id: SessionID, _ why: SessionEnd) -> [SQL] {
    end(why, "id = \(id.uuid)", of: "(SELECT account_id FROM session WHERE id = \(id.uuid))")
  }

  private static func endAll(of user: UserID, except session: SessionID?, _ why: SessionEnd) -> [SQL] {
    end(why, "account_id = \(user.uuid) AND id IS DISTINCT FROM \(session?.uuid)::uuid", of: "\(user.uuid)")
  }

  /// A sign-in that waits becomes no session after all sessions were ended.
  private static func endPending(of user: UserID) -> SQL {
    // GUARD: second proof: none waits after all sessions ended
    let ending: SQL =
      "DELETE FROM ticket WHERE account_id = \(user.uuid) AND purpose = \(Ticket.Purpose.secondFactor.rawValue)"
    return ending
  }

  private static func require(_ user: UserID, remain: Bool, under rules: Sessions) -> SQL {
    """
    SELECT \(
      .require(
        "/* GUARD: sign-out: exactly the last one drops */ \(remain) = \(remains(user, rules))",
        .sessionsAreAsSeen))
    """
  }

  private static func setPresence(_ user: UserID, _ online: Bool?, by session: SessionID?) -> [SQL] {
    [
      """
      UPDATE account SET is_online = coalesce(\(online)::boolean, is_online), last_seen = gatehouse.now()
      WHERE id = \(user.uuid)
      """
    ]
      + (session.map {
        [
          """
          UPDATE session SET last_seen_at = greatest(last_seen_at, gatehouse.now())
          WHERE id = \($0.uuid) AND account_id = \(user.uuid) AND \(live)
          """
        ]
      } ?? [])
  }

  private static func remains(_ user: UserID, _ rules: Sessions) -> SQL {
    """
    EXISTS (SELECT FROM session WHERE account_id = \(user.uuid) AND \(live)
      AND created_at > gatehouse.now() - make_interval(secs => \(Double(rules.refreshMaxTTL)))
      AND last_seen_at > gatehouse.now() - make_interval(secs => \(Double(rules.refreshIdleTTL))))
    """
  }

  private static func insert(
    _ session: Session, _ credential: StoredCredential, keeping: Int, on device: KnownDevice?, under password: String?
  ) -> [SQL] {
    let (page, first): ([UInt8]?, SQL) =
      switch credential {
      case .refreshToken(let token): (nil, "first AS (\(insert(token))),")
      case .page(let hash): (hash, "")
      }
    let seen = device.map { "seen AS (\(DeviceRows.see($0)))," as SQL } ?? ""
    let holds: SQL =
      password.map {
        .require(
          """
          EXISTS (SELECT FROM credential WHERE account_id = \(session.user.uuid)
            AND /* GUARD: session: under the password that was checked */ phc = \($0))
          """,
          .passwordIsUnchanged)
      } ?? "true"
    return [
      // This locks the account's row, so that sessions opened at the same moment count each other, and that a session
      // and a new password never pass each other: what follows sees what was committed before the lock was had.
      .requiring(
        .userIsEnabled,
        """
        UPDATE account SET is_online = true, last_seen = gatehouse.now()
        WHERE id = \(session.user.uuid)
          AND /* GUARD: session: opens for no disabled account */ disabled_at IS NULL RETURNING 1
        """),
      """
      WITH opened AS (
        INSERT INTO session (id, account_id, created_at, last_seen_at, authenticated_at, methods, expires_at,
          idle_expires_at, device_name, device_id, place, proofs, client, page_hash)
        VALUES (\(session.id.uuid), \(session.user.uuid), \(session.createdAt), \(session.lastSeenAt),
          \(session.proofs.authTime), \(session.proofs.amr), \(session.expiresAt), \(session.idleExpiresAt),
          \(session.deviceName), \(session.device)::uuid, \(session.place), \(session.proofs.stored),
          \(session.client.name), \(page))),
      \(first) \(seen)
      ended AS (\(end(.replaced, surplus(of: session, keeping: keeping))))
      SELECT \(holds)
      """,
    ]
  }

  /// The others of the account beyond those that are kept: the new one stays even where another server's clock is
  /// ahead. In the order of `session_live`, so that it is read, and not all sessions that the account ever had.
  private static func surplus(of session: Session, keeping: Int) -> SQL {
    """
    id = ANY (ARRAY(
      SELECT id FROM session WHERE account_id = \(session.user.uuid) AND id <> \(session.id.uuid) AND \(live)
      ORDER BY created_at DESC OFFSET /* GUARD: session: so many for each person */ \(max(1, keeping) - 1)))
    """
  }

  static func insert(_ token: RefreshToken) -> SQL {
    """
    INSERT INTO refresh_token (hash, session_id, created_at)
    VALUES (\(token.hash), \(token.session.uuid), \(token.createdAt))
    """
  }

  /// Ends sessions of one account. The account keeps the time at which the person was last seen, and is offline without
  /// a session.
  private static func end(_ why: SessionEnd, _ which: SQL, of user: SQL) -> [SQL] {
    [
      // Account before session, as a sign-in locks them: the other order could deadlock with one.
      "SELECT 1 FROM account WHERE id = \(user) FOR NO KEY UPDATE",
      """
      WITH ended AS (\(end(why, which)) RETURNING id, last_seen_at)
      UPDATE account SET last_seen = greatest(last_seen, (SELECT max(last_seen_at) FROM ended)),
        is_online = is_online AND EXISTS (
          SELECT FROM session WHERE account_id = account.id AND \(live) AND id NOT IN (SELECT id FROM ended))
      WHERE id = \(user) AND EXISTS (SELECT FROM ended)
      """,
    ]
  }

  /// A device whose session ended gets no pushes any more.
  private static func end(_ why: SessionEnd, _ which: SQL) -> SQL {
    """
    UPDATE session SET ended_at = gatehouse.now(), end_reason = \(why.rawValue), push_platform = NULL,
      sealed_push_token = NULL
    WHERE ended_at IS NULL AND \(which)
    """
  }

  static let table = AccountTable(
    name: "session",
    copy: .part { id in
      """
      SELECT \(columns), end_reason, push_platform, sealed_push_token FROM session
      WHERE account_id = \(id.uuid) ORDER BY created_at DESC, id DESC
      """
    } _: { data, rows, tenant in
      data.sessions = try rows.read {
        StoredUserData.SessionRow(
          session: try Session(&$0, of: tenant), endReason: try $0.next(), pushPlatform: try $0.next(),
          sealedPushToken: try $0.next())
      }
    })
}

extension Session {
  /// From `SessionRows.columns`.
  init(_ columns: inout RowReader, of tenant: TenantID) throws {
    let id: SessionID = try columns.next()
    let user: UserID = try columns.next()
    self.init(
      id: id, user: user, createdAt: try columns.next(), lastSeenAt: try columns.next(),
      proofs: try Proofs(
        tenant, user, stored: columns.next(), authenticatedAt: columns.next(), methods: columns.next()),
      expiresAt: try columns.next(), idleExpiresAt: try columns.next(), deviceName: try columns.next(),
      device: try columns.next(), place: try columns.next(), endedAt: try columns.next(),
      client: SessionClient(name: try columns.next()))
  }
}

extension PostgresTenantStore {
  func session(id: SessionID) async throws -> (session: Session, user: StoredUser)? {
    try await read(SessionRows.find(id)).single { columns in
      (session: try Session(&columns, of: tenant), user: try StoredUser(&columns))
    }
  }

  func pageSession(hash: [UInt8]) async throws -> (session: Session, user: StoredUser)? {
    try await read(SessionRows.findPage(hash: hash)).single { columns in
      (session: try Session(&columns, of: tenant), user: try StoredUser(&columns))
    }
  }

  func refreshToken(hash: [UInt8]) async throws -> RefreshLookup? {
    try await read(SessionRows.findRefreshToken(hash: hash)).single { columns in
      let session = try Session(&columns, of: tenant)
      let user = try StoredUser(&columns)
      let token = RefreshToken(
        hash: hash, session: session.id, createdAt: try columns.next(), spentAt: try columns.next(),
        sealedSuccessor: try columns.next(), successorHash: try columns.next(), retryDigest: try columns.next())
      return RefreshLookup(token: token, session: session, user: user, now: try columns.next())
    }
  }

  func rotate(_ rotation: Rotation) async throws -> (session: Session, user: StoredUser)? {
    try await write([SessionRows.rotate(rotation)])[0].single { columns in
      let found = (session: try Session(&columns, of: tenant), user: try StoredUser(&columns))
      columns.skipRest()  // The conditions, which held.
      return found
    }
  }

  func sessions(of user: UserID) async throws -> [Session] {
    try await read(
      """
      SELECT \(SessionRows.columns) FROM session
      WHERE account_id = \(user.uuid) AND ended_at IS NULL AND expires_at > gatehouse.now()
        AND idle_expires_at > gatehouse.now()
      ORDER BY created_at DESC, id DESC LIMIT 1000
      """
    ).read { try Session(&$0, of: tenant) }
  }

  func lastSignIn(of user: UserID) async throws -> SignInTrace? {
    try await read(
      """
      SELECT last.at, last.details->>'method', session.device_name, session.place
      FROM (SELECT at, details, session_id FROM audit
        WHERE account_id = \(user.uuid) AND event = \(AuditEvent.sessionCreated.rawValue)
        ORDER BY id DESC LIMIT 1) AS last
      LEFT JOIN session ON session.id = last.session_id
      """
    ).single { columns in
      SignInTrace(
        at: try columns.next(), method: try columns.next(), deviceName: try columns.next(), place: try columns.next())
    }
  }

  func sightings(of users: [UserID], sessionsLasting maxTTL: Int64) async throws -> [UserID: Sightings] {
    guard !users.isEmpty else { return [:] }
    let rows = try await read(
      """
      SELECT person.id, seen.living, seen.latest FROM unnest(\(users.map(\.uuid))) AS person (id)
      CROSS JOIN LATERAL (
        SELECT max(last_seen_at) AS latest, max(last_seen_at) FILTER (WHERE \(SessionRows.live)
          AND created_at > gatehouse.now() - make_interval(secs => \(Double(maxTTL)))) AS living
        FROM session WHERE account_id = person.id AND ended_at IS NULL) AS seen
      WHERE seen.latest IS NOT NULL
      """)
    var found: [UserID: Sightings] = [:]
    for row in rows {
      try row.read { columns in
        let user: UserID = try columns.next()
        found[user] = Sightings(living: try columns.next(), latest: try columns.next())
      }
    }
    return found
  }

  func noteExpiredSessions(limit: Int) async throws -> Int {
    // Account before session, as a sign-in locks them. An account that is locked is left for the next round.
    try await write([
      """
      WITH found AS (
        SELECT id, account_id FROM session WHERE ended_at IS NULL AND NOT expiry_noted
          AND least(expires_at, idle_expires_at) <= gatehouse.now() LIMIT \(max(0, limit))),
      held AS MATERIALIZED (
        SELECT id FROM account WHERE id IN (SELECT account_id FROM found) FOR NO KEY UPDATE SKIP LOCKED),
      due AS (
        UPDATE session SET expiry_noted = true WHERE NOT expiry_noted AND ended_at IS NULL
          AND id IN (SELECT found.id FROM found JOIN held ON held.id = found.account_id)
        RETURNING id, account_id, last_seen_at),
      seen AS (
        UPDATE account SET last_seen = greatest(account.last_seen, newest.at)
        FROM (SELECT account_id, max(last_seen_at) AS at FROM due GROUP BY account_id) AS newest
        WHERE account.id = newest.account_id AND account.last_seen IS DISTINCT FROM greatest(account.last_seen, newest.at))
      INSERT INTO audit (id, at, event, actor, account_id, session_id)
      SELECT gatehouse.make_id(), gatehouse.now(), \(AuditEvent.sessionExpired.rawValue),
        \(Actor.system("expire_sessions").text), account_id, id FROM due
      """
    ])[0].affected
  }
}
