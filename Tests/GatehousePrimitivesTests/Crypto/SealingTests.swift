import Foundation
import Testing

@testable import GatehousePrimitives

@Suite struct SealingTests {
  let tenant = UUID()
  let key: SealingKey

  init() throws { key = try SealingKey.random(version: 7) }

  func place(table: String = "credential", column: String = "seed", row: [UInt8] = [1]) -> AssociatedData {
    AssociatedData(table: table, column: column, tenant: tenant, row: row)
  }

  @Test("sealed text opens again", arguments: [0, 1, 15, 16, 17, 4096])
  func roundTrip(count: Int) throws {
    let plaintext = SecureRandom.bytes(count)
    let sealed = try key.seal(plaintext, in: place())
    #expect(sealed.count == 33 + count)
    #expect(SealingKey.version(of: sealed) == 7)
    #expect(try key.open(sealed, in: place()).expose { $0 } == plaintext)
  }

  @Test("sealing twice gives different bytes")
  func freshNonce() throws {
    #expect(try key.seal([1], in: place()) != key.seal([1], in: place()))
  }

  @Test("no bit of a sealed value can be changed, and none cut off or added")
  func tampering() throws {
    let sealed = try key.seal([1, 2, 3], in: place())
    for bit in 0..<(sealed.count * 8) {
      var changed = sealed
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: CryptoError.notAuthentic) { try key.open(changed, in: place()) }
    }
    for count in 0..<sealed.count {
      #expect(throws: CryptoError.notAuthentic) { try key.open(Array(sealed[..<count]), in: place()) }
    }
    #expect(throws: CryptoError.notAuthentic) { try key.open(sealed + [0], in: place()) }
  }

  @Test("a value moved to another place or key does not open")
  func otherPlace() throws {
    let sealed = try key.seal([1], in: place())
    let others = [
      place(table: "credentials"), place(column: "see"), place(row: [2]), place(row: []),
      // Moving a letter from one part to the next gives other bytes.
      place(table: "credentia", column: "lseed"),
      AssociatedData(table: "credential", column: "seed", tenant: UUID(), row: [1]),
      AssociatedData(purpose: "credential"),
    ]
    for other in others { #expect(throws: CryptoError.notAuthentic) { try key.open(sealed, in: other) } }
    let stranger = try SealingKey.random(version: 7)
    #expect(throws: CryptoError.notAuthentic) { try stranger.open(sealed, in: place()) }
  }

  @Test("a key has 32 bytes", arguments: [0, 16, 31, 33])
  func keySize(count: Int) {
    #expect(throws: CryptoError.invalidKey) { try SealingKey(version: 1, key: SecureRandom.bytes(count)) }
  }

  @Test("a wrapped key opens what the key sealed")
  func wrapping() throws {
    let master = try SealingKey.random(version: 1)
    let context = AssociatedData(purpose: "tenant data key")
    let wrapped = try key.wrapped(by: master, in: context)
    let again = try SealingKey.unwrap(wrapped, version: 7, by: master, in: context)
    let sealed = try key.seal([9], in: place())
    #expect(try again.open(sealed, in: place()).expose { $0 } == [9])
  }

  @Test("T074 an HMAC key under 256 bits is refused", arguments: [0, 1, 16, 31])
  func weakMACKey(count: Int) {
    #expect(throws: CryptoError.weakKey) { try MACKey(SecureRandom.bytes(count)) }
    #expect(throws: Never.self) { try MACKey(SecureRandom.bytes(32)) }
  }

  @Test("a code is valid for its message and key only")
  func macKey() {
    let key = MACKey.random()
    let code = key.code([1, 2])
    #expect(key.isValid(code, for: [1, 2]))
    #expect(!key.isValid(code, for: [1, 3]))
    #expect(!key.isValid(Array(code.dropLast()), for: [1, 2]))
    #expect(!MACKey.random().isValid(code, for: [1, 2]))
  }
}

@Suite struct RandomTests {
  @Test("T076 many threads draw no value twice")
  func noDuplicates() async {
    // 64 × 2 000 draws of 16 bytes; the full million for each thread is a soak, not a test.
    let draws = await withTaskGroup(of: [[UInt8]].self) { group in
      for _ in 0..<64 { group.addTask { (0..<2000).map { _ in SecureRandom.bytes(16) } } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(draws).count == 128_000)
  }

  @Test("every wanted byte is drawn, to the last one", arguments: [0, 1, 16, 255, 256, 257, 512, 1000])
  func lengths(_ count: Int) {
    // What is written as a whole is nowhere the same in eight draws.
    let draws = (0..<8).map { _ in SecureRandom.bytes(count) }
    #expect(draws.allSatisfy { $0.count == count })
    for place in 0..<count { #expect(Set(draws.map { $0[place] }).count > 1) }
  }

  @Test("numbers stay below their bound and reach every value")
  func bounded() {
    #expect(SecureRandom.number(below: 0) == 0)
    #expect(SecureRandom.number(below: 1) == 0)
    var seen = Set<UInt32>()
    for _ in 0..<2000 {
      let number = SecureRandom.number(below: 10)
      #expect(number < 10)
      seen.insert(number)
    }
    #expect(seen.count == 10)
    #expect(SecureRandom.number(below: .max) < .max)
  }

  @Test("bytes are compared whole")
  func constantTime() {
    #expect(ConstantTime.equal([], []))
    #expect(ConstantTime.equal([1, 2, 3], [1, 2, 3]))
    #expect(!ConstantTime.equal([1, 2, 3], [1, 2, 4]))
    #expect(!ConstantTime.equal([1, 2, 3], [1, 2]))
    #expect(!ConstantTime.equal([], [0]))
  }
}
