import GatehousePolicy

/// The demand for attested apps, without the root certificate that vouches for them.
enum AttestRoot {
  /// Why this server cannot serve a policy; nil where it can.
  static func problem(_ policy: Policy, _ services: Services) -> UnservedPolicy? {
    guard policy.attest != nil, services.attestRoots == nil else { return nil }
    return UnservedPolicy(
      problem: "the policy has attest:, but attest.apple_root is not set, so no app could be attested",
      advice: "set attest.apple_root to a copy of Apple's App Attest root certificate, in PEM")
  }
}
