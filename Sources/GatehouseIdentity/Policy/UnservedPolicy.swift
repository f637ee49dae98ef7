package import GatehousePolicy

/// The parts of a policy that this server cannot serve: such a policy is not applied, and the doctor names a live one.
package struct UnservedPolicy: Sendable {
  /// Goes on with the file's name: `it has attest:, and …`.
  package let problem: String
  /// The advice to an operator.
  package let advice: String

  /// Everything that is missing for a policy; empty where the server can serve it.
  package static func problems(_ policy: Policy, _ services: Services) -> [UnservedPolicy] {
    [AttestRoot.problem(policy, services), disposableDomains(policy, services)].compactMap { $0 }
  }

  /// A rule on throw-away mail services without their list refuses every address.
  private static func disposableDomains(_ policy: Policy, _ services: Services) -> UnservedPolicy? {
    let asks = policy.identifiers.email.rules.contains { $0.kind.asksList && $0.enforcement.mode != .off }
    // GUARD: apply: throw-away domains need their list
    guard asks, services.facts.isDisposable("example.com") == nil else { return nil }
    return UnservedPolicy(
      problem:
        "it has deny_disposable, and the list \"\(LibraryFacts.disposable)\" is not there, so every address would be refused",
      advice: "put disposable.txt, one domain a line, into the directory that lists names")
  }
}
