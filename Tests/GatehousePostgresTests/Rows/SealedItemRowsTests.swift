import Foundation
import GatehouseIdentity
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehousePostgres

@Suite("What is kept for providers, by how it is sealed")
struct SealedItemRowsTests {
  private static let bound: [UInt8] = Vault.mark(.unnamed) + [9]

  /// A secret, a grant and an order that a release before sealed, and one of each that is bound.
  private func withItems(_ body: (StoreFixture, any TenantStore) async throws -> Void) async throws {
    try await withStore { ground async throws in
      let (now, store) = (ground.now, ground.store)
      let note = { entry(.secretChanged, now) }
      try await store.setSecret("old", sealed: [1, 1], audit: note())
      try await store.setSecret("new", sealed: Self.bound, audit: note())
      for number in 1...2 {
        let user = sampleUser(number, now)
        var held = grant(of: user, now)
        held.sealedTokens = number == 1 ? [1, 2] : Self.bound
        try await store.commit([
          .user(.insert(user, unique: [])),
          .provider(.link(identity(of: user, subject: "s\(number)", now))), .grant(.keep(held)),
          .grant(.orderRevocation(held)),
        ])
      }
      try await body(ground, store)
    }
  }

  @Test(
    "T179 what has no destination is found and bound, once and only over what was read; then the revision is let go")
  func bind() async throws {
    try await withItems { ground, store in
      let tenant = ground.tenant.uuid
      _ = try await ground.app.write(tenant, ["UPDATE tenant SET pinned_revision = 1 WHERE id = gatehouse.tenant()"])
      let found = try await store.unboundItems(limit: 10)
      #expect(found.map(\.sealed) == [[1, 1], [1, 2], [1, 2]])
      #expect(try await store.unboundItems(limit: 2).count == 2)
      let stale = found.map { SealedItem($0.place, sealed: [1, 9]) }
      try await store.bind(stale.map { ($0, as: Self.bound) })
      #expect(try await store.unboundItems(limit: 10).count == 3, "what changed meanwhile stays as it is")
      #expect(try await store.endUnbound() == false)
      try await store.bind(found.map { ($0, as: Self.bound) })
      try await store.bind(found.map { ($0, as: [1, 5]) })
      #expect(try await store.unboundItems(limit: 10).isEmpty)
      #expect(try await store.secret("old") == Self.bound)
      #expect(try await store.endUnbound())
    }
  }

  @Test(
    "T179 only a broken link whose grant was sealed for that destination can heal, and none that is broken is kept warm"
  )
  func heal() async throws {
    try await withItems { ground, store in
      let users = [sampleUser(1, ground.now), sampleUser(2, ground.now)].map(\.id)
      func healable() async throws -> [UserID] {
        try await store.healableLinks(at: "google", to: [.unnamed], limit: 10)
      }
      #expect(try await healable().isEmpty)
      #expect(try await store.grantsToWarm(at: "google", margin: 7200, limit: 10).isEmpty)
      ground.clock.advance(seconds: 3000)
      #expect(try await store.grantsToWarm(at: "google", margin: 7200, limit: 10).count == 2)
      for user in users {
        try await store.commit([.provider(.setLink(user, provider: "google", .broken, scopes: nil))])
      }
      #expect(try await healable() == [users[1]])
      #expect(try await store.grantsToWarm(at: "google", margin: 7200, limit: 10).isEmpty)
      try await store.commit([.grant(.forget(users[1], provider: "google", version: 1))])
      #expect(try await healable().isEmpty, "the provider refused it")
    }
  }
}
