import Foundation
import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse audit search` and `audit tail`: rows, newest first.
package enum SearchAudit {
  package static func run(_ input: SearchAuditOperation.Input, _ call: OperatorCall) async throws
    -> SearchAuditOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    let limit = try OperatorCall.limit(input.limit)
    var query = AuditQuery(event: input.event, since: input.since?.date, until: input.until?.date)
    if let user = input.user {
      try call.who.require(.userRead)
      query.user = try await call.user(user, in: try await call.call(tenant)).id
    }
    if let cursor = input.cursor {
      guard let id = UUID(text: cursor) else {
        throw Refusal.malformed("/cursor", "is not from this list")
      }
      query.before = id
    }
    let found = try await call.services.store.open(tenant.id).audit(query, limit: limit + 1)
    let items = found.prefix(limit).map(AuditRecord.init)
    return SearchAuditOperation.Output(items: items, nextCursor: found.count > limit ? items.last?.id : nil)
  }
}

extension AuditRecord {
  fileprivate init(_ entry: AuditEntry) {
    self.init(
      id: entry.id.text, at: Timestamp(entry.at), event: entry.event.rawValue, actor: entry.actor,
      account: entry.user?.text, address: entry.address, requestID: entry.requestID, revision: entry.revision,
      details: entry.details, outcome: entry.event.outcome, session: entry.session?.text, seq: entry.seq.map { Int($0) }
    )
  }
}
