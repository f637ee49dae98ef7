import Foundation
import GatehousePrimitives
import GatehouseAdminWire
import GatehouseWire

/// A copy of the entries that were sealed before a moment, for `gatehouse audit cut`.
///
/// Each answer's cursor is a signed extract: entries are copied and checked once, however many parts there are and
/// whichever server answers, and what is erased between two parts breaks nothing. Only an extract lets a cut go as far.
struct ExtractAudit {
  private static let unknown = Refusal.malformed("/cursor", "is not from this list")

  let trail: AuditTrail
  let key: P256PrivateKey
  /// No entry behind it is copied.
  let last: AuditHead
  /// Seconds since 1970.
  let before: Int64

  /// The next part: behind the cursor's extract, or the first.
  func part(after: Int64, cursor: String?) async throws -> ExportAuditOperation.Output {
    let tenant = trail.tenant.id.uuid
    var former: AuditExtract?
    if let cursor {
      guard let read = AuditExtract(cursor, of: tenant, key: key.publicKey), read.before == before else {
        throw Self.unknown
      }
      former = read
    }
    let from = former?.after ?? after
    let previous = if let former { former.hash } else { try await trail.hash(at: from) }
    var check = AuditCheck(tenant: tenant, after: former?.seq ?? from, previous: previous, continuing: former)
    var lines: [[UInt8]] = former == nil ? [trail.opening(after: from, previous: check.hash, key)] : []
    let begin = check.seq
    var isEnded = false
    while !isEnded, check.seq < last.seq, lines.count < ExportAudit.most {
      let links = try await trail.links(after: check.seq, upTo: last.seq)
      let due = links.prefix { $0.link.sealedAt < before * 1_000_000 }
      isEnded = due.count < links.count
      guard !links.isEmpty else { throw AuditTrail.broken(trail.tenant, "it ends at \(check.seq)") }
      check.take(Array(due))
      if let finding = check.finding { throw AuditTrail.broken(trail.tenant, finding.why) }
      try await explainErased(Array(due))
      for linked in due { if let row = linked.row { lines.append(AuditFile.line(linked.link, row)) } }
    }
    guard former != nil || check.seq > begin else {
      throw OperatorError(
        .notFound,
        "the log of \(trail.tenant.shown) has no entry before \(Timestamp(seconds: before)) that is still there")
    }
    if check.seq == last.seq, !ConstantTime.equal(check.hash, last.hash) {
      throw AuditTrail.broken(trail.tenant, "its head is another's")
    }
    let extract = AuditExtract(
      after: from, seq: check.seq, hash: check.hash, erasures: check.erasures, latest: check.latest, before: before,
      signedAt: trail.state.now)
    let token = try extract.signed(for: tenant, by: key)
    let isLast = isEnded || check.seq >= last.seq
    if isLast { lines.append(AuditFile.line(extract: token)) }
    return ExportAuditOperation.Output(
      lines: lines.map { String(decoding: $0, as: UTF8.self) }, nextCursor: isLast ? nil : token)
  }

  /// Refuses to copy an erased entry of users who are still there: the log would be cut with what was done to it.
  private func explainErased(_ links: [LinkedRow]) async throws {
    let erased = links.compactMap { $0.link.salt == nil ? $0.row : nil }
    guard !erased.isEmpty else { return }
    let deleted = try await trail.store.deletedUsers(among: Set(erased.flatMap(\.owners)))
    // GUARD: audit: no copy of what was erased of a user who is there
    guard let row = erased.first(where: { deleted.isDisjoint(with: $0.owners) }) else { return }
    throw AuditTrail.broken(trail.tenant, "the row \(row.id.text) was erased, but no user that it is about was deleted")
  }
}

extension TrailRow {
  /// The users of the erasable part.
  fileprivate var owners: [UUID] { [user, administrator].compactMap { $0 } }
}
