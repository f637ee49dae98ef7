package import Foundation
import GatehousePrimitives
import GatehouseWire

/// A time of which an audit log knows nothing, because the database was restored to its beginning.
package struct AuditGap: Sendable, Equatable {
  /// The number of the row that records it.
  package var seq: Int64
  package var from: Date
  package var until: Date

  package init(seq: Int64, from: Date, until: Date) {
    self.seq = seq
    self.from = from
    self.until = until
  }

  /// Nil for any other row, and for one that does not say from when.
  init?(_ row: TrailRow, seq: Int64) {
    guard row.event == AuditEvent.databaseRestored.rawValue,
      let details = try? JSONParser.parse(row.erasable.details, limits: .stored),
      let from = details["from"]?.string.flatMap(Timestamp.init)
    else { return nil }
    self.init(seq: seq, from: from.date, until: Date(microseconds: row.at))
  }
}
