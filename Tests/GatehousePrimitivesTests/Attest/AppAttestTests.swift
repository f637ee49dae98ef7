import Foundation
import GatehouseTesting
import Testing

@testable import GatehousePrimitives

@Suite("App Attest") struct AppAttestTests {
  static let now = Date(timeIntervalSince1970: 1_790_000_000)
  static let app = "0123456789.com.example.app"
  let root: TestAttestationRoot
  let device: TestDevice
  let hash = SHA256.digest("a challenge")
  let attested = AttestedApp(team: "0123456789", bundle: "com.example.app", isProduction: false)

  init() throws {
    root = try TestAttestationRoot(now: Self.now)
    device = try TestDevice(app: Self.app)
  }

  private func roots(_ root: TestAttestationRoot) throws -> CertificateRoots {
    try CertificateRoots(pem: Array(root.pem.utf8))
  }

  private func judge(
    _ attestation: [UInt8], keyID: [UInt8]? = nil, hash: [UInt8]? = nil, app: AttestedApp? = nil, at now: Date = now
  ) throws -> P256PublicKey {
    try AppAttest.attestedKey(
      attestation, keyID: keyID ?? device.keyID, clientDataHash: hash ?? self.hash, app: app ?? attested,
      roots: roots(root), at: Int64(now.timeIntervalSince1970))
  }

  private func expectRefusal(_ problem: AttestProblem, _ work: () throws -> P256PublicKey) {
    #expect { try work() } throws: { $0 as? AttestProblem == problem }
  }

  @Test("an attestation of development gives its key") func development() throws {
    #expect(try judge(device.attestation(over: hash, by: root, now: Self.now)).point == device.key.publicKey.point)
  }

  @Test("an attestation of production gives its key") func production() throws {
    let device = try TestDevice(app: Self.app, isProduction: true)
    let app = AttestedApp(team: "0123456789", bundle: "com.example.app", isProduction: true)
    let attestation = try device.attestation(over: hash, by: root, now: Self.now)
    #expect(try judge(attestation, keyID: device.keyID, app: app).point == device.key.publicKey.point)
  }

  @Test("another root is refused") func otherRoot() throws {
    let other = try TestAttestationRoot(now: Self.now)
    expectRefusal(.untrusted) { try judge(device.attestation(over: hash, by: other, now: Self.now)) }
  }

  @Test("a chain without its intermediate is refused") func noIntermediate() throws {
    expectRefusal(.untrusted) {
      try judge(device.attestation(over: hash, by: root, now: Self.now, issue: { $0.leavesOutIntermediate = true }))
    }
  }

  @Test("a certificate that is over, or has not begun, is refused", arguments: [-100.0...(-1), 3600...7200])
  func validity(_ hours: ClosedRange<Double>) throws {
    let validity = Self.now.addingTimeInterval(hours.lowerBound)...Self.now.addingTimeInterval(hours.upperBound)
    expectRefusal(.notValidNow) {
      try judge(device.attestation(over: hash, by: root, now: Self.now, issue: { $0.validity = validity }))
    }
  }

  @Test("another challenge is refused") func otherChallenge() throws {
    expectRefusal(.otherNonce) {
      try judge(device.attestation(over: hash, by: root, now: Self.now), hash: SHA256.digest("another"))
    }
  }

  @Test("a nonce of another size, or none, is refused", arguments: [[], [UInt8](repeating: 0, count: 31), nil])
  func nonce(_ nonce: [UInt8]?) throws {
    expectRefusal(.otherNonce) {
      try judge(device.attestation(over: hash, by: root, now: Self.now, issue: { $0.nonce = nonce }))
    }
  }

  @Test("a certificate of another key is refused") func otherKey() throws {
    let other = try P256PrivateKey.generate().publicKey
    expectRefusal(.otherKey) {
      try judge(device.attestation(over: hash, by: root, now: Self.now, issue: { $0.key = other }))
    }
  }

  @Test("another key's name is refused") func otherName() throws {
    expectRefusal(.otherKey) {
      try judge(device.attestation(over: hash, by: root, now: Self.now), keyID: SHA256.digest("another"))
    }
  }

  @Test("a credential that is not the key is refused") func otherCredential() throws {
    expectRefusal(.otherKey) {
      try judge(
        device.attestation(over: hash, by: root, now: Self.now, claims: { $0.credentialID = SHA256.digest("another") }))
    }
  }

  @Test("another team or bundle is refused", arguments: ["9876543210.com.example.app", "0123456789.com.example.other"])
  func otherApp(_ app: String) throws {
    expectRefusal(.otherApp) {
      try judge(device.attestation(over: hash, by: root, now: Self.now, claims: { $0.app = app }))
    }
  }

  @Test("a key that was used is refused") func used() throws {
    expectRefusal(.usedKey) {
      try judge(device.attestation(over: hash, by: root, now: Self.now, claims: { $0.counter = 1 }))
    }
  }

  @Test("the other environment is refused") func environment() throws {
    let device = try TestDevice(app: Self.app, isProduction: true)
    expectRefusal(.otherEnvironment) {
      try judge(device.attestation(over: hash, by: root, now: Self.now), keyID: device.keyID)
    }
  }

  @Test("another format is refused") func format() throws {
    expectRefusal(.malformed) {
      try judge(device.attestation(over: hash, by: root, now: Self.now, claims: { $0.format = "apple" }))
    }
  }

  @Test("every attestation that is cut off is refused") func cut() throws {
    let whole = try device.attestation(over: hash, by: root, now: Self.now)
    for size in stride(from: 0, to: whole.count, by: 7) {
      expectRefusal(.malformed) { try judge(Array(whole[..<size])) }
    }
  }

  @Test("every attestation with a changed byte is refused, unless the byte means nothing") func changed() throws {
    let whole = try device.attestation(over: hash, by: root, now: Self.now)
    let receipt = Array("a receipt".utf8)
    let start = try #require(whole.indices.first { whole[$0...].starts(with: receipt) })
    for place in stride(from: 0, to: whole.count, by: 5) where !(start - 8..<start + receipt.count).contains(place) {
      var bytes = whole
      bytes[place] ^= 0x15
      #expect(throws: AttestProblem.self, "byte \(place)") { try judge(bytes) }
    }
  }

  @Test("an assertion gives its counter") func assertion() throws {
    let assertion = try device.assertion(over: hash, counter: 4_000_000_000)
    let counter = try AppAttest.counter(
      of: assertion, key: device.key.publicKey, clientDataHash: hash, app: attested)
    #expect(counter == 4_000_000_000)
  }

  @Test("an assertion over something else, of another key or another app is refused") func otherAssertion() throws {
    let other = try TestDevice(app: Self.app)
    let table: [([UInt8], AttestProblem)] = [
      (try device.assertion(over: SHA256.digest("another"), counter: 1), .badSignature),
      (try other.assertion(over: hash, counter: 1), .badSignature),
      (try device.assertion(over: hash, counter: 1, app: "9876543210.com.example.app"), .otherApp),
      (try Array(device.assertion(over: hash, counter: 1).dropLast()), .malformed),
      (try device.attestation(over: hash, by: root, now: Self.now), .malformed),
      ([], .malformed),
      (CBORText.map([("signature", CBORText.bytes([])), ("authenticatorData", CBORText.bytes([1]))]), .malformed),
    ]
    for (assertion, problem) in table {
      #expect {
        try AppAttest.counter(of: assertion, key: device.key.publicKey, clientDataHash: hash, app: attested)
      } throws: {
        $0 as? AttestProblem == problem
      }
    }
  }

  @Test("an object above the limit is refused before it is read") func size() throws {
    expectRefusal(.malformed) { try judge(CBORText.head(2, 40_000) + [UInt8](repeating: 0, count: 40_000)) }
  }

  @Test("a file of roots holds one to eight certificates and nothing broken") func files() throws {
    let one = root.pem
    let broken = one.replacing("MII", with: "MIJ")
    #expect(throws: Never.self) { try CertificateRoots(pem: Array(("words around it\n" + one + one).utf8)) }
    for text in ["", "no certificate", broken, one + broken, (0..<9).map { _ in one }.joined()] {
      #expect(throws: CertificateError.unreadable) { try CertificateRoots(pem: Array(text.utf8)) }
    }
  }
}
