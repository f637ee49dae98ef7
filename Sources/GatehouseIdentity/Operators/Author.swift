package import Foundation
import GatehousePrimitives
import GatehouseAdminWire
import GatehouseWire

/// The author of an operation and the reason for it.
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
  /// The bearer of the token. Nil for who needs none: a command or a watched file of the machine, whose reach is the
  /// database's.
  private let bearer: Operator?

  package init(_ actor: Actor, name: String, reason: String) {
    self.init(actor, name: name, reason: reason, bearer: nil)
  }

  /// An operator, who is held to their token.
  init(_ who: Operator, reason: String) {
    self.init(.operator(who.shown), name: who.shown, reason: reason, bearer: who)
    token = who.token?.id
    namesUsers = who.allows(.userRead)
    // GUARD: secrets: a policy binds with the right to set
    bindsSecrets = who.allows(.secretWrite)
  }

  private init(_ actor: Actor, name: String, reason: String, bearer: Operator?) {
    self.actor = actor
    self.name = name
    self.reason = reason
    self.bearer = bearer
  }

  /// Refuses with the scope that is lacking.
  func require(_ scope: AdminScope, for what: String, hint: String) throws {
    try bearer?.require(scope, for: what, hint: hint)
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
