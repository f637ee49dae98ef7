import Foundation
import GatehouseIdentity
import GatehousePolicy

/// Statements by which users find others.
enum DirectoryRows {
  static func find(_ look: DirectoryQuery) -> SQL {
    switch look {
    case .email(let email):
      """
      SELECT \(UserRows.columns) FROM account WHERE email = \(email)
        AND /* GUARD: directory: by a proven address */ email_verified_at IS NOT NULL AND \(isEnabled)
      """
    case .unique(let value):
      """
      SELECT \(UserRows.columns) FROM account
      WHERE id = (SELECT account_id FROM unique_value
        WHERE field = ANY(gatehouse.names_in_transit(\(value.field))) AND key = \(value.key)
        ORDER BY field <> \(value.field) LIMIT 1)
        AND \(isEnabled)
      """
    }
  }

  /// Each field and each standing is a range of the index, in the order of the answer: the number of accounts that a
  /// standing leaves out costs nothing.
  static func find(_ search: NameSearch, after place: NamePlace?, limit: Int) -> SQL {
    let behind: SQL = place.map { "AND (k.key, k.account_id) > (\($0.key), \($0.user.uuid))" } ?? ""
    return """
      SELECT found.key, \(UserRows.columns) FROM (
        SELECT hit.account_id, min(hit.key) AS key FROM unnest(ARRAY(
          SELECT DISTINCT unnest(gatehouse.names_in_transit(name)) FROM unnest(\(search.fields)) AS name)) AS searched (field)
        CROSS JOIN unnest(\(standings(of: search))) AS counted (standing) CROSS JOIN LATERAL (
          SELECT account_id, key FROM search_key AS k WHERE k.field = searched.field
            AND k.standing = counted.standing AND \(begins(with: search.prefix)) \(behind) \(meets(search))
          ORDER BY key, account_id LIMIT \(limit)) AS hit
        GROUP BY hit.account_id ORDER BY 2, 1 LIMIT \(limit)) AS found
      JOIN account ON account.id = found.account_id WHERE \(isEnabled) ORDER BY found.key, account.id
      """
  }

  /// The values of `search_key.standing` that the search finds. That of a disabled account is NULL.
  private static func standings(of search: NameSearch) -> [Int32] {
    (0...3).filter { standing in
      (!search.isProven || standing & 1 != 0)  // GUARD: directory: unproven names are left out before the cut
        && (search.linked.isEmpty || standing & 2 != 0)
    }
  }

  /// The demands that a standing does not cover; empty where nothing is demanded.
  private static func meets(_ search: NameSearch) -> SQL {
    guard !search.linked.isEmpty || !search.filled.isEmpty else { return "" }
    return """
      AND EXISTS (SELECT FROM account AS a WHERE a.id = k.account_id
        AND /* GUARD: directory: names without a demanded field are left out before the cut */ NOT EXISTS (
          SELECT FROM unnest(\(search.filled)) AS wanted (name)
          WHERE coalesce(a.profile -> wanted.name, (SELECT value FROM gatehouse.in_transit(a.id, a.profile)
            WHERE target = wanted.name), 'null') IN ('null', '""'))
        AND /* GUARD: directory: names linked elsewhere are left out before the cut */ NOT EXISTS (
          SELECT FROM unnest(\(search.linked)) AS wanted (name) WHERE NOT EXISTS (
            SELECT FROM provider_identity AS p
            WHERE p.account_id = a.id AND p.provider = wanted.name AND p.state = 'linked')))
      """
  }

  /// Bounds of bytes and no pattern: nothing in a text has a meaning of its own, and the index serves them. The empty
  /// rest of a text of marks would begin every name.
  private static func begins(with prefix: String) -> SQL {
    """
    k.key >= gatehouse.search_key(\(prefix)) AND k.key < gatehouse.search_key(\(prefix)) || chr(1114111)
      AND /* GUARD: directory: two characters without marks */ char_length(gatehouse.search_key(\(prefix))) >= 2
    """
  }

  private static let isEnabled: SQL = "/* GUARD: directory: not a disabled account */ account.disabled_at IS NULL"
}

extension PostgresTenantStore {
  func user(found look: DirectoryQuery) async throws -> StoredUser? {
    try await read(DirectoryRows.find(look)).single { try StoredUser(&$0) }
  }

  func users(named search: NameSearch, after place: NamePlace?, limit: Int) async throws -> [NamedUser] {
    try await read(DirectoryRows.find(search, after: place, limit: max(0, limit))).read { columns in
      let key: String = try columns.next()
      return NamedUser(user: try StoredUser(&columns), key: key)
    }
  }
}
