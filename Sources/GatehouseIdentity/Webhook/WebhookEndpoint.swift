package import Foundation
package import GatehousePolicy
package import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// A server outside Gatehouse to which a tenant's events are sent.
package struct WebhookEndpoint: Sendable, Equatable {
  package var id: UUID
  package var url: String
  package var events: [WebhookEvent]
  /// The user's fields that it receives beside the id: `email`, or names of profile fields.
  package var fields: [String]
  /// The scopes by which it is shown them: those of `PersonReading` that an operator had who made or changed it. Nil
  /// where a server of an earlier version made it, which kept none: it is shown all.
  package var shownBy: [AdminScope]?
  /// The secret that signs messages, sealed.
  package var sealedSecret: [UInt8]
  /// The secret before, sealed: signs as well until its time is over.
  package var sealedPrevious: [UInt8]?
  package var previousUntil: Date?
  package var createdAt: Date
  package var disabledAt: Date?
  /// `failing`, `gone`, or `operator`.
  package var disabledReason: String?
  /// Since when no delivery has succeeded; nil while they do.
  package var failingSince: Date?
  package var lastSuccessAt: Date?
  /// The error of the last delivery, if it failed. It holds nothing from the endpoint's answer.
  package var lastError: String?

  package init(
    id: UUID, url: String, events: [WebhookEvent], fields: [String], sealedSecret: [UInt8],
    sealedPrevious: [UInt8]? = nil, previousUntil: Date? = nil, createdAt: Date, disabledAt: Date? = nil,
    disabledReason: String? = nil, failingSince: Date? = nil, lastSuccessAt: Date? = nil, lastError: String? = nil,
    shownBy: [AdminScope]? = nil
  ) {
    self.id = id
    self.url = url
    self.events = events
    self.fields = fields
    self.sealedSecret = sealedSecret
    self.sealedPrevious = sealedPrevious
    self.previousUntil = previousUntil
    self.createdAt = createdAt
    self.disabledAt = disabledAt
    self.disabledReason = disabledReason
    self.failingSince = failingSince
    self.lastSuccessAt = lastSuccessAt
    self.lastError = lastError
    self.shownBy = shownBy
  }
}

extension WebhookEndpoint {
  package var shownByNames: [String]? { shownBy?.map(\.rawValue) }

  /// Its fields that are not sent under this policy, as no operator who may read them said that it is shown them. A
  /// policy may hide a field after an endpoint was made.
  package func withheld(by policy: Policy) -> [String] {
    guard let shownBy else { return [] }
    return fields.filter { field in
      // GUARD: webhook: no field beyond the rights of its maker
      !PersonReading.scopes(toSend: field, by: policy).allSatisfy(shownBy.contains)
    }
  }
}

extension WebhookEndpoint {
  /// How it fares, in a word: `on`, `failing`, or `off: ` and why.
  package var state: String {
    disabledReason.map { "off: \($0)" } ?? (failingSince == nil ? "on" : "failing")
  }
}

/// The key of an endpoint's signatures, in the spelling of Standard Webhooks: `whsec_` and base64.
package struct WebhookSecret: Sendable {
  let bytes: Secret<[UInt8]>

  /// 256 random bits.
  static func random() -> WebhookSecret { WebhookSecret(bytes: Secret(SecureRandom.bytes(32))) }

  /// The secret that the endpoint's owner configures there. Shown once.
  package var text: Secret<String> { Secret(bytes.expose { "whsec_" + Data($0).base64EncodedString() }) }

  /// The value of one signature: `v1,` and the base64 of HMAC-SHA256 over id, timestamp and body.
  func signature(id: String, timestamp: Int64, body: [UInt8]) -> String {
    let message = Array("\(id).\(timestamp).".utf8) + body
    return "v1," + Data(bytes.expose { HMACSHA256.code(message, key: $0) }).base64EncodedString()
  }
}

/// One message to one endpoint, waiting or under way.
package struct WebhookDelivery: Sendable, Equatable {
  /// The message's id: the same for every endpoint and every try.
  package var id: UUID
  package var endpoint: UUID
  package var event: WebhookEvent
  package var user: UserID?
  package var revision: Int?
  /// When it happened.
  package var at: Date
  package var attempts: Int

  package init(
    id: UUID, endpoint: UUID, event: WebhookEvent, user: UserID?, revision: Int?, at: Date, attempts: Int
  ) {
    self.id = id
    self.endpoint = endpoint
    self.event = event
    self.user = user
    self.revision = revision
    self.at = at
    self.attempts = attempts
  }
}
