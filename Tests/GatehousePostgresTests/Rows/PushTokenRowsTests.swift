import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct PushTokenRowsTests {
  /// A person with a phone that has a push token and lives so long.
  private func run(lives: Double, _ body: (StoreFixture, StoredUser) async throws -> Void) async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      let phone = session(2, of: user, ground.now, lives: lives)
      try await ground.store.commit([
        .user(.insert(user, unique: [])),
        .session(.insert(phone, by: .refreshToken(token(1, of: phone, ground.now)), keeping: 5)),
        .session(.setPushToken(phone.id, PushToken(platform: .fcm, sealed: [1, 2]))),
      ])
      try await body(ground, user)
    }
  }

  private func count(_ ground: StoreFixture, _ user: StoredUser) async throws -> Int {
    try await ground.store.pushTokens(of: [user.id], under: Sessions(), after: nil, limit: 10).count
  }

  @Test("a session's token is there until its time runs out, and not longer")
  func expired() async throws {
    try await run(lives: 100) { ground, user async throws in
      ground.clock.advance(seconds: 99)
      #expect(try await count(ground, user) == 1)
      ground.clock.advance(seconds: 1)
      #expect(try await count(ground, user) == 0)
    }
  }

  @Test("a disabled account's tokens are not there, before its sessions are ended")
  func disabled() async throws {
    try await run(lives: 100) { ground, user async throws in
      try await ground.store.commit([.user(.setDisabled(user.id, true))])
      #expect(try await count(ground, user) == 0)
    }
  }
}
