import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct ProviderRowsTests {
  private func users(_ ground: StoreFixture) async throws -> (StoredUser, StoredUser) {
    let (one, two) = (sampleUser(1, ground.now), sampleUser(2, ground.now))
    try await ground.store.commit([.user(.insert(one, unique: [])), .user(.insert(two, unique: []))])
    return (one, two)
  }

  @Test("an account is read with its links, wherever it is read, oldest first; broken ones are no facts of the policy")
  func links() async throws {
    try await withStore { ground async throws in
      let (one, two) = try await users(ground)
      let phone = session(5, of: one, ground.now)
      #expect(try await ground.store.user(id: one.id)?.links == [])
      let google = identity(of: one, ground.now)
      try await ground.store.commit([.provider(.link(google))])
      ground.clock.advance(seconds: 30)
      let spotify = identity(of: one, provider: "a-first", subject: "x", scopes: [], ground.now)
      try await ground.store.commit([
        .provider(.link(spotify)),
        .session(.insert(phone, by: .refreshToken(token(5, of: phone, ground.now)), keeping: 5)),
      ])
      let expected = [google.link, spotify.link]
      #expect(try await ground.store.user(id: one.id)?.links == expected)
      #expect(try await ground.store.user(email: one.address)?.user.links == expected)
      #expect(try await ground.store.session(id: phone.id)?.user.links == expected)
      #expect(try await ground.store.refreshToken(hash: hash(5))?.user.links == expected)
      #expect(try await ground.store.users(after: nil, limit: 5).first?.user.links == expected)
      let rotation = Rotation(spent: hash(5), successor: hash(6), sealedSuccessor: [1], idleTTL: 60)
      #expect(try await ground.store.rotate(rotation)?.user.links == expected)
      #expect(try await ground.store.everything(about: one.id)?.identities == [google, spotify])
      #expect(try await ground.store.identities(of: one.id) == [google, spotify])
      #expect(try await ground.store.identities(of: two.id) == [])
      #expect(try await ground.store.user(id: one.id)?.facts.links == ["google": ["read"], "a-first": []])
      try await ground.store.commit([.provider(.setLink(one.id, provider: "google", .broken, scopes: nil))])
      let broken = try #require(try await ground.store.user(id: one.id))
      #expect(broken.links[0].state == .broken && broken.links[0].scopes == ["read"])
      #expect(broken.facts.links == ["a-first": []])
      let second = await refusal {
        try await ground.store.commit([.provider(.setLink(two.id, provider: "google", .linked, scopes: []))])
      }
      #expect(second == .refused(.linkExists))
    }
  }

  @Test("an identity is one account's, found by issuer and subject alone; at the moment of two links one gets it")
  func exclusive() async throws {
    try await withStore { ground async throws in
      let (one, two) = try await users(ground)
      let first = identity(of: one, ground.now)
      try await ground.store.commit([.provider(.link(first))])
      let found = try await ground.store.identity(issuer: first.issuer, subject: first.subject)
      #expect(found?.identity == first && found?.user.id == one.id)
      #expect(try await ground.store.identity(issuer: "https://other.example", subject: "s1") == nil)
      #expect(try await ground.store.identity(issuer: first.issuer, subject: "S1") == nil)
      for isExclusive in [true, false] {
        let second = identity(of: two, isExclusive: isExclusive, ground.now)
        #expect(
          await refusal { try await ground.store.commit([.provider(.link(second))]) } == .refused(.identityIsFree),
          "exclusive: \(isExclusive)")
      }
      let now = ground.now
      let store = ground.store
      let won = await race(8, failing: .refused(.identityIsFree)) { number in
        try await store.commit([.provider(.link(identity(of: number % 2 == 0 ? one : two, subject: "raced", now)))])
      }
      #expect((1...8).contains(won))
      let owner = try #require(try await store.identity(issuer: first.issuer, subject: "raced"))
      let loser = owner.user.id == one.id ? two : one
      #expect(try await !store.identities(of: loser.id).contains { $0.subject == "raced" })
    }
  }

  @Test("a shared identity belongs to any number of people, signs in none of them, and never becomes one person's")
  func shared() async throws {
    try await withStore { ground async throws in
      let (one, two) = try await users(ground)
      try await ground.store.commit([
        .provider(.link(identity(of: one, isExclusive: false, ground.now))),
        .provider(.link(identity(of: two, isExclusive: false, ground.now))),
      ])
      #expect(try await ground.store.identity(issuer: "https://google.example", subject: "s1") == nil)
      #expect(
        await refusal { try await ground.store.commit([.provider(.link(identity(of: one, ground.now)))]) }
          == .refused(.identityIsFree))
      try await ground.store.commit([.provider(.unlink(two.id, .provider("google")))])
      try await ground.store.commit([.provider(.link(identity(of: one, ground.now)))])
      #expect(try await ground.store.identity(issuer: "https://google.example", subject: "s1")?.user.id == one.id)
    }
  }

  @Test("another account at the same provider takes the place of the first, which is free then")
  func replaced() async throws {
    try await withStore { ground async throws in
      let (one, two) = try await users(ground)
      try await ground.store.commit([.provider(.link(identity(of: one, ground.now)))])
      try await ground.store.commit([.provider(.link(identity(of: one, subject: "s2", ground.now)))])
      #expect(try await ground.store.identities(of: one.id).map(\.subject) == ["s2"])
      try await ground.store.commit([.provider(.link(identity(of: two, ground.now)))])
    }
  }

  @Test("unlinking one takes that one, and is refused where there is none")
  func unlink() async throws {
    try await withStore { ground async throws in
      let (one, _) = try await users(ground)
      for provider in ["a", "b"] {
        try await ground.store.commit([.provider(.link(identity(of: one, provider: provider, ground.now)))])
      }
      try await ground.store.commit([.provider(.unlink(one.id, .provider("b")))])
      #expect(try await ground.store.identities(of: one.id).map(\.provider) == ["a"])
      #expect(
        await refusal { try await ground.store.commit([.provider(.unlink(one.id, .provider("b")))]) }
          == .refused(.linkExists))
    }
  }

  @Test("T099 T133 what was linked before the address was proven, or since its mail was last read, is not trusted")
  func untrusted() async throws {
    try await withStore { ground async throws in
      let (one, _) = try await users(ground)
      func link(_ providers: String...) async throws {
        ground.clock.advance(seconds: 20)
        for provider in providers {
          try await ground.store.commit([.provider(.link(identity(of: one, provider: provider, ground.now)))])
        }
      }
      func left() async throws -> [String] { try await ground.store.identities(of: one.id).map(\.provider).sorted() }
      let before = try #require(try await ground.store.user(id: one.id))
      try await link("early", "early-kept")
      #expect(before.emailVerifiedAt == nil)
      ground.clock.advance(seconds: 20)
      try await ground.store.commit([.user(.verifyEmail(one.id, email: one.address))])
      try await link("between")
      ground.clock.advance(seconds: 20)
      try await ground.store.commit([.user(.noteMailProof(one.id))])
      try await link("late", "late-kept")
      let user = try #require(try await ground.store.user(id: one.id))
      #expect(user.links.filter(user.distrusts).map(\.provider) == ["early", "early-kept", "late", "late-kept"])
      try await ground.store.commit([.provider(.unlink(one.id, .untrusted(keeping: ["early-kept", "late-kept"])))])
      #expect(try await left() == ["between", "early-kept", "late-kept"])
    }
  }

  @Test("T133 an identity that came with the proof of the address is trusted; without any proof none is")
  func withProof() async throws {
    try await withStore { ground async throws in
      var proven = sampleUser(7, ground.now)
      proven.emailVerifiedAt = ground.now
      let unproven = sampleUser(8, ground.now)
      for user in [proven, unproven] {
        try await ground.store.commit([
          .user(.insert(user, unique: [])),
          .provider(.link(identity(of: user, subject: user.address, ground.now))),
          .provider(.unlink(user.id, .untrusted(keeping: []))),
        ])
      }
      #expect(try await ground.store.identities(of: proven.id).count == 1)
      #expect(try await ground.store.identities(of: unproven.id) == [])
    }
  }

  @Test("a way to sign in remains, or nothing of the change happens; of two who each remove one, one is refused")
  func lastMethod() async throws {
    try await withStore { ground async throws in
      let (one, _) = try await users(ground)
      try await ground.store.commit([
        .provider(.link(identity(of: one, provider: "a", ground.now))),
        .provider(.link(identity(of: one, provider: "b", ground.now))),
        .provider(.link(identity(of: one, provider: "c", isExclusive: false, ground.now))),
      ])
      let store = ground.store
      let removed = await race(2, failing: .refused(.signInMethodRemains)) { number in
        try await store.commit([
          .provider(.unlink(one.id, .provider(number == 0 ? "a" : "b"))),
          .provider(.requireSignInMethod(one.id, among: ["password", "a", "b", "c"])),
        ])
      }
      #expect(removed == 1)
      #expect(try await store.identities(of: one.id).count == 2)
      try await store.commit([
        .user(.setPassword(one.id, phc: "x")), .provider(.requireSignInMethod(one.id, among: ["password"])),
      ])
    }
  }

  @Test("a passkey is a way in where its relying party is one of those that stay")
  func passkey() async throws {
    try await withStore { ground async throws in
      let (one, two) = try await users(ground)
      try await ground.store.commit([.factor(.addPasskey(samplePasskey(1, of: one.id, ground.now)))])
      try await ground.store.commit([
        .provider(.requireSignInMethod(one.id, among: ["a"], passkeysOf: ["other.example", "example.com"]))
      ])
      for (user, parties) in [(one, ["other.example"]), (one, []), (two, ["example.com"])] {
        await #expect(throws: StoreError.refused(.signInMethodRemains)) {
          try await ground.store.commit([
            .provider(.requireSignInMethod(user.id, among: ["a"], passkeysOf: parties))
          ])
        }
      }
    }
  }

  @Test("T135 a stored password is no way in where password is none of the methods")
  func passwordIsNoMethod() async throws {
    try await withStore { ground async throws in
      let (one, _) = try await users(ground)
      try await ground.store.commit([.user(.setPassword(one.id, phc: "x"))])
      await #expect(throws: StoreError.refused(.signInMethodRemains)) {
        try await ground.store.commit([.provider(.requireSignInMethod(one.id, among: ["a"]))])
      }
    }
  }

  @Test("T136 people without another way in are counted: neither disabled ones nor those with an identity of their own")
  func withoutIdentity() async throws {
    try await withStore { ground async throws in
      let (one, two) = try await users(ground)
      func count(_ providers: [String]) async throws -> Int {
        try await ground.store.userCount(withoutIdentityAt: providers)
      }
      #expect(try await count(["a"]) == 2)
      try await ground.store.commit([
        .provider(.link(identity(of: one, provider: "a", ground.now))),
        .provider(.link(identity(of: two, provider: "a", subject: "s2", isExclusive: false, ground.now))),
      ])
      #expect(try await count(["a"]) == 1)
      #expect(try await count(["b"]) == 2)
      #expect(try await count([]) == 2)
      try await ground.store.commit([.user(.setDisabled(two.id, true))])
      #expect(try await count(["a"]) == 0)
    }
  }

  @Test("T099 an account with an unproven address is reclaimed with nothing in it; a proven one is not")
  func reclaim() async throws {
    try await withStore { ground async throws in
      let (one, two) = try await users(ground)
      try await ground.store.commit([
        .user(.setPassword(one.id, phc: "w")), .provider(.link(identity(of: one, ground.now))),
        .ticket(.begin(flow(3, of: one))),
      ])
      try await ground.store.commit([.user(.setPassword(one.id, phc: "x", remembering: 1))])
      try await ground.store.commit([.provider(.reclaim(one.id, email: one.address))])
      let after = try #require(try await ground.store.user(email: one.address))
      #expect(after.passwordHash == nil && after.user.links.isEmpty && after.user.passwordChangedAt == nil)
      #expect(after.user.emailVerifiedAt == ground.now)
      #expect(try await ground.store.passwordHashes(of: one.id, atMost: 9) == [])
      #expect(try await ground.store.take(claim(flow(3, of: one))) == nil)
      for (user, email) in [(one, one.address), (two, one.address)] {
        #expect(
          await refusal { try await ground.store.commit([.provider(.reclaim(user.id, email: email))]) }
            == .refused(.addressIsUnproven))
      }
    }
  }
}
