import GatehousePostgres
import GatehouseServerTesting

extension ThreeApps {
  /// Rows of each table that requests of strangers write, of all tenants. A counter of a limit is a row from its first
  /// count on, for every caller: those are left out.
  func rows() async throws -> [String: Int] {
    let all = try await server.storage.connect(user: Embedded.superuser)
    var counts: [String: Int] = [:]
    do {
      for table in ["account", "session", "one_time_code", "sign_in_guard", "outbox", "audit"] {
        counts[table] = try await all.read(nil, "SELECT count(*) FROM gatehouse.\(identifier: table)").single()?[0]
      }
      await all.stop()
    } catch {
      await all.stop()
      throw error
    }
    return counts
  }
}
