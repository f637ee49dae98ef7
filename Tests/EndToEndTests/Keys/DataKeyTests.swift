import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Data keys")
struct DataKeyTests {
  /// Version and uses of DD Ride's data keys, the first one first.
  private static func keys(_ apps: ThreeApps) async throws -> [[Int]] {
    let tenant = try #require(apps.server.services.registry.snapshot("dd-ride"))
    let all = try await apps.server.storage.connect(user: Embedded.superuser)
    do {
      let rows = try await all.read(
        nil, "SELECT version::bigint, uses FROM gatehouse.data_key WHERE tenant_id = \(tenant.id.uuid) ORDER BY version"
      )
      await all.stop()
      return try rows.map { [try $0[0], try $0[1]] }
    } catch {
      await all.stop()
      throw error
    }
  }

  private static func tenant(_ apps: ThreeApps) async throws -> TenantSnapshot {
    try await TenantLoader(apps.server.services).load([try #require(TenantName("dd-ride"))])
    return try #require(apps.server.services.registry.snapshot("dd-ride"))
  }

  /// The version of the key that seals now.
  private static func sealing(_ apps: ThreeApps) async throws -> UInt32? {
    SealingKey.version(of: try await tenant(apps).vault.seal([1], for: .auditKey))
  }

  @Test("T159 what a server seals is counted, and each use once")
  func counted() async throws {
    try await ThreeApps.run { apps in
      let vault = try #require(apps.server.services.registry.snapshot("dd-ride")).vault
      _ = apps.server.services.dataKeyUses.take()
      let before = try await Self.keys(apps)
      for _ in 0..<5 { _ = try vault.seal([1], for: .auditKey) }
      let job = CountDataKeyUses(apps.server.services)
      for _ in 0..<2 { try await job.runOnce() }
      let after = try await Self.keys(apps)
      #expect(after == [[1, before[0][1] + 5]])
    }
  }

  @Test("T159 a new key seals ten minutes after an earlier one was used up, and that one opens what it sealed")
  func usedUp() async throws {
    try await ThreeApps.run { apps in
      let old = try #require(apps.server.services.registry.snapshot("dd-ride")).vault
      let sealed = try old.seal([7], for: .auditKey)
      try await CountDataKeyUses(apps.server.services, mostUses: 1).runOnce()
      let first = try await Self.sealing(apps)
      apps.server.clock.advance(seconds: Vault.leadSeconds)
      let second = try await Self.sealing(apps)
      let opened = try await Self.tenant(apps).vault.open(sealed, for: .auditKey).expose { $0 }
      #expect(first == 1 && second == 2 && opened == [7])
    }
  }

  @Test("T159 pseudonyms stay those of the first key")
  func pseudonyms() async throws {
    try await ThreeApps.run { apps in
      let before = try await Self.tenant(apps).vault.pseudonym([1])
      _ = try await Self.tenant(apps).vault.seal([7], for: .auditKey)
      try await CountDataKeyUses(apps.server.services, mostUses: 1).runOnce()
      apps.server.clock.advance(seconds: Vault.leadSeconds)
      let after = try await Self.tenant(apps).vault.pseudonym([1])
      let versions = try await Self.keys(apps).map(\.[0])
      #expect(after == before && versions == [1, 2])
    }
  }

  @Test(
    "T159 a key is 90 days old at most when a new one is made; people go on refreshing, and codes mailed before work")
  func old() async throws {
    try await ThreeApps.run { apps in
      apps.server.clock.advance(seconds: 89 * 86_400)
      try await CountDataKeyUses(apps.server.services).runOnce()
      let young = try await Self.keys(apps).map(\.[0])
      let up = try await apps.rider()
      let code = try #require(try await apps.server.latestMail(to: "willie@ksu.edu")?.code)
      apps.server.clock.advance(seconds: 86_400)
      let ask = #"{"email":"willie@ksu.edu"}"#
      #expect(try await apps.ride.post("/v1/email-verification", ask).status == 202)
      try await CountDataKeyUses(apps.server.services).runOnce()
      _ = try await Self.tenant(apps)
      apps.server.clock.advance(seconds: Vault.leadSeconds)
      let mail = try #require(try await apps.server.latestMail(to: "willie@ksu.edu"))
      let fresh = try await apps.ride.post("/v1/token", #"{"refresh_token":"\#(up.refreshToken)"}"#)
      let versions = try await Self.keys(apps).map(\.[0])
      #expect(young == [1] && versions == [1, 2] && fresh.status == 200 && mail.code != code)
    }
  }

  @Test("T159 of two servers that find a key used up one makes the next, and the trail says so once")
  func once() async throws {
    try await ThreeApps.run { one in
      try await one.withSibling { other in
        for apps in [one, other] {
          let vault = try #require(apps.server.services.registry.snapshot("dd-ride")).vault
          for _ in 0..<3 { _ = try vault.seal([1], for: .auditKey) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for apps in [one, other] {
            group.addTask { try await CountDataKeyUses(apps.server.services, mostUses: 3).runOnce() }
          }
          try await group.waitForAll()
        }
        let versions = try await Self.keys(one).map(\.[0])
        let store = one.server.services.store.open(try await Self.tenant(one).id)
        let rows = try await store.audit(AuditQuery(event: AuditEvent.keyRotated.rawValue), limit: 10)
        #expect(versions == [1, 2] && rows.map { $0.details["data_key"] } == ["2"])
      }
    }
  }
}
