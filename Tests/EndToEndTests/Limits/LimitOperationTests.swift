import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

@Suite("Counters of limits, as operators see and clear them")
struct LimitOperationTests {
  private let ask = #"{"email":"pat@example.com"}"#

  private func run(_ body: (ThreeApps) async throws -> Void) async throws {
    try await ThreeApps.run(policy: { $0 == .messai ? PolicyText.limits("sign_up_per_ip: 2/1h", in: $1) : $1 }, body)
  }

  private func list(
    _ apps: ThreeApps, name: String? = nil, address: String? = nil, user: String? = nil, limit: Int? = nil,
    cursor: String? = nil
  ) async throws -> ListLimitsOperation.Output {
    try await AdminRoutes.run(
      ListLimitsOperation.self,
      .init(tenant: "messai", name: name, address: address, user: user, limit: limit, cursor: cursor), apps.asOperator)
  }

  private func clear(_ apps: ThreeApps, name: String? = nil, address: String? = nil, user: String? = nil) async throws
    -> Int
  {
    try await AdminRoutes.run(
      ClearLimitsOperation.self, .init(tenant: "messai", name: name, address: address, user: user), apps.asOperator
    ).cleared
  }

  @Test("T167 an address that is at its limit is found by the address, and signs up again once it is cleared")
  func address() async throws {
    try await run { apps in
      for name in ["ann", "bob"] { #expect(try await apps.signUp(.messai, name).status == 201) }
      #expect(try await apps.signUp(.messai, "kay").status == 429)
      let found = try await list(apps, name: "sign_up_per_ip", address: "127.0.0.1").items
      #expect(found.map(\.count) == [2])
      #expect(found.map(\.most) == [2])
      #expect(try await clear(apps, address: "127.0.0.1") > 0)
      #expect(try await apps.signUp(.messai, "kay").status == 201)
    }
  }

  @Test("T167 another address and another person keep what is counted for them")
  func others() async throws {
    try await run { apps in
      for name in ["ann", "bob"] { #expect(try await apps.signUp(.messai, name).status == 201) }
      #expect(try await clear(apps, address: "192.0.2.1") == 0)
      #expect(try await clear(apps, user: "nobody@example.com") == 0)
      let third = try await apps.signUp(.messai, "kay")
      #expect(third.status == 429)
    }
  }

  @Test("T167 a person's mails are found and cleared by the address, with an account or without one")
  func user() async throws {
    try await run { apps in
      #expect(try await apps.signUp(.messai).status == 201)
      let found = try await list(apps, user: "PAT@example.com").items.map(\.name)
      #expect(found.contains("max_sends_per_day") && found.contains("resend_cooldown"))
      #expect(try await clear(apps, user: "pat@example.com") == found.count)
      #expect(try await list(apps, user: "pat@example.com").items.isEmpty)
    }
  }

  @Test("T167 the sum of a limit says how many networks it refuses, and the gravest stands first")
  func sums() async throws {
    try await run { apps in
      for name in ["ann", "bob"] { #expect(try await apps.signUp(.messai, name).status == 201) }
      #expect(try await apps.signUp(.messai, "kay").status == 429)
      let sums = try await AdminRoutes.run(SumLimitsOperation.self, .init(tenant: "messai"), apps.asOperator).items
      let first = try #require(sums.first)
      #expect(first.name == "sign_up_per_ip" && first.policyKey == "limits.sign_up_per_ip")
      #expect(first.party == "network" && first.counted == 1 && first.exhausted == 1)
      #expect(first.highest == 2 && first.most == 2 && first.user == nil)
      let own = try #require(sums.first { $0.name == "max_sends_per_day" })
      #expect(own.party == "recipient" && own.counted == 2 && own.exhausted == 0 && own.policyKey == nil)
    }
  }

  @Test("T167 pages hold each counter once")
  func pages() async throws {
    try await run { apps in
      #expect(try await apps.signUp(.messai).status == 201)
      let all = try await list(apps).items
      var paged: [LimitCount] = []
      var cursor: String?
      repeat {
        let page = try await list(apps, limit: 1, cursor: cursor)
        paged += page.items
        cursor = page.nextCursor
      } while cursor != nil && paged.count <= all.count
      #expect(paged == all)
    }
  }

  @Test("T167 the trail tells that counters were cleared, and names no address")
  func trail() async throws {
    try await run { apps in
      #expect(try await apps.signUp(.messai).status == 201)
      _ = try await clear(apps, address: "127.0.0.1")
      let rows = try await AdminRoutes.run(
        SearchAuditOperation.self, .init(tenant: "messai", event: "limits_cleared"), apps.asOperator
      ).items
      #expect(rows.map(\.details) == [["address": "one"]])
    }
  }

  @Test(
    "T167 what names no limit, no address or no user is refused with what is allowed",
    arguments: [("name", "sign_ups"), ("address", "here"), ("user", "\u{1}")])
  func malformed(member: String, value: String) async throws {
    try await run { apps in
      let refusal = await #expect(throws: Refusal.self) {
        try await clear(
          apps, name: member == "name" ? value : nil, address: member == "address" ? value : nil,
          user: member == "user" ? value : nil)
      }
      #expect(refusal?.detail?.hasPrefix("/\(member)") == true)
    }
  }

  @Test("T167 clearing everything by naming nothing is refused")
  func nothing() async throws {
    try await run { apps in
      let refusal = await #expect(throws: Refusal.self) { try await clear(apps) }
      #expect(refusal?.code == .malformedRequest)
    }
  }
}
