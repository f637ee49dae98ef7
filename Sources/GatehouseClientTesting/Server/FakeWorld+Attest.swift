import Foundation
import GatehouseClient
import GatehouseWire

/// The part of a fake server that demands attested apps.
struct FakeAttest: Sendable {
  /// Challenges that were not used yet, with the times of their ends.
  var challenges: [String: Date] = [:]
  /// The counter of each registered key.
  var keys: [String: UInt32] = [:]
}

extension FakeServer {
  /// The number of registered keys.
  public var attestKeyCount: Int { withWorld { $0.attest.keys.count } }

  /// Forgets every registered key, as a server does with those that were not used for long.
  public func forgetAttestKeys() { withWorld { $0.attest.keys = [:] } }
}

extension FakeWorld {
  /// Doors by the paths at which they stand.
  private static let doors: [[Substring]: Set<String>] = [
    ["v1", "sign-up"]: ["sign_up"], ["v1", "sign-in"]: ["sign_in"], ["v1", "mfa", "verify"]: ["sign_in"],
    ["v1", "passkeys", "sign-in", "complete"]: ["sign_in"],
    ["v1", "sign-in", "{provider}"]: ["sign_up", "sign_in"],
  ]

  mutating func challenge(_ arrival: FakeArrival) throws -> AttestChallengeEndpoint.Output {
    guard !settings.attestedDoors.isEmpty else { throw FakeProblem("not_found") }
    let challenge = secret("challenge")
    attest.challenges[challenge] = arrival.now.addingTimeInterval(TimeInterval(settings.challengeLifetime))
    return AttestChallengeEndpoint.Output(challenge: challenge, expiresIn: settings.challengeLifetime)
  }

  mutating func register(_ input: RegisterAttestKeyEndpoint.Input, _ arrival: FakeArrival) throws -> Nothing {
    guard !settings.attestedDoors.isEmpty else { throw FakeProblem("not_found") }
    let expected = FakeSignature(key: input.keyID, counter: 0, hash: AttestedRequest.hash(of: input.challenge))
    guard uses(input.challenge, arrival.now), attest.keys[input.keyID] == nil,
      signature(input.attestation) == expected
    else { throw FakeProblem("attest_invalid") }
    attest.keys[input.keyID] = 0
    return Nothing()
  }

  /// Refuses a request at a door that demands an assertion, and has none that holds.
  mutating func demandAttestation(_ call: HTTPCall, _ path: [Substring], _ route: FakeRoute, _ arrival: FakeArrival)
    throws
  {
    guard let doors = Self.doors[route.template], !doors.isDisjoint(with: settings.attestedDoors) else { return }
    guard let key = arrival.headers[AttestedRequest.key.lowercased()],
      let challenge = arrival.headers[AttestedRequest.challenge.lowercased()],
      let assertion = arrival.headers[AttestedRequest.assertion.lowercased()]
    else { throw FakeProblem("attest_required") }
    let operation = "\(call.method) /\(path.joined(separator: "/"))"
    let hash = AttestedRequest.hash(challenge, operation, call.body ?? Data())
    guard uses(challenge, arrival.now), let last = attest.keys[key], let signed = signature(assertion),
      signed == FakeSignature(key: key, counter: signed.counter, hash: hash), signed.counter > last
    else { throw FakeProblem("attest_invalid") }
    attest.keys[key] = signed.counter
  }

  /// Whether this is a challenge of now, which is used up by this.
  private mutating func uses(_ challenge: String, _ now: Date) -> Bool {
    attest.challenges.removeValue(forKey: challenge).map { now < $0 } ?? false
  }

  private func signature(_ text: String) -> FakeSignature? {
    Data(base64Encoded: text).flatMap { try? JSONDecoder().decode(FakeSignature.self, from: $0) }
  }
}
