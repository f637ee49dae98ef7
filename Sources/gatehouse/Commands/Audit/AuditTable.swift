import GatehouseAdminWire
import GatehouseWire

/// Audit rows as every verb prints them.
enum AuditTable {
  private static let columns = [
    Table.Column("at", "when"), Table.Column("event", "event"), Table.Column("actor", "by"),
    Table.Column("account", "account"), Table.Column("address", "from"), Table.Column("request_id", ""),
    Table.Column("revision", "revision"), Table.Column("details", "details"), Table.Column("outcome", ""),
    Table.Column("id", ""), Table.Column("session", ""), Table.Column("seq", ""),
  ]

  /// - Parameter areOfSeveralLogs: whether each row names its log.
  static func of(_ entries: some Sequence<AuditRecord>, areOfSeveralLogs: Bool = false) -> Table {
    let rows = entries.map { entry -> [Cell] in
      let cells = [
        UserVerb.time(entry.at), Cell.text(entry.event), .text(entry.actor),
        entry.account.map(Cell.text) ?? .none, entry.address.map(Cell.text) ?? .none,
        entry.requestID.map(Cell.text) ?? .none, entry.revision.map(Cell.integer) ?? .none,
        .object(entry.details.sorted { $0.key < $1.key }.map { Cell.Field(key: $0.key, value: .text($0.value)) }),
        .text(entry.outcome), .text(entry.id), entry.session.map(Cell.text) ?? .none,
        entry.seq.map(Cell.integer) ?? .none,
      ]
      return areOfSeveralLogs ? [entry.tenant.map(Cell.text) ?? .none] + cells : cells
    }
    let columns = areOfSeveralLogs ? [Table.Column("tenant", "tenant")] + columns : columns
    return Table(kind: "audit", columns: columns, rows: rows, whenEmpty: "nothing happened yet")
  }
}
