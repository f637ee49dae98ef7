import GatehouseAdminWire
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Two revisions of a policy compared")
struct RevisionDiffTests {
  @Test("the older is compared with the newer, with the live one, and the other way round")
  func compared() async throws {
    try await ThreeApps.run { apps in
      let first = try TestLists.policy("dd-ride")
      let second = first.replacing("refresh_idle_ttl: 60d", with: "refresh_idle_ttl: 61d")
      try #require(first != second)
      _ = try await apps.server.apply(second, to: "dd-ride", allowsWeaker: true)
      _ = try await apps.server.apply(second + "\n# no change\n", to: "dd-ride")
      func diff(_ from: Int, _ to: Int? = nil) async throws -> DiffRevisionsOperation.Output {
        try await AdminRoutes.run(
          DiffRevisionsOperation.self, .init(tenant: "dd-ride", from: from, to: to), apps.asOperator)
      }
      let forward = try await diff(1, 2)
      #expect(forward.items.map(\.relation) == ["weaker"] && forward.from == 1 && forward.to == 2)
      #expect(try await diff(2, 1).items.map(\.relation) == ["stricter"])
      #expect(try await diff(2, 3).items.isEmpty)
      let live = try await diff(1)
      #expect(live.to == 3 && live.items == forward.items)
      for (from, to) in [(9, 1), (1, 9), (0, 1), (-1, nil)] as [(Int, Int?)] {
        await #expect(throws: OperatorError.self) { try await diff(from, to) }
      }
      let file = try await AdminRoutes.run(
        DiffPolicyOperation.self, .init(tenant: "dd-ride", text: second, revision: 1), apps.asOperator)
      #expect(file.revision == 1 && file.items == forward.items)
    }
  }
}
