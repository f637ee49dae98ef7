import GatehouseTesting
import Testing

@testable import GatehousePrimitives

@Suite("A passkey that is used") struct PasskeyAssertionTests {
  @Test("a right answer is taken, under each algorithm", arguments: PasskeyAlgorithm.allCases)
  func right(_ algorithm: PasskeyAlgorithm) throws {
    let used = try PasskeyWorld.use(try TestPasskey(algorithm)) { $0.signCount = 1 }
    #expect(
      used
        == PasskeyAssertion.Used(
          signCount: 1, hasCounterFallen: false, isUserVerified: true, isBackupEligible: false, isBackedUp: false,
          becameBackupEligible: false))
  }

  /// Beside those of both ceremonies.
  static let rules =
    BrokenRule.common + [
      BrokenRule(.otherType, "a registration") { $0.type = "webauthn.create" },
      BrokenRule(.otherUser, "another user") { $0.userHandle?[0] ^= 1 },
      BrokenRule(.otherUser, "no user") { $0.userHandle = nil },
      BrokenRule(.otherUser, "an empty user") { $0.userHandle = [] },
      BrokenRule(.badAuthenticatorData, "a credential") {
        $0.flags |= TestPasskey.attested
        $0.key = CBORText.numbered([(1, [2])])
      },
    ]

  @Test("an answer that breaks a rule is refused, and the rule is named", arguments: rules)
  func broken(_ rule: BrokenRule) throws {
    let passkey = try TestPasskey()
    #expect(try PasskeyWorld.problem { try PasskeyWorld.use(passkey, rule.change) } == rule.rule)
  }

  @Test(
    "a second proof may leave out whose it is, and may not name another", arguments: [nil, [1, 2, 3]] as [[UInt8]?])
  func second(_ handle: [UInt8]?) throws {
    let passkey = try TestPasskey()
    let problem = try PasskeyWorld.problem {
      try PasskeyWorld.use(passkey, expecting: { $0.isUserHandleRequired = false }) { $0.userHandle = handle }
    }
    #expect(problem == (handle == nil ? nil : .otherUser))
  }

  @Test("a signature by another key is refused, under each algorithm", arguments: PasskeyAlgorithm.allCases)
  func otherKey(_ algorithm: PasskeyAlgorithm) throws {
    let passkey = try TestPasskey(algorithm)
    let answer = try passkey.assertion(PasskeyWorld.challenge, by: TestKeyPair(algorithm))
    #expect(
      try PasskeyWorld.problem { try PasskeyAssertion.verify(answer, PasskeyWorld.using(passkey)) } == .badSignature)
  }

  @Test("a change of any signed part breaks the signature", arguments: 0..<3)
  func changed(_ part: Int) throws {
    let passkey = try TestPasskey()
    var answer = try passkey.assertion(PasskeyWorld.challenge)
    switch part {
    case 0: answer.authenticatorData[36] ^= 1
    case 1: answer.clientDataJSON.append(0x20)
    default: answer.signature[answer.signature.count - 1] ^= 1
    }
    #expect(
      try PasskeyWorld.problem { try PasskeyAssertion.verify(answer, PasskeyWorld.using(passkey)) } == .badSignature)
  }

  @Test(
    "a counter that does not rise is told, where there is one",
    arguments: [(0, 0, false), (0, 5, false), (5, 6, false), (5, 5, true), (5, 4, true), (5, 0, true)]
      as [(
        UInt32, UInt32, Bool
      )])
  func counter(stored: UInt32, new: UInt32, isFallen: Bool) throws {
    let used = try PasskeyWorld.use(try TestPasskey(), expecting: { $0.known.signCount = stored }) {
      $0.signCount = new
    }
    #expect(used.hasCounterFallen == isFallen && used.signCount == new)
  }

  @Test("one that became eligible for backup is taken, and it is told")
  func eligible() throws {
    let used = try PasskeyWorld.use(try TestPasskey()) { $0.flags |= TestPasskey.eligible | TestPasskey.backedUp }
    #expect(used.becameBackupEligible && used.isBackedUp)
  }

  @Test("one that was eligible stays it, and nothing is told")
  func stays() throws {
    let used = try PasskeyWorld.use(try TestPasskey(), expecting: { $0.known.isBackupEligible = true }) {
      $0.flags |= TestPasskey.eligible
    }
    #expect(!used.becameBackupEligible && used.isBackupEligible && !used.isBackedUp)
  }

  @Test("one that is no longer eligible for backup is refused")
  func lost() throws {
    let passkey = try TestPasskey()
    let problem = try PasskeyWorld.problem {
      try PasskeyWorld.use(passkey, expecting: { $0.known.isBackupEligible = true })
    }
    #expect(problem == .backupEligibilityLost)
  }

  @Test("without the demand, the user need not be verified, and the answer says it")
  func unverified() throws {
    let used = try PasskeyWorld.use(try TestPasskey(), expecting: { $0.isVerificationRequired = false }) {
      $0.flags &= ~TestPasskey.verified
    }
    #expect(!used.isUserVerified)
  }
}
