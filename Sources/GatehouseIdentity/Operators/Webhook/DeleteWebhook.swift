package import GatehouseAdminWire
package import GatehouseWire

/// `gatehouse webhook delete`: nothing more is sent there, and what waited goes.
package enum DeleteWebhook {
  package static func run(_ input: DeleteWebhookOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let (endpoint, seen) = try await Webhooks.find(input, call)
    try await call.store(of: seen).commit(
      [
        .webhook(.delete(endpoint.id)),
        .audit(try call.entry(.webhookDeleted, details: Webhooks.details(endpoint.id))),
      ], as: .operator)
    return Nothing()
  }
}
