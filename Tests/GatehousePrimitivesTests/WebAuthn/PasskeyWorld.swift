import GatehouseTesting
import Testing

@testable import GatehousePrimitives

/// A relying party as the tests of passkeys have it.
enum PasskeyWorld {
  static let challenge = [UInt8](repeating: 7, count: 32)
  static let origin = "https://example.com"
  static let partyHash = SHA256.digest("example.com")

  static func registering(_ change: (inout PasskeyRegistration.Expectation) -> Void = { _ in })
    -> PasskeyRegistration.Expectation
  {
    var expected = PasskeyRegistration.Expectation(
      challenge: challenge, origins: [origin], rpIDHash: partyHash, isVerificationRequired: true)
    change(&expected)
    return expected
  }

  static func register(
    _ passkey: TestPasskey, _ parts: (inout TestPasskey.Parts) -> Void = { _ in }
  ) throws -> PasskeyRegistration.Made { try register(passkey, expecting: { _ in }, parts) }

  static func register(
    _ passkey: TestPasskey, expecting change: (inout PasskeyRegistration.Expectation) -> Void,
    _ parts: (inout TestPasskey.Parts) -> Void = { _ in }
  ) throws -> PasskeyRegistration.Made {
    try PasskeyRegistration.verify(passkey.registration(challenge, parts), registering(change))
  }

  /// What is stored of a passkey after its registration.
  static func known(_ passkey: TestPasskey) throws -> PasskeyAssertion.Known {
    let made = try register(passkey)
    return PasskeyAssertion.Known(
      id: made.id, key: try PasskeyKey(spki: made.key.spki, algorithm: made.key.algorithm), signCount: made.signCount,
      isBackupEligible: made.isBackupEligible, userHandle: passkey.userHandle)
  }

  static func using(
    _ passkey: TestPasskey, _ change: (inout PasskeyAssertion.Expectation) -> Void = { _ in }
  ) throws -> PasskeyAssertion.Expectation {
    var expected = PasskeyAssertion.Expectation(
      challenge: challenge, origins: [origin], rpIDHash: partyHash, isVerificationRequired: true,
      isUserHandleRequired: true, known: try known(passkey))
    change(&expected)
    return expected
  }

  static func use(
    _ passkey: TestPasskey, _ parts: (inout TestPasskey.Parts) -> Void = { _ in }
  ) throws -> PasskeyAssertion.Used { try use(passkey, expecting: { _ in }, parts) }

  static func use(
    _ passkey: TestPasskey, expecting change: (inout PasskeyAssertion.Expectation) -> Void,
    _ parts: (inout TestPasskey.Parts) -> Void = { _ in }
  ) throws -> PasskeyAssertion.Used {
    try PasskeyAssertion.verify(passkey.assertion(challenge, parts), using(passkey, change))
  }

  /// The rule that work breaks; nil where it breaks none.
  static func problem(_ work: () throws -> some Any) throws -> PasskeyProblem? {
    do {
      _ = try work()
      return nil
    } catch let problem as PasskeyProblem {
      return problem
    }
  }
}

/// One change of a right answer, and the rule that it breaks.
struct BrokenRule: Sendable, CustomTestStringConvertible {
  let rule: PasskeyProblem
  let what: String
  let change: @Sendable (inout TestPasskey.Parts) -> Void

  init(_ rule: PasskeyProblem, _ what: String, _ change: @escaping @Sendable (inout TestPasskey.Parts) -> Void) {
    self.rule = rule
    self.what = what
    self.change = change
  }

  var testDescription: String { "\(rule.rawValue): \(what)" }

  /// The rules of both ceremonies.
  static let common = [
    BrokenRule(.otherChallenge, "another challenge") { $0.challenge[0] ^= 1 },
    BrokenRule(.otherChallenge, "a challenge with a byte more") { $0.challenge.append(0) },
    BrokenRule(.otherChallenge, "no challenge") { $0.challenge = [] },
    BrokenRule(.otherType, "another ceremony") { $0.type = "webauthn.other" },
    BrokenRule(.otherType, "the ceremony in capitals") { $0.type = $0.type.uppercased() },
    BrokenRule(.otherOrigin, "another host") { $0.origin = "https://example.org" },
    BrokenRule(.otherOrigin, "a host below") { $0.origin = "https://www.example.com" },
    BrokenRule(.otherOrigin, "a port") { $0.origin = "https://example.com:443" },
    BrokenRule(.otherOrigin, "a path") { $0.origin = "https://example.com/" },
    BrokenRule(.otherOrigin, "without TLS") { $0.origin = "http://example.com" },
    BrokenRule(.otherOrigin, "in capitals") { $0.origin = "https://EXAMPLE.com" },
    BrokenRule(.crossOrigin, "within another site") { $0.members = #","crossOrigin":true"# },
    BrokenRule(.crossOrigin, "with a site around it") { $0.members = #","topOrigin":"https://example.com""# },
    BrokenRule(.crossOrigin, "with a null around it") { $0.members = #","crossOrigin":false,"topOrigin":null"# },
    BrokenRule(.badClientData, "crossOrigin as a text") { $0.members = #","crossOrigin":"false""# },
    BrokenRule(.badClientData, "a member twice") { $0.members = #","origin":"https://example.com""# },
    BrokenRule(.badClientData, "something behind the object") { $0.members = "}{" },
    BrokenRule(.badClientData, "no object") { $0.clientData = "[]" },
    BrokenRule(.badClientData, "nothing") { $0.clientData = "" },
    BrokenRule(.badClientData, "a challenge with padding") {
      $0.clientData = #"{"type":"webauthn.get","challenge":"Bw==","origin":"https://example.com"}"#
    },
    BrokenRule(.tooLarge, "too much client data") {
      $0.members = #","more":"\#(String(repeating: "x", count: 4096))""#
    },
    BrokenRule(.otherParty, "another relying party") { $0.rpID = "example.org" },
    BrokenRule(.userNotPresent, "no user present") { $0.flags &= ~TestPasskey.present },
    BrokenRule(.userNotVerified, "no user verified") { $0.flags &= ~TestPasskey.verified },
    BrokenRule(.backedUpUneligible, "backed up without being eligible") { $0.flags |= TestPasskey.backedUp },
    BrokenRule(.badAuthenticatorData, "a byte behind") { $0.behind = [0] },
    BrokenRule(.badAuthenticatorData, "extensions that are told and not there") { $0.flags |= TestPasskey.extended },
    BrokenRule(.badAuthenticatorData, "extensions that are no map") {
      $0.flags |= TestPasskey.extended
      $0.behind = [0x01]
    },
    BrokenRule(.badAuthenticatorData, "extensions that are nested too deep") {
      $0.flags |= TestPasskey.extended
      $0.behind = CBORText.map([("a", [0x81, 0x81, 0x81, 0x81, 0x80])])
    },
    BrokenRule(.tooLarge, "too many bytes of authenticator data") {
      $0.behind = [UInt8](repeating: 0, count: 16 * 1024)
    },
    BrokenRule(.otherCredential, "another id around it") { $0.saidID[0] ^= 1 },
  ]
}
