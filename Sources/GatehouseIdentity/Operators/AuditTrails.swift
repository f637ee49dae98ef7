// Whether a tenant's audit trail is what was written, and a copy of it that others can check.

import Foundation
import GatehousePrimitives

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

  /// Writes the trail line by line as `AuditFile` has it, up to the head of this moment; what waits is sealed first. Throws
  /// `OperatorError` where it would export what does not hold.
  /// - Parameter after: only links behind this number.
  package static func export(
    _ tenant: TenantSnapshot, after: Int64 = 0, author: Author, _ services: Services,
    to write: ([UInt8]) throws -> Void
  ) async throws {
    let store = services.store.open(tenant.id)
    try await store.commit([.audit(author.entry(.auditExported, services))])
    let sealer = SealAudit(NoQueue(), services)
    do {
      while try await sealer.seal(tenant) > 0 {}
    } catch let trouble as SealAudit.Trouble {
      throw broken(tenant, trouble.rawValue)
    }
    let state = try await store.auditChain()
    let (key, head, problem) = ends(state, tenant)
    guard let key, let head, let token = state.token, problem == nil else {
      throw broken(tenant, problem?.why ?? "it has no head")
    }
    guard after < head.seq else {
      throw OperatorError(.notFound, "\(tenant.name)'s trail ends at \(head.seq)")
    }
    let before = after > 0 ? try await store.auditLinks(after: after - 1, limit: 1).first?.link : nil
    var check = AuditCheck(tenant: tenant.id.uuid, after: after, previous: before?.hash)
    let opening = AuditFile.Opening(
      tenantName: tenant.name.description, tenant: tenant.id.uuid, key: key.publicKey, after: after,
      previous: check.hash)
    try write(AuditFile.line(opening))
    while check.seq < head.seq {
      let links = try await store.auditLinks(after: check.seq, limit: Int(min(Int64(page), head.seq - check.seq)))
      check.take(links)
      if let finding = check.finding { throw broken(tenant, finding.why) }
      guard !links.isEmpty else { throw broken(tenant, "it ends at \(check.seq)") }
      for linked in links { if let row = linked.row { try write(AuditFile.line(linked.link, row)) } }
    }
    if check.finish(head: head) != nil {
      throw OperatorError(.stale, "somebody was erased meanwhile: the copy is of two moments", hint: "export again")
    }
    if let finding = try await beside(store, check) { throw broken(tenant, finding.why) }
    try write(AuditFile.line(head: token))
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
