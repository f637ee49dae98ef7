import Foundation
import GatehouseIdentity

/// Statements of the counters that all servers share.
enum LimitRows {
  static func statements(of change: LimitChange) -> [SQL] {
    switch change {
    case .reserve(let reservations): reserve(reservations)
    case .giveBack(let counted): giveBack(counted)
    case .clearFailures(let key):
      ["DELETE FROM sign_in_guard WHERE /* GUARD: guessing: a success clears its own counter */ key = \(key.bytes)"]
    case .clearAllFailures(let key): [clearAll(key)]
    case .unlock(let key):
      // Counters before the guard, as those take them that count.
      [
        """
        UPDATE limit_counter SET count = 0, blocked_until = '-infinity'
        WHERE name = ANY(\(SignInAttempt.namesOfAddress)) AND starts_with(key, \(key.text))
        """,
        clearAll(key),
      ]
    }
  }

  /// The failures of an account, on all devices.
  private static func clearAll(_ key: SignInKey) -> SQL {
    """
    DELETE FROM sign_in_guard WHERE key >= \(key.bytes) AND key <= \(key.bytes + [UInt8](repeating: 0xFF, count: 17))
    """
  }

  static func reserve(_ reservations: [Reservation]) -> [SQL] {
    reserve(reservations.map { (limit: $0, key: "\($0.key)", most: "\(most($0))") })
  }

  /// All in one statement, and in the same order in every transaction, so that two of them never deadlock. A statement
  /// takes its rows as they are listed; none may stand in it twice.
  private static func reserve(_ wanted: [(limit: Reservation, key: SQL, most: SQL)]) -> [SQL] {
    guard !wanted.isEmpty else { return [] }
    let ordered = wanted.sorted { ($0.limit.name, $0.limit.key) < ($1.limit.name, $1.limit.key) }
    let most = SQL.joined(ordered.map { "WHEN \($0.limit.name) THEN \($0.most)" }, by: " ")
    return [
      """
      INSERT INTO limit_counter AS c (name, key, window_start, window_end, count, blocked_until)
      VALUES \(.joined(ordered.map { row($0.limit, key: $0.key, delay: firstDelay($0.limit)) }, by: ", "))
      ON CONFLICT (tenant_id, name, key) DO UPDATE SET count = \(next), \(window)\(delay(ordered.map(\.limit)))
      RETURNING name, count, window_end,
        \(.require("/* GUARD: limit: its number */ count <= CASE name \(most) END", refusal("window_end")))
      """
    ]
  }

  /// The count that refuses beyond it. A limit that delays has none: its delay refuses. One that is asked alone stays
  /// where it was: there has to be room for one more.
  private static func most(_ limit: Reservation) -> Int {
    limit.backsOff ? Int(Int32.max) : limit.count - (limit.isAsked ? 1 : 0)
  }

  /// The end of the delay that the first count of a limit begins.
  private static func firstDelay(_ limit: Reservation) -> SQL {
    limit.backsOff && limit.count <= 1 ? "gatehouse.now() + interval '1 second'" : "'-infinity'"
  }

  /// The delay of a limit that delays, in the row of its counter. A count during a delay is refused, and changes
  /// nothing.
  private static func delay(_ limits: [Reservation]) -> SQL {
    let delaying = limits.filter(\.backsOff)
    guard !delaying.isEmpty else { return "" }
    let numbers = SQL.joined(delaying.map { "WHEN \($0.name) THEN \($0.count)" }, by: " ")
    let most: SQL = "(CASE c.name \(numbers) ELSE \(Int(Int32.max)) END)"
    return """
      , blocked_until = CASE WHEN \(isOver) THEN excluded.blocked_until
        WHEN c.count + excluded.count < \(most) THEN '-infinity'
        WHEN /* GUARD: limit: its delay */ c.blocked_until > excluded.window_start
          THEN CASE WHEN gatehouse.require(false, \(refusal("c.blocked_until", of: "c.name"))) IS NULL
            THEN c.blocked_until END
        ELSE excluded.window_start + make_interval(
          secs => least(\(Double(Reservation.longestDelay)), power(2, least(c.count + excluded.count - \(most), 20)))) END
      """
  }

  /// The refusal by a limit, which names it and the seconds until then.
  private static func refusal(_ end: SQL, of name: SQL = "name") -> SQL {
    "'limited:' || \(name) || ':' || ceil(extract(epoch FROM \(end) - gatehouse.now()))::bigint"
  }

  /// Whether a counter that was counted before, in the same batch, is within its limit.
  static func hasRoom(_ limit: Reservation) -> SQL {
    """
    /* GUARD: made up: bounded on disk */ coalesce(
      (SELECT count FROM limit_counter WHERE name = \(limit.name) AND key = \(limit.key)), 0) <= \(limit.count)
    """
  }

  /// Counts `amount`, and says how much of it was within the limit and when the window ends. The count stays below
  /// limit and amount together, however often it is asked.
  static func lease(_ wanted: Reservation, amount: Int) -> SQL {
    """
    INSERT INTO limit_counter AS c (name, key, window_start, window_end, count)
    VALUES \(row(wanted, key: "\(wanted.key)", amount: amount))
    ON CONFLICT (tenant_id, name, key) DO UPDATE SET
      count = \(amount) + CASE WHEN \(isOver) THEN 0 ELSE least(c.count, \(wanted.count)) END, \(window)
    RETURNING /* GUARD: limit: a lease keeps within it */
      greatest(0, least(\(amount), \(wanted.count) + \(amount) - count)),
      extract(epoch FROM window_end - gatehouse.now())::float8
    """
  }

  /// Counts one, and answers the count.
  static func count(_ wanted: Reservation) -> SQL {
    """
    INSERT INTO limit_counter AS c (name, key, window_start, window_end, count)
    VALUES \(row(wanted, key: "\(wanted.key)", amount: 1))
    ON CONFLICT (tenant_id, name, key) DO UPDATE SET count = \(next), \(window)
    RETURNING count
    """
  }

  /// One count, as if its window began now.
  private static func row(_ wanted: Reservation, key: SQL, amount: Int? = nil, delay: SQL? = nil) -> SQL {
    let start: SQL = "\(wanted.name), \(key), gatehouse.now()"
    let end: SQL = "gatehouse.now() + make_interval(secs => \(Double(wanted.window)))"
    let count = amount ?? (wanted.isAsked ? 0 : 1)
    guard let delay else { return "(\(start), \(end), \(count))" }
    return "(\(start), \(end), \(count), \(delay))"
  }

  /// When the window that runs ends: a policy that shortens a window shortens those that run. (The difference may be in
  /// days; connections speak UTC, where those have 24 hours.)
  private static let end: SQL = """
    least(c.window_end, c.window_start + (excluded.window_end - excluded.window_start))
    """

  private static let isOver: SQL = "\(end) <= excluded.window_start"

  /// The count with the new ones.
  private static let next: SQL = "excluded.count + CASE WHEN \(isOver) THEN 0 ELSE c.count END"

  private static let window: SQL = """
    window_start = CASE WHEN \(isOver) THEN excluded.window_start ELSE c.window_start END,
    window_end = CASE WHEN \(isOver) THEN excluded.window_end ELSE \(end) END
    """

  /// Takes one from each count, in the order of those who count, and ends the delay that it began: a right guess delays
  /// no other.
  static func giveBack(_ counted: Counted) -> [SQL] {
    counted.reservations.sorted { ($0.name, $0.key) < ($1.name, $1.key) }.map {
      """
      UPDATE limit_counter SET count = count - 1, blocked_until = '-infinity'
      WHERE name = \($0.name) AND key = \($0.key) AND count > 0
        AND /* GUARD: count given back: to the window that counted it */ window_start <= \(counted.by)
      """
    }
  }

  /// Takes back what `reserveSignIn` counted, if its permit is still the newest one. When it was granted no delay ran,
  /// so none runs afterwards; the permit goes, so that it is given back once. A window that began later did not count
  /// it.
  static func giveBack(_ attempt: SignInAttempt) -> [SQL] {
    let counters: [SQL] = attempt.limits.sorted { ($0.name, $0.key) < ($1.name, $1.key) }
      .map { "name = \($0.name) AND key = \($0.key)" }
    let guardRow: SQL = """
      key = \(attempt.key.bytes)
        AND /* GUARD: attempt given back: the newest only */ permit = \(attempt.id) AND failures > 0
      """
    // Counters before the guard, and in the order of those who count: the other way round could deadlock with one.
    return counters.map { "SELECT 1 FROM limit_counter WHERE \($0) FOR NO KEY UPDATE" }
      + ["SELECT 1 FROM sign_in_guard WHERE \(guardRow) FOR NO KEY UPDATE"]
      + counters.map {
        """
        UPDATE limit_counter SET count = count - 1, blocked_until = '-infinity' WHERE \($0) AND count > 0
          AND /* GUARD: attempt given back: to the window that counted it */
            window_start <= (SELECT updated_at FROM sign_in_guard WHERE \(guardRow))
        """
      }
      + [
        """
        UPDATE sign_in_guard SET failures = failures - 1, blocked_until = '-infinity',
          permit = /* GUARD: attempt given back: once */ gen_random_uuid()
        WHERE \(guardRow)
        """
      ]
  }

  /// Counts an attempt against its limits and the failures before it: that on the device, if a look before it in the
  /// batch finds that one known. The last row is the verdict.
  static func reserve(_ attempt: SignInAttempt, device hash: [UInt8]? = nil) -> [SQL] {
    let id = attempt.id
    let onDevice = hash.map(attempt.on) ?? attempt
    let key = choice(attempt.key.bytes, onDevice.key.bytes)
    let limits = zip(attempt.limits, onDevice.limits).map {
      (limit: $0, key: choice($0.key, $1.key), most: choice(most($0), most($1)))
    }
    let isOpen: SQL = """
      /* GUARD: guessing: stop at a hundred */ g.failures < 100
      AND /* GUARD: guessing: delay */ g.blocked_until <= excluded.updated_at
      """
    // The column `permit` has the id of the attempt that was let in last. Another one leaves the row as it is, and is
    // told so by the same statement, which holds the row's lock.
    return reserve(limits) + [
      """
      INSERT INTO sign_in_guard AS g (key, failures, blocked_until, permit, updated_at)
      VALUES (\(key), 1, '-infinity', \(id), gatehouse.now())
      ON CONFLICT (tenant_id, key) DO UPDATE SET
        failures = g.failures + (\(isOpen))::int,
        permit = CASE WHEN \(isOpen) THEN excluded.permit ELSE g.permit END,
        updated_at = CASE WHEN \(isOpen) THEN excluded.updated_at ELSE g.updated_at END,
        blocked_until = CASE WHEN NOT (\(isOpen)) THEN g.blocked_until WHEN g.failures + 1 < 5 THEN '-infinity' ELSE
          excluded.updated_at + make_interval(secs => least(900, power(2, least(g.failures + 1 - 5, 20)))) END
      RETURNING permit = \(id), failures >= 100, CASE WHEN blocked_until > gatehouse.now()
        THEN ceil(extract(epoch FROM blocked_until - gatehouse.now()))::bigint ELSE 1 END
      """
    ]
  }

  /// Counters that run and meet the filter.
  static func running(_ filter: CounterFilter) -> SQL {
    var conditions: [SQL] = ["window_end > gatehouse.now() AND count > 0"]
    if let name = filter.name { conditions.append("name = \(name)") }
    for group in filter.keys {
      conditions.append("(\(.joined(group.map { "position(\($0) in key) > 0" }, by: " OR ")))")
    }
    return .joined(conditions, by: " AND ")
  }

  /// The answer of `reserve`.
  static func verdict(_ answers: [Rows]) throws -> SignInVerdict {
    let verdict = try answers.last?.single { columns -> SignInVerdict in
      let isGranted: Bool = try columns.next()
      let isDisabled: Bool = try columns.next()
      let seconds: Int = try columns.next()
      return isGranted ? .granted : isDisabled ? .disabled : .blocked(retryAfter: seconds)
    }
    guard let verdict else { throw DatabaseError.unexpectedRow("no sign-in guard") }
    return verdict
  }

  private static func choice<Key: SQLBindable & Equatable>(_ key: Key, _ onDevice: Key) -> SQL {
    if key == onDevice { return "\(key)" }
    return """
      CASE WHEN /* GUARD: guessing: a known device has its own lane */ \(DeviceRows.isKnown) THEN \(onDevice)
      ELSE /* GUARD: guessing: a device that is not known has none */ \(key) END
      """
  }
}

extension PostgresTenantStore {
  func lease(_ reservations: [Reservation], amounts: [Int]) async throws -> [Lease] {
    // The same order in every transaction, so that two of them never deadlock.
    let order = reservations.indices.sorted {
      (reservations[$0].name, reservations[$0].key) < (reservations[$1].name, reservations[$1].key)
    }
    guard !order.isEmpty, reservations.count == amounts.count else { return [] }
    let answers = try await write(order.map { LimitRows.lease(reservations[$0], amount: amounts[$0]) })
    var leases = [Lease](repeating: Lease(granted: 0, seconds: 1), count: reservations.count)
    for (place, rows) in zip(order, answers) {
      guard let lease = try rows.single({ Lease(granted: try $0.next(), seconds: try $0.next()) }) else {
        throw DatabaseError.unexpectedRow("no limit counter")
      }
      leases[place] = lease
    }
    return leases
  }

  func reserve(_ reservations: [Reservation]) async throws -> ReservationVerdict {
    guard !reservations.isEmpty else { return .granted }
    do {
      try noteBudgets(reservations, await write(LimitRows.reserve(reservations))[0])
      return .granted
    } catch StoreError.limited(let name, let retryAfter) {
      return .exhausted(name: name, retryAfter: retryAfter)
    }
  }

  func count(of reservation: Reservation) async throws -> Int {
    try await read(
      """
      SELECT count FROM limit_counter
      WHERE name = \(reservation.name) AND key = \(reservation.key) AND window_end > gatehouse.now()
      """
    ).single { try $0.next() } ?? 0
  }

  func reserveSignIn(_ attempt: SignInAttempt) async throws -> SignInVerdict {
    let answers = try await write(LimitRows.reserve(attempt), flushed: .later)
    if answers.count > 1 { try noteBudgets(attempt.limits, answers[0]) }
    return try LimitRows.verdict(answers)
  }

  func beginSignIn(_ attempt: SignInAttempt, email: String, device hash: [UInt8]?) async throws
    -> (look: SignInLookup?, verdict: SignInVerdict)
  {
    let look = hash.map { DeviceRows.noting(email: email, device: $0) } ?? DeviceRows.look(email: email, device: nil)
    let answers = try await write([look] + LimitRows.reserve(attempt, device: hash), flushed: .later)
    if answers.count > 2 { try noteBudgets(attempt.limits, answers[1]) }
    let found = try answers.first?.single { columns in
      let found = try SignInLookup(&columns, device: hash)
      columns.skipRest()  // The setting, where the look made one.
      return found
    }
    return (found, try LimitRows.verdict(answers))
  }

  func counters(_ filter: CounterFilter, after place: (name: String, key: String)?, limit: Int) async throws
    -> [LimitCounter]
  {
    let behind: SQL = place.map { "AND (name, key) > (\($0.name), \($0.key))" } ?? ""
    let rows = try await read(
      """
      SELECT name, key, count, window_end FROM limit_counter WHERE \(LimitRows.running(filter)) \(behind)
      ORDER BY name, key LIMIT \(limit)
      """)
    return try rows.read { columns in
      LimitCounter(
        name: try columns.next(), key: try columns.next(), count: try columns.next(), endsAt: try columns.next())
    }
  }

  func counterSums(_ filter: CounterFilter, most: [String: Int]) async throws -> [LimitCounterSum] {
    let cases: [SQL] = most.sorted { $0.key < $1.key }.map { "WHEN name = \($0.key) THEN count >= \($0.value)" }
    let isExhausted: SQL = cases.isEmpty ? "false" : "CASE \(.joined(cases, by: " ")) ELSE false END"
    let rows = try await read(
      """
      SELECT name, count(*), count(*) FILTER (WHERE exhausted), max(count)::bigint,
        CASE WHEN count(*) FILTER (WHERE exhausted) = 1 THEN min(key) FILTER (WHERE exhausted) END,
        coalesce(max(window_end) FILTER (WHERE exhausted), max(window_end))
      FROM (SELECT name, key, count, window_end, \(isExhausted) AS exhausted FROM limit_counter
        WHERE \(LimitRows.running(filter))) c GROUP BY name ORDER BY name
      """)
    return try rows.read { columns in
      LimitCounterSum(
        name: try columns.next(), running: try columns.next(), exhausted: try columns.next(),
        highest: try columns.next(), only: try columns.next(), endsAt: try columns.next())
    }
  }

  func clearCounters(_ filter: CounterFilter, atMost most: Int, noting entry: AuditEntry) async throws -> Int {
    // In the order of those who count, so that no two wait for each other.
    let cleared: SQL = """
      WITH held AS (
        SELECT name, key FROM limit_counter WHERE \(LimitRows.running(filter)) ORDER BY name, key LIMIT \(most)
        FOR NO KEY UPDATE)
      UPDATE limit_counter c SET count = 0, blocked_until = '-infinity' FROM held
      WHERE c.name = held.name AND c.key = held.key RETURNING 1
      """
    let answers = try await write([cleared] + AuditRows.trail([entry]))
    return answers.first?.affected ?? 0
  }

  func returnSignIn(_ attempt: SignInAttempt) async throws { _ = try await write(LimitRows.giveBack(attempt)) }
}
