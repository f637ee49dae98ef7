import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Attempts given back")
struct ReturnedAttemptTests {
  private func attempt(_ ground: StoreFixture, _ email: String = "a@example.com", perHour: Int? = nil) -> SignInAttempt
  {
    let limits = perHour.map { [Reservation(name: "sign_in_per_ip", key: "k", count: $0, window: 3600)] }
    return SignInAttempt(signInKey(ground.tenant, email), within: limits ?? [])
  }

  @Test(
    "T022 an attempt that came to no check leaves all as it was: failures, delay, the hard stop and the policy's limits"
  )
  func asItWas() async throws {
    try await withStore { ground async throws in
      let key = signInKey(ground.tenant, "a@example.com")
      for failures in 0..<100 {
        let given = attempt(ground, perHour: 1)
        #expect(try await ground.store.reserveSignIn(given) == .granted, "after \(failures)")
        try await ground.store.returnSignIn(given)
        #expect(try await ground.store.reserveSignIn(key) == .granted, "after \(failures)")
        ground.clock.advance(seconds: 900)
      }
      #expect(try await ground.store.reserveSignIn(attempt(ground, perHour: 1)) == .disabled)
    }
  }

  @Test(
    "T022 an attempt on a known device counts for that device only, with the same limits; on others, for the account")
  func onDevice() async throws {
    try await withStore { ground async throws in
      let (user, other) = (sampleUser(1, ground.now), sampleUser(2, ground.now))
      let pixel = KnownDevice(
        id: id(5), user: user.id, hash: hash(5), name: nil, createdAt: ground.now, lastSeenAt: ground.now)
      try await ground.store.commit([
        .user(.insert(user, unique: [])), .user(.insert(other, unique: [])), .device(.insert(pixel)),
      ])
      func begin(_ email: String, _ device: [UInt8]?) async throws -> (known: KnownDevice?, counted: SignInAttempt) {
        let key = signInKey(ground.tenant, email)
        let all = SignInAttempt(
          key,
          within: [
            Reservation(name: "sign_in_per_account", key: key.text, count: 9, window: 60),
            Reservation(name: "sign_in_per_ip", key: "k", count: 9, window: 60),
          ])
        let begun = try await ground.store.beginSignIn(all, email: email, device: device)
        #expect(begun.verdict == .granted && (begun.look == nil) == (email == "nobody@example.com"))
        return (begun.look?.device, begun.look?.device == nil ? all : all.on(hash(5)))
      }
      // In this order: the setting of a batch before it must not stay.
      for (email, device, isKnown) in [
        (user.address, hash(5), true), ("nobody@example.com", hash(5), false), (other.address, hash(5), false),
        (user.address, hash(6), false), (user.address, nil, false),
      ] as [(String, [UInt8]?, Bool)] {
        let (known, counted) = try await begin(email, device)
        #expect(known == (isKnown ? pixel : nil))
        let guards = try await ground.everything("SELECT key FROM gatehouse.sign_in_guard")
        #expect(try guards.map { try $0[0] as [UInt8] } == [counted.key.bytes], "\(email)")
        let counters = try await ground.everything(
          "SELECT key FROM gatehouse.limit_counter WHERE count > 0 ORDER BY name")
        let isOnDevice = counted.key.bytes.count > 32
        #expect(try counters.map { try $0[0] as String } == [counted.key.text, isOnDevice ? counted.key.text : "k"])
        try await ground.store.returnSignIn(counted)
        let left: Int = try await ground.everything("SELECT sum(count)::bigint FROM gatehouse.limit_counter")[0][0]
        #expect(left == 0, "given back whole")
        try await ground.store.commit([.limit(.clearFailures(counted.key))])
      }
    }
  }

  @Test("T022 only the newest attempt can be given back, once, by its own name, and not past a right password")
  func onlyTheNewest() async throws {
    try await withStore { ground async throws in
      func used() async throws -> [Int] {
        let rows = try await ground.everything(
          """
          SELECT coalesce((SELECT sum(failures)::int FROM gatehouse.sign_in_guard), 0),
            coalesce((SELECT sum(count)::int FROM gatehouse.limit_counter), 0)
          """)
        return [try rows[0][0], try rows[0][1]]
      }
      let (older, newest) = (attempt(ground, perHour: 9), attempt(ground, perHour: 9))
      for given in [older, newest] { #expect(try await ground.store.reserveSignIn(given) == .granted) }
      // One that was never granted, the older one, one of another account's: nothing.
      for given in [attempt(ground, perHour: 9), older, attempt(ground, "b@example.com", perHour: 9)] {
        try await ground.store.returnSignIn(given)
      }
      #expect(try await used() == [2, 2])
      for _ in 0..<3 { try await ground.store.returnSignIn(newest) }
      #expect(try await used() == [1, 1])
      let late = attempt(ground, perHour: 9)
      #expect(try await ground.store.reserveSignIn(late) == .granted)
      try await ground.store.commit([.limit(.clearFailures(late.key))])
      #expect(try await ground.store.reserveSignIn(late.key) == .granted)
      try await ground.store.returnSignIn(late)
      #expect(try await used() == [1, 2])
    }
  }

  @Test("T022 a window that began after the attempt did not count it, and gives nothing back")
  func laterWindow() async throws {
    try await withStore { ground async throws in
      let given = attempt(ground, perHour: 2)
      #expect(try await ground.store.reserveSignIn(given) == .granted)
      ground.clock.advance(seconds: 3600)
      for email in ["b@example.com", "c@example.com"] {
        #expect(try await ground.store.reserveSignIn(attempt(ground, email, perHour: 2)) == .granted)
      }
      try await ground.store.returnSignIn(given)
      #expect(
        await refusal { _ = try await ground.store.reserveSignIn(attempt(ground, "d@example.com", perHour: 2)) }
          == .limited(name: "sign_in_per_ip", retryAfter: 3600))
    }
  }

  /// What must hold, in plain words: a list of the attempts that count.
  private struct Model {
    private(set) var failures = 0
    private(set) var blockedUntil = -1.0
    private(set) var newest: UUID?

    mutating func reserve(_ id: UUID, at now: Double) -> SignInVerdict {
      if failures >= 100 { return .disabled }
      if blockedUntil > now { return .blocked(retryAfter: Int((blockedUntil - now).rounded(.up))) }
      failures += 1
      newest = id
      blockedUntil = failures < 5 ? -1 : now + min(900, pow(2, Double(failures - 5)))
      return .granted
    }

    mutating func giveBack(_ id: UUID) {
      guard newest == id else { return }
      (failures, blockedUntil, newest) = (failures - 1, -1, nil)
    }

    mutating func clear() { self = Model() }
  }

  @Test("T022 whatever is given back in whatever order, verifications never come faster than without")
  func anyOrder() async throws {
    try await withStore { ground async throws in
      var random = SeededGenerator()
      var (model, now, granted, verified) = (Model(), 0.0, [SignInAttempt](), 0)
      for step in 0..<1500 {
        let place = Comment(rawValue: "seed \(SeededGenerator.seed), step \(step)")
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<11:
          let one = attempt(ground)
          let verdict = try await ground.store.reserveSignIn(one)
          #expect(verdict == model.reserve(one.id, at: now), place)
          if verdict == .granted { granted.append(one) }
        case 11..<15:
          guard let one = granted.last else { continue }
          try await ground.store.returnSignIn(one)
          model.giveBack(one.id)
        case 15..<17:
          guard let one = granted.randomElement(using: &random) else { continue }
          try await ground.store.returnSignIn(one)
          model.giveBack(one.id)
        case 17 where step % 7 == 0:
          try await ground.store.commit([.limit(.clearFailures(signInKey(ground.tenant, "a@example.com")))])
          model.clear()
          verified = 0
        default:
          let wait = Double(Int.random(in: 1...900, using: &random))
          ground.clock.advance(seconds: wait)
          now += wait
        }
        verified = max(verified, model.failures)
      }
      #expect(granted.count > 100 && verified > 5)
    }
  }

  @Test("T022 of 2000 guesses at once on two servers, every second of which is given back, five at most are checked")
  func storm() async throws {
    try await withStore { ground async throws in
      let second = try await ground.replica()
      let stores = [ground.store, PostgresStore(second).open(ground.tenant)]
      let (checked, failed) = await withTaskGroup(of: Int?.self) { group in
        for number in 0..<2000 {
          let (one, store) = (attempt(ground, perHour: 5), stores[number % 2])
          group.addTask {
            do {
              guard try await store.reserveSignIn(one) == .granted else { return 0 }
              guard number % 4 < 2 else { return 1 }
              try await store.returnSignIn(one)
              return 0
            } catch StoreError.limited {
              return 0
            } catch {
              return nil
            }
          }
        }
        return await group.reduce(into: (0, 0)) { sums, one in
          if let one { sums.0 += one } else { sums.1 += 1 }
        }
      }
      #expect(checked <= 5 && failed == 0)
      let rows = try await ground.everything(
        "SELECT (SELECT failures FROM gatehouse.sign_in_guard), (SELECT count::int FROM gatehouse.limit_counter)")
      let (failures, counted): (Int, Int) = (try rows[0][0], try rows[0][1])
      #expect(failures == counted && failures >= checked && failures <= 5)
      await second.stop()
    }
  }
}
