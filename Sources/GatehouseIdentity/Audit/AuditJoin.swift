package import Foundation
import GatehousePrimitives

/// An exported file that holds: a part of a tenant's log.
package struct AuditPart: Sendable {
  package var tenant: UUID
  package var tenantName: String
  /// The thumbprint of the key that signed its end.
  package var fingerprint: String
  /// It begins behind this number, and behind this cut.
  package var after: Int64
  package var cut: AuditCut?
  /// The number and hash of its last entry.
  package var seq: Int64
  package var hash: [UInt8]
  /// The SHA-256 digest of the file.
  package var digest: [UInt8]
  /// The signed end of the file.
  package var token: String
  /// The same, of a copy that was made for a cut.
  package var extract: AuditExtract?
}

/// Exported files and the present log as one chain.
package struct AuditJoin: Sendable {
  /// Each goes on from the one before.
  package private(set) var parts: [AuditPart] = []

  package init() {}

  /// The signed point at which the last file ends: the present log goes through it, or begins at it.
  package var known: String? { parts.last?.token }

  /// Takes the next file and returns its fault in this place.
  package mutating func add(_ part: AuditPart) -> AuditFinding? {
    let found = part.cut.flatMap { problem(at: $0.seq, export: $0.export) }
    parts.append(part)
    return found
  }

  /// The fault between the files and a log that holds, goes through `known`, and begins behind `after` by a cut that
  /// names this `export`.
  package func finding(beforeLogBehind after: Int64, export: [UInt8]?) -> AuditFinding? {
    guard let first = parts.first else { return nil }
    let isWhole = first.after == 0 || first.cut != nil || first.after >= after
    // GUARD: audit: what was cut before the first file
    guard isWhole else {
      return AuditFinding(.deleted, seq: 1, "entries 1 to \(first.after) are neither in the log nor in a file")
    }
    return export.flatMap { problem(at: after, export: $0) }
  }

  /// A cut names the file that its entries were exported to.
  private func problem(at seq: Int64, export: [UInt8]) -> AuditFinding? {
    let ending = parts.filter { $0.seq == seq && $0.extract != nil }
    // GUARD: audit: the file that the cut names
    guard ending.isEmpty || ending.contains(where: { ConstantTime.equal($0.digest, export) }) else {
      return AuditFinding(.edited, seq: seq, "the file that ends at \(seq) is not the export that the cut names")
    }
    return nil
  }
}
