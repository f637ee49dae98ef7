package import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// A signed message, as the transport sends it (Standard Webhooks 1.0).
package struct WebhookMessage: Sendable, Equatable {
  package let url: String
  /// The endpoint that it goes to: circuit breakers are kept by endpoint.
  package let endpoint: UUID
  /// `webhook-id`, `webhook-timestamp`, `webhook-signature`.
  package let headers: [Header]
  package let body: [UInt8]

  package struct Header: Sendable, Equatable {
    package let name: String
    package let value: String
  }

  /// The message of a delivery, signed now with every secret that is in force. `account` is the person as they are now;
  /// nil when there is none any more, or the message is about no person.
  package static func make(
    _ delivery: WebhookDelivery, to endpoint: WebhookEndpoint, about user: StoredUser?, _ tenant: TenantSnapshot,
    at now: Date
  ) throws -> WebhookMessage {
    var data: JSONObject = ["tenant": .string(tenant.name.description)]
    if let id = delivery.user {
      var member: JSONObject = ["id": .string(id.text)]
      let withheld = endpoint.withheld(by: tenant.policy)
      for field in endpoint.fields where !withheld.contains(field) {
        // GUARD: webhook: no field stands for the user's id
        guard member[field] == nil else { continue }
        if let value = user.flatMap({ value(field, of: $0) }) { member[field] = value }
      }
      data["user"] = .object(member)
    }
    if let revision = delivery.revision, delivery.event == .policyApplied {
      data["policy"] = .object(["revision": .integer(Int64(revision))])
    }
    return try sign(
      delivery.event.rawValue, id: delivery.id, data: data, at: delivery.at, to: endpoint, tenant, now: now)
  }

  /// A message that says nothing, to try an endpoint.
  static func test(_ id: UUID, to endpoint: WebhookEndpoint, _ tenant: TenantSnapshot, at now: Date) throws
    -> WebhookMessage
  {
    let data: JSONObject = ["tenant": .string(tenant.name.description)]
    return try sign("webhook.test", id: id, data: data, at: now, to: endpoint, tenant, now: now)
  }

  private static func sign(
    _ type: String, id: UUID, data: JSONObject, at: Date, to endpoint: WebhookEndpoint, _ tenant: TenantSnapshot,
    now: Date
  ) throws -> WebhookMessage {
    let id = "msg_" + id.text
    let body = JSONValue.object([
      "type": .string(type), "timestamp": .string(Timestamp(at).description), "data": .object(data),
    ]).bytes
    var secrets = [try tenant.vault.open(endpoint.sealedSecret, for: .webhookSecret(endpoint.id))]
    if let previous = endpoint.sealedPrevious, let until = endpoint.previousUntil,
      // GUARD: webhook: an old secret ends
      now < until
    {
      secrets.append(try tenant.vault.open(previous, for: .webhookSecret(endpoint.id)))
    }
    let timestamp = now.wholeSeconds
    let signatures = secrets.map {
      WebhookSecret(bytes: $0).signature(
        id: id,
        timestamp: timestamp,  // GUARD: webhook: the time is signed
        body: body)  // GUARD: webhook: the body is signed
    }
    return WebhookMessage(
      url: endpoint.url, endpoint: endpoint.id,
      headers: [
        Header(name: "content-type", value: "application/json"), Header(name: "webhook-id", value: id),
        Header(name: "webhook-timestamp", value: String(timestamp)),
        Header(name: "webhook-signature", value: signatures.joined(separator: " ")),
      ], body: body)
  }

  private static func value(_ field: String, of user: StoredUser) -> JSONValue? {
    field == "email" ? user.email.map { .string($0) } : user.profile[field].flatMap { JSONValue($0) }
  }
}
