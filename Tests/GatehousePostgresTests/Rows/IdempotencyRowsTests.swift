import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct IdempotencyRowsTests {
  private func claim(_ number: Int, key: UInt8 = 1, body: UInt8 = 2, user: UserID? = nil) -> IdempotencyClaim {
    IdempotencyClaim(key: hash(key), body: hash(body), id: id(number), user: user)
  }

  @Test("a key is claimed once; others hear that it is under way, or that it is another's body")
  func once() async throws {
    try await withStore { ground async throws in
      #expect(try await ground.store.claim(claim(1)) == .claimed)
      #expect(try await ground.store.claim(claim(2)) == .inFlight)
      #expect(try await ground.store.claim(claim(3, body: 9)) == .otherBody)
      #expect(try await ground.store.claim(claim(4, key: 5)) == .claimed)
      try await ground.store.release(claim(2))
      #expect(try await ground.store.claim(claim(5)) == .inFlight)
      try await ground.store.release(claim(1))
      #expect(try await ground.store.claim(claim(6, body: 9)) == .claimed)
    }
  }

  @Test("an answer is kept for 24 hours, with the change it is the answer to, and is not let go")
  func kept() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      _ = try await ground.store.claim(claim(1))
      ground.clock.advance(seconds: 30)
      try await ground.store.commit([
        .user(.insert(user, unique: [])), .answer(.keep(claim(1), sealed: [7], user: user.id)),
      ])
      try await ground.store.release(claim(1))
      #expect(try await ground.store.claim(claim(2)) == .kept(sealed: [7]))
      #expect(try await ground.store.claim(claim(2, body: 9)) == .otherBody)
      ground.clock.advance(seconds: 86_399)
      #expect(try await ground.store.claim(claim(2)) == .kept(sealed: [7]))
      ground.clock.advance(seconds: 1)
      #expect(try await ground.store.claim(claim(3, body: 9)) == .claimed)
    }
  }

  @Test(
    "a claim whose holder seems dead is taken over after 15 seconds, and then the first one makes no effect any more")
  func takenOver() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      _ = try await ground.store.claim(claim(1))
      ground.clock.advance(seconds: 14)
      #expect(try await ground.store.claim(claim(2)) == .inFlight)
      ground.clock.advance(seconds: 1)
      #expect(try await ground.store.claim(claim(2)) == .claimed)
      let late = await refusal {
        try await ground.store.commit([
          .user(.insert(user, unique: [])), .answer(.keep(claim(1), sealed: [7], user: user.id)),
        ])
      }
      #expect(late == .refused(.claimIsHeld))
      #expect(try await ground.store.user(id: user.id) == nil)
      try await ground.store.commit([.answer(.keep(claim(2), sealed: [8], user: nil))])
      let twice = await refusal { try await ground.store.commit([.answer(.keep(claim(2), sealed: [9], user: nil))]) }
      #expect(twice == .refused(.claimIsHeld))
      #expect(try await ground.store.claim(claim(3)) == .kept(sealed: [8]))
    }
  }

  @Test("a claim that is let go while its holder is still at work makes no effect, whether or not another took it")
  func letGo() async throws {
    try await withStore { ground async throws in
      for (number, isTaken) in [(1, false), (3, true)] {
        let user = sampleUser(number, ground.now)
        let (first, second) = (claim(number, key: UInt8(number)), claim(number + 1, key: UInt8(number)))
        _ = try await ground.store.claim(first)
        try await ground.store.release(first)
        if isTaken { #expect(try await ground.store.claim(second) == .claimed) }
        let late = await refusal {
          try await ground.store.commit([
            .user(.insert(user, unique: [])), .answer(.keep(first, sealed: [7], user: user.id)),
          ])
        }
        #expect(late == .refused(.claimIsHeld))
        #expect(try await ground.store.user(id: user.id) == nil)
      }
    }
  }

  @Test("fifty claims of one key at once over two servers: one holds it")
  func race() async throws {
    try await withStore { ground async throws in
      let second = try await ground.replica()
      let stores = [ground.store, PostgresStore(second).open(ground.tenant)]
      let verdicts = try await withThrowingTaskGroup(of: IdempotencyVerdict.self) { group in
        for number in 1...50 {
          let claim = claim(number)
          group.addTask { try await stores[number % 2].claim(claim) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      await second.stop()
      #expect(verdicts.count { $0 == .claimed } == 1 && verdicts.count { $0 == .inFlight } == 49)
    }
  }

  @Test("what is kept goes with its account, with its tenant, and when its time is over")
  func goes() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      _ = try await ground.store.claim(claim(1))
      _ = try await ground.store.claim(claim(2, key: 2))
      try await ground.store.commit([
        .user(.insert(user, unique: [])), .answer(.keep(claim(1), sealed: [7], user: user.id)),
        .answer(.keep(claim(2, key: 2), sealed: [7], user: nil)),
      ])
      try await ground.store.commit([.user(.delete(user.id))])
      #expect(try await ground.store.claim(claim(3)) == .claimed)
      let sweep = PostgresExpirySweep(ground.jobs)
      ground.clock.advance(seconds: 86_399)
      #expect(try await sweep.prune(batch: 100)["idempotency_keys"] == 0)
      ground.clock.advance(seconds: 1)
      #expect(try await sweep.prune(batch: 1)["idempotency_keys"] == 1)
      #expect(try await sweep.prune(batch: 100)["idempotency_keys"] == 1)
      _ = try await ground.store.claim(claim(4, key: 4))
      try await ground.delete(ground.tenant)
      #expect(try await ground.everything("SELECT count(*) FROM gatehouse.idempotency_key")[0][0] == 0)
    }
  }
}
