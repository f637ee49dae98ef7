package import Foundation
package import GatehousePrimitives

/// How one attempt ended. The reason is for operators; nothing the endpoint said is in it.
package enum WebhookOutcome: Sendable, Equatable {
  /// Any 2xx.
  case delivered
  /// 410: it wants no more.
  case gone
  /// Another answer, or none; `retryAfter` where the endpoint asked for it.
  case failed(reason: String, retryAfter: Int?)
  /// Nothing was sent: too much is under way, or the endpoint failed too often just now.
  case postponed(seconds: Int)
}

/// Carries messages to endpoints.
package protocol WebhookTransport: Sendable {
  /// One attempt, bounded in time by the transport. Never throws.
  func deliver(_ message: WebhookMessage) async -> WebhookOutcome
  /// Why messages can not be sent to this URL, in words for its owner; nil if they can.
  func problem(with url: String) -> String?
}

/// One tenant's endpoints.
package protocol WebhookStore: Sendable {
  /// All of them, oldest first.
  func webhooks() async throws -> [WebhookEndpoint]
  /// How many deliveries of each endpoint wait.
  func webhookBacklog() async throws -> [UUID: Int]
  /// The endpoint took the message.
  func markDelivered(_ delivery: WebhookDelivery) async throws
  /// Keeps the message for another try after so many seconds. Since when the endpoint fails.
  func markFailed(_ delivery: WebhookDelivery, reason: String, retryAfter: Int) async throws -> Date?
  /// The message was not tried; the attempt does not count.
  func postpone(_ delivery: WebhookDelivery, seconds: Int) async throws
}

/// The worker's side: waiting messages of all tenants, by the jobs role.
package protocol WebhookQueue: Sendable {
  /// Takes up to `limit` messages that are due, at most `perEndpoint` of one (one of an endpoint that fails, and after
  /// all others), none of the `busy` endpoints, for `lease` seconds. Those that are too old are given up here.
  func takeDueWebhooks(limit: Int, perEndpoint: Int, busy: [UUID], lease: Int) async throws -> [DueWebhook]
}

/// A message with its endpoint, taken to be sent.
package struct DueWebhook: Sendable {
  package let tenant: TenantID
  package let delivery: WebhookDelivery
  package let endpoint: WebhookEndpoint
  /// The request that made it, where that is traced.
  package let origin: TraceParent?

  package init(tenant: TenantID, delivery: WebhookDelivery, endpoint: WebhookEndpoint, origin: TraceParent?) {
    self.tenant = tenant
    self.delivery = delivery
    self.endpoint = endpoint
    self.origin = origin
  }
}

/// Endpoints of all tenants that do not work.
package struct BrokenWebhooks: Sendable, Equatable {
  /// Those that were disabled because they failed.
  package let disabled: Int
  /// Those whose last message was not taken.
  package let failing: Int

  package init(disabled: Int, failing: Int) { (self.disabled, self.failing) = (disabled, failing) }
}
