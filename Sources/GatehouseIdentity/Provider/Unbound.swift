import GatehousePolicy

/// Items that the release before this one sealed without a destination. Such an item belongs where the pinned revision
/// leads: the one that was live when the database was migrated. `BindSealed` seals it anew; until then it opens for
/// that destination alone, under any policy that is applied meanwhile. The next release opens none of them.
enum Unbound {
  /// Where an item may go; nowhere once the tenant's items are bound.
  static func destinations(of item: Vault.ProviderItem, _ tenant: TenantSnapshot, _ services: Services) async throws
    -> [Destination]
  {
    guard let policy = try await pinned(tenant, services) else { return [] }
    return destinations(of: item, in: policy, tenant, services)
  }

  /// The policy of the tenant's pinned revision.
  static func pinned(_ tenant: TenantSnapshot, _ services: Services) async throws -> Policy? {
    guard let number = tenant.pinnedRevision else { return nil }
    guard number != tenant.revision else { return tenant.policy }
    return try await services.store.open(tenant.id).revision(number).map {
      try TenantLoader.compile(services.files.file(of: $0, of: tenant.name))
    }
  }

  /// Those of the providers that a policy has for it, in the policy's order. A built-in provider that the policy does
  /// not name any more is where it always was.
  static func destinations(
    of item: Vault.ProviderItem, in policy: Policy, _ tenant: TenantSnapshot, _ services: Services
  ) -> [Destination] {
    let providers =
      switch item {
      case .secret(let name):
        policy.providers.filter { $0.clientSecret?.utf8.elementsEqual(name.utf8) == true }
      case .grant(_, let name, _), .flow(_, let name):
        [policy.provider(name) ?? Provider(name: name, use: .link)]
      }
    return providers.compactMap { try? tenant.destination(of: $0, services) }
  }
}
