import Foundation
import GatehouseIdentity
@testable import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// A passkey whose every part tells it from others.
func samplePasskey(_ number: Int, of user: UserID, count: UInt32 = 0, _ now: Date) -> Passkey {
  Passkey(
    id: id(number), user: user, credentialID: hash(UInt8(number)), rpID: "example.com", publicKey: [1, UInt8(number)],
    algorithm: -7, signCount: count, model: [UInt8](repeating: UInt8(number), count: 16), isAttested: true,
    isBackupEligible: true, isBackedUp: false, transports: ["hybrid", "internal"], name: "key \(number)",
    createdAt: now, lastUsedAt: now)
}

@Suite("Rows of passkeys")
struct PasskeyRowsTests {
  /// An account with these passkeys.
  private func enrolled(
    _ numbers: [Int] = [1], count: UInt32 = 0, _ body: (StoreFixture, StoredUser) async throws -> Void
  ) async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      try await ground.store.commit(
        [.user(.insert(user, unique: []))]
          + numbers.map { .factor(.addPasskey(samplePasskey($0, of: user.id, count: count, ground.now))) })
      try await body(ground, user)
    }
  }

  private func use(_ number: Int, of user: UserID, count: UInt32, demands: Bool = false) -> Change {
    .factor(
      .usePasskey(
        PasskeyUse(
          id: id(number), user: user, signCount: count, isBackupEligible: true, isBackedUp: true, demandsCount: demands)
      ))
  }

  @Test("a passkey comes back as it was written, by its owner and by the authenticator's id")
  func roundTrip() async throws {
    try await enrolled([1, 2]) { ground, user async throws in
      let stored = try await ground.store.factors(of: user.id).passkeys
      #expect(stored == [1, 2].map { samplePasskey($0, of: user.id, ground.now) })
      let found = try #require(try await ground.store.passkey(hash(2)))
      #expect(found.passkey == stored[1] && found.user.id == user.id)
      #expect(try await ground.store.passkey(hash(3)) == nil)
    }
  }

  @Test("a passkey of an algorithm that this version has no word for hides none of the others")
  func laterAlgorithm() async throws {
    try await enrolled { ground, user async throws in
      var later = samplePasskey(2, of: user.id, ground.now)
      later.algorithm = -50
      try await ground.store.commit([.factor(.addPasskey(later))])
      #expect(try await ground.store.factors(of: user.id).passkeys.map(\.algorithm) == [-7, -50])
    }
  }

  @Test("the account's list has passkeys between apps and codes, and the codes end with the last factor of any kind")
  func list() async throws {
    try await enrolled { ground, user async throws in
      func factors() async throws -> [String]? { try await ground.store.user(id: user.id)?.factors }
      #expect(try await factors() == ["passkey"])
      let app = AuthenticatorApp(
        id: id(9), user: user.id, sealedSeed: [9], name: nil, lastStep: 1, createdAt: ground.now)
      try await ground.store.commit([.factor(.add(app)), .factor(.setCodes(user.id, [hash(5)]))])
      #expect(try await factors() == ["totp", "passkey", "recovery_code"])
      try await ground.store.commit([.factor(.remove(id(9), of: user.id))])
      #expect(try await factors() == ["passkey", "recovery_code"])
      try await ground.store.commit([.factor(.remove(id(1), of: user.id))])
      #expect(try await factors() == [])
      #expect(try await ground.store.factors(of: user.id).codesLeft == 0)
    }
  }

  @Test("a passkey more or less raises the epoch; its use and its name do not")
  func epoch() async throws {
    try await enrolled([1]) { ground, user async throws in
      func rises(_ change: Change) async throws -> Bool {
        let before = try #require(try await ground.store.user(id: user.id)).epoch
        try await ground.store.commit([change])
        return try #require(try await ground.store.user(id: user.id)).epoch > before
      }
      #expect(try await rises(.factor(.addPasskey(samplePasskey(2, of: user.id, ground.now)))))
      #expect(try await !rises(use(2, of: user.id, count: 1)))
      #expect(try await !rises(.factor(.rename(id(2), of: user.id, "x"))))
      #expect(try await rises(.factor(.remove(id(2), of: user.id))))
      #expect(try await rises(.factor(.removeAll(user.id))))
    }
  }

  @Test("the twenty-first passkey of an account is refused")
  func room() async throws {
    try await enrolled(Array(1...19)) { ground, user async throws in
      try await ground.store.commit([.factor(.addPasskey(samplePasskey(20, of: user.id, ground.now)))])
      await #expect(throws: StoreError.refused(.factorHasRoom)) {
        try await ground.store.commit([.factor(.addPasskey(samplePasskey(21, of: user.id, ground.now)))])
      }
    }
  }

  @Test("T110 one id of an authenticator is one passkey's in a tenant")
  func oneID() async throws {
    try await enrolled { ground, user async throws in
      let other = sampleUser(2, ground.now)
      try await ground.store.commit([.user(.insert(other, unique: []))])
      var same = samplePasskey(1, of: other.id, ground.now)
      same.id = id(7)
      await #expect(throws: StoreError.exists) { try await ground.store.commit([.factor(.addPasskey(same))]) }
    }
  }

  @Test("a use keeps the highest counter, and where it must rise one that does not is refused")
  func counter() async throws {
    try await enrolled(count: 5) { ground, user async throws in
      try await ground.store.commit([use(1, of: user.id, count: 3)])
      #expect(try await ground.store.factors(of: user.id).passkeys.first?.signCount == 5)
      await #expect(throws: StoreError.refused(.factorIsUnused)) {
        try await ground.store.commit([use(1, of: user.id, count: 5, demands: true)])
      }
      try await ground.store.commit([use(1, of: user.id, count: 6, demands: true)])
      #expect(try await ground.store.factors(of: user.id).passkeys.first?.signCount == 6)
    }
  }

  @Test("an authenticator without a counter is used again and again")
  func noCounter() async throws {
    try await enrolled { ground, user async throws in
      for _ in 0..<2 { try await ground.store.commit([use(1, of: user.id, count: 0, demands: true)]) }
      let passkey = try await ground.store.factors(of: user.id).passkeys.first
      #expect(passkey?.isBackedUp == true)
    }
  }

  @Test("another account neither names, uses nor removes a passkey")
  func foreign() async throws {
    try await enrolled { ground, user async throws in
      let other = sampleUser(2, ground.now)
      try await ground.store.commit([.user(.insert(other, unique: []))])
      for (change, refusal) in [
        (.factor(.rename(id(1), of: other.id, "mine")), .refused(.factorExists)),
        (.factor(.remove(id(1), of: other.id)), .refused(.factorExists)),
        (use(1, of: other.id, count: 9), .refused(.factorIsUnused)),
      ] as [(Change, StoreError)] {
        await #expect(throws: refusal) { try await ground.store.commit([change]) }
      }
      #expect(try await ground.store.factors(of: user.id).passkeys == [samplePasskey(1, of: user.id, ground.now)])
    }
  }

  @Test("T115 another tenant finds none of them")
  func tenant() async throws {
    try await enrolled { ground, user async throws in
      let other = try await ground.makeTenant("second")
      #expect(try await other.store.passkey(hash(1)) == nil)
    }
  }
}
