import GatehousePolicy
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse secret list`: names and times, never a secret.
package enum ListSecrets {
  package static func run(_ input: ListSecretsOperation.Input, _ call: OperatorCall) async throws
    -> ListSecretsOperation.Output
  {
    let seen = try await call.call(input.tenant)
    let store = call.store(of: seen)
    var items: [SecretSummary] = []
    for (name, updatedAt) in try await store.secrets() {
      guard let sealed = try await store.secret(name) else { continue }
      var summary = SecretSummary(name: name, updatedAt: Timestamp(updatedAt))
      for provider in ProviderSecrets.naming(name, seen.policy) {
        if try await ProviderSecrets.opens(sealed, name, at: provider, seen.tenant, call.services) {
          summary.opensFor.append(provider.name)
        } else {
          summary.closedFor.append(provider.name)
        }
      }
      items.append(summary)
    }
    return ListSecretsOperation.Output(items: items)
  }
}
