import Foundation
import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse webhook rotate-secret`: a new secret; the one before signs beside it for a day.
package enum RotateWebhookSecret {
  package static func run(_ input: RotateWebhookSecretOperation.Input, _ call: OperatorCall) async throws
    -> RotateWebhookSecretOperation.Output
  {
    let (endpoint, seen) = try await Webhooks.find(input, call)
    let secret = WebhookSecret.random()
    try await call.store(of: seen).commit(
      [
        try Webhooks.confirm(endpoint, seen, call),
        .webhook(
          .rotateSecret(
            endpoint.id, sealed: try Webhooks.seal(secret, of: endpoint.id, seen),
            previousUntil: seen.now.addingTimeInterval(Webhooks.overlap))),
        .audit(try call.entry(.webhookChanged, details: Webhooks.details(endpoint.id, .secret))),
      ], as: .operator)
    return RotateWebhookSecretOperation.Output(
      secret: secret.text.expose { $0 }, item: try await Webhooks.summary(endpoint, seen, call))
  }
}
