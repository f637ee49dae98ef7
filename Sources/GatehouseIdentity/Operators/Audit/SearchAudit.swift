import Foundation
import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse audit search` and `audit tail`: rows, newest first.
package enum SearchAudit {
  package static func run(_ input: SearchAuditOperation.Input, _ call: OperatorCall) async throws
    -> SearchAuditOperation.Output
  {
    let log = try await log(input.tenant, call)
    let limit = try OperatorCall.limit(input.limit)
    var query = try query(
      event: input.event, by: input.by, since: input.since, until: input.until, cursor: input.cursor)
    if let user = input.user {
      try call.who.require(.userRead)
      guard log != .installation else { throw Refusal.malformed("/user", "the installation has no users") }
      query.user = try await call.user(user, in: try await call.call(input.tenant)).id
    }
    let found = try await call.services.store.open(log).audit(query, limit: limit + 1)
    return page(found.map { AuditRecord($0) }, limit)
  }

  /// The id of a log. Reading rows opens no key.
  private static func log(_ name: String, _ call: OperatorCall) async throws -> TenantID {
    guard name.utf8.elementsEqual(InstallationLog.name.utf8) else { return try await call.tenant(name).id }
    try call.requireInstallationLog()
    return .installation
  }

  /// The conditions of a request.
  static func query(event: String?, by: String?, since: Timestamp?, until: Timestamp?, cursor: String?) throws
    -> AuditQuery
  {
    var query = AuditQuery(since: since?.date, until: until?.date)
    if let event {
      do { query.event = try AuditEvent.named(event).rawValue } catch {
        throw Refusal.malformed("/event", error.told)
      }
    }
    if let by {
      guard let actor = AuditActor(by) else {
        throw Refusal.malformed("/by", "must be one line of at most \(AuditActor.most) bytes")
      }
      query.actor = actor
    }
    if let cursor {
      guard let id = UUID(text: cursor) else { throw Refusal.malformed("/cursor", "is not from this list") }
      query.before = id
    }
    return query
  }

  static func page(_ found: [AuditRecord], _ limit: Int) -> SearchAuditOperation.Output {
    let items = Array(found.prefix(limit))
    return SearchAuditOperation.Output(items: items, nextCursor: found.count > limit ? items.last?.id : nil)
  }
}

extension AuditRecord {
  init(_ entry: AuditEntry) {
    self.init(
      id: entry.id.text, at: Timestamp(entry.at), event: entry.event.rawValue, actor: entry.actor,
      account: entry.user?.text, address: entry.address, requestID: entry.requestID, revision: entry.revision,
      details: entry.details, outcome: entry.event.outcome, session: entry.session?.text, seq: entry.seq.map { Int($0) }
    )
  }
}
