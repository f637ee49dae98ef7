import Foundation
import GatehouseIdentity

/// `gatehouse audit tail`.
enum AuditTail {
  private static let limit = Flag("limit", .integer(0...10_000), "how many of the newest to begin with (default 10)")
  private static let follow = Flag("follow", .onOff, "go on with what happens from now, until Ctrl-C")
  /// Rows of one instant may be committed late; this far back they are still looked for.
  private static let overlap: TimeInterval = 10

  static let command = Command(
    "audit", "tail", summary: "Print the newest of a tenant's audit trail, and go on with what happens",
    notes: ["With --output ndjson each event is one JSON object on a line of its own, as it happens."],
    arguments: [OperatorCommand.tenant], flags: [limit, follow],
    examples: [
      Example("gatehouse audit tail dd-ride", "the newest ten, oldest first"),
      Example("gatehouse audit tail dd-ride --follow", "and whatever happens, until Ctrl-C"),
      Example("gatehouse audit tail dd-ride --follow --limit 0 --output ndjson", "into another program"),
    ], exits: [.notFound: "no such tenant", .unavailable: "the database failed", .interrupted: "Ctrl-C"],
    prints: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    if invocation.has(follow), let form = invocation[CommonFlags.output], form == "json" || form == "csv" {
      throw Failure(.usage, "--follow never ends, so that \(form) would not either; use --output ndjson")
    }
    return try await OperatorCommand.run(invocation) { services, tenant, _ in
      let store = services.store.open(tenant.id)
      let began = services.clock.now
      let count = invocation[limit] ?? 10
      let newest = try await store.audit(AuditQuery(), limit: count)
      if count > 0 { try invocation.print(AuditTable.of(newest.reversed())) }
      guard invocation.has(follow) else { return .ok }
      let ended = Signals.take()
      // What is printed is remembered as long as it is looked for.
      var known = Dictionary(newest.map { ($0.id, $0.at) }) { first, _ in first }
      var since = (newest.first?.at ?? began).addingTimeInterval(-overlap)
      for old in try await store.audit(AuditQuery(since: since), limit: 10_000) { known[old.id] = old.at }
      while !Signals.arrived(ended, within: 500) {
        let fresh = try await store.audit(AuditQuery(since: since), limit: 10_000).filter { known[$0.id] == nil }
        try lines(fresh.reversed(), invocation)
        for entry in fresh { known[entry.id] = entry.at }
        if let last = known.values.max() { since = max(since, last.addingTimeInterval(-overlap)) }
        known = known.filter { $0.value >= since }
      }
      return .interrupted
    }
  }

  /// Rows without the heading that a table has.
  private static func lines(_ entries: [AuditEntry], _ invocation: Invocation) throws {
    guard !entries.isEmpty else { return }
    let table = AuditTable.of(entries)
    if invocation[CommonFlags.output] == "ndjson" { return try invocation.print(table) }
    let text = TableText(invocation.terminal).table(table)
    try invocation.terminal.data(text.split(separator: "\n").dropFirst().map { $0 + "\n" }.joined())
  }
}
