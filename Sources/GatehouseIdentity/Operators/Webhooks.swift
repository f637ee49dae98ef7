// What operators do with a tenant's webhooks.

package import Foundation
import GatehousePolicy
package import GatehousePrimitives

package enum Webhooks {
  /// A tenant has at most so many.
  package static let most = 20
  /// How long the secret before still signs after a rotation, in seconds.
  package static let overlap: TimeInterval = 86_400

  /// A new endpoint; its secret is answered here and never again. Throws `OperatorError` for a URL that messages can not be sent to,
  /// for fields that the policy does not have, and for one too many.
  package static func create(
    _ url: String, events: [WebhookEvent], fields: [String], through transport: any WebhookTransport,
    _ tenant: TenantSnapshot, author: Author,
    keeping: (WebhookEndpoint, Secret<String>) throws -> [Change] = { _, _ in [] }, _ services: Services
  ) async throws -> (endpoint: WebhookEndpoint, secret: Secret<String>) {
    try demand(url, fields, through: transport, tenant)
    let store = services.store.open(tenant.id)
    guard try await store.webhooks().count < most else {
      throw OperatorError(.refused, "\(tenant.name) has \(most) webhooks already, which is the most")
    }
    let secret = WebhookSecret.random()
    let id = services.clock.makeID()
    let endpoint = WebhookEndpoint(
      id: id, url: url, events: events, fields: fields, sealedSecret: try seal(secret, id, tenant),
      createdAt: services.clock.now)
    try await store.commit(
      [
        .webhook(.insert(endpoint)), .audit(author.entry(.webhookCreated, services, details: details(id))),
      ] + (try keeping(endpoint, secret.text)), as: .operator)
    return (endpoint, secret.text)
  }

  /// Refuses a URL that messages can not be sent to, and fields that the policy does not have.
  static func demand(
    _ url: String, _ fields: [String], through transport: any WebhookTransport, _ tenant: TenantSnapshot
  ) throws {
    if let problem = transport.problem(with: url) { throw OperatorError(.refused, "the URL: \(problem)") }
    let known = ["email"] + tenant.policy.profile.fields.map(\.name)
    if let unknown = fields.first(where: { field in !known.contains { $0.utf8.elementsEqual(field.utf8) } }) {
      throw OperatorError(
        .refused, "the policy has no field \"\(unknown)\"", hint: "there is: \(known.joined(separator: ", "))")
    }
  }

  /// The endpoint with this id, an id that begins so, or this URL. Throws `OperatorError` when there is none, or more than one.
  package static func find(_ text: String, _ tenant: TenantSnapshot, _ services: Services) async throws
    -> WebhookEndpoint
  {
    let given = text.lowercased()
    let found = try await services.store.open(tenant.id).webhooks().filter {
      (given.utf8.count >= 4 && $0.id.text.utf8.starts(with: given.utf8))
        || $0.url.utf8.elementsEqual(text.utf8)
    }
    guard let endpoint = found.first, found.count == 1 else {
      throw OperatorError(
        .notFound,
        found.isEmpty
          ? "\(tenant.name) has no webhook \"\(text)\"" : "\(found.count) webhooks of \(tenant.name) are called so",
        hint: "gatehouse webhook list \(tenant.name)")
    }
    return endpoint
  }

  /// Nothing more is sent there, and what waited goes.
  package static func delete(
    _ endpoint: WebhookEndpoint, _ tenant: TenantSnapshot, author: Author, _ services: Services
  ) async throws {
    try await services.store.open(tenant.id).commit(
      [
        .webhook(.delete(endpoint.id)), .audit(author.entry(.webhookDeleted, services, details: details(endpoint.id))),
      ], as: .operator)
  }

  /// A new secret; the one before signs beside it for a day.
  package static func rotateSecret(
    of endpoint: WebhookEndpoint, _ tenant: TenantSnapshot, author: Author, _ services: Services
  ) async throws -> Secret<String> {
    let secret = WebhookSecret.random()
    try await services.store.open(tenant.id).commit(
      [
        .webhook(
          .rotateSecret(
            endpoint.id, sealed: try seal(secret, endpoint.id, tenant),
            previousUntil: services.clock.now.addingTimeInterval(overlap))),
        .audit(author.entry(.webhookChanged, services, details: details(endpoint.id, "secret"))),
      ], as: .operator)
    return secret.text
  }

  /// Switches an endpoint on again; what happened meanwhile is not told.
  package static func enable(
    _ endpoint: WebhookEndpoint, _ tenant: TenantSnapshot, author: Author, _ services: Services
  ) async throws {
    try await services.store.open(tenant.id).commit(
      [
        .webhook(.setDisabled(endpoint.id, reason: nil)),
        .audit(author.entry(.webhookChanged, services, details: details(endpoint.id, "enabled"))),
      ], as: .operator)
  }

  /// Sends one message of type `webhook.test`, now.
  package static func test(
    _ endpoint: WebhookEndpoint, through transport: any WebhookTransport, _ tenant: TenantSnapshot, _ services: Services
  ) async throws -> WebhookOutcome {
    let message = try WebhookMessage.test(
      services.clock.makeID(), to: endpoint, tenant, at: services.clock.now)
    return await transport.deliver(message)
  }

  private static func seal(_ secret: WebhookSecret, _ id: UUID, _ tenant: TenantSnapshot) throws -> [UInt8] {
    try secret.bytes.expose { try tenant.vault.seal($0, for: .webhookSecret(id)) }
  }

  private static func details(_ id: UUID, _ what: String? = nil) -> [String: String] {
    var details = ["webhook": id.text]
    details["changed"] = what
    return details
  }
}
