import Foundation
import GatehouseIdentity

/// The part of one table in the copy of a user's data. The `Rows` file of a table declares its part.
struct ExportPart: Sendable {
  /// The table whose rows it reads.
  let table: String
  let statement: @Sendable (UserID) -> SQL
  /// Reads the rows that the statement found.
  let read: @Sendable (inout StoredUserData, Rows, TenantID) throws -> Void
}

enum ExportRows {
  /// One part for each table that names a user, in the order of the copy.
  static let parts = [
    UserRows.export, SessionRows.export, CodeRows.export, OutboxRows.export, ProviderRows.export, DeviceRows.export,
    WebhookRows.export, IdempotencyRows.export, AttestRows.export,
  ]

  /// Tables that name a user and have no part, with the reason.
  static let partless = [
    "audit": "is read as a log, beside the parts",
    "credential": "is read with the user, as whether there is one",
    "password_compliance": "is read with the user",
    "password_history": "is read with the user, as a number",
    "provider_grant": "holds a provider's tokens, sealed; scopes and state stand in the identity",
    "provider_revocation": "holds tokens until the provider has revoked them, sealed",
    "search_key": "holds digests of values that the copy has",
    "ticket": "holds hashes of tokens and sealed states, for minutes",
  ]
}

extension PostgresTenantStore {
  func everything(about id: UserID) async throws -> StoredUserData? {
    let statements = [UserRows.exported(id)] + ExportRows.parts.map { $0.statement(id) }
    let answers = try await translating { try await database.read(tenant.uuid, statements) }
    guard var data = try answers[0].single({ try StoredUserData(&$0) }) else { return nil }
    for (part, rows) in zip(ExportRows.parts, answers.dropFirst()) { try part.read(&data, rows, tenant) }
    return data
  }
}

extension StoredUserData {
  /// Reads the user's own columns; the parts add the rest.
  fileprivate init(_ columns: inout RowReader) throws {
    self.init(
      user: try StoredUser(&columns), hasPassword: try columns.next(), passwordComplies: try columns.next(),
      earlierPasswords: try columns.next())
  }
}
