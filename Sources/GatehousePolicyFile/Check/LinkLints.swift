import GatehousePolicy

/// Lints about accounts at other services.
extension Linter {
  /// Full access that asks for an account at a service from which no browser comes back to the hosted pages.
  func links() {
    guard !policy.app.continueTargets.isEmpty else { return }
    for requirement in policy.access.full where requirement.enforcement.mode != .off {
      guard case .linked(let name) = requirement.need,
        let provider = policy.providers.first(where: { $0.name.utf8.elementsEqual(name.utf8) }),
        !provider.redirectURIs.contains(where: { $0.hasSuffix("/v1/links/\(name)/callback") })
      else { continue }
      warn(
        .linkedElsewhere, "no browser connects \(name) on the hosted pages: no redirect URI of \(name) leads there",
        requirement.position)
    }
  }
}
