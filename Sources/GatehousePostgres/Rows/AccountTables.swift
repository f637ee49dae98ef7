import Foundation
import GatehouseIdentity
import GatehousePrimitives

/// A table whose rows name an account: its part in the copy of a user's data, and its end when the account is taken
/// back from a former holder or moves back to a former address.
struct AccountTable: Sendable {
  /// Its part in the copy.
  enum Copy: Sendable {
    /// A list of the copy, whose members are the columns of the statement, in this order.
    case list(String, [Member], @Sendable (UserID) -> SQL)
    /// A part of its own shape.
    case part(@Sendable (UserID) -> SQL, @Sendable (inout StoredUserData, Rows, TenantID) throws -> Void)
    /// Nothing, for this reason.
    case nothing(String)
  }

  let name: String
  let copy: Copy
  /// Whether a reclaim of the account removes the rows. Those of other tables stay, or end by changes of their own
  /// (sessions, devices, codes).
  var isReclaimed = false
  /// The statement that removes what was added since a moment, when a change of address is undone; nil where nothing
  /// in the table opens the account.
  var additions: (@Sendable (UserID, _ since: Date) -> SQL)?

  /// One column of a list. NULL leaves the member out.
  struct Member: Sendable {
    let name: String
    let read: @Sendable (inout RowReader) throws -> StoredUserData.Value?

    static func text(_ name: String) -> Member { Member(name: name) { try $0.next(String?.self).map { .text($0) } } }
    static func moment(_ name: String) -> Member { Member(name: name) { try $0.next(Date?.self).map { .moment($0) } } }
    static func truth(_ name: String) -> Member { Member(name: name) { try $0.next(Bool?.self).map { .truth($0) } } }
    static func id(_ name: String) -> Member { Member(name: name) { try $0.next(UUID?.self).map { .text($0.text) } } }
    /// Bytes as Base64.
    static func bytes(_ name: String) -> Member {
      Member(name: name) { try $0.next([UInt8]?.self).map { .text(Data($0).base64EncodedString()) } }
    }
  }
}

extension AccountTable {
  /// The statement that reads its part of the copy; nil where it has none.
  func copied(_ id: UserID) -> SQL? {
    switch copy {
    case .list(_, _, let statement), .part(let statement, _): statement(id)
    case .nothing: nil
    }
  }

  func read(_ rows: Rows, into data: inout StoredUserData, of tenant: TenantID) throws {
    switch copy {
    case .nothing: return
    case .part(_, let read): try read(&data, rows, tenant)
    case .list(let name, let members, _):
      let rows = try rows.read { columns in
        var row: StoredUserData.Row = []
        for member in members {
          if let value = try member.read(&columns) { row.append((name: member.name, value: value)) }
        }
        return row
      }
      data.lists.append(StoredUserData.List(name: name, rows: rows))
    }
  }
}

enum AccountTables {
  /// One row for each table that names an account, in the order of the copy.
  static let all: [AccountTable] = [
    UserRows.uniqueValues, SessionRows.table, DeviceRows.table, CodeRows.table, OutboxRows.table, WebhookRows.table,
    IdempotencyRows.table, AttestRows.table, BackfillRows.table,
    FactorRows.apps, PasskeyRows.table, FactorRows.codes,
    AccountTable(name: "audit", copy: .nothing("is read as a log, beside the parts")),
    AccountTable(
      name: "credential", copy: .nothing("is read with the user, as whether there is one"),
      isReclaimed: true,  // GUARD: reclaim: password
      additions: { UserRows.ofPassword("credential", of: $0, since: $1) }),
    AccountTable(
      name: "password_history", copy: .nothing("is read with the user, as a number"), isReclaimed: true),
    AccountTable(
      name: "password_compliance", copy: .nothing("is read with the user"), isReclaimed: true,
      additions: { UserRows.ofPassword("password_compliance", of: $0, since: $1) }),
    ProviderRows.table,
    AccountTable(
      name: "provider_grant",
      copy: .nothing("holds a provider's tokens, sealed; scopes and state stand in the identity")),
    AccountTable(
      name: "provider_revocation", copy: .nothing("holds tokens until the provider has revoked them, sealed")),
    AccountTable(name: "search_key", copy: .nothing("holds digests of values that the copy has")),
    AccountTable(
      name: "ticket", copy: .nothing("holds hashes of tokens and sealed states, for minutes"),
      isReclaimed: true),  // GUARD: reclaim: tickets
  ]

  /// The statements that remove the rows of an account that is taken back.
  static func reclaim(_ user: UserID) -> [SQL] {
    all.filter(\.isReclaimed).map { "DELETE FROM \(identifier: $0.name) WHERE account_id = \(user.uuid)" }
  }

  /// The statements that remove what was added to an account since a moment.
  static func removeAdditions(_ user: UserID, since moment: Date) -> [SQL] {
    all.compactMap { $0.additions?(user, moment) }
  }
}

extension PostgresTenantStore {
  func everything(about id: UserID) async throws -> StoredUserData? {
    let parts = AccountTables.all.compactMap { table in table.copied(id).map { (table: table, statement: $0) } }
    let statements = [UserRows.exported(id)] + parts.map(\.statement)
    let answers = try await translating { try await database.read(tenant.uuid, statements) }
    guard var data = try answers[0].single({ try StoredUserData(&$0) }) else { return nil }
    for (part, rows) in zip(parts, answers.dropFirst()) { try part.table.read(rows, into: &data, of: tenant) }
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
