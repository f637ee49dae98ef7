import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct HandBackRowsTests {
  /// A person whose browser has a session, with the cookie `hash(1)`.
  private func signIn(_ ground: StoreFixture) async throws -> (user: StoredUser, browser: Session) {
    let user = sampleUser(1, ground.now)
    var browser = session(10, of: user, ground.now)
    browser.client = .pages
    try await ground.store.commit([
      .user(.insert(user, unique: [])), .session(.insert(browser, by: .page(hash: hash(1)), keeping: 5)),
    ])
    return (user, browser)
  }

  private func begin(_ seed: UInt8, _ browser: Session, _ ground: StoreFixture) async throws {
    try await ground.store.commit([
      .session(
        .beginHandBack(
          HandBackCode(hash: hash(seed), user: browser.user, session: browser.id, challengeHash: hash(100))))
    ])
  }

  private func take(_ seed: UInt8, challenge: UInt8 = 100, _ ground: StoreFixture) async throws {
    try await ground.store.commit([.session(.takeHandBack(hash: hash(seed), challengeHash: hash(challenge)))])
  }

  @Test("a browser's session is found by its cookie, and no app's is")
  func find() async throws {
    try await withStore { ground async throws in
      let (user, browser) = try await signIn(ground)
      let phone = session(11, of: user, ground.now)
      try await ground.store.commit([
        .session(.insert(phone, by: .refreshToken(token(2, of: phone, ground.now)), keeping: 5))
      ])
      #expect(try await ground.store.pageSession(hash: hash(1))?.session.id == browser.id)
      #expect(try await ground.store.pageSession(hash: hash(2)) == nil)
      #expect(try await ground.store.session(id: browser.id)?.session.client == .pages)
      #expect(try await ground.store.session(id: phone.id)?.session.client == .app)
    }
  }

  @Test("a use moves the end of a browser's session, and not beyond its last one")
  func touch() async throws {
    try await withStore { ground async throws in
      let (_, browser) = try await signIn(ground)
      try await ground.store.commit([.session(.touch(browser.id, idleTTL: 7200))])
      let later = try #require(try await ground.store.session(id: browser.id)).session
      #expect(abs(later.idleExpiresAt.timeIntervalSince(ground.now.addingTimeInterval(7200))) < 60)
      try await ground.store.commit([.session(.touch(browser.id, idleTTL: 1_000_000))])
      let last = try #require(try await ground.store.session(id: browser.id)).session
      #expect(last.idleExpiresAt == last.expiresAt)
    }
  }

  @Test("a code for an app is taken once")
  func once() async throws {
    try await withStore { ground async throws in
      let (_, browser) = try await signIn(ground)
      try await begin(2, browser, ground)
      #expect(try await ground.store.handBack(hash: hash(2))?.session.id == browser.id)
      try await take(2, ground)
      #expect(try await ground.store.handBack(hash: hash(2)) == nil)
      #expect(await refusal { try await take(2, ground) } == .refused(.handBackIsLive))
    }
  }

  @Test("a code is not for the holder of another challenge, and stays for its own")
  func holder() async throws {
    try await withStore { ground async throws in
      let (_, browser) = try await signIn(ground)
      try await begin(2, browser, ground)
      #expect(await refusal { try await take(2, challenge: 101, ground) } == .refused(.handBackIsLive))
      try await take(2, ground)
    }
  }

  @Test("a code is over after a minute")
  func time() async throws {
    try await withStore { ground async throws in
      let (_, browser) = try await signIn(ground)
      try await begin(2, browser, ground)
      ground.clock.advance(seconds: 60)
      #expect(await refusal { try await take(2, ground) } == .refused(.handBackIsLive))
    }
  }

  @Test("a session's newest codes are kept, so that no browser fills the table")
  func bounded() async throws {
    try await withStore { ground async throws in
      let (_, browser) = try await signIn(ground)
      for seed in 2..<UInt8(2 + HandBack.perSession + 3) {
        try await begin(seed, browser, ground)
        ground.clock.advance(seconds: 1)
      }
      let rows = try await ground.everything("SELECT count(*) FROM gatehouse.hand_back")
      let count: Int = try rows[0][0]
      #expect(count == HandBack.perSession)
      #expect(try await ground.store.handBack(hash: hash(UInt8(2 + HandBack.perSession + 2))) != nil)
    }
  }
}
