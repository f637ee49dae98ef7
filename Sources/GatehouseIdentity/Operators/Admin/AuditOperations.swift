// The audit trail, as operators ask for it.

import Foundation
import GatehousePrimitives
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
      query.user = try await OperatedUsers.find(user, try await call.call(tenant), call.services).id
    }
    if let cursor = input.cursor {
      guard let id = UUID(text: cursor) else {
        throw Refusal.malformed("/cursor", "is none of this list")
      }
      query.before = id
    }
    let found = try await call.services.store.open(tenant.id).audit(query, limit: limit + 1)
    let items = found.prefix(limit).map(AuditRecord.init)
    return SearchAuditOperation.Output(items: items, nextCursor: found.count > limit ? items.last?.id : nil)
  }

  package static func verify(_ input: VerifyAuditOperation.Input, _ call: OperatorCall) async throws
    -> AuditVerification
  {
    let tenant = try await call.call(try await call.tenant(input.tenant)).tenant
    return AuditVerification(try await AuditTrails.verify(tenant, known: input.known, call.services))
  }

  package static func export(_ input: ExportAuditOperation.Input, _ call: OperatorCall) async throws
    -> ExportAuditOperation.Output
  {
    // Nothing of it can be left out without breaking the hashes.
    try call.who.require(.userRead)
    guard (0...1_000_000_000_000).contains(input.after ?? 0) else {
      throw Refusal.malformed("/after", "must be 0 to 1000000000000")
    }
    let place = try input.cursor.map { text in
      guard let place = AuditTrails.Place(text) else { throw Refusal.malformed("/cursor", "is none of this list") }
      return place
    }
    let tenant = try await call.call(try await call.tenant(input.tenant)).tenant
    let part = try await AuditTrails.part(
      of: tenant, after: Int64(input.after ?? 0), from: place, author: try call.author(), call.services)
    return ExportAuditOperation.Output(
      lines: part.lines.map { String(decoding: $0, as: UTF8.self) }, nextCursor: part.next?.text)
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

extension AuditVerification {
  /// As the contract has it.
  package init(_ verdict: AuditVerdict) {
    self.init(
      tenant: verdict.tenant, sealed: Int(verdict.sealed), waiting: verdict.waiting,
      signedAt: verdict.head.map { Timestamp($0.signedAt) }, key: verdict.fingerprint,
      finding: verdict.finding?.kind.rawValue, seq: verdict.finding?.seq.map { Int($0) },
      row: verdict.finding?.row?.text, why: verdict.finding?.why)
  }
}
