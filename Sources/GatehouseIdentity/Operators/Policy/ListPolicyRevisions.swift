import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy history`: newest first.
package enum ListPolicyRevisions {
  package static func run(_ input: ListPolicyRevisionsOperation.Input, _ call: OperatorCall) async throws
    -> ListPolicyRevisionsOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    let limit = try OperatorCall.limit(input.limit, atMost: 100)
    var before: Int?
    if let cursor = input.cursor {
      guard cursor.utf8.count <= 9, let number = Int(cursor), number > 0 else {
        throw Refusal.malformed("/cursor", "is not from this list")
      }
      before = number
    }
    let found = try await call.services.store.open(tenant.id).revisions(before: before, limit: limit + 1)
    let items = found.prefix(limit).map { revision in
      PolicyRevisionSummary(
        revision: revision.number, digest: Hex.encode(revision.digest), author: revision.author,
        reason: revision.reason, createdAt: Timestamp(revision.createdAt),
        failingTests: revision.failingTests == 0 ? nil : revision.failingTests,
        trust: revision.trust.isEmpty ? nil : revision.trust)
    }
    return ListPolicyRevisionsOperation.Output(
      items: items, nextCursor: found.count > limit ? items.last.map { String($0.revision) } : nil)
  }
}
