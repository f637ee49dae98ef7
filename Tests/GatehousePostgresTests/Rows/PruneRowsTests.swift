import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct PruneRowsTests {
  private func numbers(_ ground: StoreFixture, _ statement: SQL) async throws -> [Int] {
    try await ground.everything(statement).map { try $0[0] }
  }

  @Test("a sealed successor is erased when no grace can last any more, and not before")
  func successors() async throws {
    try await withStore { ground async throws in
      let sweep = PostgresExpirySweep(ground.jobs)
      let user = sampleUser(1, ground.now)
      let phone = session(2, of: user, ground.now)
      try await ground.store.commit([
        .user(.insert(user, unique: [])),
        .session(.insert(phone, by: .refreshToken(token(1, of: phone, ground.now)), keeping: 5)),
      ])
      _ = try await ground.store.rotate(
        Rotation(spent: hash(1), successor: hash(2), sealedSuccessor: [1], idleTTL: 3600, maxTTL: 365 * 86_400))
      ground.clock.advance(seconds: 60)
      #expect(try await sweep.prune(batch: 100)["successors"] == 0)
      #expect(try await ground.store.refreshToken(hash: hash(1))?.token.sealedSuccessor == [1])
      ground.clock.advance(seconds: 1)
      #expect(try await sweep.prune(batch: 100)["successors"] == 1)
      let kept = try #require(try await ground.store.refreshToken(hash: hash(1))).token
      #expect(kept.sealedSuccessor == nil && kept.successorHash == hash(2) && kept.spentAt != nil)
    }
  }

  @Test("T054 a token exchanged under a retry key keeps its sealed successor, however long the session lives")
  func keptSuccessor() async throws {
    try await withStore { ground async throws in
      let sweep = PostgresExpirySweep(ground.jobs)
      let user = sampleUser(1, ground.now)
      let phone = session(2, of: user, ground.now, lives: 100 * 86_400)
      try await ground.store.commit([
        .user(.insert(user, unique: [])),
        .session(.insert(phone, by: .refreshToken(token(1, of: phone, ground.now)), keeping: 5)),
      ])
      _ = try await ground.store.rotate(exchange(1, retry: hash(91)))
      ground.clock.advance(seconds: 90 * 86_400)
      let pruned = try await sweep.prune(batch: 100)
      #expect(pruned["successors"] == 0 && pruned["refresh_tokens"] == 0)
      #expect(try await ground.store.refreshToken(hash: hash(1))?.token.sealedSuccessor == [1])
    }
  }

  /// Token `number` for the next one, in a session of a year.
  private func exchange(_ number: UInt8, retry: [UInt8]? = nil) -> Rotation {
    Rotation(
      spent: hash(number), successor: hash(number + 1), sealedSuccessor: [1], retryDigest: retry, idleTTL: 100 * 86_400,
      maxTTL: 365 * 86_400)
  }

  @Test("expired codes lose what they carried at once, and go a day later; live ones stay")
  func codes() async throws {
    try await withStore { ground async throws in
      let sweep = PostgresExpirySweep(ground.jobs)
      try await ground.store.commit([
        .code(.insert(code(1, .completeSignUp, user: nil, to: "a@example.com", ground.now, payload: [1])))
      ])
      ground.clock.advance(seconds: 3599)
      #expect(try await sweep.prune(batch: 100)["payloads"] == 0)
      ground.clock.advance(seconds: 1)
      #expect(try await sweep.prune(batch: 100)["payloads"] == 1)
      #expect(try await ground.store.code(tokenHash: hash(1), purpose: .completeSignUp)?.sealedPayload == nil)
      ground.clock.advance(seconds: 86_400)
      #expect(try await sweep.prune(batch: 100)["codes"] == 0)
      ground.clock.advance(seconds: 1)
      #expect(try await sweep.prune(batch: 100)["codes"] == 1)
      #expect(try await ground.store.code(tokenHash: hash(1), purpose: .completeSignUp) == nil)
    }
  }

  @Test("sessions go 30 days after their end, of whichever kind, with their tokens; live ones stay")
  func sessions() async throws {
    try await withStore { ground async throws in
      let sweep = PostgresExpirySweep(ground.jobs)
      let day = 86_400.0
      let user = sampleUser(1, ground.now)
      let ended = session(1, of: user, ground.now, lives: 100 * day)
      let idle = session(2, of: user, ground.now, lives: 10 * day)
      let live = session(3, of: user, ground.now, lives: 100 * day)
      try await ground.store.commit(
        [.user(.insert(user, unique: []))]
          + [ended, idle, live].enumerated().map {
            .session(.insert($1, by: .refreshToken(token(UInt8($0 + 1), of: $1, ground.now)), keeping: 9))
          } + [.session(.end(ended.id, .signedOut))])
      ground.clock.advance(seconds: 30 * day)
      #expect(try await sweep.prune(batch: 100)["sessions"] == 0)
      #expect(try await ground.store.refreshToken(hash: hash(1))?.session.endedAt != nil)
      ground.clock.advance(seconds: 1)
      #expect(try await sweep.prune(batch: 100)["sessions"] == 1)
      #expect(try await ground.store.refreshToken(hash: hash(1)) == nil)
      ground.clock.advance(seconds: 10 * day)
      #expect(try await sweep.prune(batch: 100)["sessions"] == 1)
      #expect(try await ground.store.refreshToken(hash: hash(2)) == nil)
      #expect(try await ground.store.refreshToken(hash: hash(3)) != nil)
      #expect(try await numbers(ground, "SELECT count(*) FROM gatehouse.session") == [1])
    }
  }

  @Test("of a session that lives on, tokens spent long ago go; the unspent one stays, and so does the one before it")
  func spentTokens() async throws {
    try await withStore { ground async throws in
      let sweep = PostgresExpirySweep(ground.jobs)
      let day = 86_400.0
      let user = sampleUser(1, ground.now)
      let phone = session(1, of: user, ground.now, lives: 100 * day)
      try await ground.store.commit([
        .user(.insert(user, unique: [])),
        .session(.insert(phone, by: .refreshToken(token(1, of: phone, ground.now)), keeping: 9)),
      ])
      for number: UInt8 in 1...2 { _ = try await ground.store.rotate(exchange(number)) }
      ground.clock.advance(seconds: 30 * day)
      #expect(try await sweep.prune(batch: 100)["refresh_tokens"] == 0)
      ground.clock.advance(seconds: 1)
      #expect(try await sweep.prune(batch: 100)["refresh_tokens"] == 1)
      #expect(try await ground.store.refreshToken(hash: hash(1)) == nil)
      ground.clock.advance(seconds: 30 * day)
      #expect(try await sweep.prune(batch: 100)["refresh_tokens"] == 0)
      #expect(try await ground.store.refreshToken(hash: hash(2)) != nil)
      #expect(try await ground.store.refreshToken(hash: hash(3)) != nil)
    }
  }

  @Test("tokens of erased accounts are known for 30 days")
  func erasedTokens() async throws {
    try await withStore { ground async throws in
      let sweep = PostgresExpirySweep(ground.jobs)
      let user = sampleUser(1, ground.now)
      let phone = session(2, of: user, ground.now)
      try await ground.store.commit([
        .user(.insert(user, unique: [])),
        .session(.insert(phone, by: .refreshToken(token(1, of: phone, ground.now)), keeping: 5)),
      ])
      try await ground.store.commit([.user(.delete(user.id))])
      ground.clock.advance(seconds: 30 * 86_400)
      #expect(try await sweep.prune(batch: 100)["erased_tokens"] == 0)
      ground.clock.advance(seconds: 1)
      #expect(try await sweep.prune(batch: 100)["erased_tokens"] == 1)
    }
  }

  @Test("counters go with their window, failed sign-ins after a quarter, a disabled password never")
  func counters() async throws {
    try await withStore { ground async throws in
      let sweep = PostgresExpirySweep(ground.jobs)
      let few = signInKey(ground.tenant, "few@example.com")
      let many = signInKey(ground.tenant, "many@example.com")
      for _ in 0..<100 {
        _ = try await ground.store.reserveSignIn(many)
        ground.clock.advance(seconds: 900)
      }
      _ = try await ground.store.reserveSignIn(few)
      _ = try await ground.store.reserve([Reservation(name: "x", key: "k", count: 1, window: 60)])
      ground.clock.advance(seconds: 59)
      #expect(try await sweep.prune(batch: 100)["limit_counters"] == 0)
      ground.clock.advance(seconds: 1)
      #expect(try await sweep.prune(batch: 100)["limit_counters"] == 1)
      ground.clock.advance(seconds: 86_400 * 89)
      #expect(try await sweep.prune(batch: 100)["sign_in_guards"] == 0)
      ground.clock.advance(seconds: 86_400)
      #expect(try await sweep.prune(batch: 100)["sign_in_guards"] == 1)
      #expect(try await ground.store.reserveSignIn(many) == .disabled)
    }
  }

  @Test("mails go a week after they were sent or given up; waiting ones stay")
  func mails() async throws {
    try await withStore { ground async throws in
      let sweep = PostgresExpirySweep(ground.jobs)
      let now = ground.now
      try await ground.store.commit((1...3).map { .message(.enqueue(mail($0, now))) })
      try await ground.store.markDelivered(id(1))
      try await ground.store.markFailed(id(2), reason: "550", retryAfter: nil)
      ground.clock.advance(seconds: 86_400 * 7)
      #expect(try await sweep.prune(batch: 100)["mails"] == 0)
      ground.clock.advance(seconds: 1)
      #expect(try await sweep.prune(batch: 100)["mails"] == 2)
      #expect(try await numbers(ground, "SELECT count(*) FROM gatehouse.outbox") == [1])
    }
  }

  @Test("a round takes no more than it was told, of all tenants together, and tells when there is more")
  func batches() async throws {
    try await withStore { ground async throws in
      let other = try await ground.makeTenant("second")
      for (number, store) in [ground.store, other.store, ground.store, other.store, ground.store].enumerated() {
        _ = try await store.reserve([Reservation(name: "x", key: "\(number)", count: 1, window: 1)])
      }
      ground.clock.advance(seconds: 1)
      let sweep = PostgresExpirySweep(ground.jobs)
      var rounds: [Int?] = []
      for _ in 0..<4 { rounds.append(try await sweep.prune(batch: 2)["limit_counters"]) }
      #expect(rounds == [2, 2, 1, 0])
      #expect(try await !PruneExpired(sweep).runOnce())
    }
  }

  @Test("servers of the version before sweep all kinds, and each once")
  func former() async throws {
    try await withStore { ground async throws in
      let key = IdempotencyClaim(key: hash(1), body: hash(2), id: id(9), user: nil)
      #expect(try await ground.store.claim(key) == .claimed)
      ground.clock.advance(seconds: 365 * 86_400)
      let answers = try await ground.jobs.write(
        nil,
        [
          "SELECT kind, pruned FROM gatehouse.prune(100)", "SELECT kind, pruned FROM gatehouse.prune_idempotency(100)",
          "SELECT kind, pruned FROM gatehouse.prune_devices(100)",
          "SELECT kind, pruned FROM gatehouse.prune_webhooks(100)",
          "SELECT kind, pruned FROM gatehouse.prune_provider_flows(100)",
          "SELECT kind, pruned FROM gatehouse.prune_host_claims(100)",
          "SELECT kind, pruned FROM gatehouse.prune_attest(100)",
          "SELECT kind, pruned FROM gatehouse.prune_id_token_uses(100)",
        ])
      let kinds: [String] = try answers.joined().map { try $0[0] }
      #expect(
        kinds == [
          "successors", "payloads", "codes", "sessions", "refresh_tokens", "erased_tokens", "limit_counters",
          "sign_in_guards", "mails",
          "idempotency_keys", "devices", "webhooks", "tickets", "host_claims", "attest_challenges",
          "attest_keys_unbound", "attest_keys", "id_token_uses", "backfill_values",
        ])
      #expect(try answers.joined().first { try $0[0] == "idempotency_keys" }?[1] == 1)
    }
  }

  @Test("only the jobs role sweeps")
  func roles() async throws {
    try await withStore { ground async throws in
      #expect(
        await failure { try await ground.app.write(ground.tenant.uuid, "SELECT * FROM gatehouse.prune(1)") }?.sqlState
          == "42501")
    }
  }
}
