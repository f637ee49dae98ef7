import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("What a commit demands of the authority it is made on")
struct AuthorityTests {
  /// A person with a password, signed in on a phone.
  private func signIn(_ ground: StoreFixture) async throws -> SignedIn {
    let user = sampleUser(1, ground.now)
    let phone = session(10, of: user, ground.now)
    try await ground.store.commit([
      .user(.insert(user, unique: [])), .user(.setPassword(user.id, phc: "old")),
      .session(.insert(phone, by: .refreshToken(token(1, of: phone, ground.now)), keeping: 5)),
    ])
    let found = try #require(try await ground.store.session(id: phone.id))
    return SignedIn(session: found.session, user: found.user)
  }

  private func epoch(_ ground: StoreFixture, _ id: UserID) async throws -> Int64 {
    try #require(try await ground.store.user(id: id)).epoch
  }

  @Test("T129 a write waits for the end of its session and is refused then, whatever it rests on")
  func ended() async throws {
    for grounds in [Authority.Grounds.session, .proof, .role([:])] {
      try await withStore { ground async throws in
        let me = try await signIn(ground)
        let refused = await refusal {
          try await ground.overlap(
            .session(.end(me.session.id, .revoked)), with: .session(.setPresence(me.user.id, online: true)),
            as: .caller(me, restingOn: grounds))
        }
        #expect(refused == .refused(.sessionIsLive), "\(grounds)")
      }
    }
  }

  @Test("T129 a session that ran out writes nothing")
  func expired() async throws {
    try await withStore { ground async throws in
      let me = try await signIn(ground)
      ground.clock.advance(seconds: 400 * 86_400)
      let refused = await refusal {
        try await ground.store.commit(
          [.session(.setPresence(me.user.id, online: true))], as: .caller(me, restingOn: .session))
      }
      #expect(refused == .refused(.sessionIsLive))
    }
  }

  @Test("T129 another person's session gives no authority over an account")
  func foreign() async throws {
    try await withStore { ground async throws in
      let me = try await signIn(ground)
      let other = sampleUser(2, ground.now)
      try await ground.store.commit([.user(.insert(other, unique: []))])
      let mixed = SignedIn(session: me.session, user: other)
      let refused = await refusal {
        try await ground.store.commit(
          [.session(.setPresence(other.id, online: true))], as: .caller(mixed, restingOn: .session))
      }
      #expect(refused == .refused(.sessionIsLive))
    }
  }

  @Test(
    "T130 what rests on a proof waits for a new password and is refused then; what rests on the session alone is not")
  func proof() async throws {
    for (grounds, expected) in [(Authority.Grounds.proof, StoreError.refused(.userIsUnchanged)), (.session, nil)] {
      try await withStore { ground async throws in
        let me = try await signIn(ground)
        let refused = await refusal {
          try await ground.overlap(
            .user(.setPassword(me.user.id, phc: "new")),
            with: .session(.setPresence(me.user.id, online: true)),
            as: .caller(me, restingOn: grounds))
        }
        #expect(refused == expected, "\(grounds)")
      }
    }
  }

  @Test("T130 a change that rests on a role is refused once the role is gone")
  func role() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      let phone = session(10, of: user, ground.now)
      try await ground.store.commit([
        .user(.insert(user, unique: [])),
        .user(.updateProfile(user.id, ["role": .string("admin")], unique: [])),
        .session(.insert(phone, by: .refreshToken(token(1, of: phone, ground.now)), keeping: 5)),
      ])
      let found = try #require(try await ground.store.session(id: phone.id))
      let me = SignedIn(session: found.session, user: found.user)
      let authority = Authority.caller(me, restingOn: .role(["role": .string("admin")]))
      try await ground.store.commit([.session(.setPresence(user.id, online: true))], as: authority)
      let refused = await refusal {
        try await ground.overlap(
          .user(.updateProfile(user.id, ["role": .string("member")], unique: [])),
          with: .session(.setPresence(user.id, online: true)), as: authority)
      }
      #expect(refused == .refused(.userIsUnchanged))
    }
  }

  @Test("T130 a proof of this request is refused once another one changed what opens the account")
  func proven() async throws {
    try await withStore { ground async throws in
      let me = try await signIn(ground)
      let authority = Authority.proven(me.user.id, epoch: me.user.epoch)
      try await ground.store.commit([.session(.setPresence(me.user.id, online: true))], as: authority)
      let refused = await refusal {
        try await ground.overlap(
          .user(.setEmail(me.user.id, email: "new@example.com")),
          with: .session(.setPresence(me.user.id, online: true)),
          as: authority)
      }
      #expect(refused == .refused(.userIsUnchanged))
    }
  }

  @Test("T130 password, address, state and identities raise the epoch, also twice within one moment")
  func raising() async throws {
    try await withStore { ground async throws in
      let me = try await signIn(ground)
      let id = me.user.id
      let google = ProviderIdentity(
        user: id, provider: "google", issuer: "https://accounts.google.com", subject: "1", isExclusive: true,
        link: LinkedIdentity(provider: "google", scopes: [], linkedAt: ground.now))
      let steps: [(String, Change)] = [
        ("password", .user(.setPassword(id, phc: "new"))),
        ("password again", .user(.setPassword(id, phc: "newer"))),
        ("address", .user(.setEmail(id, email: "new@example.com"))), ("off", .user(.setDisabled(id, true))),
        ("on", .user(.setDisabled(id, false))), ("identity", .provider(.link(google))),
        ("no identity", .provider(.unlink(id, .provider("google")))),
      ]
      for (name, change) in steps {
        let before = try await epoch(ground, id)
        try await ground.store.commit([change])
        #expect(try await epoch(ground, id) > before, "\(name)")
      }
    }
  }

  @Test("T130 a password that goes raises the epoch, by any statement")
  func removal() async throws {
    try await withStore { ground async throws in
      let me = try await signIn(ground)
      let before = try await epoch(ground, me.user.id)
      try await ground.place.runAsSuperuser(script: "DELETE FROM gatehouse.credential")
      #expect(try await epoch(ground, me.user.id) > before)
    }
  }

  @Test("T130 a stronger hash of the same password, a profile, a session and presence do not change the epoch")
  func staying() async throws {
    try await withStore { ground async throws in
      let me = try await signIn(ground)
      let id = me.user.id
      let tablet = session(11, of: me.user, ground.now)
      let before = try await epoch(ground, id)
      try await ground.store.commit([
        .user(.upgradePassword(id, old: "old", phc: "stronger")),
        .user(.updateProfile(id, ["name": .string("New")], unique: [])),
        .session(.insert(tablet, by: .refreshToken(token(2, of: tablet, ground.now)), keeping: 5)),
        .session(.setPresence(id, online: false)), .user(.verifyEmail(id, email: me.user.address)),
        .user(.setEmail(id, email: me.user.address)),
        .user(.setDisabled(id, false)),
      ])
      #expect(try await epoch(ground, id) == before)
    }
  }
}
