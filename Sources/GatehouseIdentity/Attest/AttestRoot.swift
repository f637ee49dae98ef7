package import GatehousePolicy

/// The demand for attested apps, without the root certificate that vouches for them.
package enum AttestRoot {
  /// Why this server cannot serve a policy; nil where it can.
  package static func problem(_ policy: Policy, _ services: Services) -> String? {
    guard policy.attest != nil, services.attestRoots == nil else { return nil }
    return "it has attest:, and no attest.apple_root is configured, so no app could be attested"
  }

  /// What to do about it.
  package static let advice = "set attest.apple_root to a copy of Apple's App Attest root certificate, in PEM"
}
