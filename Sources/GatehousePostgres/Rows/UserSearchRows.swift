import Foundation
import GatehouseIdentity

/// Statements that find accounts by the beginning of an address or of a text of the profile, each a range of an index.
enum UserSearchRows {
  /// Candidates after `place` in the order of what they are found by, whether the filter finds each, and its columns.
  /// The cost grows with `limit` and the number of fields, and not with the number of accounts.
  static func page(_ beginning: UserBeginning, _ filter: SQL, after place: UserPlace?, limit: Int) -> SQL {
    """
    SELECT page.text, (\(filter) AND NOT \(isBefore(place, beginning))) IS TRUE AS is_found, \(UserRows.columns) FROM (
      SELECT min(hit.text) AS text, hit.id AS found_id FROM (
        (SELECT email AS text, id FROM account WHERE \(range("email", beginning.address)) \(behind(place, "email", "id"))
         ORDER BY email, id LIMIT \(limit))
        UNION ALL
        SELECT named.key, named.account_id FROM unnest(\(beginning.fields)) AS searched (field) CROSS JOIN LATERAL (
          SELECT k.key, k.account_id FROM search_key AS k
          WHERE k.field = searched.field AND \(keyRange(beginning)) \(behind(place, "k.key", "k.account_id"))
          ORDER BY k.key, k.account_id LIMIT \(limit)) AS named
      ) AS hit GROUP BY hit.id ORDER BY 1, 2 LIMIT \(limit)) AS page
    JOIN account ON account.id = page.found_id ORDER BY page.text, page.found_id
    """
  }

  /// Whether an account is found, where others are read in another order.
  static func meets(_ beginning: UserBeginning) -> SQL {
    """
    (\(range("email", beginning.address)) IS TRUE OR EXISTS (
      SELECT FROM search_key AS k
      WHERE k.account_id = account.id AND k.field = ANY(\(beginning.fields)) AND \(keyRange(beginning))))
    """
  }

  /// Whether an earlier page had the account, by another text of it.
  private static func isBefore(_ place: UserPlace?, _ beginning: UserBeginning) -> SQL {
    guard let place else { return "false" }
    return """
      ((\(range("email", beginning.address)) AND (email, id) <= (\(place.text), \(place.user.uuid))) IS TRUE OR EXISTS (
        SELECT FROM search_key AS k WHERE k.account_id = account.id AND k.field = ANY(\(beginning.fields))
          AND \(keyRange(beginning)) AND (k.key, k.account_id) <= (\(place.text), \(place.user.uuid))))
      """
  }

  private static func behind(_ place: UserPlace?, _ text: SQL, _ id: SQL) -> SQL {
    place.map { "AND (\(text), \(id)) > (\($0.text), \($0.user.uuid))" } ?? ""
  }

  private static func keyRange(_ beginning: UserBeginning) -> SQL {
    let key: SQL = "gatehouse.search_key(\(beginning.name))"
    return range("k.key", key)
  }

  /// Bounds of bytes and no pattern: nothing in a text has a meaning of its own, and an index serves them.
  private static func range(_ column: SQL, _ beginning: SQL) -> SQL {
    "(\(column) >= \(beginning) AND \(column) < \(beginning) || chr(1114111))"
  }

  private static func range(_ column: SQL, _ text: String) -> SQL {
    let beginning: SQL = "\(text)::text"
    return range(column, beginning)
  }
}

extension PostgresTenantStore {
  func users(_ filter: UserFilter, beginning: UserBeginning, after place: UserPlace?, limit: Int) async throws
    -> UserSearchPage
  {
    var others = filter
    others.begins = nil
    let statement = UserSearchRows.page(beginning, UserFilterRows.meets(others), after: place, limit: max(1, limit))
    var page = UserSearchPage()
    for row in try await read(statement) {
      try row.read { columns in
        let text: String = try columns.next()
        let isFound: Bool = try columns.next()
        let user = try StoredUser(&columns)
        page.last = UserPlace(text: text, user: user.id)
        page.count += 1
        if isFound { page.found.append((user, page.last)) }
      }
    }
    return page
  }
}
