import Foundation
import GatehouseIdentity
@testable import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Grants at providers")
struct GrantRowsTests {
  private func withGrant(_ body: (StoreFixture, any TenantStore, StoredUser) async throws -> Void) async throws {
    try await withStore { ground async throws in
      let now = ground.now
      let user = sampleUser(1, now)
      let store = ground.store
      try await store.commit([
        .user(.insert(user, unique: [])), .provider(.link(identity(of: user, now))),
        .grant(.keep(grant(of: user, now))),
      ])
      try await body(ground, store, user)
    }
  }

  @Test("one of many takes the turn to refresh, for as long as it was given")
  func lease() async throws {
    try await withGrant { ground, store, user in
      let read = try await store.grant(of: user.id, at: "google")
      let kept = try #require(read)
      let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 { group.addTask { try await store.leaseGrant(kept, seconds: 15) } }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(taken == 1)
      ground.clock.advance(seconds: 14)
      #expect(try await store.leaseGrant(kept, seconds: 15) == false)
      ground.clock.advance(seconds: 1)
      #expect(try await store.leaseGrant(kept, seconds: 15) == true)
      try await store.pauseGrant(kept, seconds: 30)
      #expect(try await store.leaseGrant(kept, seconds: 15) == false)
      ground.clock.advance(seconds: 30)
      #expect(try await store.leaseGrant(kept, seconds: 15) == true)
    }
  }

  @Test("a renewal names the version that was read; a late renewal changes nothing")
  func renew() async throws {
    try await withGrant { ground, store, user in
      let now = ground.now
      try await store.commit([.grant(.renew(grant(of: user, version: 2, now)))])
      await #expect(throws: StoreError.refused(.grantIsCurrent)) {
        try await store.commit([.grant(.renew(grant(of: user, version: 2, now)))])
      }
      await #expect(throws: StoreError.refused(.grantIsCurrent)) {
        try await store.commit([.grant(.forget(user.id, provider: "google", version: 1))])
      }
      let late = try await store.leaseGrant(grant(of: user, version: 1, now), seconds: 5)
      #expect(!late)
      let read = try await store.grant(of: user.id, at: "google")
      #expect(read?.version == 2 && read?.sealedTokens == [2])
    }
  }

  @Test("a grant goes with whatever it hangs on and leaves the order to give it back; a dead one leaves none")
  func orders() async throws {
    try await withGrant { ground, store, user in
      let queue = PostgresRevocationQueue(ground.jobs)
      func orders() async throws -> [DueRevocation] { try await queue.takeDueRevocations(limit: 10, lease: 60) }
      let now = ground.now
      #expect(try await orders().isEmpty)
      try await store.commit([.grant(.keep(grant(of: user, version: 7, now)))])
      #expect(try await orders().isEmpty, "over an older one of the same person")
      try await store.commit([.provider(.unlink(user.id, .provider("google")))])
      let first = try await orders()
      #expect(first.map(\.version) == [7] && first.first?.user == user.id && first.first?.sealedTokens == [7])
      #expect(try await orders().isEmpty, "taken")
      ground.clock.advance(seconds: 61)
      let again = try await orders()
      #expect(again.map(\.attempts) == [2])
      try await store.endRevocation(try #require(again.first).id, audit: nil)
      try await store.commit([.provider(.link(identity(of: user, now))), .grant(.keep(grant(of: user, now)))])
      #expect(try await store.hasGrant(providerUserHash: hash(1)))
      try await store.commit([.grant(.forget(user.id, provider: "google", version: 1))])
      ground.clock.advance(seconds: 61)
      #expect(try await orders().isEmpty, "what the provider does not honour is not given back")
      try await store.commit([.grant(.keep(grant(of: user, now)))])
      try await store.commit([.user(.delete(user.id))])
      #expect(try await orders().count == 1, "erased with the account")
      ground.clock.advance(seconds: 4 * 86_400)
      #expect(try await orders().isEmpty, "an order is not tried for ever")
    }
  }
}
