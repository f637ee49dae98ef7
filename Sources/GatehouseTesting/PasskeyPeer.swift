package import GatehousePrimitives

/// python-fido2, a second opinion on passkeys, which shares nothing with what verifies ours.
package struct PasskeyPeer: Sendable {
  package let rpID: String
  package let origin: String
  package let challenge: [UInt8]

  /// A registration and a use of one passkey.
  package struct Pair: Sendable {
    package var algorithm: PasskeyAlgorithm
    package var registration: PasskeyRegistration.Answer
    package var assertion: PasskeyAssertion.Answer

    package init(
      algorithm: PasskeyAlgorithm, registration: PasskeyRegistration.Answer, assertion: PasskeyAssertion.Answer
    ) {
      self.algorithm = algorithm
      self.registration = registration
      self.assertion = assertion
    }
  }

  package init(rpID: String, origin: String, challenge: [UInt8]) {
    self.rpID = rpID
    self.origin = origin
    self.challenge = challenge
  }

  /// Why it refuses each pair; an empty text for one that it accepts. It demands a verified user.
  package func verdicts(on pairs: [Pair]) throws -> [String] {
    let answer = try ask([
      "pairs": .array(
        pairs.map { .object(["registration": Self.json($0.registration), "assertion": Self.json($0.assertion)]) }),
      "make": .array([]),
    ])
    return (answer["verdicts"]?.array ?? []).compactMap(\.string)
  }

  /// The answers that it makes as an authenticator, a pair for each algorithm.
  package func pairs() throws -> [Pair] {
    let answer = try ask([
      "pairs": .array([]), "make": .array(PasskeyAlgorithm.allCases.map { .integer(Int64($0.rawValue)) }),
    ])
    return (answer["made"]?.array ?? []).compactMap { made in
      guard let number = made["algorithm"]?.integer, let algorithm = PasskeyAlgorithm(rawValue: Int(number)),
        let registration = made["registration"], let assertion = made["assertion"]
      else { return nil }
      return Pair(
        algorithm: algorithm,
        registration: PasskeyRegistration.Answer(
          id: Self.bytes(registration, "id"), clientDataJSON: Self.bytes(registration, "clientDataJSON"),
          attestationObject: Self.bytes(registration, "attestationObject")),
        assertion: PasskeyAssertion.Answer(
          id: Self.bytes(assertion, "id"), clientDataJSON: Self.bytes(assertion, "clientDataJSON"),
          authenticatorData: Self.bytes(assertion, "authenticatorData"),
          signature: Self.bytes(assertion, "signature"), userHandle: nil))
    }
  }

  private func ask(_ question: JSONObject) throws -> JSONValue {
    var question = question
    question["rp_id"] = .string(rpID)
    question["origin"] = .string(origin)
    question["challenge"] = Self.text(challenge)
    let outcome = try Python.run(
      String(decoding: PackageResources.passkey_peer_py, as: UTF8.self), [TestLists.root + "/.build/python"],
      input: String(decoding: JSONValue.object(question).bytes, as: UTF8.self))
    guard outcome.status == 0 else { throw Failure(errors: outcome.errors) }
    return try JSONParser.parse(Array(outcome.output.utf8), limits: JSONParser.Limits(size: 1 << 20))
  }

  package struct Failure: Error { let errors: String }

  private static func text(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes)) }

  private static func bytes(_ json: JSONValue, _ name: String) -> [UInt8] {
    json[name]?.string.flatMap { Base64URL.decode($0) } ?? []
  }

  private static func json(_ answer: PasskeyRegistration.Answer) -> JSONValue {
    .object([
      "id": text(answer.id), "clientDataJSON": text(answer.clientDataJSON),
      "attestationObject": text(answer.attestationObject),
    ])
  }

  private static func json(_ answer: PasskeyAssertion.Answer) -> JSONValue {
    .object([
      "id": text(answer.id), "clientDataJSON": text(answer.clientDataJSON),
      "authenticatorData": text(answer.authenticatorData), "signature": text(answer.signature),
    ])
  }
}
