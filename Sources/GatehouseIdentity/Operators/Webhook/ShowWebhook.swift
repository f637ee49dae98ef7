package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse webhook show`.
package enum ShowWebhook {
  package static func run(_ input: ShowWebhookOperation.Input, _ call: OperatorCall) async throws -> WebhookSummary {
    let (endpoint, seen) = try await Webhooks.find(input, call)
    return try await Webhooks.summary(endpoint, seen, call)
  }
}
