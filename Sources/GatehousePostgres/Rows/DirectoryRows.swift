import GatehouseIdentity
import GatehousePolicy

/// Statements by which users find others.
enum DirectoryRows {
  static func find(_ look: DirectoryQuery, limit: Int) -> SQL {
    switch look {
    case .email(let email):
      """
      SELECT \(UserRows.columns) FROM account WHERE email = \(email)
        AND /* GUARD: directory: by a proven address */ email_verified_at IS NOT NULL AND \(isEnabled)
      """
    case .unique(let value):
      """
      SELECT \(UserRows.columns) FROM account
      WHERE id = (SELECT account_id FROM unique_value WHERE field = \(value.field) AND key = \(value.key)) AND \(isEnabled)
      """
    case .prefix(let prefix, let fields):
      """
      SELECT \(UserRows.columns) FROM (
        SELECT hit.account_id, min(hit.key) AS key FROM unnest(\(fields)) AS searched (field) CROSS JOIN LATERAL (
          SELECT account_id, key FROM search_key AS k WHERE k.field = searched.field AND \(begins(with: prefix))
          ORDER BY key, account_id LIMIT \(limit)) AS hit
        GROUP BY hit.account_id ORDER BY 2, 1 LIMIT \(limit)) AS found
      JOIN account ON account.id = found.account_id WHERE \(isEnabled) ORDER BY found.key, account.id
      """
    }
  }

  /// Bounds of bytes and no pattern: nothing in a text has a meaning of its own, and the key of the table serves them.
  /// What is left of a text of marks begins every name.
  private static func begins(with prefix: String) -> SQL {
    """
    k.key >= gatehouse.search_key(\(prefix)) AND k.key < gatehouse.search_key(\(prefix)) || chr(1114111)
      AND /* GUARD: directory: two characters without marks */ char_length(gatehouse.search_key(\(prefix))) >= 2
    """
  }

  private static let isEnabled: SQL = "/* GUARD: directory: not a disabled account */ account.disabled_at IS NULL"
}

extension PostgresTenantStore {
  func users(found look: DirectoryQuery, limit: Int) async throws -> [StoredUser] {
    try await read(DirectoryRows.find(look, limit: max(0, limit))).read { try StoredUser(&$0) }
  }
}
