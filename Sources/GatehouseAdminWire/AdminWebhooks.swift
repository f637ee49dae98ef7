package import GatehouseWire

// Webhooks, as operations of the admin API.

/// A server that is told what happens in an app; never its secret.
package struct WebhookSummary: Codable, Hashable, Sendable {
  /// A UUID that never changes.
  package var id: String
  /// Where messages go.
  package var url: String
  /// The events that are sent to it, as `user.created`.
  package var events: [String]
  /// The fields of the user that are sent beside the id.
  package var fields: [String]
  /// `on`, `failing`, or `off: ` and why.
  package var state: String
  /// Messages that wait.
  package var waiting: Int
  /// When it was made.
  package var createdAt: Timestamp
  /// When it last took a message.
  package var lastSuccessAt: Timestamp?
  /// Since when it takes none.
  package var failingSince: Timestamp?
  /// The last error.
  package var lastError: String?

  package init(
    id: String, url: String, events: [String], fields: [String], state: String, waiting: Int, createdAt: Timestamp,
    lastSuccessAt: Timestamp? = nil, failingSince: Timestamp? = nil, lastError: String? = nil
  ) {
    self.id = id
    self.url = url
    self.events = events
    self.fields = fields
    self.state = state
    self.waiting = waiting
    self.createdAt = createdAt
    self.lastSuccessAt = lastSuccessAt
    self.failingSince = failingSince
    self.lastError = lastError
  }
}

/// A tenant's webhooks.
package enum ListWebhooksOperation: AdminOperation {
  package static let row = AdminOperationRow(.get, "/tenants/{tenant}/webhooks", .webhookRead, "List webhooks")

  package typealias Input = TenantReference

  package struct Output: Codable, Hashable, Sendable {
    /// Oldest first.
    package var items: [WebhookSummary]

    package init(items: [WebhookSummary]) { self.items = items }
  }
}

/// A new webhook. Its secret is answered here and never again.
package enum CreateWebhookOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/webhooks", .webhookWrite, "Create a webhook", status: 201)

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// An https URL on the public Internet.
    package var url: String
    /// The events to send; all events if absent.
    package var events: [String]?
    /// The fields of the user to send: `email`, profile fields; none if absent.
    package var fields: [String]?
    /// Leave what is there, if it is the same; `exists` if it differs.
    package var ifAbsent: Bool?
    /// Only look; change nothing.
    package var dryRun: Bool?

    package init(
      tenant: String, url: String, events: [String]? = nil, fields: [String]? = nil, ifAbsent: Bool? = nil,
      dryRun: Bool? = nil
    ) {
      (self.tenant, self.url, self.events, self.fields) = (tenant, url, events, fields)
      (self.ifAbsent, self.dryRun) = (ifAbsent, dryRun)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The secret that verifies its messages (Standard Webhooks); absent for a dry run, and for one that
    /// was there already.
    package var secret: String?
    /// The webhook that was made, or was there; absent for a dry run.
    package var item: WebhookSummary?
    /// The webhook was there already, and `if_absent` was given.
    package var existed: Bool?

    package init(secret: String? = nil, item: WebhookSummary? = nil, existed: Bool? = nil) {
      (self.secret, self.item, self.existed) = (secret, item, existed)
    }
  }
}

/// One webhook.
package enum ShowWebhookOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .get, "/tenants/{tenant}/webhooks/{webhook}", .webhookRead, "Show a webhook")

  package typealias Input = WebhookReference
  package typealias Output = WebhookSummary
}

/// Tells a webhook nothing more; what waits for it goes.
package enum DeleteWebhookOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .delete, "/tenants/{tenant}/webhooks/{webhook}", .webhookWrite, "Delete a webhook", status: 204)

  package typealias Input = WebhookReference
  package typealias Output = Nothing
}

/// A new secret; the one before signs beside it for a day.
package enum RotateWebhookSecretOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/webhooks/{webhook}/rotate-secret", .webhookWrite, "Give a webhook a new secret")

  package typealias Input = WebhookReference

  package struct Output: Codable, Hashable, Sendable {
    /// The secret that verifies its messages from now on.
    package var secret: String
    /// The webhook of the secret.
    package var item: WebhookSummary

    package init(secret: String, item: WebhookSummary) { (self.secret, self.item) = (secret, item) }
  }
}

/// Switches a webhook on again; events of the time between are not delivered.
package enum EnableWebhookOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/webhooks/{webhook}/enable", .webhookWrite, "Switch a webhook on again", status: 204)

  package typealias Input = WebhookReference
  package typealias Output = Nothing
}

/// Sends one message of type `webhook.test`, now. Refused where it is not taken.
package enum TestWebhookOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/webhooks/{webhook}/test", .webhookWrite, "Send a test message to a webhook", status: 204)

  package typealias Input = WebhookReference
  package typealias Output = Nothing
}
