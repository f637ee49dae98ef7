import GatehouseIdentity

/// The sweep, on PostgreSQL. The table `prunable`, which migrations fill, says which rows go when.
package struct PostgresExpirySweep: ExpirySweep {
  private let database: Database

  /// `database` is logged in as the jobs role.
  package init(_ database: Database) { self.database = database }

  package func prune(batch: Int) async throws -> [String: Int] {
    let batch = Int32(clamping: max(1, batch))
    let rows = try await translating {
      try await database.write(nil, "SELECT kind, pruned FROM gatehouse.prune(\(batch))")
    }
    var pruned: [String: Int] = [:]
    for row in rows {
      try row.read { columns in
        let kind: String = try columns.next()
        pruned[kind] = try columns.next(Int.self)
      }
    }
    return pruned
  }
}
