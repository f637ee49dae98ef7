// App Attest: an app gets a challenge, and has a key of its device registered that Apple attests.

import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum RegisterAttestKey {
  /// A challenge for a registration or for a request at a door that demands an assertion. Refuses `not_found` where the
  /// policy has no `attest:`. Nothing is stored.
  package static func challenge(_ input: Nothing, _ call: Call, _ services: Services) async throws
    -> AttestChallengeEndpoint.Output
  {
    _ = try call.policy.attestation()
    return AttestChallengeEndpoint.Output(
      challenge: AttestChallenge.make(call), expiresIn: Int(AttestChallenge.seconds))
  }

  /// Keeps a key whose attestation holds. Refuses `not_found` where the policy has no `attest:`, `rate_limited` by the
  /// caller's address, and `attest_invalid` for anything that does not hold: challenge, chain, app, environment, or a
  /// key that is there.
  package static func run(_ input: RegisterAttestKeyEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> Nothing
  {
    let attest = try call.policy.attestation()
    // GUARD: attest: registrations of an address are counted
    try await Limiting.reserve(.attestKey, call, services)
    do {
      try await register(input, attest, call, services)
    } catch let problem as Attestation.Problem {
      await Attestation.refused(problem.reason, at: nil, call, services)
      throw Refusal(.attestInvalid, note: problem.reason)
    }
    return Nothing()
  }

  private static func register(
    _ input: RegisterAttestKeyEndpoint.Input, _ attest: Attest, _ call: Call, _ services: Services
  ) async throws {
    guard let roots = services.attestRoots else {
      throw Refusal(.internal, note: "the policy has attest:, but the server has no attest.apple_root")
    }
    guard let mark = AttestChallenge.mark(of: input.challenge, call) else { throw Attestation.Problem("challenge") }
    guard let id = Base64URL.decodeEither(input.keyID), id.count == AppAttest.keyIDSize,
      let attestation = Base64URL.decodeEither(input.attestation)
    else { throw Attestation.Problem("malformed") }
    let key: P256PublicKey
    do throws(AttestProblem) {
      key = try AppAttest.attestedKey(
        attestation, keyID: id, clientDataHash: SHA256.digest(input.challenge), app: AttestedApp(attest), roots: roots,
        at: call.now.wholeSeconds)
    } catch {
      throw Attestation.Problem(error)
    }
    let kept = AttestKey(
      id: id, point: key.point, environment: attest.ios.environment, createdAt: call.now, lastUsedAt: call.now)
    do {
      try await services.store.open(call.tenant.id).commit(
        [
          .attest(.useChallenge(mark)), .attest(.insertKey(kept)),
          call.bounded(.attestKeyRegistered, services, user: nil),
        ], as: .anonymous)
    } catch StoreError.refused(.attestChallengeIsFresh) {
      throw Attestation.Problem("used_challenge")
    } catch StoreError.refused(.attestKeyIsNew) {
      throw Attestation.Problem("registered_key")
    }
  }
}

extension Policy {
  /// The policy's section on attestation. Refuses `not_found` where it has none.
  fileprivate func attestation() throws -> Attest {
    guard let attest else { throw Refusal(.notFound) }
    return attest
  }
}
