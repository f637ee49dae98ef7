// What the operations about webhooks share.

package import Foundation
import GatehousePrimitives
import GatehouseAdminWire
import GatehouseWire

package enum Webhooks {
  /// A tenant has at most so many.
  package static let most = 20
  /// How long the secret before still signs after a rotation, in seconds.
  package static let overlap: TimeInterval = 86_400

  /// The changed part of a webhook, as the audit log names it.
  enum Part: String {
    case secret
    case enabled
  }

  /// The endpoint with this id, an id that begins so, or this URL. Throws `OperatorError` when there is none, or more
  /// than one.
  package static func find(_ text: String, in seen: Call, _ services: Services) async throws -> WebhookEndpoint {
    let tenant = seen.tenant
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

  /// The endpoint that an operation names.
  static func find(_ input: WebhookReference, _ call: OperatorCall) async throws -> (WebhookEndpoint, Call) {
    let seen = try await call.call(input.tenant)
    return (try await find(input.webhook, in: seen, call.services), seen)
  }

  /// As the contract has it, with the number of messages that wait.
  static func summary(_ endpoint: WebhookEndpoint, _ seen: Call, _ call: OperatorCall) async throws -> WebhookSummary {
    WebhookSummary(endpoint, waiting: try await call.store(of: seen).webhookBacklog()[endpoint.id] ?? 0)
  }

  /// Refuses an operator who may not read what the endpoint is shown of people, at each change of it.
  static func demand(_ fields: [String], _ seen: Call, _ call: OperatorCall) throws {
    for field in fields {
      for scope in PersonReading.scopes(toSend: field, by: seen.policy) {
        // GUARD: webhook: what it shows a read needs as well
        try call.who.require(scope, for: ", which reads what the webhook shows: \(field)")
      }
    }
  }

  /// The scopes by which an endpoint is shown people from now on: an operator adds their own.
  static func scopes(_ call: OperatorCall, before: [AdminScope]? = nil) -> [AdminScope] {
    PersonReading.copy.filter { before?.contains($0) == true || call.who.allows($0) }
  }

  /// The first change of each operation on an endpoint: it confirms that the operator may read the fields that the
  /// endpoint sends, and lets it go on.
  static func confirm(_ endpoint: WebhookEndpoint, _ seen: Call, _ call: OperatorCall) throws -> Change {
    try demand(endpoint.fields, seen, call)
    return .webhook(.show(endpoint.id, by: scopes(call, before: endpoint.shownBy).map(\.rawValue)))
  }

  static func seal(_ secret: WebhookSecret, of id: UUID, _ seen: Call) throws -> [UInt8] {
    try secret.bytes.expose { try seen.tenant.vault.seal($0, for: .webhookSecret(id)) }
  }

  /// The details of a change in the audit log.
  static func details(_ id: UUID, _ part: Part? = nil) -> [String: String] {
    var details = ["webhook": id.text]
    details["changed"] = part?.rawValue
    return details
  }
}

extension WebhookSummary {
  init(_ endpoint: WebhookEndpoint, waiting: Int) {
    self.init(
      id: endpoint.id.text, url: endpoint.url, events: endpoint.events.map(\.rawValue),
      fields: endpoint.fields, state: endpoint.state, waiting: waiting, createdAt: Timestamp(endpoint.createdAt),
      lastSuccessAt: endpoint.lastSuccessAt.map { Timestamp($0) },
      failingSince: endpoint.failingSince.map { Timestamp($0) }, lastError: endpoint.lastError)
  }
}
