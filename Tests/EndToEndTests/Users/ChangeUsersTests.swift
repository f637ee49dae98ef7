import GatehouseAdminWire
import GatehouseIdentity
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Changes of many users, batch by batch")
struct ChangeUsersTests {
  @Test("an interrupted change goes on with the rest, and users made after the count are left alone")
  func interrupted() async throws {
    try await ThreeApps.run { apps in
      for name in ["ann", "bob", "kay"] { #expect(try await apps.signUp(.messai, name).status == 201) }
      var input = ChangeUsersOperation.Input(tenant: "messai", change: .delete, unverified: true, dryRun: true)
      let count = try await AdminRoutes.run(ChangeUsersOperation.self, input, apps.asOperator)
      #expect(count.found == 3 && count.changed == 0)
      #expect(try await apps.signUp(.messai, "zoe").status == 201)
      (input.dryRun, input.cursor, input.limit) = (nil, count.nextCursor, 1)
      let first = try await AdminRoutes.run(ChangeUsersOperation.self, input, apps.asOperator)
      #expect(first.changed == 1 && first.nextCursor != nil)
      // The command begins again at its own place: those that went are not found.
      input.limit = nil
      let rest = try await AdminRoutes.run(ChangeUsersOperation.self, input, apps.asOperator)
      #expect(rest.changed == 2 && rest.nextCursor == nil)
      let left = try await AdminRoutes.run(ListUsersOperation.self, .init(tenant: "messai"), apps.asOperator).items
      #expect(left.map(\.email) == ["zoe@example.com"])
    }
  }

  @Test("a change of all users is refused")
  func everyone() async throws {
    try await ThreeApps.run { apps in
      await #expect(throws: Refusal.self) {
        try await AdminRoutes.run(
          ChangeUsersOperation.self, .init(tenant: "messai", change: .delete), apps.asOperator)
      }
    }
  }
}
