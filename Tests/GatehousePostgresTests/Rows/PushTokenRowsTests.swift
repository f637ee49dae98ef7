import Foundation
import GatehouseIdentity
import GatehousePolicy
@testable import GatehousePostgres
import GatehousePrimitives
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

  /// Sessions of two people, and a registration of one token by either. The digest is the token's, the sealed text the
  /// session's own.
  private func two(_ body: (StoreFixture, [Session], (Session) -> Change) async throws -> Void) async throws {
    try await withStore { ground async throws in
      var sessions: [Session] = []
      for number in 1...2 {
        let user = sampleUser(number, ground.now)
        try await ground.store.commit([.user(.insert(user, unique: []))])
        for place in [0, 1] {
          let session = session(10 * number + place, of: user, ground.now)
          try await ground.store.commit([
            .session(
              .insert(
                session, by: .refreshToken(token(UInt8(10 * number + place), of: session, ground.now)), keeping: 5))
          ])
          sessions.append(session)
        }
      }
      try await body(ground, sessions) { session in
        .session(
          .setPushToken(session.id, PushToken(platform: .apns, sealed: session.id.uuid.bytes, digest: hash(77))))
      }
    }
  }

  private func holders(_ ground: StoreFixture) async throws -> [UUID] {
    try await ground.everything("SELECT id FROM gatehouse.session WHERE sealed_push_token IS NOT NULL ORDER BY id")
      .map { try $0[0] }
  }

  @Test("T202 the account that registers a token last has it alone; its own sessions keep it")
  func changedHands() async throws {
    try await two { ground, sessions, register async throws in
      for session in sessions { try await ground.store.commit([register(session)]) }
      #expect(try await holders(ground) == [sessions[2].id.uuid, sessions[3].id.uuid])
      try await ground.store.commit([register(sessions[0])])
      #expect(try await holders(ground) == [sessions[0].id.uuid])
    }
  }

  @Test("T202 of two accounts that register one token at once, one has it")
  func atOnce() async throws {
    try await two { ground, sessions, register async throws in
      try await ground.overlap(register(sessions[0]), with: register(sessions[2]))
      #expect(try await holders(ground) == [sessions[2].id.uuid])
    }
  }

  @Test("T202 a session that registers its token again keeps it, and a session that changes its token loses none")
  func again() async throws {
    try await two { ground, sessions, register async throws in
      try await ground.store.commit([register(sessions[0])])
      try await ground.store.commit([register(sessions[0])])
      let other = PushToken(platform: .apns, sealed: [9], digest: hash(78))
      try await ground.store.commit([.session(.setPushToken(sessions[0].id, other))])
      try await ground.store.commit([register(sessions[2])])
      #expect(try await holders(ground) == [sessions[0].id.uuid, sessions[2].id.uuid])
    }
  }

  @Test("T202 a token that an older build wrote has no digest, until the job adds its own")
  func older() async throws {
    try await two { ground, sessions, register async throws in
      try await ground.store.commit([register(sessions[0])])
      try await ground.place.runAsSuperuser(
        script: "UPDATE gatehouse.session SET sealed_push_token = '\\x05' WHERE sealed_push_token IS NOT NULL")
      // The digest of the token before would take this one away.
      try await ground.store.commit([register(sessions[2])])
      #expect(try await holders(ground).contains(sessions[0].id.uuid))
      var found = try await ground.store.pushTokensWithoutDigest(after: nil, limit: 10)
      #expect(found.map(\.session) == [sessions[0].id])
      found[0].token.digest = hash(79)
      try await ground.store.noteDigests(of: found)
      #expect(try await ground.store.pushTokensWithoutDigest(after: nil, limit: 10).isEmpty)
    }
  }

  @Test("T202 a digest goes with its token", arguments: ["end", "remove"])
  func gone(how: String) async throws {
    try await two { ground, sessions, register async throws in
      try await ground.store.commit([register(sessions[0])])
      if how == "end" {
        try await ground.store.commit([.session(.end(sessions[0].id, .revoked))])
      } else {
        try await ground.store.commit([.session(.setPushToken(sessions[0].id, nil))])
      }
      let rows = try await ground.everything(
        "SELECT count(*) FROM gatehouse.session WHERE push_token_digest IS NOT NULL")
      #expect(try rows[0][0] as Int64 == 0)
    }
  }
}
