package import Foundation
import GatehousePrimitives

/// Who acts as an operator, and why.
package struct Author: Sendable {
  package let actor: Actor
  /// As revisions keep it: the operating system's user, or `watch`.
  package let name: String
  package let reason: String
  /// The request that asked for it, and where that came from.
  package var requestID: String?
  package var address: String?
  /// The admin token that it was done with.
  package var token: UUID?
  /// Whether messages to this author may name users.
  package var namesUsers = true
  /// Whether a policy of this author binds secrets that waited for it: for this it needs the right to set them.
  package var bindsSecrets = true

  package init(_ actor: Actor, name: String, reason: String) {
    self.actor = actor
    self.name = name
    self.reason = reason
  }

  func entry(
    _ event: AuditEvent, _ services: Services, user: UserID? = nil, revision: Int? = nil,
    details: [String: String] = [:]
  ) -> AuditEntry {
    var details = details
    if !reason.isEmpty { details["reason"] = reason }
    if let token { details["token"] = token.text }
    return AuditEntry(
      id: services.clock.makeID(), at: services.clock.now, event: event, actor: actor.text, user: user,
      requestID: requestID, address: address, revision: revision, details: details)
  }
}
