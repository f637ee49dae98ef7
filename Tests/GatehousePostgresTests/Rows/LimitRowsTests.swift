import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct LimitRowsTests {
  private func limit(_ name: String = "sign_up_per_ip", _ key: String = "k", _ count: Int = 3, _ window: Int = 60)
    -> Reservation
  {
    Reservation(name: name, key: key, count: count, window: window)
  }

  @Test("a count that is given back leaves its window as it was, and a window that began later as it is")
  func givenBack() async throws {
    try await withStore { ground async throws in
      let wanted = limit("sign_in_per_ip", "k", 2, 60)
      func spent() async throws -> Int64 {
        try await ground.everything("SELECT count FROM gatehouse.limit_counter WHERE name = 'sign_in_per_ip'").first?[0]
          ?? 0
      }
      _ = try await ground.store.reserve([wanted])
      let early = Counted([wanted], by: ground.now)
      _ = try await ground.store.reserve([wanted])
      try await ground.store.commit([.limit(.giveBack(early))])
      let same = try await spent()
      ground.clock.advance(seconds: 60)
      _ = try await ground.store.reserve([wanted])
      try await ground.store.commit([.limit(.giveBack(early))])
      let later = try await spent()
      #expect([same, later] == [1, 1])
    }
  }

  @Test("a limit gives its number in its window, says when it gives again, and then does")
  func window() async throws {
    try await withStore { ground async throws in
      for _ in 0..<3 { #expect(try await ground.store.reserve([limit()]) == .granted) }
      ground.clock.advance(seconds: 3)
      for _ in 0..<2 {
        #expect(try await ground.store.reserve([limit()]) == .exhausted(name: "sign_up_per_ip", retryAfter: 57))
      }
      #expect(try await ground.store.reserve([limit("sign_up_per_ip", "other")]) == .granted)
      #expect(try await ground.store.reserve([limit("sign_in_per_ip")]) == .granted)
      ground.clock.advance(seconds: 57)
      #expect(try await ground.store.reserve([limit()]) == .granted)
      #expect(try await ground.store.reserve([]) == .granted)
    }
  }

  @Test("when one of several limits is exhausted, none is counted")
  func allOrNothing() async throws {
    try await withStore { ground async throws in
      let wide = limit("a_wide", "k", 2)
      let narrow = limit("b_narrow", "k", 1)
      #expect(try await ground.store.reserve([narrow]) == .granted)
      for _ in 0..<5 {
        #expect(try await ground.store.reserve([wide, narrow]) == .exhausted(name: "b_narrow", retryAfter: 60))
      }
      for _ in 0..<2 { #expect(try await ground.store.reserve([wide]) == .granted) }
      #expect(try await ground.store.reserve([wide]) == .exhausted(name: "a_wide", retryAfter: 60))
    }
  }

  @Test("within a commit an exhausted limit takes everything back and says until when")
  func inCommit() async throws {
    try await withStore { ground async throws in
      let one = limit("sign_up_per_tenant", "tenant", 1)
      try await ground.store.commit([.limit(.reserve([one])), .user(.insert(sampleUser(1, ground.now), unique: []))])
      #expect(
        await refusal {
          try await ground.store.commit([
            .user(.insert(sampleUser(2, ground.now), unique: [])), .limit(.reserve([one])),
          ])
        } == .limited(name: "sign_up_per_tenant", retryAfter: 60))
      #expect(try await ground.store.userCount() == 1)
    }
  }

  @Test("a policy that shortens a window, or widens a limit, does so for windows that run")
  func changedPolicy() async throws {
    try await withStore { ground async throws in
      #expect(try await ground.store.reserve([limit("x", "k", 1, 3600)]) == .granted)
      ground.clock.advance(seconds: 10)
      #expect(try await ground.store.reserve([limit("x", "k", 1, 30)]) == .exhausted(name: "x", retryAfter: 20))
      #expect(try await ground.store.reserve([limit("x", "k", 2, 3600)]) == .granted)
      ground.clock.advance(seconds: 20)
      #expect(try await ground.store.reserve([limit("x", "k", 1, 30)]) == .granted)
    }
  }

  @Test("of 200 reservations at the same moment on two servers, exactly the limit is granted")
  func race() async throws {
    try await withStore { ground async throws in
      let second = try await ground.replica()
      let stores = [ground.store, PostgresStore(second).open(ground.tenant)]
      let both = [limit("z", "k", 50), limit("a", "k", 37)]
      let granted = await withTaskGroup(of: Int.self) { group in
        for number in 0..<200 {
          group.addTask {
            let order = number % 3 == 0 ? both : both.reversed()
            return (try? await stores[number % 2].reserve(order)) == .granted ? 1 : 0
          }
        }
        return await group.reduce(0, +)
      }
      #expect(granted == 37)
      #expect(try await ground.store.reserve([limit("z", "k", 38)]) == .granted)
      await second.stop()
    }
  }

  @Test("a lease gives what has room, never more than the limit in a window, and says how long it lives")
  func lease() async throws {
    try await withStore { ground async throws in
      let ten = limit("requests_per_ip", "k", 10)
      let other = limit("requests_per_tenant", "tenant", 5)
      #expect(try await ground.store.lease([ten], amounts: [4]) == [Lease(granted: 4, seconds: 60)])
      ground.clock.advance(seconds: 15)
      // In the order that was asked, whatever the order they are counted in.
      let both = try await ground.store.lease([other, ten], amounts: [2, 4])
      #expect(both == [Lease(granted: 2, seconds: 60), Lease(granted: 4, seconds: 45)])
      #expect(try await ground.store.lease([ten], amounts: [4]) == [Lease(granted: 2, seconds: 45)])
      for _ in 0..<3 { #expect(try await ground.store.lease([ten], amounts: [4]) == [Lease(granted: 0, seconds: 45)]) }
      // Neither a wider nor a narrower limit forgets what was given.
      #expect(try await ground.store.lease([limit("requests_per_ip", "k", 3)], amounts: [1])[0].granted == 0)
      #expect(try await ground.store.lease([limit("requests_per_ip", "k", 100)], amounts: [50])[0].granted == 50)
      ground.clock.advance(seconds: 45)
      #expect(try await ground.store.lease([ten], amounts: [4]) == [Lease(granted: 4, seconds: 60)])
      #expect(try await ground.store.lease([], amounts: []).isEmpty)
    }
  }

  @Test("of leases at the same moment on two servers, exactly the limit is given")
  func leases() async throws {
    try await withStore { ground async throws in
      let second = try await ground.replica()
      let stores = [ground.store, PostgresStore(second).open(ground.tenant)]
      let both = [limit("z", "k", 50), limit("a", "k", 37)]
      let granted = await withTaskGroup(of: [Int].self) { group in
        for number in 0..<60 {
          group.addTask {
            let leases = try? await stores[number % 2].lease(number % 3 == 0 ? both : both.reversed(), amounts: [3, 3])
            let amounts = (leases ?? []).map(\.granted)
            return number % 3 == 0 ? amounts : amounts.reversed()
          }
        }
        return await group.reduce(into: [0, 0]) { sums, some in
          for (place, amount) in some.enumerated() { sums[place] += amount }
        }
      }
      #expect(granted == [50, 37])
      await second.stop()
    }
  }

  /// How many of `count` attempts, all at once over two servers, are let in.
  private func attempts(_ count: Int, _ stores: [any TenantStore], _ key: SignInKey) async -> (
    granted: Int, failed: Int
  ) {
    await withTaskGroup(of: SignInVerdict?.self) { group in
      for number in 0..<count { group.addTask { try? await stores[number % stores.count].reserveSignIn(key) } }
      var granted = 0
      var failed = 0
      for await verdict in group {
        if verdict == .granted { granted += 1 }
        if verdict == nil { failed += 1 }
      }
      return (granted, failed)
    }
  }

  @Test("T022 of 2000 guesses at the same moment on two servers, exactly five are let in, and then one a delay")
  func guessing() async throws {
    try await withStore { ground async throws in
      let second = try await ground.replica()
      let stores = [ground.store, PostgresStore(second).open(ground.tenant)]
      let key = signInKey(ground.tenant, "victim@example.com")
      #expect(await attempts(2000, stores, key) == (5, 0))
      for delay in [1.0, 2, 4] {
        ground.clock.advance(seconds: delay - 0.001)
        #expect(await attempts(50, stores, key) == (0, 0))
        ground.clock.advance(seconds: 0.001)
        #expect(await attempts(200, stores, key) == (1, 0))
      }
      #expect(try await ground.store.reserveSignIn(key) == .blocked(retryAfter: 8))
      #expect(try await ground.store.reserveSignIn(signInKey(ground.tenant, "other@example.com")) == .granted)
      await second.stop()
    }
  }

  @Test("T021 the delay doubles from the fifth failure to 15 minutes; nothing counts while it runs")
  func delays() async throws {
    try await withStore { ground async throws in
      let key = signInKey(ground.tenant, "a@example.com")
      for _ in 0..<5 { #expect(try await ground.store.reserveSignIn(key) == .granted) }
      for delay in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900] {
        for _ in 0..<3 { #expect(try await ground.store.reserveSignIn(key) == .blocked(retryAfter: delay)) }
        ground.clock.advance(seconds: Double(delay))
        #expect(try await ground.store.reserveSignIn(key) == .granted)
      }
    }
  }

  @Test("T020 after 100 failures in a row the password is disabled until its counter is cleared")
  func disabled() async throws {
    try await withStore { ground async throws in
      let key = signInKey(ground.tenant, "a@example.com")
      for attempt in 1...100 {
        #expect(try await ground.store.reserveSignIn(key) == .granted, "attempt \(attempt)")
        ground.clock.advance(seconds: 900)
      }
      ground.clock.advance(seconds: 86_400 * 365)
      #expect(try await ground.store.reserveSignIn(key) == .disabled)
      let other = try await ground.replica()
      #expect(try await PostgresStore(other).open(ground.tenant).reserveSignIn(key) == .disabled)
      await other.stop()
      try await ground.store.commit([.limit(.clearFailures(key))])
      for _ in 0..<5 { #expect(try await ground.store.reserveSignIn(key) == .granted) }
    }
  }

  @Test("T023 a right password clears its own counter and no other")
  func clear() async throws {
    try await withStore { ground async throws in
      let keys = ["a@example.com", "b@example.com"].map { signInKey(ground.tenant, $0) }
      for key in keys { for _ in 0..<5 { _ = try await ground.store.reserveSignIn(key) } }
      _ = try await ground.store.reserve([limit("sign_in_per_ip", "k", 1)])
      try await ground.store.commit([.limit(.clearFailures(keys[0]))])
      #expect(try await ground.store.reserveSignIn(keys[0]) == .granted)
      #expect(try await ground.store.reserveSignIn(keys[1]) == .blocked(retryAfter: 1))
      #expect(
        try await ground.store.reserve([limit("sign_in_per_ip", "k", 1)])
          == .exhausted(name: "sign_in_per_ip", retryAfter: 60))
    }
  }
}
