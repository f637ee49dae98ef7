// Secrets of providers, and where they may go. A secret is sealed for the provider that names it in the live policy.
// One that is set before any provider names it waits: the first policy that does binds it, if its author may set
// secrets.

package import GatehousePolicy
import GatehousePrimitives

package enum ProviderSecrets {
  /// A provider that no user gets through, for want of its secret.
  package struct Closed: Sendable {
    package let provider: String
    package let name: String
    /// Whether there is none; else it does not open for the addresses that the policy names.
    package let isMissing: Bool

    package func advice(_ tenant: TenantName) -> String { "gatehouse secret set \(tenant) \(name)" }
    package var sentence: String {
      guard !isMissing else {
        return "there is no secret \(name) for \(provider): no user signs in or links there until it is set"
      }
      return "the secret \(name) was set for a provider at other addresses than those of \(provider): "
        + "it is sent nowhere, and no user signs in or links there until it is set again"
    }
  }

  /// Those of a policy, which may be one that is not applied yet.
  package static func closed(
    _ policy: Policy, bindsWaiting: Bool = false, _ tenant: TenantSnapshot, _ services: Services
  ) async throws -> [Closed] {
    let store = services.store.open(tenant.id)
    var closed: [Closed] = []
    for provider in policy.providers {
      guard let name = provider.clientSecret else { continue }
      guard let sealed = try await store.secret(name) else {
        closed.append(Closed(provider: provider.name, name: name, isMissing: true))
        continue
      }
      if bindsWaiting, Vault.isBound(sealed, to: .unnamed) { continue }
      if try await !opens(sealed, name, at: provider, tenant, services) {
        closed.append(Closed(provider: provider.name, name: name, isMissing: false))
      }
    }
    return closed
  }

  /// Whether a stored secret opens for a provider.
  static func opens(
    _ sealed: [UInt8], _ name: String, at provider: Provider, _ tenant: TenantSnapshot, _ services: Services
  ) async throws -> Bool {
    do {
      _ = try await tenant.open(sealed, .secret(name: name), at: provider, services)
      return true
    } catch is SealedElsewhere {
      return false
    } catch is CryptoError {
      return false
    }
  }

  /// The providers of a policy that name a secret.
  static func naming(_ name: String, _ policy: Policy) -> [Provider] {
    policy.providers.filter { $0.clientSecret?.utf8.elementsEqual(name.utf8) == true }
  }

  /// Where a secret goes that is set now. Refuses one that providers at different places name.
  static func destination(of name: String, _ tenant: TenantSnapshot, _ services: Services) throws -> Destination {
    let providers = naming(name, tenant.policy)
    let destinations: [Destination]
    do { destinations = try providers.map { try tenant.destination(of: $0, services) } } catch {
      throw OperatorError(.refused, "a provider that names \(name) is not described well enough: \(error)")
    }
    // GUARD: secrets: one destination for each
    guard Set(destinations).count <= 1 else {
      throw OperatorError(
        .refused, "\(providers.map(\.name).joined(separator: " and ")) name \(name) and are at different addresses",
        hint: "give each provider a secret of its own in the policy")
    }
    return destinations.first ?? .unnamed
  }

  /// Binds the secrets that waited for a policy to name them, once it is applied.
  static func bindWaiting(_ policy: Policy, _ tenant: TenantSnapshot, _ services: Services) async throws {
    let store = services.store.open(tenant.id)
    for provider in policy.providers {
      guard let name = provider.clientSecret, let sealed = try await store.secret(name),
        Vault.isBound(sealed, to: .unnamed),
        let opened = try? tenant.vault.open(sealed, for: .bound(.secret(name: name), to: .unnamed))
      else { continue }
      let destination = try tenant.destination(of: provider, services)
      let bound = try opened.expose { try tenant.vault.seal($0, for: .bound(.secret(name: name), to: destination)) }
      try await store.bind([(SealedItem(.secret(name: name), sealed: sealed), as: bound)])
    }
  }
}
