package import Foundation
package import GatehousePrimitives

/// Where a stored log begins: at its first entry, or behind a cut.
package struct AuditBeginning: Sendable, Equatable {
  /// The log begins behind this number; 0 for a log that was never cut.
  package var after: Int64
  /// The hash of that entry; nil for a log that was never cut.
  package var hash: [UInt8]?
  /// The cut that the log begins behind.
  package var cut: AuditCut?
  package var token: String?
  /// The newest cut, whose entries may still be there.
  package var newest: AuditCut?

  package static let whole = AuditBeginning(after: 0)

  /// Where the log begins by what is stored, or what is wrong with that.
  package static func find(_ origin: StoredAuditOrigin, of tenant: UUID, key: P256PublicKey?) -> Result<
    AuditBeginning, AuditFinding
  > {
    var cuts: [(cut: AuditCut, token: String)] = []
    for stored in origin.cuts {
      guard let cut = key.flatMap({ AuditCut(stored.token, of: tenant, key: $0) }), cut.seq == stored.seq,
        cut.row == stored.row
      else {
        return .failure(
          AuditFinding(
            .forged, seq: stored.seq, "the cut up to \(stored.seq) was not signed by this tenant's audit key"))
      }
      cuts.append((cut, stored.token))
    }
    guard let first = origin.first, first > 1 else {
      return .success(AuditBeginning(after: 0, newest: cuts.last?.cut))
    }
    guard let (cut, token) = cuts.first(where: { $0.cut.seq >= first - 1 }) else {
      return .failure(
        AuditFinding(.deleted, seq: first - 1, "the log begins at \(first), and no cut says why"))
    }
    return .success(
      AuditBeginning(after: cut.seq, hash: cut.hash, cut: cut, token: token, newest: cuts.last?.cut))
  }
}

extension AuditFinding: Error {}
