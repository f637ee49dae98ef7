import GatehouseTesting
import Testing

@testable import GatehousePrimitives

@Suite("python-fido2 and we agree about passkeys") struct PasskeyPeerTests {
  private static let peer = PasskeyPeer(
    rpID: "example.com", origin: PasskeyWorld.origin, challenge: PasskeyWorld.challenge)

  @Test("it accepts what we accept")
  func theirs() throws {
    let pairs = try PasskeyAlgorithm.allCases.map { algorithm in
      let passkey = try TestPasskey(algorithm)
      _ = try PasskeyWorld.use(passkey)
      return PasskeyPeer.Pair(
        algorithm: algorithm, registration: try passkey.registration(PasskeyWorld.challenge),
        assertion: try passkey.assertion(PasskeyWorld.challenge))
    }
    #expect(try Self.peer.verdicts(on: pairs) == ["", "", ""])
  }

  @Test("we accept what it makes")
  func ours() throws {
    let pairs = try Self.peer.pairs()
    #expect(pairs.map(\.algorithm) == PasskeyAlgorithm.allCases)
    for pair in pairs {
      let made = try PasskeyRegistration.verify(pair.registration, PasskeyWorld.registering())
      #expect(made.key.algorithm == pair.algorithm && made.signCount == 7 && made.isBackupEligible)
      let used = try PasskeyAssertion.verify(pair.assertion, expected(after: made))
      #expect(used.signCount == 8 && used.isBackedUp && !used.hasCounterFallen)
    }
  }

  private func expected(after made: PasskeyRegistration.Made) -> PasskeyAssertion.Expectation {
    PasskeyAssertion.Expectation(
      challenge: PasskeyWorld.challenge, origins: [PasskeyWorld.origin], rpIDHash: PasskeyWorld.partyHash,
      isVerificationRequired: true, isUserHandleRequired: false,
      known: PasskeyAssertion.Known(
        id: made.id, key: made.key, signCount: made.signCount, isBackupEligible: made.isBackupEligible,
        userHandle: []))
  }

  @Test("what it made and was changed on the way, we refuse as it does", arguments: 0..<6)
  func changed(_ change: Int) throws {
    var pair = try #require(try Self.peer.pairs().first)
    let made = try PasskeyRegistration.verify(pair.registration, PasskeyWorld.registering())
    switch change {
    case 0: pair.assertion.signature[10] ^= 1
    case 1: pair.assertion.authenticatorData[0] ^= 1
    case 2: pair.assertion.authenticatorData[32] &= ~TestPasskey.present
    case 3: pair.assertion.authenticatorData[32] &= ~TestPasskey.verified
    case 4: pair.assertion.clientDataJSON.append(0x20)
    default: pair.assertion.clientDataJSON = pair.registration.clientDataJSON
    }
    let problem = try PasskeyWorld.problem { try PasskeyAssertion.verify(pair.assertion, expected(after: made)) }
    let verdicts = try Self.peer.verdicts(on: [pair])
    #expect(problem != nil && verdicts != [""])
  }
}
