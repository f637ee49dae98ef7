// Whether a tenant's audit trail is what was written, and a copy of it that others can check.

import Foundation
import GatehousePrimitives
package import GatehouseWire

package enum AuditTrails {
  /// Links in one read.
  private static let page = 500

  /// Looks at the whole trail: every link up to the signed head, and every row beside it.
  /// - Parameter known: a head from an earlier export; the chain must go through it.
  package static func verify(_ tenant: TenantSnapshot, known: String? = nil, _ services: Services) async throws
    -> AuditVerdict
  {
    let store = services.store.open(tenant.id)
    let state = try await store.auditChain()
    var verdict = AuditVerdict(
      tenant: tenant.name.description, sealed: 0, waiting: state.waiting, head: nil, fingerprint: nil, finding: nil)
    let (key, head, problem) = ends(state, tenant)
    verdict.fingerprint = key.map { PublicJWK.thumbprint($0.publicKey) }
    verdict.head = head
    verdict.finding = problem
    guard problem == nil else { return verdict }
    var awaited: AuditHead?
    if let known {
      awaited = key.flatMap { AuditHead(known, of: tenant.id.uuid, key: $0.publicKey) }
      guard awaited != nil else {
        verdict.finding = AuditFinding(.forged, "the head that is known was not signed by this tenant's audit key")
        return verdict
      }
    }
    var check = AuditCheck(tenant: tenant.id.uuid, head: head, awaited: awaited)
    while check.finding == nil, check.seq < state.lastSeq {
      let wanted = Int(min(Int64(page), state.lastSeq - check.seq))
      let links = try await store.auditLinks(after: check.seq, limit: wanted).filter { $0.link.seq <= state.lastSeq }
      guard !links.isEmpty else { break }
      check.take(links)
    }
    for row in try await store.deletions(after: state.lastSeq) { check.takeUnsealed(row) }
    verdict.finding = check.finish(head: head)
    verdict.sealed = check.seq
    if verdict.finding == nil { verdict.finding = try await beside(store, check) }
    return verdict
  }

  /// The key and the signed head, or why they are not what the chain ends in.
  private static func ends(_ state: AuditChainState, _ tenant: TenantSnapshot) -> (
    key: P256PrivateKey?, head: AuditHead?, problem: AuditFinding?
  ) {
    guard state.token != nil || state.lastSeq > 0 || state.sealedKey != nil else { return (nil, nil, nil) }
    guard let key = try? AuditKey.open(state.sealedKey, tenant.vault) else {
      return (
        nil, nil, AuditFinding(.forged, "the key that signs this trail is gone, or was put there by somebody else")
      )
    }
    guard let token = state.token else {
      guard state.lastSeq > 0 else { return (key, nil, nil) }
      return (key, nil, AuditFinding(.forged, seq: state.lastSeq, "there are links and no signed head"))
    }
    guard let head = AuditHead(token, of: tenant.id.uuid, key: key.publicKey) else {
      return (key, nil, AuditFinding(.forged, "the head was not signed by this tenant's audit key"))
    }
    return (key, head, nil)
  }

  /// Rows that no link seals.
  private static func beside(_ store: any TenantStore, _ check: AuditCheck) async throws -> AuditFinding? {
    if let row = try await store.strayAudit(before: check.lateBefore.map { Date(microseconds: $0) }) {
      return AuditFinding(.inserted, row: row.id, "the chain does not know this row")
    }
    if let lost = try await store.lostAudit() {
      return AuditFinding(.deleted, row: lost, "the row was to be sealed, and is gone")
    }
    return nil
  }

  /// How far a copy has got, and up to which head it goes.
  package struct Place: Sendable {
    var seq: Int64
    var head: String

    init(seq: Int64, head: String) {
      self.seq = seq
      self.head = head
    }

    /// Reads `text`; nil for anything else.
    package init?(_ text: String) {
      guard let dot = text.firstIndex(of: "."), let seq = Int64(text[..<dot]), (1...1_000_000_000_000).contains(seq)
      else { return nil }
      self.init(seq: seq, head: String(text[text.index(after: dot)...]))
    }

    package var text: String { "\(seq).\(head)" }
  }

  /// The next lines of a copy as `AuditFile` has them, up to the head of the moment when it began; what waited then is sealed
  /// first. Each part is checked before it is given out; that the whole holds is seen by `AuditFileCheck` alone. Throws `OperatorError`
  /// where it would export what does not hold.
  /// - Parameters:
  ///   - after: only links behind this number.
  ///   - place: where the part before ended; nil for the first.
  package static func part(
    of tenant: TenantSnapshot, after: Int64, from place: Place?, author: Author, _ services: Services
  ) async throws -> (lines: [[UInt8]], next: Place?) {
    let store = services.store.open(tenant.id)
    if place == nil { try await begin(tenant, author, services) }
    let state = try await store.auditChain()
    let (key, last, problem) = ends(state, tenant)
    guard let key, let last, let newest = state.token, problem == nil else {
      throw broken(tenant, problem?.why ?? "it has no head")
    }
    let token = place?.head ?? newest
    guard let head = place == nil ? last : AuditHead(token, of: tenant.id.uuid, key: key.publicKey) else {
      throw Refusal.malformed("/cursor", "is none of this list")
    }
    let begin = place?.seq ?? after
    guard begin < head.seq else { throw OperatorError(.notFound, "\(tenant.name)'s trail ends at \(head.seq)") }
    let before = begin > 0 ? try await store.auditLinks(after: begin - 1, limit: 1).first?.link : nil
    var check = AuditCheck(tenant: tenant.id.uuid, after: begin, previous: before?.hash)
    var lines: [[UInt8]] = []
    if place == nil {
      lines.append(
        AuditFile.line(
          AuditFile.Opening(
            tenantName: tenant.name.description, tenant: tenant.id.uuid, key: key.publicKey, after: after,
            previous: check.hash)))
    }
    while check.seq < head.seq, lines.count < most {
      let links = try await store.auditLinks(after: check.seq, limit: Int(min(Int64(page), head.seq - check.seq)))
      check.take(links)
      if let finding = check.finding { throw broken(tenant, finding.why) }
      guard !links.isEmpty else { throw broken(tenant, "it ends at \(check.seq)") }
      for linked in links { if let row = linked.row { lines.append(AuditFile.line(linked.link, row)) } }
    }
    guard check.seq >= head.seq else { return (lines, Place(seq: check.seq, head: token)) }
    guard ConstantTime.equal(check.hash, head.hash) else { throw broken(tenant, "its head is another's") }
    if let finding = try await beside(store, check) { throw broken(tenant, finding.why) }
    return (lines + [AuditFile.line(head: token)], nil)
  }

  /// Lines in one part.
  private static let most = 2000

  /// A copy is an event of the trail that it copies.
  private static func begin(_ tenant: TenantSnapshot, _ author: Author, _ services: Services) async throws {
    try await services.store.open(tenant.id).commit([.audit(author.entry(.auditExported, services))], as: .operator)
    let sealer = SealAudit(NoQueue(), services)
    do {
      while try await sealer.seal(tenant) > 0 {}
    } catch let trouble as SealAudit.Trouble {
      throw broken(tenant, trouble.rawValue)
    }
  }

  /// Puts the parts of a copy together and checks it on the way, wherever it comes from: a client that writes the copy
  /// down need not trust the server that made it. Throws `OperatorError` at its end if it does not hold.
  package static func copy(
    _ part: (_ cursor: String?) async throws -> ExportAuditOperation.Output, to write: (String) throws -> Void
  ) async throws {
    var check = AuditFileCheck()
    var cursor: String?
    repeat {
      let output = try await part(cursor)
      for line in output.lines {
        check.take(Array(line.utf8))
        try write(line)
      }
      cursor = output.nextCursor
    } while cursor != nil
    guard let verdict = check.finish(fingerprint: nil), verdict.finding == nil else {
      throw OperatorError(.stale, "somebody was erased meanwhile: the copy is of two moments", hint: "export again")
    }
  }

  private static func broken(_ tenant: TenantSnapshot, _ why: String) -> OperatorError {
    OperatorError(
      .refused, "the audit trail of \(tenant.name) does not hold: \(why)", hint: "gatehouse audit verify \(tenant.name)"
    )
  }

  /// For sealing one tenant on demand.
  private struct NoQueue: AuditQueue {
    func tenantsWithUnsealedAudit() -> [TenantID] { [] }
  }
}
