import GatehouseIdentity
import GatehousePolicy
import GatehouseRuntime
import GatehouseWire

/// The fields of an attested request, at the doors where the policy demands one. Only calls that are attested or exempt
/// pass.
enum AttestGate {
  static let key = "App-Attest-Key"
  static let challenge = "App-Attest-Challenge"
  static let assertion = "App-Attest-Assertion"

  /// The call, attested where its door demands that. The fields are not looked at anywhere else.
  static func admit(
    _ route: Route, _ parameters: PathParameters, _ request: Request, _ call: Call, _ services: Services
  ) async throws -> Call {
    guard let door = route.attests, call.policy.demandsAttestation(at: door) else { return call }
    return try await Attestation.demand(
      at: door, presented(request),
      over: Attestation.Request(operation: operation(route, parameters), body: request.body), call, services)
  }

  /// All three, or none that counts. A field given twice is none.
  private static func presented(_ request: Request) -> PresentedAssertion? {
    let headers = request.headers
    guard let key = headers.single(key.lowercased()), let challenge = headers.single(challenge.lowercased()),
      let assertion = headers.single(assertion.lowercased())
    else { return nil }
    return PresentedAssertion(keyID: key, challenge: challenge, assertion: assertion)
  }

  /// Method and path below the tenant, the same at every host of the tenant.
  private static func operation(_ route: Route, _ parameters: PathParameters) -> String {
    "\(route.method.rawValue) \(route.template.path(with: parameters))"
  }
}
