package import GatehouseAdminWire
package import GatehouseWire

/// `gatehouse webhook enable`: switches an endpoint on again; events of the time between are not delivered. It
/// also confirms the fields of an endpoint that is on.
package enum EnableWebhook {
  package static func run(_ input: EnableWebhookOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let (endpoint, seen) = try await Webhooks.find(input, call)
    try await call.store(of: seen).commit(
      [
        try Webhooks.confirm(endpoint, seen, call), .webhook(.setDisabled(endpoint.id, reason: nil)),
        .audit(try call.entry(.webhookChanged, details: Webhooks.details(endpoint.id, .enabled))),
      ], as: .operator)
    return Nothing()
  }
}
