import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct PageSessionRowsTests {
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
}
