package import Foundation

/// Writes of webhooks.
package enum WebhookChange: Sendable {
  case insert(WebhookEndpoint)
  /// With everything that waits for it. `refused(.webhookExists)`, as the next three.
  case delete(UUID)
  /// A new secret; the present one signs beside it until then.
  case rotateSecret(UUID, sealed: [UInt8], previousUntil: Date)
  /// It is shown its fields by these scopes.
  case show(UUID, by: [String])
  /// Switches an endpoint off, and gives up what waits for it; without a reason, on again.
  case setDisabled(UUID, reason: String?)
}
