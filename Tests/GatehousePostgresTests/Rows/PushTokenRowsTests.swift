import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct PushTokenRowsTests {
  /// A person with a phone that has a push token and lives so long.
  private func run(lives: Double, _ body: (StoreFixture, Account) async throws -> Void) async throws {
    try await withStore { ground async throws in
      let person = account(1, ground.now)
      let phone = session(2, of: person, ground.now, lives: lives)
      try await ground.store.commit([
        .account(.insert(person, unique: [])),
        .session(.insert(phone, refresh: token(1, of: phone, ground.now), keeping: 5)),
        .session(.setPushToken(phone.id, PushToken(platform: .fcm, sealed: [1, 2]))),
      ])
      try await body(ground, person)
    }
  }

  private func count(_ ground: StoreFixture, _ person: Account) async throws -> Int {
    try await ground.store.pushTokens(of: [person.id], under: Sessions(), after: nil, limit: 10).count
  }

  @Test("a session's token is there until its time runs out, and not longer")
  func expired() async throws {
    try await run(lives: 100) { ground, person async throws in
      ground.clock.advance(seconds: 99)
      #expect(try await count(ground, person) == 1)
      ground.clock.advance(seconds: 1)
      #expect(try await count(ground, person) == 0)
    }
  }

  @Test("a disabled account's tokens are not there, before its sessions are ended")
  func disabled() async throws {
    try await run(lives: 100) { ground, person async throws in
      try await ground.store.commit([.account(.setDisabled(person.id, true))])
      #expect(try await count(ground, person) == 0)
    }
  }
}
