import Foundation
import GatehousePrimitives

/// Checks an exported file, line by line.
package struct AuditFileCheck: Sendable {
  private let former: AuditPart?
  private var opening: AuditFile.Opening?
  private var cut: AuditCut?
  private var check: AuditCheck?
  private var page: [LinkedRow] = []
  private var head: AuditHead?
  private var extract: AuditExtract?
  private var token: String?
  private var finding: AuditFinding?
  private var lines = 0

  /// - Parameter former: the file that this one goes on from: they must overlap or meet.
  package init(behind former: AuditPart? = nil) { self.former = former }

  /// Whether the signed end was there; nothing may follow it.
  package var isEnded: Bool { token != nil }

  /// Takes the next line, without its line feed.
  package mutating func take(_ line: [UInt8]) {
    lines += 1
    guard finding == nil else { return }
    switch AuditFile.read(line) {
    case .opening(let read)? where lines == 1: begin(read)
    case .row(let row)? where opening != nil && token == nil:
      page.append(row)
      if page.count >= 500 { takePage() }
    case .head(let read)? where opening != nil && token == nil: end(read)
    case .extract(let read)? where opening != nil && token == nil: end(read)
    default: finding = AuditFinding(.edited, "line \(lines) is not part of an exported audit log")
    }
  }

  private mutating func begin(_ read: AuditFile.Opening) {
    opening = read
    var awaited: AuditHead?
    if let former {
      guard former.tenant == read.tenant, former.fingerprint.utf8.elementsEqual(read.fingerprint.utf8) else {
        finding = AuditFinding(.forged, "the file is of another log than the one before it")
        return
      }
      awaited = AuditHead(seq: former.seq, hash: former.hash, signedAt: Date(timeIntervalSince1970: 0))
    }
    if let token = read.cut {
      guard let read = AuditCut(token, of: read.tenant, key: read.key), read.seq == opening?.after,
        ConstantTime.equal(read.hash, opening?.previous ?? [])
      else {
        finding = AuditFinding(.forged, "the cut that the file begins behind was not signed by the key it names")
        return
      }
      cut = read
    }
    check = AuditCheck(tenant: read.tenant, after: read.after, previous: read.previous, awaited: awaited, cut: cut)
  }

  private mutating func end(_ read: String) {
    token = read
    guard let opening else { return }
    head = AuditHead(read, of: opening.tenant, key: opening.key)
    extract = AuditExtract(read, of: opening.tenant, key: opening.key)
    if head == nil, extract == nil {
      finding = AuditFinding(.forged, "the head was not signed by the key that the file names")
    }
  }

  /// The verdict, at the end of the file. `fingerprint`: the only key that may have signed.
  package mutating func finish(fingerprint: String?) -> AuditVerdict? {
    guard let opening else { return nil }
    takePage()
    if finding == nil, let fingerprint, !fingerprint.utf8.elementsEqual(opening.fingerprint.utf8) {
      finding = AuditFinding(.forged, "the file names the key \(opening.fingerprint), not \(fingerprint)")
    }
    if finding == nil, token == nil { finding = AuditFinding(.truncated, "the file ends before its head") }
    if finding == nil {
      finding = if let extract { check?.finish(extract: extract) } else { check?.finish(head: head) }
    }
    var verdict = AuditVerdict(
      tenant: opening.tenantName, sealed: check?.seq ?? 0, waiting: nil, head: head ?? extract?.end,
      fingerprint: opening.fingerprint, finding: finding)
    verdict.after = opening.after
    verdict.gaps = check?.gaps ?? []
    verdict.cut = cut
    return verdict
  }

  /// The file as a part of a log, with the digest of its bytes; nil unless `finish` found it intact.
  package func part(digest: [UInt8]) -> AuditPart? {
    guard let opening, let check, let token, finding == nil else { return nil }
    return AuditPart(
      tenant: opening.tenant, tenantName: opening.tenantName, fingerprint: opening.fingerprint, after: opening.after,
      cut: cut, seq: check.seq, hash: check.hash, digest: digest, token: token, extract: extract)
  }

  private mutating func takePage() {
    check?.take(page)
    finding = finding ?? check?.finding
    page = []
  }
}

/// The result of checking an audit log.
package struct AuditVerdict: Sendable {
  package var tenant: String
  /// The log was checked from behind this number on.
  package var after: Int64 = 0
  /// The cut that it begins behind.
  package var cut: AuditCut?
  /// The last link that is good.
  package var sealed: Int64
  /// Rows that wait to be sealed; nil where that cannot be known.
  package var waiting: Int?
  package var head: AuditHead?
  /// The thumbprint of the key that signs heads; nil before the first round.
  package var fingerprint: String?
  /// The times of which it knows nothing, by its own word.
  package var gaps: [AuditGap] = []
  package var finding: AuditFinding?

  /// The same with another finding.
  package func finding(_ finding: AuditFinding) -> AuditVerdict {
    var verdict = self
    verdict.finding = finding
    return verdict
  }
}
