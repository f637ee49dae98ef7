import GatehouseIdentity

/// `gatehouse audit events`.
enum AuditEvents {
  static let command = Command(
    "audit", "events", summary: "List the events of audit logs",
    examples: [
      Example("gatehouse audit events", "names, outcomes and meanings"),
      Example("gatehouse audit events --output ndjson", "for a script"),
      Example("gatehouse audit events --output csv", "for a spreadsheet"),
    ],
    prints: true, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let columns = [
      Table.Column("event", "event"), Table.Column("outcome", "outcome"), Table.Column("meaning", "meaning"),
    ]
    let rows = all.map { [Cell.text($0.rawValue), .text($0.outcome), .text($0.meaning)] }
    try invocation.print(Table(kind: "audit.events", columns: columns, rows: rows))
    return .ok
  }

  /// In the order of their names.
  private static var all: [AuditEvent] { AuditEvent.allCases.sorted { $0.rawValue < $1.rawValue } }

  /// The text of `docs/audit-events.md`.
  static var page: String {
    """
    # Events of audit logs

    `gatehouse audit events` prints this list, and `audit search --event` takes these names alone. Operators' acts that
    belong to no tenant, or end one, are in the log of the installation (`audit search --installation`). The details of a
    row never hold a secret, and of a person's values only those that
    [decisions/0030](decisions/0030-told-values.md) names.

    | Event | Outcome | Meaning |
    |---|---|---|

    """
      + all.map { "| `\($0.rawValue)` | \($0.outcome) | \($0.meaning) |\n" }.joined()
  }
}

extension Kind where Value == String {
  /// The name of an event.
  static let auditEvent = Kind(
    placeholder: "EVENT", expects: "an event", choices: AuditEvent.allCases.map(\.rawValue).sorted(),
    unknown: { UnknownAuditEvent(text: $0).told },
    parse: { AuditEvent(rawValue: $0)?.rawValue }, show: { $0 })
}
