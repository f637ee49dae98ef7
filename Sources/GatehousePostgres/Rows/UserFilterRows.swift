import GatehouseIdentity

/// Accounts that a filter finds, in stretches: each statement looks at a bounded number of rows where its range is one.
extension PostgresTenantStore {
  func user(places: Int, after cursor: UserID?) async throws -> UserID? {
    try await read(
      """
      SELECT id FROM account WHERE \(Self.range(after: cursor, through: nil))
      ORDER BY id DESC OFFSET \(max(1, places) - 1) LIMIT 1
      """
    ).single { UserID(try $0.next()) }
  }

  func users(_ filter: UserFilter, after cursor: UserID?, through last: UserID?, limit: Int) async throws
    -> [StoredUser]
  {
    try await read(
      """
      SELECT \(UserRows.columns) FROM account
      WHERE \(Self.range(after: cursor, through: last)) AND \(UserFilterRows.meets(filter))
      ORDER BY id DESC LIMIT \(max(0, limit))
      """
    ).read { try StoredUser(&$0) }
  }

  func userCount(_ filter: UserFilter, after cursor: UserID?, through last: UserID?) async throws -> Int {
    try await read(
      "SELECT count(*) FROM account WHERE \(Self.range(after: cursor, through: last)) AND \(UserFilterRows.meets(filter))"
    ).single { try $0.next() } ?? 0
  }

  private static func range(after cursor: UserID?, through last: UserID?) -> SQL {
    var conditions: [SQL] = []
    if let cursor { conditions.append("id < \(cursor.uuid)") }
    if let last { conditions.append("id >= \(last.uuid)") }
    return all(conditions)
  }

  private static func all(_ conditions: [SQL]) -> SQL { UserFilterRows.all(conditions) }
}

enum UserFilterRows {
  /// Whether the filter finds the row of `account`.
  static func meets(_ filter: UserFilter) -> SQL {
    var conditions: [SQL] = []
    if let beginning = filter.begins { conditions.append(UserSearchRows.meets(beginning)) }
    if let part = filter.emailContains { conditions.append("position(\(part)::text IN email) > 0") }
    if filter.isUnverified { conditions.append("email IS NOT NULL AND email_verified_at IS NULL") }
    if let since = filter.since { conditions.append("created_at >= \(since)") }
    if let until = filter.until { conditions.append("created_at < \(until)") }
    if let value = filter.value {
      conditions.append("coalesce((\(BackfillRows.profile)) ->> \(value.field), '') = \(value.text)")
    }
    return all(conditions)
  }

  fileprivate static func all(_ conditions: [SQL]) -> SQL {
    conditions.isEmpty ? "true" : .joined(conditions, by: " AND ")
  }
}
