import GatehouseAdminWire
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Users that operators and administrators look up")
struct UserSearchTests {
  private static func addresses(_ input: ListUsersOperation.Input, _ apps: ThreeApps) async throws -> [String?] {
    try await AdminRoutes.run(ListUsersOperation.self, input, apps.asOperator).items.map(\.email)
  }

  @Test("operators find users by the beginning of an address or a name, page by page")
  func operators() async throws {
    try await ThreeApps.run { apps in
      for name in ["ann", "anna", "bob"] { #expect(try await apps.signUp(.messai, name).status == 201) }
      let first = try await AdminRoutes.run(
        ListUsersOperation.self, .init(tenant: "messai", query: "an", limit: 1), apps.asOperator)
      #expect(first.items.map(\.email) == ["ann@example.com"])
      let second = try await AdminRoutes.run(
        ListUsersOperation.self, .init(tenant: "messai", query: "an", limit: 1, cursor: first.nextCursor),
        apps.asOperator)
      #expect(second.items.map(\.email) == ["anna@example.com"])
      #expect(second.nextCursor == nil)
    }
  }

  @Test("a cursor that is not from the search is refused", arguments: ["", "x", ".", "a.b", "0.AA"])
  func foreign(cursor: String) async throws {
    try await ThreeApps.share { apps in
      await #expect(throws: Refusal.self) {
        try await Self.addresses(.init(tenant: "messai", query: "an", cursor: cursor), apps)
      }
    }
  }

  @Test("a search for no text is refused", arguments: ["", " ", "\u{200B}"])
  func empty(query: String) async throws {
    try await ThreeApps.share { apps in
      await #expect(throws: Refusal.self) { try await Self.addresses(.init(tenant: "messai", query: query), apps) }
    }
  }

  @Test("an app's administrators find users by the beginning of a name")
  func administrators() async throws {
    try await ThreeApps.share { apps in
      let rider = try await apps.rider()
      _ = try await apps.rider("kay@ksu.edu")
      try await Operator.verify(.ride, "willie", apps)
      try await Operator.set(.ride, "willie", ["role": "admin", "chapterId": "KAPPA"], apps)
      try await Operator.set(.ride, "kay", ["name": "Zuzana Kay"], apps)
      let list = try await apps.ride.get("/v1/users?query=zuz", token: rider.accessToken)
      #expect(list.json["items"]?.array?.map { $0["email"] } == [.string("kay@ksu.edu")], "\(list.text)")
    }
  }
}
