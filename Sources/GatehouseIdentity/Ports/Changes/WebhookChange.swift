package import Foundation

/// Writes of webhooks.
package enum WebhookChange: Sendable {
  case insert(WebhookEndpoint)
  /// With everything that waits for it. `refused(.webhookExists)`, as the next two.
  case delete(UUID)
  /// A new secret; the present one signs beside it until then.
  case rotateSecret(UUID, sealed: [UInt8], previousUntil: Date)
  /// Switches an endpoint off, and gives up what waits for it; without a reason, on again.
  case setDisabled(UUID, reason: String?)
}
