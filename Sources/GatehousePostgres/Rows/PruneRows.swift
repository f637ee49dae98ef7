import GatehouseIdentity

/// The sweep, on PostgreSQL. What goes when stands in the migrations that make these functions.
package struct PostgresExpirySweep: ExpirySweep {
  private let database: Database

  /// `database` is logged in as the jobs role.
  package init(_ database: Database) { self.database = database }

  package func prune(batch: Int) async throws -> [String: Int] {
    let batch = Int32(clamping: max(1, batch))
    let answers = try await translating {
      try await database.write(
        nil,
        [
          "SELECT kind, pruned FROM gatehouse.prune(\(batch))",
          "SELECT kind, pruned FROM gatehouse.prune_idempotency(\(batch))",
          "SELECT kind, pruned FROM gatehouse.prune_devices(\(batch))",
          "SELECT kind, pruned FROM gatehouse.prune_webhooks(\(batch))",
          "SELECT kind, pruned FROM gatehouse.prune_provider_flows(\(batch))",
          "SELECT kind, pruned FROM gatehouse.prune_host_claims(\(batch))",
          "SELECT kind, pruned FROM gatehouse.prune_attest(\(batch))",
          "SELECT kind, pruned FROM gatehouse.prune_id_token_uses(\(batch))",
        ])
    }
    var pruned: [String: Int] = [:]
    for row in answers.joined() { pruned[try row[0]] = try row[1] }
    return pruned
  }
}
