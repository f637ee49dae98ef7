import GatehouseTesting
import Testing

@testable import GatehousePrimitives

@Suite("Keys of passkeys") struct PasskeyKeyTests {
  private static func key(_ cose: [UInt8]) throws -> PasskeyKey {
    try PasskeyKey(cose: CBORParser.parse(cose), among: PasskeyAlgorithm.allCases)
  }

  @Test("the stored form is read again as the same key", arguments: PasskeyAlgorithm.allCases)
  func stored(_ algorithm: PasskeyAlgorithm) throws {
    let pair = try TestKeyPair(algorithm)
    let key = try Self.key(pair.cose())
    let again = try PasskeyKey(spki: key.spki, algorithm: algorithm)
    let signature = try pair.sign([1])
    #expect(again.spki == key.spki && again.verifies(signature, of: [1]))
  }

  @Test("a stored key is for its own algorithm alone", arguments: PasskeyAlgorithm.allCases)
  func otherAlgorithm(_ algorithm: PasskeyAlgorithm) throws {
    let spki = try Self.key(TestKeyPair(algorithm).cose()).spki
    for other in PasskeyAlgorithm.allCases where other != algorithm {
      #expect(throws: PasskeyProblem.badKey) { try PasskeyKey(spki: spki, algorithm: other) }
    }
  }

  @Test("bytes behind a stored key are refused, and so is a cut", arguments: [1, -1])
  func length(_ change: Int) throws {
    let spki = try Self.key(TestKeyPair(.es256).cose()).spki
    let bytes = change > 0 ? spki + [0] : Array(spki.dropLast())
    #expect(throws: PasskeyProblem.badKey) { try PasskeyKey(spki: bytes, algorithm: .es256) }
  }

  @Test("a member that the standard does not demand is refused", arguments: PasskeyAlgorithm.allCases)
  func more(_ algorithm: PasskeyAlgorithm) throws {
    let cose = try TestKeyPair(algorithm).cose([(2, CBORText.bytes([1]))])
    #expect(throws: PasskeyProblem.badKey) { try Self.key(cose) }
  }

  /// n, e.
  private static func rsa(_ n: [UInt8], _ e: [UInt8]) -> [UInt8] {
    CBORText.numbered([
      (1, [3]), (3, CBORText.integer(-257)), (-1, CBORText.bytes(n)), (-2, CBORText.bytes(e)),
    ])
  }

  @Test(
    "an RSA key has 2048 to 4096 bits",
    arguments: [(0xC1, 128, false), (0x41, 256, false), (0xC1, 256, true), (0xC1, 512, true), (0x01, 513, false)]
      as [(UInt8, Int, Bool)])
  func size(first: UInt8, bytes: Int, isTaken: Bool) {
    let modulus = [first] + [UInt8](repeating: 0x55, count: bytes - 1)
    #expect(((try? Self.key(Self.rsa(modulus, [1, 0, 1]))) != nil) == isTaken)
  }

  @Test(
    "an exponent that is even, one, too long or begins with a zero is refused",
    arguments: [[], [0], [1], [2], [0, 3], [1, 0, 0, 0, 1]] as [[UInt8]])
  func exponent(_ exponent: [UInt8]) {
    let modulus = [0xC1] + [UInt8](repeating: 0x55, count: 255)
    #expect(throws: PasskeyProblem.badKey) { try Self.key(Self.rsa(modulus, exponent)) }
    #expect((try? Self.key(Self.rsa(modulus, [3]))) != nil)
  }

  @Test("a modulus that begins with a zero is refused")
  func modulus() {
    #expect(throws: PasskeyProblem.badKey) {
      try Self.key(Self.rsa([0, 0xC1] + [UInt8](repeating: 0x55, count: 255), [3]))
    }
  }

  @Test("a key of Ed25519 has 32 bytes", arguments: [31, 33])
  func ed25519(_ count: Int) {
    let cose = CBORText.numbered([
      (1, [1]), (3, CBORText.integer(-8)), (-1, [6]), (-2, CBORText.bytes([UInt8](repeating: 1, count: count))),
    ])
    #expect(throws: PasskeyProblem.badKey) { try Self.key(cose) }
  }

  @Test("a y that is a truth value, for a point that is not whole, is refused")
  func compressed() throws {
    let point = try TestKeyPair(.es256).point()
    let cose = CBORText.numbered([
      (1, [2]), (3, CBORText.integer(-7)), (-1, [1]), (-2, CBORText.bytes(point.x)), (-3, CBORText.boolean(true)),
    ])
    #expect(throws: PasskeyProblem.badKey) { try Self.key(cose) }
  }

  @Test("other algorithms are refused", arguments: [-35, -36, -37, -38, -39, -47, -65535, -9, -53, 5])
  func otherAlgorithms(_ number: Int) {
    let cose = CBORText.numbered([(1, [2]), (3, CBORText.integer(number))])
    #expect(throws: PasskeyProblem.otherAlgorithm) { try Self.key(cose) }
  }

  @Test("a signature that is longer than any is not looked at")
  func longSignature() throws {
    let pair = try TestKeyPair(.es256)
    let key = try Self.key(pair.cose())
    #expect(!key.verifies([UInt8](repeating: 0x30, count: 100_000), of: [1]))
    #expect(!key.verifies([], of: [1]))
  }
}
