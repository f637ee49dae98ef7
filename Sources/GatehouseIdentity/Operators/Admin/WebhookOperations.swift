// Webhooks, as operators ask for them.

import Foundation
import GatehousePrimitives
package import GatehouseWire

package enum WebhookOperations {
  package static func list(_ input: ListWebhooksOperation.Input, _ call: OperatorCall) async throws
    -> ListWebhooksOperation.Output
  {
    let store = call.services.store.open(try await call.tenant(input.tenant).id)
    let waiting = try await store.webhookBacklog()
    return ListWebhooksOperation.Output(
      items: try await store.webhooks().map { WebhookSummary($0, waiting: waiting[$0.id] ?? 0) })
  }

  package static func show(_ input: ShowWebhookOperation.Input, _ call: OperatorCall) async throws -> WebhookSummary {
    let (endpoint, tenant) = try await find(input.webhook, of: input.tenant, call)
    let waiting = try await call.services.store.open(tenant.id).webhookBacklog()[endpoint.id] ?? 0
    return WebhookSummary(endpoint, waiting: waiting)
  }

  package static func create(_ input: CreateWebhookOperation.Input, _ call: OperatorCall) async throws
    -> CreateWebhookOperation.Output
  {
    let seen = try await call.call(try await call.tenant(input.tenant))
    let events = try (input.events ?? []).map { name in
      guard let event = WebhookEvent(rawValue: name) else {
        let all = WebhookEvent.allCases.map(\.rawValue).joined(separator: ", ")
        throw Refusal(.malformedRequest, detail: "there is no event \"\(name)\"; there is: \(all)")
      }
      return event
    }
    let transport = try call.outside().webhooks
    if input.dryRun == true {
      try Webhooks.demand(input.url, input.fields ?? [], through: transport, seen.tenant)
      return CreateWebhookOperation.Output()
    }
    return try await call.once(CreateWebhookOperation.self, in: seen) { seen in
      let made = try await Webhooks.create(
        input.url, events: events.isEmpty ? WebhookEvent.allCases : events, fields: input.fields ?? [],
        through: transport, seen.tenant, author: try call.author(),
        keeping: { try seen.keeping(answer($0, $1), status: CreateWebhookOperation.status) }, call.services)
      return answer(made.endpoint, made.secret)
    }
  }

  private static func answer(_ endpoint: WebhookEndpoint, _ secret: Secret<String>) -> CreateWebhookOperation.Output {
    CreateWebhookOperation.Output(secret: secret.expose { $0 }, item: WebhookSummary(endpoint, waiting: 0))
  }

  package static func delete(_ input: DeleteWebhookOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let (endpoint, tenant) = try await find(input.webhook, of: input.tenant, call)
    try await Webhooks.delete(endpoint, tenant, author: try call.author(), call.services)
    return Nothing()
  }

  package static func rotateSecret(_ input: RotateWebhookSecretOperation.Input, _ call: OperatorCall) async throws
    -> RotateWebhookSecretOperation.Output
  {
    let (endpoint, tenant) = try await find(input.webhook, of: input.tenant, call)
    let secret = try await Webhooks.rotateSecret(
      of: endpoint, tenant, author: try call.author(), call.services)
    let waiting = try await call.services.store.open(tenant.id).webhookBacklog()[endpoint.id] ?? 0
    return RotateWebhookSecretOperation.Output(
      secret: secret.expose { $0 }, item: WebhookSummary(endpoint, waiting: waiting))
  }

  package static func enable(_ input: EnableWebhookOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let (endpoint, tenant) = try await find(input.webhook, of: input.tenant, call)
    try await Webhooks.enable(endpoint, tenant, author: try call.author(), call.services)
    return Nothing()
  }

  package static func test(_ input: TestWebhookOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let (endpoint, tenant) = try await find(input.webhook, of: input.tenant, call)
    switch try await Webhooks.test(endpoint, through: call.outside().webhooks, tenant, call.services) {
    case .delivered: return Nothing()
    case .gone: throw OperatorError(.refused, "it answered 410: it wants no messages")
    case .failed(let reason, _): throw OperatorError(.refused, "not delivered: \(reason)")
    case .postponed: throw OperatorError(.refused, "not delivered: too much is under way")
    }
  }

  private static func find(_ webhook: String, of tenant: String, _ call: OperatorCall) async throws -> (
    WebhookEndpoint, TenantSnapshot
  ) {
    let snapshot = try await call.call(try await call.tenant(tenant)).tenant
    return (try await Webhooks.find(webhook, snapshot, call.services), snapshot)
  }
}

extension WebhookSummary {
  fileprivate init(_ endpoint: WebhookEndpoint, waiting: Int) {
    self.init(
      id: endpoint.id.text, url: endpoint.url, events: endpoint.events.map(\.rawValue),
      fields: endpoint.fields, state: endpoint.state, waiting: waiting, createdAt: Timestamp(endpoint.createdAt),
      lastSuccessAt: endpoint.lastSuccessAt.map { Timestamp($0) },
      failingSince: endpoint.failingSince.map { Timestamp($0) }, lastError: endpoint.lastError)
  }
}
