import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// Takes one stone out of each table's wall at a time: the checks must see that, and nothing else, every time.
@Suite struct IsolationMutationTests {
  private static let condition = "tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid)"

  /// What is taken out, how it is put back, and what another tenant then gets.
  private struct Mutation {
    let name: String
    let script: String
    let undo: String
    /// Nil where no tenant gets anything yet: the wall has a second layer there.
    var leak: String?

    init(_ table: String, _ name: String, _ script: String, undo: String, leak: String? = nil) {
      self.name = name
      self.script = script.replacing("$", with: "gatehouse.\(table)")
      self.undo = undo.replacing("$", with: "gatehouse.\(table)")
      self.leak = leak
    }
  }

  /// Tables that a function of the owner alone writes: the server inserts no row at all.
  private static let ownersTables: Set = ["erased_token", "deleted_account"]

  private static func mutations(_ table: String) -> [Mutation] {
    let policy = "CREATE POLICY tenant ON $ USING (\(condition)) WITH CHECK (\(condition))"
    return [
      Mutation(table, "policy", "DROP POLICY tenant ON $", undo: policy),
      Mutation(
        table, "FORCE", "ALTER TABLE $ NO FORCE ROW LEVEL SECURITY", undo: "ALTER TABLE $ FORCE ROW LEVEL SECURITY"),
      Mutation(
        table, "row-level security", "ALTER TABLE $ DISABLE ROW LEVEL SECURITY",
        undo: "ALTER TABLE $ ENABLE ROW LEVEL SECURITY", leak: "foreign rows are seen"),
      Mutation(
        table, "USING", "ALTER POLICY tenant ON $ USING (true)", undo: "ALTER POLICY tenant ON $ USING (\(condition))",
        leak: "foreign rows are seen"),
      Mutation(
        table, "WITH CHECK", "ALTER POLICY tenant ON $ WITH CHECK (true)",
        undo: "ALTER POLICY tenant ON $ WITH CHECK (\(condition))",
        leak: ownersTables.contains(table) ? nil : "a row for another tenant is taken"),
    ]
  }

  @Test(
    "a policy, FORCE, row-level security, USING or WITH CHECK that goes, from whichever table, turns the checks red")
  func mutations() async throws {
    try await withStore { ground async throws in
      let other = try await ground.makeTenant("second")
      try await Isolation.fill(ground.store, ground.tenant, ground.now)
      try await Isolation.fill(other.store, other.id, ground.now)
      for table in try await Isolation.tenantTables(ground.app) {
        for mutation in Self.mutations(table) {
          try await ground.place.run(script: mutation.script)
          let flaws = try await Isolation.flaws(ground.app)
          #expect(flaws.count == 1 && flaws[0].hasPrefix(table + " "), "\(table) without \(mutation.name): \(flaws)")
          if let leak = mutation.leak {
            let leaks = try await Isolation.leaks(ground, own: other.id, foreign: ground.tenant, in: [table])
            #expect(leaks.contains("\(table): \(leak)"), "\(table) without \(mutation.name): \(leaks)")
          }
          try await ground.place.run(script: mutation.undo)
        }
      }
      #expect(try await Isolation.flaws(ground.app) == [])
      #expect(try await Isolation.leaks(ground, own: other.id, foreign: ground.tenant) == [])
    }
  }
}
