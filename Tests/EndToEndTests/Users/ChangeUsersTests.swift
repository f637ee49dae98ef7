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
      #expect(count.found == 3 && count.changed == 0 && count.nextCursor == nil)
      #expect(try await apps.signUp(.messai, "zoe").status == 201)
      (input.dryRun, input.cursor, input.limit) = (nil, count.start, 1)
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

  @Test("among more users than a statement looks at, the few that a filter finds are listed, counted and changed")
  func rare() async throws {
    try await ThreeApps.run { apps in
      let tenant = try await Tenants.find("messai", apps.server.services)
      // Ids of long ago: the accounts that are made below stand before all of these.
      try await apps.server.storage.runAsSuperuser(
        script: """
          INSERT INTO gatehouse.account (tenant_id, id, email, email_verified_at, created_at, updated_at, entered_by)
          SELECT '\(tenant.id.uuid)', ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
            'user' || n || CASE WHEN n IN (1, 2, 6000) THEN '@rare.example' ELSE '@example.com' END, now(), now(), now(),
            'sign_up'
          FROM generate_series(1, 12000) AS n;
          """)
      for name in ["ann", "bob"] { #expect(try await apps.signUp(.messai, name).status == 201) }
      func list(_ part: String, limit: Int) async throws -> [String] {
        var (found, cursor) = ([String](), nil as String?)
        repeat {
          let page = try await ListUsers.run(
            .init(tenant: "messai", contains: part, limit: limit, cursor: cursor), apps.asOperator)
          #expect(page.items.count <= limit)
          found += page.items.compactMap(\.email)
          cursor = page.nextCursor
        } while cursor != nil
        return found
      }
      let rare = ["user6000@rare.example", "user2@rare.example", "user1@rare.example"]
      #expect(try await list("@rare.example", limit: 2) == rare)
      #expect(try await list("@rare.example", limit: 3) == rare)
      #expect(try await list("no such", limit: 3) == [])
      var input = ChangeUsersOperation.Input(tenant: "messai", change: .delete, contains: "@rare.example", dryRun: true)
      var (found, start) = (0, nil as String?)
      repeat {
        let part = try await ChangeUsers.run(input, apps.asOperator)
        (found, start, input.cursor) = (found + part.found, start ?? part.start, part.nextCursor)
      } while input.cursor != nil
      #expect(found == 3)
      (input.dryRun, input.cursor) = (nil, start)
      var changed = 0
      repeat {
        let part = try await ChangeUsers.run(input, apps.asOperator)
        (changed, input.cursor) = (changed + part.changed, part.nextCursor)
      } while input.cursor != nil
      #expect(changed == 3)
      #expect(try await list("@rare.example", limit: 2) == [])
    }
  }
}
