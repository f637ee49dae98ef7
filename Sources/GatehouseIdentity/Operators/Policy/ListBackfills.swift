import Foundation
import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy backfills`.
package enum ListBackfills {
  package static func run(_ input: ListBackfillsOperation.Input, _ call: OperatorCall) async throws
    -> ListBackfillsOperation.Output
  {
    let store = call.services.store.open(try await call.tenant(input.tenant).id)
    return ListBackfillsOperation.Output(items: try await store.backfills().map(BackfillRecord.init))
  }
}

extension Backfill {
  /// Whether values that are of no use any more are still kept, is the server's own affair.
  var shownState: String { (state == .ending ? .ended : state).rawValue }
}

extension BackfillRecord {
  init(_ backfill: Backfill) {
    let names = backfill.order.flatMap { try? MoveValues.order($0) }.map(ChangeUsers.names) ?? [backfill.field]
    self.init(
      id: backfill.id.text, fields: names, renamedFrom: backfill.order == nil ? backfill.source : nil,
      state: backfill.shownState, revision: backfill.revision, author: backfill.author, moved: backfill.moved,
      refused: backfill.refused, skipped: backfill.skipped, begunAt: Timestamp(backfill.begunAt),
      endedAt: backfill.endedAt.map(Timestamp.init))
  }
}
