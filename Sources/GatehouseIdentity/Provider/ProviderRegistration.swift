package import GatehousePolicy
package import GatehousePrimitives

/// A tenant's registration at a provider: what its policy says, and the secret that the policy names.
package struct ProviderRegistration: Sendable {
  package let tenant: TenantID
  package let provider: Provider
  /// What the secret store has under the name in the policy; nil when the policy names none, or there is none.
  package let secret: Secret<[UInt8]>?

  package init(tenant: TenantID, provider: Provider, secret: Secret<[UInt8]>?) {
    self.tenant = tenant
    self.provider = provider
    self.secret = secret
  }

  /// Our name there: `client_id`, or the first of the accepted audiences.
  package var clientID: String? { provider.clientID ?? provider.audiences.first }
}

extension TenantSnapshot {
  /// The tenant's registration at a provider of its policy, its secret opened.
  package func registration(_ provider: Provider, _ services: Services) async throws -> ProviderRegistration {
    var secret: Secret<[UInt8]>?
    if let name = provider.clientSecret, let sealed = try await services.store.open(id).secret(name) {
      secret = try vault.open(sealed, for: .secret(name: name))
    }
    return ProviderRegistration(tenant: id, provider: provider, secret: secret)
  }
}
