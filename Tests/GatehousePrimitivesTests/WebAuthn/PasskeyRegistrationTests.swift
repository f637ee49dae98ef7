import GatehouseTesting
import Testing

@testable import GatehousePrimitives

@Suite("A passkey that is registered") struct PasskeyRegistrationTests {
  @Test("a right answer gives its key, under each algorithm", arguments: PasskeyAlgorithm.allCases)
  func right(_ algorithm: PasskeyAlgorithm) throws {
    let passkey = try TestPasskey(algorithm)
    let made = try PasskeyWorld.register(passkey) {
      $0.signCount = 9
      $0.model = [UInt8](1...16)
    }
    #expect(made.id == passkey.id && made.key.algorithm == algorithm && made.signCount == 9)
    #expect(made.model == [UInt8](1...16) && !made.isAttested && made.isUserVerified)
    #expect(made.key.verifies(try passkey.pair.sign([1, 2, 3]), of: [1, 2, 3]))
  }

  /// Beside those of both ceremonies.
  static let rules =
    BrokenRule.common + [
      BrokenRule(.otherType, "an assertion") { $0.type = "webauthn.get" },
      BrokenRule(.badAuthenticatorData, "no credential") { $0.flags &= ~TestPasskey.attested },
      BrokenRule(.badCredentialID, "an id without bytes") {
        $0.credentialID = []
        $0.saidID = []
      },
      BrokenRule(.badCredentialID, "an id of 1024 bytes") {
        $0.credentialID = [UInt8](repeating: 1, count: 1024)
        $0.saidID = $0.credentialID
      },
      BrokenRule(.badAuthenticatorData, "an id that is longer than it all") { $0.toldIDSize = 1000 },
      BrokenRule(.badAuthenticatorData, "no key") { $0.key = [] },
      BrokenRule(.badAuthenticatorData, "a key that is no map") { $0.key = [0x01] },
      BrokenRule(.badAuthenticatorData, "a key cut off") { $0.key.removeLast() },
      BrokenRule(.badKey, "a key without an algorithm") { $0.key = CBORText.numbered([(1, [2])]) },
      BrokenRule(.otherAlgorithm, "another algorithm") { $0.key[4] = 0x25 },
      BrokenRule(.badKey, "another kind of key") { $0.key[2] = 0x03 },
      BrokenRule(.badKey, "another curve") { $0.key[6] = 0x02 },
      BrokenRule(.badKey, "a point beside the curve") { $0.key[$0.key.count - 1] ^= 1 },
    ]

  @Test("an answer that breaks a rule is refused, and the rule is named", arguments: rules)
  func broken(_ rule: BrokenRule) throws {
    let passkey = try TestPasskey()
    #expect(try PasskeyWorld.problem { try PasskeyWorld.register(passkey, rule.change) } == rule.rule)
  }

  @Test("an id of 1023 bytes, reserved bits, unasked extensions and more members are taken")
  func taken() throws {
    let passkey = try TestPasskey()
    let made = try PasskeyWorld.register(passkey) {
      $0.credentialID = [UInt8](repeating: 1, count: 1023)
      $0.saidID = $0.credentialID
      $0.flags |= TestPasskey.extended | 0x22
      $0.behind = CBORText.map([("credProtect", [0x02]), ("hmac-secret", CBORText.boolean(true))])
      $0.members = #","extra":{"a":[1]}"#
    }
    #expect(made.id.count == 1023)
  }

  @Test("without the demand, the user need not be verified, and the answer says it")
  func unverified() throws {
    let passkey = try TestPasskey()
    let made = try PasskeyWorld.register(passkey, expecting: { $0.isVerificationRequired = false }) {
      $0.flags &= ~TestPasskey.verified
    }
    #expect(!made.isUserVerified)
  }

  @Test("one that was made without a question needs no user present")
  func conditional() throws {
    let passkey = try TestPasskey()
    let made = try PasskeyWorld.register(passkey, expecting: { $0.isPresenceRequired = false }) {
      $0.flags &= ~TestPasskey.present
    }
    #expect(made.id == passkey.id)
  }

  @Test("whether it may be synced, and is, is told", arguments: [0, TestPasskey.eligible, TestPasskey.eligible | 0x10])
  func backup(_ flags: UInt8) throws {
    let made = try PasskeyWorld.register(try TestPasskey()) { $0.flags |= flags }
    #expect(made.isBackupEligible == (flags != 0))
    #expect(made.isBackedUp == (flags & TestPasskey.backedUp != 0))
  }

  @Test("an algorithm that was not offered is refused")
  func unoffered() throws {
    let passkey = try TestPasskey(.edDSA)
    let problem = try PasskeyWorld.problem {
      try PasskeyWorld.register(passkey, expecting: { $0.algorithms = [.es256, .rs256] })
    }
    #expect(problem == .otherAlgorithm)
  }

  @Test(
    "each of several origins is taken, apps' included", arguments: ["https://a.example", "android:apk-key-hash:Ab_-9"])
  func origins(_ origin: String) throws {
    let made = try PasskeyWorld.register(
      try TestPasskey(), expecting: { $0.origins = ["https://a.example", "android:apk-key-hash:Ab_-9"] }
    ) { $0.origin = origin }
    #expect(made.isUserVerified)
  }

  @Test("where no root must vouch, a statement of any format is not read")
  func ignored() throws {
    let passkey = try TestPasskey()
    let answer = try passkey.registration(PasskeyWorld.challenge, { $0.format = "tpm" }) { _ in
      CBORText.map([("sig", CBORText.bytes([1]))])
    }
    let made = try PasskeyRegistration.verify(answer, PasskeyWorld.registering())
    #expect(!made.isAttested)
  }

  @Test(
    "an attestation object of another form is refused",
    arguments: [
      [], [0xA0], [0x80], CBORText.map([("fmt", CBORText.text("none")), ("attStmt", CBORText.map([]))]),
      CBORText.map([("fmt", CBORText.text("none")), ("attStmt", [0x01]), ("authData", CBORText.bytes([]))]),
    ] as [[UInt8]])
  func badObject(_ object: [UInt8]) throws {
    var answer = try TestPasskey().registration(PasskeyWorld.challenge)
    answer.attestationObject = object
    let problem = try PasskeyWorld.problem { try PasskeyRegistration.verify(answer, PasskeyWorld.registering()) }
    #expect(problem == .badAttestationObject)
  }

  @Test("an attestation object of more than 16 KB is not read")
  func tooLarge() throws {
    var answer = try TestPasskey().registration(PasskeyWorld.challenge)
    answer.attestationObject += [UInt8](repeating: 0, count: 16 * 1024)
    let problem = try PasskeyWorld.problem { try PasskeyRegistration.verify(answer, PasskeyWorld.registering()) }
    #expect(problem == .tooLarge)
  }
}
