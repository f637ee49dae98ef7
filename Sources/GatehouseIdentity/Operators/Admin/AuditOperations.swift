// The audit trail, as operators ask for it.

import Foundation
package import GatehouseWire

package enum AuditOperations {
  package static func search(_ input: SearchAuditOperation.Input, _ call: OperatorCall) async throws
    -> SearchAuditOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    let limit = try OperatorCall.limit(input.limit)
    var query = AuditQuery(event: input.event, since: input.since?.date, until: input.until?.date)
    if let user = input.user {
      try call.who.require(.userRead)
      query.account = try await OperatedUsers.find(user, try await call.call(tenant), call.services).id
    }
    if let cursor = input.cursor {
      guard cursor.utf8.count == 36, let id = UUID(uuidString: cursor) else {
        throw Refusal.malformed("/cursor", "is none of this list")
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
      id: entry.id.uuidString.lowercased(), at: Timestamp(entry.at), event: entry.event.rawValue, actor: entry.actor,
      account: entry.account?.text, address: entry.address, requestID: entry.requestID, revision: entry.revision,
      details: entry.details, outcome: entry.event.outcome, session: entry.session?.text, seq: entry.seq.map { Int($0) }
    )
  }
}
