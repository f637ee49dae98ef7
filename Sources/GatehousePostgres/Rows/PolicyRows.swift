import Foundation
import GatehouseIdentity
import GatehousePolicy

/// Statements and rows of policy revisions.
enum PolicyRows {
  static let columns: SQL = "number, text, digest, author, reason, created_at, language, failing_tests, trust"

  static func insert(_ revision: PolicyRevision) -> SQL {
    """
    INSERT INTO policy_revision (number, text, digest, author, reason, created_at, language,
      failing_tests, trust)
    VALUES (\(revision.number)::integer, \(revision.text), \(revision.digest), \(revision.author), \(revision.reason),
      \(revision.createdAt), \(revision.language.rawValue)::integer, \(revision.failingTests)::integer, \(revision.trust))
    """
  }

  /// One tenant's part of an application: from here on the batch is that tenant's.
  static func append(_ application: PolicyApplication) -> [SQL] {
    [
      "SELECT set_config('app.tenant', \(application.tenant.uuid)::text, true)",
      """
      SELECT \(
        .require(
          """
          /* GUARD: apply: of two at one moment one */
          (SELECT coalesce(max(number), 0) FROM policy_revision) = \(application.revision.number - 1)
          """, .revisionIsCurrent))
      """,
      PostgresFloors.demand(newest: application.floor),
      insert(application.revision),
      // GUARD: apply: what was measured by other rules goes
      "DELETE FROM password_compliance WHERE rules IS DISTINCT FROM \(application.measuredRules)::bytea",
      // GUARD: apply: earlier passwords go with their rule
      "DELETE FROM password_history WHERE NOT \(application.remembersPasswords)",
      AuditRows.insert(application.audit), TenantRows.notify,
    ]
      + BackfillRows.statements(
        of: .follow(
          revision: application.revision.number, author: application.revision.author, application.names))
      + WebhookRows.following(application.audit)
  }
}

extension PolicyRevision {
  /// From `PolicyRows.columns`.
  init(_ columns: inout RowReader) throws {
    self.init(
      number: try columns.next(), text: try columns.next(), digest: try columns.next(), author: try columns.next(),
      reason: try columns.next(), createdAt: try columns.next(),
      language: PolicyLanguage(rawValue: try columns.next()), failingTests: try columns.next(),
      trust: try columns.next())
  }
}

extension PostgresTenantStore {
  func revisions(before: Int?, limit: Int) async throws -> [PolicyRevision] {
    try await read(
      """
      SELECT \(PolicyRows.columns) FROM policy_revision
      WHERE (\(before)::bigint IS NULL OR number < \(before)::bigint)
      ORDER BY number DESC LIMIT \(max(0, limit))
      """
    ).read { try PolicyRevision(&$0) }
  }

  func revision(_ number: Int) async throws -> PolicyRevision? {
    try await read("SELECT \(PolicyRows.columns) FROM policy_revision WHERE number = \(number)")
      .single { try PolicyRevision(&$0) }
  }

  func revision(digest: [UInt8]) async throws -> Int? {
    try await read("SELECT number FROM policy_revision WHERE digest = \(digest) ORDER BY number DESC LIMIT 1")
      .single { try $0.next() }
  }

  func revisions(naming word: String) async throws -> [Int] {
    try await read(
      "SELECT number FROM policy_revision WHERE position(lower(\(word)) IN lower(text)) > 0 ORDER BY number DESC"
    ).read { try $0.next() }
  }
}
