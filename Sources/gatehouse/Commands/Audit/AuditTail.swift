import GatehouseAdminWire
import GatehouseWire

/// `gatehouse audit tail`.
enum AuditTail {
  private static let limit = Flag("limit", .integer(0...10_000), "how many of the newest to begin with (default 10)")
  private static let follow = Flag("follow", .onOff, "follow new events, until Ctrl-C")
  /// Rows of one instant may be committed late; this far back they are still looked for.
  private static let overlap: Int64 = 10

  static let command = Command(
    "audit", "tail", summary: "Print the newest events of a tenant's audit log, and follow new ones",
    notes: ["With --output ndjson each event is one JSON object on a line of its own, as it happens."],
    arguments: [AuditVerb.tenant], flags: [AuditVerb.installation, limit, follow],
    examples: [
      Example("gatehouse audit tail dd-ride", "the newest ten, oldest first"),
      Example("gatehouse audit tail dd-ride --follow", "and new events, until Ctrl-C"),
      Example("gatehouse audit tail dd-ride --follow --limit 0 --output ndjson", "into another program"),
    ], exits: [.notFound: "no such tenant", .unavailable: "the database failed", .interrupted: "Ctrl-C"],
    prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let form = invocation.outputForm
    if invocation.has(follow), form == .json || form == .csv {
      throw Failure(.usage, "--follow never ends, so that \(form.rawValue) would not either; use --output ndjson")
    }
    let tenant = try AuditVerb.log(invocation)
    return try await OperatorCommand.backend(invocation) { backend in
      let count = invocation[limit] ?? 10
      // One row more than none tells whose clock counts.
      let newest = try await rows(of: tenant, since: nil, atMost: max(1, count), backend)
      if count > 0 { try invocation.print(AuditTable.of(newest.reversed())) }
      guard invocation.has(follow) else { return .ok }
      let ended = Signals.take()
      var since = newest.first?.at.earlier(by: overlap)
      // What is printed is remembered as long as it is looked for.
      var known = Dictionary(newest.map { ($0.id, $0.at) }) { first, _ in first }
      for old in try await rows(of: tenant, since: since, atMost: 10_000, backend) { known[old.id] = old.at }
      while !Signals.arrived(ended, within: 500) {
        let fresh = try await rows(of: tenant, since: since, atMost: 10_000, backend).filter { known[$0.id] == nil }
        try lines(fresh.reversed(), invocation)
        for entry in fresh { known[entry.id] = entry.at }
        guard let last = known.values.max()?.earlier(by: overlap) else { continue }
        since = since.map { max($0, last) } ?? last
        known = known.filter { entry in since.map { entry.value >= $0 } ?? true }
      }
      return .interrupted
    }
  }

  private static func rows(
    of tenant: String, since: GatehouseWire.Timestamp?, atMost limit: Int, _ backend: OperatorBackend
  ) async throws -> [AuditRecord] {
    try await backend.items(atMost: limit, page: 1000) { limit, cursor in
      let page = try await backend.send(
        SearchAuditOperation.self, .init(tenant: tenant, since: since, limit: limit, cursor: cursor))
      return (page.items, page.nextCursor)
    }
  }

  /// Rows without the heading that a table has.
  private static func lines(_ entries: [AuditRecord], _ invocation: Invocation) throws {
    guard !entries.isEmpty else { return }
    let table = AuditTable.of(entries)
    if invocation.outputForm == .ndjson { return try invocation.print(table) }
    let text = TableText(invocation.terminal).table(table)
    try invocation.terminal.data(text.split(separator: "\n").dropFirst().map { $0 + "\n" }.joined())
  }
}

extension GatehouseWire.Timestamp {
  fileprivate func earlier(by seconds: Int64) -> GatehouseWire.Timestamp {
    GatehouseWire.Timestamp(seconds: self.seconds - seconds)
  }
}
