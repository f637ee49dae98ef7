import GatehouseIdentity
import GatehousePolicy

/// `gatehouse provider list`.
enum ProviderList {
  static let command = Command(
    "provider", "list", summary: "List the identity providers of an app",
    arguments: [OperatorCommand.tenant],
    examples: [
      Example("gatehouse provider list vibes", "providers to sign in with, and providers to link"),
      Example("gatehouse provider list vibes --output json", "for a script"),
      Example("gatehouse provider list dd-ride", "of another app"),
    ], exits: [.notFound: "no such tenant", .unavailable: "the database failed"], prints: true, settings: .store,
    run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.run(invocation) { services, _, call in
      let stored = Set(try await services.store.open(call.tenant.id).secrets().map(\.name))
      let rows = Providers.list(call.policy).map { provider in
        [
          Cell.text(provider.name), .text(provider.use.rawValue),
          .text(place(provider, call.tenant.id, services)), .list(provider.scopes.map(Cell.text)),
          provider.clientSecret.map { .text(stored.contains($0) ? "stored" : "missing") } ?? .none,
          .text(provider.tokenStore.rawValue),
        ]
      }
      let columns = [
        Table.Column("name", "provider"), Table.Column("use", "use"), Table.Column("issuer", "issuer"),
        Table.Column("scopes", "scopes"), Table.Column("secret", "secret"), Table.Column("tokens", "tokens"),
      ]
      try invocation.print(Table(kind: "provider.list", columns: columns, rows: rows, whenEmpty: "no providers"))
      return .ok
    }
  }

  private static func place(_ provider: Provider, _ tenant: TenantID, _ services: Services) -> String {
    let registration = ProviderRegistration(tenant: tenant, provider: provider, secret: nil)
    return (try? services.providers.description(of: registration))?.issuers.first ?? "not described"
  }
}
