import Foundation
import Testing

@testable import GatehousePrimitives

/// Vectors of WebAuthn Level 3, section 16, of the algorithms and formats that are read here. The root certificate was
/// made anew from the key that section 16.1 tells: it is not one of the vectors.
@Suite("The test vectors of WebAuthn") struct SpecificationTests {
  static let names = ["none.ES256", "packed-self.ES256", "packed.ES256", "packed.EdDSA", "packed.RS256"]
  /// Certificates of the vectors are valid from 2024 to 3024.
  private static let now: Int64 = 1_790_000_000

  private let file: JSONValue

  init() throws {
    let url = try #require(Bundle.module.url(forResource: "Corpus/WebAuthn/vectors.json", withExtension: nil))
    file = try JSONParser.parse(Array(Data(contentsOf: url)))
  }

  private func vector(_ name: String) throws -> JSONValue {
    try #require(file["vectors"]?.array?.first { $0["name"] == .string(name) })
  }

  private func bytes(_ json: JSONValue?, _ name: String) throws -> [UInt8] {
    try #require(json?[name]?.string.flatMap { Hex.decode($0) })
  }

  private func register(_ vector: JSONValue, _ demand: AttestationDemand?) throws -> PasskeyRegistration.Made {
    let registration = vector["registration"]
    let object = try bytes(registration, "attestationObject")
    var expected = PasskeyRegistration.Expectation(
      challenge: try bytes(registration, "challenge"), origins: ["https://example.org"],
      rpIDHash: SHA256.digest("example.org"), isVerificationRequired: false)
    expected.attestation = demand
    let id = try PasskeyData(AttestationObject(object).data).made?.id
    return try PasskeyRegistration.verify(
      PasskeyRegistration.Answer(
        id: id ?? [], clientDataJSON: try bytes(registration, "clientDataJSON"), attestationObject: object),
      expected)
  }

  private func demand() throws -> AttestationDemand {
    let pem = try #require(file["root"]?.string)
    return AttestationDemand(roots: try CertificateRoots(pem: Array(pem.utf8)), models: nil, at: Self.now)
  }

  @Test("T112 a registration and the assertion after it are taken", arguments: names)
  func taken(_ name: String) throws {
    let vector = try vector(name)
    let made = try register(vector, nil)
    #expect(try made.model == bytes(vector, "model"))
    let assertion = vector["assertion"]
    let used = try PasskeyAssertion.verify(
      PasskeyAssertion.Answer(
        id: made.id, clientDataJSON: try bytes(assertion, "clientDataJSON"),
        authenticatorData: try bytes(assertion, "authenticatorData"), signature: try bytes(assertion, "signature"),
        userHandle: nil),
      PasskeyAssertion.Expectation(
        challenge: try bytes(assertion, "challenge"), origins: ["https://example.org"],
        rpIDHash: SHA256.digest("example.org"), isVerificationRequired: false, isUserHandleRequired: false,
        known: PasskeyAssertion.Known(
          id: made.id, key: made.key, signCount: made.signCount, isBackupEligible: made.isBackupEligible,
          userHandle: [])))
    #expect(!used.hasCounterFallen && !used.becameBackupEligible)
  }

  @Test("where a root must vouch, packed statements with certificates are taken", arguments: names.suffix(3))
  func vouched(_ name: String) throws {
    #expect(try register(vector(name), demand()).isAttested)
  }

  @Test("where a root must vouch, no statement and the key's own are refused", arguments: names.prefix(2))
  func unvouched(_ name: String) throws {
    let problem = try PasskeyWorld.problem { try register(vector(name), demand()) }
    #expect(problem == .attestationFormat)
  }
}
