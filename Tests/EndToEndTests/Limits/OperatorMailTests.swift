import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

@Suite("Mails that operators send are bounded")
struct OperatorMailTests {
  private func reset(_ local: String, _ apps: ThreeApps) async throws {
    _ = try await AdminRoutes.run(
      SendUserResetOperation.self, .init(tenant: "messai", user: App.messai.email(local)), apps.asOperator)
  }

  /// The problem that the operation ends with; nil: it succeeds.
  private func problem(_ body: () async throws -> Void) async -> AdminProblem? {
    do {
      try await body()
      return nil
    } catch {
      return AdminProblems.problem(of: error, requestID: "r").problem
    }
  }

  /// Uses a counter of messai up to what is left.
  private func use(_ name: String, of key: String, leaving left: Int, _ apps: ThreeApps) async throws {
    let tenant = try #require(apps.server.services.registry.snapshot("messai"))
    let most = try #require(try await limits(apps).first { $0.name == name }?.most)
    let wanted = Reservation(name: name, key: key, count: most, window: 3600)
    let store = apps.server.services.store.open(tenant.id)
    let used = try await limits(apps).first { $0.name == name }?.count ?? 0
    _ = try await store.lease([wanted], amounts: [most - used - left])
  }

  private func limits(_ apps: ThreeApps) async throws -> [LimitCount] {
    try await AdminRoutes.run(ListLimitsOperation.self, .init(tenant: "messai", limit: 100), apps.asOperator).items
  }

  @Test("T203 the eleventh mail of a day to one recipient is refused with a time, and others get theirs")
  func recipient() async throws {
    try await ThreeApps.run { apps async throws in
      for name in ["ann", "bob"] { #expect(try await apps.signUp(.messai, name).status == 201) }
      for _ in 0..<10 { try await reset("ann", apps) }
      let refused = await problem { try await reset("ann", apps) }
      #expect(refused?.code.known == .rateLimited && refused?.status == 429)
      #expect((86_000...86_400).contains(refused?.retryAfter ?? 0))
      #expect(refused?.detail?.contains("operator_mail_per_recipient") == true, "\(refused?.detail ?? "")")
      #expect(await problem { try await reset("bob", apps) } == nil)
      apps.server.clock.advance(seconds: 86_400)
      #expect(await problem { try await reset("ann", apps) } == nil)
    }
  }

  @Test("T203 the mails of a tenant come to an end, and a user is not made without the mail")
  func tenant() async throws {
    try await ThreeApps.run { apps async throws in
      #expect(try await apps.signUp(.messai, "ann").status == 201)
      try await reset("ann", apps)
      try await use("operator_mail_per_tenant", of: "tenant", leaving: 1, apps)
      try await Operator.create("new@example.com", ["displayName": "New"], in: "messai", apps.server)
      let refused = await problem {
        try await Operator.create("late@example.com", ["displayName": "Late"], in: "messai", apps.server)
      }
      #expect(refused?.code.known == .rateLimited && (1...3600).contains(refused?.retryAfter ?? 0))
      let found = try await AdminRoutes.run(
        ListUsersOperation.self, .init(tenant: "messai", query: "late@"), apps.asOperator)
      #expect(found.items.isEmpty)
    }
  }

  @Test("T203 a mail to try the mail server counts for its recipient, in any spelling; a dry run does not")
  func sendTest() async throws {
    try await ThreeApps.run { apps async throws in
      for number in 0..<10 {
        _ = await problem {
          _ = try await AdminRoutes.run(
            SendTestMailOperation.self,
            .init(tenant: "messai", address: number % 2 == 0 ? "ann@example.com" : "ANN@Example.com"), apps.asOperator)
        }
      }
      let counted = try await limits(apps).filter { $0.name.hasPrefix("operator_mail") }
      #expect(counted.map(\.count) == [10, 10] && counted.map(\.most) == [10, 2000])
      let refused = await problem {
        _ = try await AdminRoutes.run(
          SendTestMailOperation.self, .init(tenant: "messai", address: "ann@example.com"), apps.asOperator)
      }
      #expect(refused?.code.known == .rateLimited)
      let dry = await problem {
        _ = try await AdminRoutes.run(
          SendTestMailOperation.self, .init(tenant: "messai", address: "ann@example.com", dryRun: true),
          apps.asOperator)
      }
      #expect(dry?.code.known != .rateLimited)
    }
  }
}
