package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse webhook list`.
package enum ListWebhooks {
  package static func run(_ input: ListWebhooksOperation.Input, _ call: OperatorCall) async throws
    -> ListWebhooksOperation.Output
  {
    let store = call.services.store.open(try await call.tenant(input.tenant).id)
    let waiting = try await store.webhookBacklog()
    return ListWebhooksOperation.Output(
      items: try await store.webhooks().map { WebhookSummary($0, waiting: waiting[$0.id] ?? 0) })
  }
}
