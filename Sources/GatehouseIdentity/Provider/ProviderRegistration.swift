package import GatehousePolicy
package import GatehousePrimitives

/// A tenant's registration at a provider: what its policy says, and the secret that the policy names.
package struct ProviderRegistration: Sendable {
  package let tenant: TenantID
  package let provider: Provider
  /// The secret of the name in the policy; nil when the policy names none, or there is none.
  package let secret: Secret<[UInt8]>?
  /// Whether there is a secret that was sealed for a provider at other addresses.
  package let isSecretElsewhere: Bool

  package init(tenant: TenantID, provider: Provider, secret: Secret<[UInt8]>?, isSecretElsewhere: Bool = false) {
    self.tenant = tenant
    self.provider = provider
    self.secret = secret
    self.isSecretElsewhere = isSecretElsewhere
  }

  /// Why there is no secret under the name in the policy.
  package var lack: ProviderFailure {
    guard let name = provider.clientSecret else { return .misconfigured("client_secret") }
    return .misconfigured(
      isSecretElsewhere
        ? "the secret \(name) was set for a provider at other addresses: set it again"
        : "no secret is stored as \(name)")
  }

  /// Our name there: `client_id`, or the first of the accepted audiences.
  package var clientID: String? { provider.clientID ?? provider.audiences.first }
}

extension TenantSnapshot {
  /// The tenant's registration at a provider of its policy, its secret opened where it was sealed for that provider.
  package func registration(_ provider: Provider, _ services: Services) async throws -> ProviderRegistration {
    guard let name = provider.clientSecret, let sealed = try await services.store.open(id).secret(name) else {
      return ProviderRegistration(tenant: id, provider: provider, secret: nil)
    }
    do {
      let secret = try await open(sealed, .secret(name: name), at: provider, services)
      return ProviderRegistration(tenant: id, provider: provider, secret: secret)
    } catch is SealedElsewhere {
      return ProviderRegistration(tenant: id, provider: provider, secret: nil, isSecretElsewhere: true)
    }
  }
}
