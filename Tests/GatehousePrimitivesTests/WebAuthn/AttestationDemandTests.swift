import Foundation
import GatehouseTesting
import Testing

@testable import GatehousePrimitives

@Suite("The demand that a root vouches for an authenticator") struct AttestationDemandTests {
  static let now = Date(timeIntervalSince1970: 1_790_000_000)
  static let model = [UInt8](1...16)
  let root: TestAttestationRoot
  let passkey: TestPasskey

  init() throws {
    root = try TestAttestationRoot(now: Self.now)
    passkey = try TestPasskey()
  }

  /// Registers with a statement of this format.
  private func register(
    _ format: String, models: [[UInt8]]? = nil, root other: TestAttestationRoot? = nil, at now: Date = now,
    by passkey: TestPasskey? = nil, _ change: (inout TestPasskey.Parts) -> Void = { _ in },
    statement: (TestPasskey.Parts) throws -> [UInt8]
  ) throws -> PasskeyRegistration.Made {
    let answer = try (passkey ?? self.passkey).registration(
      PasskeyWorld.challenge,
      {
        $0.format = format
        $0.model = format == "fido-u2f" ? [UInt8](repeating: 0, count: 16) : Self.model
        change(&$0)
      }, statement: statement)
    let demand = AttestationDemand(
      roots: try CertificateRoots(pem: Array((other ?? root).pem.utf8)), models: models,
      at: Int64(now.timeIntervalSince1970))
    return try PasskeyRegistration.verify(answer, PasskeyWorld.registering { $0.attestation = demand })
  }

  private func packed(
    models: [[UInt8]]? = nil, root other: TestAttestationRoot? = nil, at now: Date = now,
    _ change: (inout TestAttestationRoot.Model) -> Void = { _ in }
  ) throws -> PasskeyRegistration.Made {
    try register("packed", models: models, root: other, at: now) {
      try passkey.packed($0, by: root, now: Self.now, change)
    }
  }

  private func problem(_ work: () throws -> PasskeyRegistration.Made) throws -> PasskeyProblem? {
    try PasskeyWorld.problem(work)
  }

  @Test(
    "a packed statement of a known maker is taken, for a passkey of any algorithm", arguments: PasskeyAlgorithm.allCases
  )
  func packed(_ algorithm: PasskeyAlgorithm) throws {
    let passkey = try TestPasskey(algorithm)
    let made = try register("packed", by: passkey) { try passkey.packed($0, by: root, now: Self.now) }
    #expect(made.isAttested && made.model == Self.model)
  }

  @Test("a statement of U2F is taken, with a certificate of the root's own")
  func u2f() throws {
    #expect(try register("fido-u2f") { try passkey.u2f($0, by: root, now: Self.now) }.isAttested)
  }

  @Test("a statement of Apple is taken")
  func apple() throws {
    #expect(try register("apple") { try passkey.apple($0, by: root, now: Self.now) }.isAttested)
  }

  @Test("a certificate need not name the model")
  func unnamed() throws { #expect(try packed { $0.model = nil }.isAttested) }

  @Test("no statement, the key's own, and other formats vouch for nothing")
  func formats() throws {
    #expect(try problem { try register("none") { _ in CBORText.map([]) } } == .attestationFormat)
    #expect(try problem { try register("packed") { try passkey.selfPacked($0) } } == .attestationFormat)
    for format in ["tpm", "android-key", "android-safetynet", "compound", "Packed", ""] {
      let problem = try problem { try register(format) { try passkey.packed($0, by: root, now: Self.now) } }
      #expect(problem == .attestationFormat, "\(format)")
    }
  }

  @Test("another root vouches for nothing")
  func otherRoot() throws {
    let other = try TestAttestationRoot(now: Self.now)
    #expect(try problem { try packed(root: other) } == .attestationUntrusted)
  }

  @Test("a certificate that is over, or has not begun, is refused", arguments: [-2, 24 * 366] as [Double])
  func dates(_ hours: Double) throws {
    #expect(try problem { try packed(at: Self.now.addingTimeInterval(hours * 3600)) } == .attestationNotValidNow)
  }

  @Test("the signature of a packed statement is about these bytes")
  func packedSignature() throws {
    let problem = try problem {
      try register("packed") { try passkey.packed($0, by: root, now: Self.now, signed: $0.clientDataJSON) }
    }
    #expect(problem == .attestationSignature)
  }

  @Test("the algorithm of a packed statement is that of the certificate's key")
  func packedAlgorithm() throws {
    let problem = try problem {
      try register("packed") { try passkey.packed($0, by: root, now: Self.now, algorithm: -8) }
    }
    #expect(problem == .attestationProfile)
  }

  @Test("a packed certificate may sign no other, and says so", arguments: [nil, false] as [Bool?])
  func leaf(_ isLeaf: Bool?) throws {
    let problem = try problem { try packed { $0.isLeaf = isLeaf } }
    #expect(problem == .attestationProfile)
  }

  @Test("a packed certificate names country, maker, purpose and model", arguments: 0..<4)
  func subject(_ index: Int) throws {
    #expect(try problem { try packed { $0.subject.remove(at: index) } } == .attestationProfile)
  }

  @Test("a packed certificate is for authenticators")
  func purpose() throws {
    #expect(try problem { try packed { $0.subject[2].1 = "Servers" } } == .attestationProfile)
  }

  @Test("a packed certificate of another model is refused")
  func otherModel() throws {
    #expect(try problem { try packed { $0.model?[0] ^= 1 } } == .attestationModel)
  }

  @Test("of models that are listed, others are refused")
  func models() throws {
    #expect(try packed(models: [[UInt8](repeating: 0, count: 16), Self.model]).isAttested)
    #expect(try problem { try packed(models: [[UInt8](repeating: 0, count: 16)]) } == .modelNotAllowed)
    #expect(try problem { try packed(models: []) } == .modelNotAllowed)
  }

  @Test("U2F has one certificate, and no model")
  func u2fForm() throws {
    let two = try problem { try register("fido-u2f") { try passkey.u2f($0, by: root, now: Self.now, count: 2) } }
    #expect(two == .badAttestation)
    let named = try problem {
      try register("fido-u2f", { $0.model = Self.model }) { try passkey.u2f($0, by: root, now: Self.now) }
    }
    #expect(named == .attestationModel)
  }

  @Test("the signature of U2F is about its own selection of bytes")
  func u2fSignature() throws {
    let problem = try problem {
      try register("fido-u2f") { try passkey.u2f($0, by: root, now: Self.now, signed: $0.signed) }
    }
    #expect(problem == .attestationSignature)
  }

  @Test("an Apple certificate is about this registration")
  func appleNonce() throws {
    for nonce in [nil, SHA256.digest("another")] {
      let problem = try problem {
        try register("apple") { try passkey.apple($0, by: root, now: Self.now) { $0.nonce = nonce } }
      }
      #expect(problem == .attestationNonce)
    }
  }

  @Test("an Apple certificate is about this key")
  func appleKey() throws {
    let other = try TestKeyPair(.es256).point()
    let problem = try problem {
      try register("apple") { try passkey.apple($0, by: root, now: Self.now) { $0.key = other } }
    }
    #expect(problem == .attestationKey)
  }

  @Test(
    "a statement of another form is refused",
    arguments: [
      CBORText.map([("x5c", CBORText.array([]))]), CBORText.map([("x5c", CBORText.array([[0x01]]))]),
      CBORText.map([("x5c", CBORText.array([CBORText.bytes([1, 2, 3])]))]),
    ])
  func badForm(_ statement: [UInt8]) throws {
    #expect(try problem { try register("packed") { _ in statement } } == .badAttestation)
  }
}
