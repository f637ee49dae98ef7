package import Foundation
import GatehousePrimitives
import GatehouseWire

/// The first fault of an audit log.
package struct AuditFinding: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    /// A row says something else than when it was sealed.
    case edited
    /// A row or a link is gone.
    case deleted
    /// A row is there that the chain does not know, or that came long after the time it names.
    case inserted
    /// Rows changed places.
    case reordered
    /// The chain ends before its head, or does not reach one that is known.
    case truncated
    /// A head that the tenant's audit key did not sign.
    case forged
  }

  package var kind: Kind
  /// The link's number, where there is one.
  package var seq: Int64?
  package var row: UUID?
  /// A sentence for people; it names no person.
  package var why: String

  package init(_ kind: Kind, seq: Int64? = nil, row: UUID? = nil, _ why: String) {
    self.kind = kind
    self.seq = seq
    self.row = row
    self.why = why
  }
}

/// Checks a chain link by link, from the database or from an exported file. It does no I/O and remembers little, so
/// that a log of any length can be checked.
package struct AuditCheck: Sendable {
  /// Rows may be committed this long after the moment they name, in microseconds.
  package static let lateness: Int64 = 600_000_000

  private static let mostGaps = 100

  private let chain: AuditChain
  private let start: Int64
  /// The number and hash of the last link.
  package private(set) var seq: Int64
  package private(set) var hash: [UInt8]
  /// The first thing that is wrong; nothing is looked at behind it.
  package private(set) var finding: AuditFinding?
  /// The newest of the gaps that the links so far record.
  package private(set) var gaps: [AuditGap] = []
  /// The users of erased rows, each with the first such row; one of the users must have been deleted.
  private var erased: [Owners: (seq: Int64, row: UUID)] = [:]
  private var deleted: Set<UUID> = []
  private var round: Round?
  private var before: Round?
  private let head: AuditHead?
  private let awaited: AuditHead?
  private var hasMet = false
  private let cut: AuditCut?
  private var isCutRecorded = false
  /// Which links were erased: a digest over their numbers, in order.
  package private(set) var erasures: [UInt8]
  /// The latest moment of sealing, in microseconds since 1970.
  package private(set) var latest: Int64

  /// The people of the erasable part of a row. The address in it is that of the actor.
  private struct Owners: Hashable {
    var user: UUID?
    var administrator: UUID?
  }

  /// Rows that were sealed together.
  private struct Round {
    var sealedAt: Int64
    var lastAt: Int64
  }

  /// - Parameters:
  ///   - after: the chain is checked from the link behind this one, whose hash is `previous`.
  ///   - head: the signed head, where it is known already; no link may stand behind it.
  ///   - awaited: a head that is known from elsewhere; the chain must go through it.
  ///   - cut: the cut that the chain begins behind; one of its rows must record it.
  ///   - extract: the copy that goes on; its links were checked before.
  package init(
    tenant: UUID, after: Int64 = 0, previous: [UInt8]? = nil, head: AuditHead? = nil, awaited: AuditHead? = nil,
    cut: AuditCut? = nil, continuing extract: AuditExtract? = nil
  ) {
    chain = AuditChain(tenant: tenant)
    start = after
    seq = after
    hash = previous ?? chain.start
    self.head = head
    self.awaited = awaited
    self.cut = cut
    erasures = extract?.erasures ?? SHA256.digest("gatehouse audit erasures 1")
    latest = extract?.latest ?? 0
    if let awaited, awaited.seq == after { hasMet = ConstantTime.equal(awaited.hash, hash) }
  }

  /// Rows named earlier than this were committed before the last round, and would have been sealed by it. Nil before
  /// there were two rounds.
  package var lateBefore: Int64? {
    round.map { min($0.sealedAt, $0.lastAt) - AuditCheck.lateness }
  }

  /// Takes the next links, in the order of their numbers.
  package mutating func take(_ page: [LinkedRow]) {
    for index in page.indices where finding == nil {
      finding = problem(with: page[index], at: index, of: page)
      guard finding == nil, let row = page[index].row else { continue }
      seq = page[index].link.seq
      hash = page[index].link.hash
      note(row, page[index].link)
    }
  }

  /// A row that has no link yet: a deletion that it records counts.
  package mutating func takeUnsealed(_ row: TrailRow) { noteDeletion(row) }

  /// The fault at the end of the chain; nil where it is intact.
  package mutating func finish(head: AuditHead?) -> AuditFinding? {
    if finding == nil {
      finding = problem(withEnd: head) ?? awaitedProblem ?? cutProblem ?? erasedProblem
    }
    return finding
  }

  /// The fault at the end of a copy that ends with `extract`; nil where the copy is intact. Of its erased rows the
  /// extract says that their users were deleted.
  package mutating func finish(extract: AuditExtract) -> AuditFinding? {
    if finding == nil { finding = problem(withEnd: extract.end) ?? awaitedProblem ?? problem(with: extract) }
    return finding
  }

  private func problem(with extract: AuditExtract) -> AuditFinding? {
    // GUARD: audit: an entry of a copy was erased later
    guard ConstantTime.equal(erasures, extract.erasures) else {
      return AuditFinding(.edited, "other entries are erased than when the copy was made")
    }
    guard start == extract.after else {
      return AuditFinding(.forged, "the copy began behind \(extract.after), not behind \(start)")
    }
    return nil
  }

  private mutating func note(_ row: TrailRow, _ link: AuditLink) {
    latest = max(latest, link.sealedAt)
    if link.salt == nil { erasures = SHA256.digest(erasures + withUnsafeBytes(of: link.seq.bigEndian) { Array($0) }) }
    if cut?.isRecorded(by: row) == true { isCutRecorded = true }
    if let current = round, current.sealedAt == link.sealedAt {
      round = Round(sealedAt: link.sealedAt, lastAt: max(current.lastAt, row.at))
    } else {
      before = round
      round = Round(sealedAt: link.sealedAt, lastAt: row.at)
    }
    let owners = Owners(user: row.user, administrator: row.administrator)
    if link.salt == nil, erased[owners] == nil { erased[owners] = (link.seq, row.id) }
    noteDeletion(row)
    if let gap = AuditGap(row, seq: link.seq) { gaps = (gaps + [gap]).suffix(AuditCheck.mostGaps) }
    if let awaited, awaited.seq == link.seq { hasMet = ConstantTime.equal(awaited.hash, link.hash) }
  }

  private mutating func noteDeletion(_ row: TrailRow) {
    guard row.event == AuditEvent.userDeleted.rawValue, let user = row.user else { return }
    deleted.insert(user)
  }

  private func problem(with linked: LinkedRow, at index: Int, of page: [LinkedRow]) -> AuditFinding? {
    let link = linked.link
    // GUARD: audit: a link is gone
    guard link.seq == seq + 1 else {
      return AuditFinding(.deleted, seq: seq + 1, "link \(seq + 1) is gone: \(link.seq) comes next")
    }
    // GUARD: audit: behind the signed head
    if let head, link.seq > head.seq {
      return AuditFinding(.forged, seq: link.seq, row: link.row, "link \(link.seq) comes after the signed head")
    }
    guard let row = linked.row else {
      return AuditFinding(.deleted, seq: link.seq, row: link.row, "the row that link \(link.seq) seals is gone")
    }
    let expected = chain.hash(row, seq: link.seq, after: hash, sealedAt: link.sealedAt, commitment: link.commitment)
    // GUARD: audit: a row was changed
    guard ConstantTime.equal(expected, link.hash) else { return explain(row, link, at: index, of: page) }
    if let salt = link.salt {
      // GUARD: audit: what can be erased was changed
      guard ConstantTime.equal(chain.commitment(row.erasable, salt: salt), link.commitment) else {
        return AuditFinding(
          .edited, seq: link.seq, row: row.id, "address, request or details of the row are not what was sealed")
      }
    } else if !row.erasable.isEmpty {  // GUARD: audit: an erased row says something again
      return AuditFinding(.edited, seq: link.seq, row: row.id, "the row was erased, and has content again")
    }
    // GUARD: audit: a row put in later
    if let late = lateBefore(of: link), row.at < late {
      return AuditFinding(
        .inserted, seq: link.seq, row: row.id, "the row names a time long before it was written: it was put in later")
    }
    return nil
  }

  private func lateBefore(of link: AuditLink) -> Int64? {
    let last = round?.sealedAt == link.sealedAt ? before : round
    return last.map { min($0.sealedAt, $0.lastAt) - AuditCheck.lateness }
  }

  /// Why a link does not continue the chain: its row belongs to another place, or the next one belongs here.
  private func explain(_ row: TrailRow, _ link: AuditLink, at index: Int, of page: [LinkedRow]) -> AuditFinding {
    let near = page[max(page.startIndex, index - 32)..<min(page.endIndex, index + 32)]
    let hashes = [hash] + near.map(\.link.hash)
    func fits(_ linked: LinkedRow, as seq: Int64, _ sealedAt: Int64) -> Bool {
      guard let row = linked.row else { return false }
      return hashes.contains { previous in
        let found = chain.hash(
          row, seq: seq, after: previous, sealedAt: sealedAt, commitment: linked.link.commitment)
        return hashes.contains(found)
      }
    }
    let me = LinkedRow(link: link, row: row)
    if near.contains(where: { $0.link.seq != link.seq && fits(me, as: $0.link.seq, $0.link.sealedAt) }) {
      return AuditFinding(.reordered, seq: link.seq, row: row.id, "the row was sealed under another number")
    }
    if index + 1 < page.endIndex, fits(page[index + 1], as: link.seq, page[index + 1].link.sealedAt) {
      return AuditFinding(.inserted, seq: link.seq, row: row.id, "another row was sealed under this number")
    }
    return AuditFinding(.edited, seq: link.seq, row: row.id, "the row is not what was sealed as number \(link.seq)")
  }

  private func problem(withEnd head: AuditHead?) -> AuditFinding? {
    if let head {
      // GUARD: audit: truncated
      if seq < head.seq {
        return AuditFinding(.truncated, seq: seq + 1, "the chain ends at \(seq), its signed head is \(head.seq)")
      }
      guard seq == head.seq,
        ConstantTime.equal(hash, head.hash)  // GUARD: audit: the head is of this chain
      else {
        return AuditFinding(.forged, seq: head.seq, "the signed head is of another chain")
      }
    }
    return nil
  }

  private var awaitedProblem: AuditFinding? {
    // GUARD: audit: a head that is known from elsewhere
    guard let awaited, !hasMet else { return nil }
    // GUARD: audit: a cut beyond what was exported
    if awaited.seq < start {
      return AuditFinding(
        .deleted, seq: awaited.seq + 1,
        "the log begins behind \(start), and what is known ends at \(awaited.seq): what is between them is gone")
    }
    // The head was signed within a time that a restore took away.
    let gap = gaps.last { $0.from <= awaited.signedAt && awaited.signedAt <= $0.until }
    let restored = gap.map { "; link \($0.seq) records a restore to \(Timestamp($0.from))" } ?? ""
    return awaited.seq > seq
      ? AuditFinding(.truncated, seq: seq + 1, "the chain ends at \(seq); it once went on to \(awaited.seq)\(restored)")
      : AuditFinding(.forged, seq: awaited.seq, "link \(awaited.seq) differs from the known head's link\(restored)")
  }

  private var cutProblem: AuditFinding? {
    // GUARD: audit: the chain records its cut
    guard let cut, !isCutRecorded else { return nil }
    return AuditFinding(.forged, seq: cut.seq, row: cut.row, "no entry of the log records the cut up to \(cut.seq)")
  }

  private var erasedProblem: AuditFinding? {
    let unexplained = erased.filter { owners, _ in
      ![owners.user, owners.administrator].contains { $0.map(deleted.contains) == true }
    }
    // GUARD: audit: erased of no account that was deleted
    if let first = unexplained.values.min(by: { $0.seq < $1.seq }) {
      return AuditFinding(
        .edited, seq: first.seq, row: first.row, "the row was erased, but no user that it is about was deleted")
    }
    return nil
  }
}
