import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse audit verify`: looks at the whole audit log, every link up to the signed head and every row beside it.
package enum VerifyAudit {
  package static func run(_ input: VerifyAuditOperation.Input, _ call: OperatorCall) async throws -> AuditVerification {
    AuditVerification(
      try await verdict(on: try await call.log(input.tenant), known: input.known, call.services))
  }

  /// - Parameter known: the signed end of an earlier export; the chain must go through it, or begin at it.
  package static func verdict(on tenant: AuditScope, known: String? = nil, _ services: Services) async throws
    -> AuditVerdict
  {
    for _ in 0..<3 {
      let trail = try await AuditTrail(tenant, services)
      let verdict = try await verdict(on: trail, known: known)
      // A cut that went on meanwhile took what was being read.
      guard verdict.finding != nil, try await trail.isCutMeanwhile else { return verdict }
    }
    throw OperatorError(.stale, "the log is being cut", hint: "verify again afterwards")
  }

  private static func verdict(on trail: AuditTrail, known: String?) async throws -> AuditVerdict {
    let tenant = trail.tenant
    let last = trail.state.lastSeq
    var verdict = AuditVerdict(
      tenant: tenant.name, sealed: 0, waiting: trail.state.waiting, head: trail.head,
      fingerprint: trail.key.map { PublicJWK.thumbprint($0.publicKey) }, finding: trail.problem)
    verdict.after = trail.beginning.after
    verdict.cut = trail.beginning.cut
    guard trail.problem == nil else { return verdict }
    var awaited: AuditHead?
    if let known {
      awaited = trail.key.flatMap { AuditHead(known: known, of: tenant.id.uuid, key: $0.publicKey) }
      guard awaited != nil else {
        verdict.finding = AuditFinding(.forged, "the head that is known was not signed by this tenant's audit key")
        return verdict
      }
    }
    var check = AuditCheck(
      tenant: tenant.id.uuid, after: trail.beginning.after, previous: trail.beginning.hash, head: trail.head,
      awaited: awaited, cut: trail.beginning.cut)
    while check.finding == nil, check.seq < last {
      let links = try await trail.links(after: check.seq, upTo: last).filter { $0.link.seq <= last }
      guard !links.isEmpty else { break }
      check.take(links)
    }
    for row in try await trail.store.deletions(after: last) { check.takeUnsealed(row) }
    verdict.finding = check.finish(head: trail.head)
    verdict.sealed = check.seq
    verdict.gaps = check.gaps
    if verdict.finding == nil { verdict.finding = try await trail.beside(check) }
    return verdict
  }
}

extension AuditVerification {
  /// As the contract has it.
  package init(_ verdict: AuditVerdict) {
    self.init(
      tenant: verdict.tenant, sealed: Int(verdict.sealed), waiting: verdict.waiting,
      signedAt: verdict.head.map { Timestamp($0.signedAt) }, key: verdict.fingerprint,
      finding: verdict.finding?.kind.rawValue, seq: verdict.finding?.seq.map { Int($0) },
      row: verdict.finding?.row?.text, why: verdict.finding?.why,
      gaps: verdict.gaps.isEmpty
        ? nil : verdict.gaps.map { .init(seq: Int($0.seq), from: Timestamp($0.from), until: Timestamp($0.until)) },
      cut: verdict.cut.map {
        AuditVerification.Cut(
          seq: Int($0.seq), at: Timestamp($0.signedAt), actor: $0.actor, export: Hex.encode($0.export))
      })
  }

  /// Tells what is wrong beside the log: between it and its exports.
  package mutating func add(_ problem: AuditFinding?) {
    guard let problem else { return }
    (finding, seq, row, why) = (problem.kind.rawValue, problem.seq.map { Int($0) }, problem.row?.text, problem.why)
  }
}
