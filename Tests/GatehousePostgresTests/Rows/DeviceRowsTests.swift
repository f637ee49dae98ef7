import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct DeviceRowsTests {
  private func device(_ number: Int, of user: StoredUser, _ now: Date) -> KnownDevice {
    KnownDevice(
      id: id(number), user: user.id, hash: hash(UInt8(number)), name: "Pixel", createdAt: now, lastSeenAt: now)
  }

  private func look(
    _ ground: StoreFixture, _ hash: [UInt8]?, _ user: StoredUser
  ) async throws -> KnownDevice? {
    let found = try #require(try await ground.store.signInLook(email: user.address, device: hash))
    #expect(found.user.id == user.id && found.passwordHash == nil)
    let byID = try #require(try await ground.store.signInLook(of: user.id, device: hash))
    #expect(byID.user == found.user)
    #expect(byID.device == found.device)
    return found.device
  }

  @Test("a device is known by its hash, to its own account alone, until it is forgotten")
  func known() async throws {
    try await withStore { ground async throws in
      let (user, other) = (sampleUser(1, ground.now), sampleUser(2, ground.now))
      var pixel = device(5, of: user, ground.now)
      try await ground.store.commit([.user(.insert(user, unique: [])), .user(.insert(other, unique: []))])
      var found = try await look(ground, hash(5), user)
      #expect(found == nil)
      try await ground.store.commit([.device(.insert(pixel)), .device(.insert(device(6, of: user, ground.now)))])
      found = try await look(ground, hash(5), user)
      #expect(found == pixel)
      for (hash, whose) in [(hash(7), user), (nil, user), (hash(5), other)] {
        found = try await look(ground, hash, whose)
        #expect(found == nil)
      }
      pixel.name = "My Pixel"
      pixel.lastSeenAt = ground.now.addingTimeInterval(60)
      let phone = session(10, of: user, ground.now)
      try await ground.store.commit([
        .session(.insert(phone, by: .refreshToken(token(1, of: phone, ground.now)), keeping: 5, on: pixel))
      ])
      found = try await look(ground, hash(5), user)
      #expect(found == pixel)
      try await ground.store.commit([.device(.forgetAll(user.id, except: nil))])
      found = try await look(ground, hash(5), user)
      #expect(found == nil)
      let unknown = try await ground.store.signInLook(email: "nobody@example.com", device: hash(5))
      #expect(unknown == nil)
    }
  }

  @Test("what was found of a password is seen on the same day, until there is another password")
  func compliance() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      func seen() async throws -> Compliance? {
        try await ground.store.signInLook(email: user.address, device: nil)?.compliance
      }
      try await ground.store.commit([
        .user(.insert(user, unique: [])), .user(.setPassword(user.id, phc: "one")),
      ])
      #expect(try await seen() == nil)
      let found = Compliance(rules: [UInt8](repeating: 7, count: 32), complies: false)
      try await ground.store.commit([.user(.recordCompliance(user.id, found))])
      #expect(try await seen() == found)
      ground.clock.advance(seconds: 86_400)
      #expect(try await seen() == nil)
      try await ground.store.commit([.user(.recordCompliance(user.id, found))])
      #expect(try await seen() == found)
      try await ground.store.commit([.user(.setPassword(user.id, phc: "two"))])
      #expect(try await seen() == nil)
    }
  }

  @Test("forgetting the others keeps the device of a session, forgetting a session's keeps the others")
  func forgetting() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      var phone = session(2, of: user, ground.now)
      phone.device = id(5)
      try await ground.store.commit(
        [.user(.insert(user, unique: []))] + (5...7).map { .device(.insert(device($0, of: user, ground.now))) }
          + [
            .session(.insert(phone, by: .refreshToken(token(1, of: phone, ground.now)), keeping: 5))
          ])
      #expect(try await ground.store.session(id: phone.id)?.session.device == id(5))
      func known() async throws -> [Bool] {
        var known: [Bool] = []
        for number in UInt8(5)...7 {
          known.append(try await look(ground, hash(number), user) != nil)
        }
        return known
      }
      try await ground.store.commit([.device(.forgetAll(user.id, except: phone.id))])
      var left = try await known()
      #expect(left == [true, false, false])
      try await ground.store.commit([
        .device(.insert(device(8, of: user, ground.now))), .device(.forget(of: phone.id)),
      ])
      left = try await known()
      #expect(left == [false, false, false])
      #expect(try await look(ground, hash(8), user) != nil)
    }
  }

  @Test(
    "the devices unused for the longest time go beyond fifty; one unused for 400 days goes; all go with the account")
  func bounded() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      try await ground.store.commit([.user(.insert(user, unique: []))])
      for number in 10...62 {
        ground.clock.advance(seconds: 1)
        try await ground.store.commit([.device(.insert(device(number, of: user, ground.now)))])
      }
      func count() async throws -> Int { try await ground.everything("SELECT count(*) FROM gatehouse.device")[0][0] }
      var left = try await count()
      #expect(left == KnownDevice.perUser)
      #expect(try await look(ground, hash(12), user) == nil)
      #expect(try await look(ground, hash(13), user) != nil)
      ground.clock.advance(seconds: 399 * 86_400)
      var seen = device(62, of: user, ground.now)
      seen.lastSeenAt = ground.now
      let phone = session(9, of: user, ground.now)
      try await ground.store.commit([
        .session(.insert(phone, by: .refreshToken(token(1, of: phone, ground.now)), keeping: 5, on: seen))
      ])
      let sweep = PostgresExpirySweep(ground.jobs)
      #expect(try await sweep.prune(batch: 100)["devices"] == 0)
      ground.clock.advance(seconds: 86_400 + 1)
      #expect(try await sweep.prune(batch: 100)["devices"] == 49)
      try await ground.store.commit([.user(.delete(user.id))])
      left = try await count()
      #expect(left == 0)
    }
  }
}
