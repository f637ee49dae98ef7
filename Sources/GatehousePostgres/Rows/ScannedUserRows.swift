import Foundation
import GatehouseIdentity

/// Statements of walks over all accounts, and over some that are drawn by chance.
enum ScannedUserRows {
  static func page(after cursor: UserID?, limit: Int) -> SQL {
    scanned("SELECT * FROM account WHERE id > \(cursor?.uuid ?? UUID.zero) ORDER BY id LIMIT \(max(0, limit))")
  }

  static func users(_ ids: [UserID]) -> SQL {
    scanned("SELECT * FROM account WHERE id = ANY(\(ids.map(\.uuid)))")
  }

  /// Each account's session and measurement are looked up by its key: a join would read the tables whole for each page.
  private static func scanned(_ accounts: SQL) -> SQL {
    """
    SELECT coalesce(seen.is_active, false), known.rules, known.complies, ARRAY(
      SELECT own.provider FROM provider_identity AS own WHERE own.account_id = account.id AND own.exclusive
        ORDER BY own.provider), \(UserRows.columns)
    FROM (\(accounts)) AS account
    LEFT JOIN LATERAL (
      SELECT true AS is_active FROM session WHERE session.account_id = account.id
        AND session.last_seen_at > gatehouse.now() - interval '30 days' LIMIT 1) AS seen ON true
    LEFT JOIN LATERAL (
      SELECT rules, complies FROM password_compliance AS k WHERE k.account_id = account.id LIMIT 1) AS known ON true
    ORDER BY account.id
    """
  }

  /// Of so many accounts all ids are read, in a second at most. Of more, pages of the table are.
  static let mostOneByOne = 1_000_000

  /// Each of `total` accounts with the same chance.
  static func drawn(_ count: Int, of total: Int) -> SQL {
    let share = Double(count) / Double(max(1, total))
    return "SELECT id FROM account WHERE random() < \(share)::double precision"
  }

  /// One account of each of so many pages. Accounts of one page were often made together: one says as much as all.
  static func drawn(_ count: Int, ofPages pages: Int) -> SQL {
    let percent = min(100, 100 * Double(count) / Double(max(1, pages)))
    return """
      SELECT id FROM (
        SELECT DISTINCT ON (page) id FROM (
          SELECT id, (ctid::text::point)[0] AS page FROM account TABLESAMPLE SYSTEM (\(percent)::double precision)
        ) AS sampled ORDER BY page, random()
      ) AS drawn
      """
  }
}

extension PostgresTenantStore {
  func users(after cursor: UserID?, limit: Int) async throws -> [ScannedUser] {
    try await scanned(ScannedUserRows.page(after: cursor, limit: limit))
  }

  func users(scanning ids: [UserID]) async throws -> [ScannedUser] {
    ids.isEmpty ? [] : try await scanned(ScannedUserRows.users(ids))
  }

  func drawUsers(_ count: Int, of total: Int) async throws -> [UserID] {
    let statement: SQL
    if total <= ScannedUserRows.mostOneByOne {
      statement = ScannedUserRows.drawn(count, of: total)
    } else {
      let size = "SELECT pg_relation_size('account') / current_setting('block_size')::bigint" as SQL
      statement = ScannedUserRows.drawn(count, ofPages: try await read(size).single { try $0.next() } ?? 0)
    }
    return try await read(statement).read { UserID(try $0.next()) }
  }

  private func scanned(_ statement: SQL) async throws -> [ScannedUser] {
    try await read(statement).read { columns in
      let isActive: Bool = try columns.next()
      let compliance = try Compliance.read(&columns)
      let identities: [String] = try columns.next()
      return ScannedUser(
        user: try StoredUser(&columns), isActive: isActive, compliance: compliance, signInIdentities: identities)
    }
  }
}

extension UUID {
  /// Before every id there is.
  fileprivate static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
