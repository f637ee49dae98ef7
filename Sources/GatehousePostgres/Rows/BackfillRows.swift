import Foundation
package import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives

/// Statements of backfills, and of the names that values have while they move.
enum BackfillRows {
  static let columns: SQL = """
    id, field, source, item, revision, author, state, reached, moved, refused, skipped, begun_at, ended_at,
    due_at <= gatehouse.now()
    """

  /// The profile of `account` as readers see it: a value that is on its way has its new name already. Every read of
  /// accounts has it, and nothing else looks for values under two names.
  static let profile: SQL = """
    CASE WHEN EXISTS (SELECT FROM backfill WHERE state IN ('moving', 'returning'))
      THEN gatehouse.shown_profile(account.id, account.profile) ELSE account.profile END
    """

  static func statements(of change: BackfillChange) -> [SQL] {
    switch change {
    case .follow(let revision, let author, let names):
      [
        """
        SELECT gatehouse.follow_renames(\(revision)::integer, \(author), \(names.fields), \(names.renames.map(\.field)),
          \(names.renames.map(\.source)))
        """
      ]
    case .stretch(let stretch):
      [advance(stretch), stretch.backfill.state == .returning ? moveBack(stretch) : move(stretch)]
        + claims(stretch) + [count(stretch)].compactMap(\.self)
    case .end(let backfill, let most): end(backfill, atMost: most)
    case .forget(let field, let users):
      [
        """
        DELETE FROM backfill_value AS v USING backfill AS b
        WHERE b.id = v.backfill_id AND \(names(field)) AND v.account_id = ANY(\(users.map(\.uuid)))
        """
      ]
    case .order(let id, let revision, let author, let order, let before):
      [
        .requiring(
          .revisionIsCurrent,
          """
          INSERT INTO backfill (id, field, source, item, revision, author, state, reached, begun_at, due_at)
          SELECT \(id), '', '', \(JSONB(order)), \(revision)::integer, \(author), 'setting', \(before.uuid),
            gatehouse.now(), gatehouse.now()
          WHERE \(revision)::integer = (SELECT max(number) FROM policy_revision) RETURNING 1
          """)
      ]
    case .reach(let backfill, let user, let refused, let isLast):
      [
        .requiring(
          .backfillIsCurrent,
          """
          UPDATE backfill AS b SET reached = coalesce(\(user?.uuid)::uuid, reached), refused = refused + \(refused),
            state = CASE WHEN \(isLast) THEN 'set' ELSE state END, ended_at = CASE WHEN \(isLast) THEN gatehouse.now() END,
            moved = (SELECT count(*) FROM backfill_value AS v WHERE v.backfill_id = b.id)
          WHERE id = \(backfill.id) AND state = 'setting' AND reached IS NOT DISTINCT FROM \(backfill.reached?.uuid)::uuid
          RETURNING 1
          """)
      ]
    case .undo(let id):
      [
        .requiring(
          .backfillIsCurrent,
          """
          UPDATE backfill SET state = 'undoing', reached = NULL, moved = 0, refused = 0, skipped = 0,
            begun_at = gatehouse.now(), due_at = gatehouse.now(), ended_at = NULL
          WHERE id = \(id) AND state IN ('setting', 'set')
            AND /* GUARD: backfill: undone while its revision is live */
              revision = (SELECT max(number) FROM policy_revision)
          RETURNING 1
          """)
      ]
    case .settle(let backfill, let values, let isPutBack): settle(backfill, values, isPutBack)
    case .undone(let backfill):
      [
        """
        UPDATE backfill SET state = 'undone', ended_at = gatehouse.now() WHERE id = \(backfill.id) AND state = 'undoing'
          AND NOT EXISTS (SELECT FROM backfill_value WHERE backfill_id = \(backfill.id))
        """
      ]
    }
  }

  /// Whether a kept value is one of a field.
  fileprivate static func names(_ field: String) -> SQL {
    "(\(field) IN (b.field, b.source) OR (b.item IS NOT NULL AND v.given ? \(field)))"
  }

  private static func settle(_ backfill: Backfill, _ values: ReplacedValues, _ isPutBack: Bool) -> [SQL] {
    [
      .requiring(
        .backfillIsCurrent,
        """
        DELETE FROM backfill_value AS v WHERE v.backfill_id = \(backfill.id) AND v.account_id = \(values.user.uuid)
          AND EXISTS (SELECT FROM backfill AS b WHERE b.id = v.backfill_id AND b.state = 'undoing')
          AND (NOT \(isPutBack) OR EXISTS (SELECT FROM (
            SELECT profile FROM account WHERE id = v.account_id FOR NO KEY UPDATE) AS a
            WHERE /* GUARD: backfill: what a user set since is not put back */ (
              SELECT bool_and(coalesce(a.profile -> g.key, 'null') = g.value) FROM jsonb_each(\(object(values.given))) AS g)))
        RETURNING 1
        """),
      """
      UPDATE backfill SET moved = moved + \(isPutBack ? 1 : 0), skipped = skipped + \(isPutBack ? 0 : 1)
      WHERE id = \(backfill.id)
      """,
    ]
  }

  /// The values that a write of these fields replaces, kept for a backfill.
  static func keep(_ id: UserID, _ fields: [String: FieldValue], for backfill: UUID) -> SQL {
    """
    INSERT INTO backfill_value (backfill_id, account_id, stored, given, moved_at)
    SELECT b.id, a.id, (SELECT coalesce(jsonb_object_agg(g.key, coalesce(a.profile -> g.key, 'null')), '{}')
      FROM jsonb_each(\(object(fields))) AS g), \(object(fields)), gatehouse.now()
    FROM (SELECT id, profile FROM account WHERE id = \(id.uuid) FOR NO KEY UPDATE) AS a, backfill AS b
    WHERE b.id = \(backfill) AND b.state = 'setting'
    ON CONFLICT (tenant_id, backfill_id, account_id) DO UPDATE
      SET stored = excluded.stored || backfill_value.stored, given = backfill_value.given || excluded.given
    """
  }

  private static func object(_ values: [String: FieldValue]) -> JSONB {
    var object = JSONObject()
    for name in values.keys.sorted() { object[name] = values[name].map { JSONValue($0) } }
    return JSONB(JSONValue.object(object).bytes)
  }

  /// The place of the stretch is taken first: of two servers one goes on.
  private static func advance(_ stretch: BackfillStretch) -> SQL {
    let backfill = stretch.backfill
    let after: Backfill.State = backfill.state == .returning ? .returned : .moved
    let state = stretch.isLast ? after : backfill.state
    return .requiring(
      .backfillIsCurrent,
      """
      UPDATE backfill SET reached = coalesce(\(stretch.through?.uuid)::uuid, reached), state = \(state.rawValue),
        refused = refused + \(stretch.refused.count), skipped = skipped + \(stretch.skipped),
        ended_at = CASE WHEN \(stretch.isLast) THEN gatehouse.now() END
      WHERE id = \(backfill.id) AND state = \(backfill.state.rawValue)
        AND /* GUARD: backfill: of two servers one */ reached IS NOT DISTINCT FROM \(backfill.reached?.uuid)::uuid
      RETURNING 1
      """)
  }

  private static func move(_ stretch: BackfillStretch) -> SQL {
    let (backfill, moves) = (stretch.backfill, stretch.moves)
    return """
      WITH moved AS (
        UPDATE account AS a
        SET profile = (a.profile - \(backfill.source)::text) || jsonb_build_object(\(backfill.field)::text, w.given)
        FROM unnest(\(moves.map(\.user.uuid)), \(moves.map { json($0.stored) }), \(moves.map { json($0.given) }))
          AS w (account_id, stored, given)
        WHERE a.id = w.account_id
          AND /* GUARD: backfill: a value that was changed meanwhile stays */ a.profile -> \(backfill.source) = w.stored
          AND /* GUARD: backfill: the account's own value stays */ NOT a.profile ? \(backfill.field)
        RETURNING a.id, w.stored, w.given)
      INSERT INTO backfill_value (backfill_id, account_id, stored, given, moved_at)
      SELECT \(backfill.id), id, stored, given, gatehouse.now() FROM moved
      ON CONFLICT (tenant_id, backfill_id, account_id) DO UPDATE
        SET stored = excluded.stored, given = excluded.given, moved_at = excluded.moved_at
      """
  }

  /// Back goes what was moved and is as it was moved. What was visited is kept no longer.
  private static func moveBack(_ stretch: BackfillStretch) -> SQL {
    let backfill = stretch.backfill
    let users = stretch.moves.map(\.user.uuid)
    return """
      WITH gone AS (
        DELETE FROM backfill_value WHERE backfill_id = \(backfill.id)
          AND account_id = ANY(\(users + stretch.refused.map(\.uuid))) RETURNING account_id, stored, given),
      back AS (
        UPDATE account AS a
        SET profile = (a.profile - \(backfill.field)::text) || jsonb_build_object(\(backfill.source)::text, gone.stored)
        FROM gone WHERE a.id = gone.account_id AND a.id = ANY(\(users))
          AND /* GUARD: backfill: a value that was changed since stays */ a.profile -> \(backfill.field) = gone.given
          AND NOT a.profile ? \(backfill.source)
        RETURNING a.id)
      UPDATE backfill SET moved = moved + (SELECT count(*) FROM back),
        skipped = skipped + \(users.count) - (SELECT count(*) FROM back)
      WHERE id = \(backfill.id)
      """
  }

  /// Unique values have the name that the stored value has now.
  private static func claims(_ stretch: BackfillStretch) -> [SQL] {
    let backfill = stretch.backfill
    let isBack = backfill.state == .returning
    let origin = isBack ? backfill.field : backfill.source
    let moves = stretch.moves.filter { $0.unique != nil }
    let claimed: SQL = """
      FROM unnest(\(moves.map(\.user.uuid)), \(moves.map { json(isBack ? $0.stored : $0.given) }),
        \(moves.compactMap { $0.unique?.field }), \(moves.compactMap { $0.unique?.key })) AS w (id, value, field, key)
      JOIN account AS a ON a.id = w.id AND a.profile -> w.field = w.value
      """
    return [
      """
      DELETE FROM unique_value AS u WHERE u.field = \(origin) AND u.account_id = ANY(\(stretch.moves.map(\.user.uuid)))
        AND NOT EXISTS (SELECT FROM account AS a WHERE a.id = u.account_id AND a.profile ? u.field)
      """
    ]
      + (moves.isEmpty
        ? []
        : [
          """
          INSERT INTO unique_value (field, key, account_id) SELECT w.field, w.key, w.id \(claimed) ON CONFLICT DO NOTHING
          """,
          """
          SELECT \(
            .require(
              """
              /* GUARD: backfill: another account's value stays unique */
              NOT EXISTS (SELECT \(claimed) WHERE NOT EXISTS (SELECT FROM unique_value AS u
                WHERE u.field = w.field AND u.key = w.key AND u.account_id = w.id))
              """, "\("field_taken:" + backfill.target)"))
          """,
        ])
  }

  /// The values that are kept of the stretch are those that moved.
  private static func count(_ stretch: BackfillStretch) -> SQL? {
    let backfill = stretch.backfill
    guard backfill.state == .moving, let through = stretch.through else { return nil }
    return """
      UPDATE backfill SET moved = moved + (SELECT count(*) FROM backfill_value AS v WHERE v.backfill_id = \(backfill.id)
        AND (\(backfill.reached?.uuid)::uuid IS NULL OR v.account_id > \(backfill.reached?.uuid)::uuid)
        AND v.account_id <= \(through.uuid)) WHERE id = \(backfill.id)
      """
  }

  private static func end(_ backfill: Backfill, atMost most: Int) -> [SQL] {
    [
      """
      DELETE FROM backfill_value WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM backfill_value WHERE backfill_id = \(backfill.id) LIMIT \(max(1, most))))
        AND EXISTS (SELECT FROM backfill WHERE id = \(backfill.id) AND state = 'ending')
      """,
      """
      UPDATE backfill SET state = 'ended' WHERE id = \(backfill.id) AND state = 'ending'
        AND NOT EXISTS (SELECT FROM backfill_value WHERE backfill_id = \(backfill.id))
      """,
    ]
  }

  private static func json(_ value: FieldValue) -> JSONB { JSONB(JSONValue(value).bytes) }

  /// The values that are kept, so that a move can be undone, in a copy of an account's data.
  static let table = AccountTable(
    name: "backfill_value",
    copy: .list("kept_values", [.text("field"), .text("value"), .moment("moved_at")]) { id in
      """
      SELECT n.key, n.value #>> '{}', v.moved_at FROM backfill_value AS v JOIN backfill AS b ON b.id = v.backfill_id,
        jsonb_each(CASE WHEN b.item IS NULL THEN jsonb_build_object(b.source, v.stored) ELSE v.stored END) AS n
      WHERE v.account_id = \(id.uuid) ORDER BY v.moved_at, n.key
      """
    })
}

extension PostgresTenantStore {
  func backfills() async throws -> [Backfill] {
    try await read("SELECT \(BackfillRows.columns) FROM backfill ORDER BY begun_at DESC, field, source")
      .read { try Backfill(&$0) }
  }

  func visits(of backfill: Backfill, limit: Int) async throws -> [BackfillVisit] {
    let reached = backfill.reached?.uuid
    let statement: SQL =
      backfill.state == .returning
      ? """
      SELECT account_id, stored, false FROM backfill_value WHERE backfill_id = \(backfill.id)
        AND (\(reached)::uuid IS NULL OR account_id > \(reached)::uuid) ORDER BY account_id LIMIT \(max(0, limit))
      """
      : """
      SELECT id, profile -> \(backfill.source), profile ? \(backfill.field) FROM account
      WHERE (\(reached)::uuid IS NULL OR id > \(reached)::uuid) ORDER BY id LIMIT \(max(0, limit))
      """
    return try await read(statement).read { columns in
      let id = UserID(try columns.next())
      let value: JSONB? = try columns.next()
      return BackfillVisit(
        user: id, value: try value.map { FieldValue(try JSONParser.parse($0.bytes, limits: .stored)) },
        isFilled: try columns.next())
    }
  }

  func replaced(by backfill: Backfill, limit: Int) async throws -> [ReplacedValues] {
    try await read(
      """
      SELECT account_id, stored, given FROM backfill_value WHERE backfill_id = \(backfill.id)
      ORDER BY account_id LIMIT \(max(0, limit))
      """
    ).read { columns in
      func values() throws -> [String: FieldValue] {
        var values: [String: FieldValue] = [:]
        let stored: JSONB = try columns.next()
        for member in try JSONParser.parse(stored.bytes, limits: .stored).object?.members ?? [] {
          values[member.key] = FieldValue(member.value)
        }
        return values
      }
      return ReplacedValues(user: UserID(try columns.next()), stored: try values(), given: try values())
    }
  }

  func users(keeping field: String, among users: [UserID]) async throws -> Set<UserID> {
    Set(
      try await read(
        """
        SELECT v.account_id FROM backfill_value AS v JOIN backfill AS b ON b.id = v.backfill_id
        WHERE \(BackfillRows.names(field)) AND v.account_id = ANY(\(users.map(\.uuid)))
        """
      ).read { UserID(try $0.next()) })
  }
}

extension Backfill {
  /// From `BackfillRows.columns`.
  fileprivate init(_ columns: inout RowReader) throws {
    let (id, field, source): (UUID, String, String) = (try columns.next(), try columns.next(), try columns.next())
    let order: JSONB? = try columns.next()
    let (revision, author): (Int, String) = (try columns.next(), try columns.next())
    let word: String = try columns.next()
    guard let state = State(rawValue: word) else { throw DatabaseError.unexpectedRow("a backfill's state") }
    let reached: UUID? = try columns.next()
    self.init(
      id: id, field: field, source: source, order: order?.bytes, revision: revision, author: author, state: state,
      reached: reached.map(UserID.init), moved: try columns.next(), refused: try columns.next(),
      skipped: try columns.next(), begunAt: try columns.next(), endedAt: try columns.next(),
      isDue: try columns.next())
  }
}

/// The queue of backfills, on PostgreSQL.
package struct PostgresBackfillQueue: BackfillQueue {
  private let database: Database

  /// `database` is logged in as the jobs role.
  package init(_ database: Database) { self.database = database }

  package func tenants() async throws -> [TenantID] {
    try await translating {
      try await database.read(
        nil,
        """
        SELECT DISTINCT tenant_id FROM backfill
        WHERE state IN ('moving', 'returning', 'ending', 'setting', 'undoing') AND due_at <= gatehouse.now() ORDER BY tenant_id
        """
      ).read { TenantID(try $0.next()) }
    }
  }
}
