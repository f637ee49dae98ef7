package import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The attestation that an app sends with a request at a door that demands one.
package struct PresentedAssertion: Sendable {
  package let keyID: String
  package let challenge: String
  package let assertion: String

  package init(keyID: String, challenge: String, assertion: String) {
    self.keyID = keyID
    self.challenge = challenge
    self.assertion = assertion
  }
}

/// The demand of a door that a request comes from an attested app.
package enum Attestation {
  /// The attested request: method and path below the tenant, as `POST /v1/sign-in`, and the bytes of its body.
  package struct Request: Sendable {
    package let operation: String
    package let body: [UInt8]

    package init(operation: String, body: [UInt8]) {
      self.operation = operation
      self.body = body
    }

    /// The data that the device's assertion signs: SHA-256 of the challenge, a line feed, the operation, a line feed,
    /// and the SHA-256 of the body.
    func clientDataHash(_ challenge: String) -> [UInt8] {
      SHA256.digest(Array("\(challenge)\n\(operation)\n".utf8) + SHA256.digest(body))
    }
  }

  /// The call, with the key that it was attested by. Where no attestation is demanded nothing is looked at.
  ///
  /// Refuses `attest_required` without an assertion, and `attest_invalid` for any that does not hold, for each reason
  /// alike: challenge, key, signature, app or counter. The reason is in the audit log. A challenge and a counter are
  /// used up by one request.
  package static func demand(
    at door: Door, _ presented: PresentedAssertion?, over request: Request, _ call: Call, _ services: Services
  ) async throws -> Call {
    // GUARD: attest: a door that demands it
    guard call.policy.demandsAttestation(at: door), let attest = call.policy.attest else { return call }
    guard let presented else {
      await refused("no_assertion", at: door, call, services)
      throw Refusal(.attestRequired)
    }
    do {
      let key = try await use(presented, over: request, attest, call, services)
      return call.attested(by: key)
    } catch let problem as Problem {
      await refused(problem.reason, at: door, call, services)
      throw Refusal(.attestInvalid, note: problem.reason)
    }
  }

  /// The reason for which an assertion or an attestation does not hold: for the audit log, and never for the app.
  struct Problem: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }

    init(_ problem: AttestProblem) { reason = problem.rawValue }
  }

  private static func use(
    _ presented: PresentedAssertion, over request: Request, _ attest: Attest, _ call: Call, _ services: Services
  ) async throws -> [UInt8] {
    guard let mark = AttestChallenge.mark(of: presented.challenge, call) else { throw Problem("challenge") }
    guard let id = Base64URL.decodeEither(presented.keyID), id.count == AppAttest.keyIDSize,
      let assertion = Base64URL.decodeEither(presented.assertion)
    else { throw Problem("malformed") }
    let store = services.store.open(call.tenant.id)
    guard let key = try await store.attestKey(id: id) else { throw Problem("unknown_key") }
    // GUARD: attest: a key of this environment
    guard key.environment == attest.ios.environment else { throw Problem("other_environment") }
    let counter: UInt32
    do throws(AttestProblem) {
      counter = try AppAttest.counter(
        of: assertion, key: P256PublicKey(attested: key.point),
        clientDataHash: request.clientDataHash(presented.challenge),
        app: AttestedApp(attest))
    } catch {
      throw Problem(error)
    }
    do {
      try await store.commit([.attest(.useChallenge(mark)), .attest(.useKey(id, counter: counter))], as: .anonymous)
    } catch StoreError.refused(.attestChallengeIsFresh) {
      throw Problem("used_challenge")
    } catch StoreError.refused(.attestCounterRises) {
      throw Problem("counter")
    }
    return id
  }

  static func refused(_ reason: String, at door: Door?, _ call: Call, _ services: Services) async {
    var details = ["reason": reason]
    if let door { details["door"] = door.rawValue }
    await call.note(
      .attestRefused, about: "\(reason) \(call.address?.text ?? "")", services, details: details)
  }
}

extension AttestedApp {
  /// The app of a policy.
  init(_ attest: Attest) {
    self.init(team: attest.ios.team, bundle: attest.ios.bundle, isProduction: attest.ios.environment == .production)
  }
}

extension P256PublicKey {
  /// A stored key, which was a point of the curve when it was attested.
  fileprivate convenience init(attested point: [UInt8]) throws(AttestProblem) {
    do throws(CryptoError) {
      try self.init(point: point)
    } catch {
      throw .malformed
    }
  }
}
