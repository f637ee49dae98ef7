package import GatehouseWire

/// `gatehouse secret list`: names and times, never a secret.
package enum ListSecrets {
  package static func run(_ input: ListSecretsOperation.Input, _ call: OperatorCall) async throws
    -> ListSecretsOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    let secrets = try await call.services.store.open(tenant.id).secrets()
    return ListSecretsOperation.Output(
      items: secrets.map { SecretSummary(name: $0.name, updatedAt: Timestamp($0.updatedAt)) })
  }
}
