import Foundation
import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse audit cut`: lets entries go that were exported.
///
/// The order is: a copy that a server checked and signed the end of (`ExtractAudit`), a signed mark and an entry that
/// records it in one transaction, the entry sealed into the chain, then the deletion in batches. After a failure
/// between two steps, asking again goes on.
package enum CutAudit {
  /// Entries in one transaction, and transactions in one answer.
  private static let batch = 2000
  private static let batches = 10

  package static func run(_ input: CutAuditOperation.Input, _ call: OperatorCall) async throws
    -> CutAuditOperation.Output
  {
    let tenant = try await call.log(input.tenant)
    let trail = try await AuditTrail(tenant, call.services)
    if let problem = trail.problem { throw AuditTrail.broken(tenant, problem.why) }
    var seq = trail.beginning.newest?.seq ?? trail.beginning.after
    if let token = input.extract {
      guard let key = trail.key, let extract = AuditExtract(token, of: tenant.id.uuid, key: key.publicKey) else {
        throw Refusal.malformed("/extract", "is not the end of a copy of this tenant's log")
      }
      guard let digest = input.export.flatMap(Hex.decode), digest.count == 32 else {
        throw Refusal.malformed("/export", "must be the SHA-256 digest of the copy, 64 hexadecimal digits")
      }
      seq = extract.seq
      if try !isMarked(extract, digest, trail) { try await mark(extract, digest, key, trail, call) }
    } else if input.export != nil {
      throw Refusal.malformed("/export", "goes with an extract")
    }
    guard trail.beginning.newest != nil || input.extract != nil else {
      return CutAuditOperation.Output(seq: Int(seq), deleted: 0, done: true)
    }
    try await AuditTrail.seal(tenant, call.services)
    var output = CutAuditOperation.Output(seq: Int(seq), deleted: 0, done: false)
    var behind: Int64 = 0
    for _ in 0..<batches where !output.done {
      let (deleted, last) = try await trail.store.deleteCutAudit(behind: behind, limit: batch)
      output.deleted += deleted
      output.done = deleted < batch
      behind = last ?? behind
    }
    return output
  }

  /// Whether this very cut is stored already. Throws `OperatorError` where another one is that goes as far.
  private static func isMarked(_ extract: AuditExtract, _ digest: [UInt8], _ trail: AuditTrail) throws -> Bool {
    guard let newest = trail.beginning.newest, newest.seq >= extract.seq else { return false }
    if newest.seq == extract.seq, newest.export == digest { return true }
    throw OperatorError(
      .stale, "the log is cut up to \(newest.seq) already, by the export with the digest \(Hex.encode(newest.export))",
      hint: "gatehouse audit cut \(trail.tenant.word), without a file, goes on with that cut")
  }

  private static func mark(
    _ extract: AuditExtract, _ digest: [UInt8], _ key: P256PrivateKey, _ trail: AuditTrail, _ call: OperatorCall
  ) async throws {
    try judge(extract, trail, call.services)
    let link = try await trail.store.auditLinks(after: extract.seq - 1, limit: 1).first?.link
    guard let link, link.seq == extract.seq,
      ConstantTime.equal(link.hash, extract.hash)  // GUARD: audit cut: of the chain that was copied
    else { throw AuditTrail.broken(trail.tenant, "entry \(extract.seq) is not the one that was copied") }
    let entry = try call.entry(
      .auditCut, details: AuditCut.details(seq: extract.seq, hash: extract.hash, export: digest))
    let cut = AuditCut(
      seq: extract.seq, hash: extract.hash, export: digest, row: entry.id, actor: entry.actor,
      signedAt: trail.state.now)
    let token = try cut.signed(for: trail.tenant.id.uuid, by: key)
    do {
      try await trail.store.keepAuditCut(StoredAuditCut(seq: cut.seq, row: cut.row, token: token), audit: entry)
    } catch StoreError.exists {
      throw OperatorError(.stale, "another operator cuts the log at this moment", hint: "run it again")
    }
  }

  /// Refuses a cut that leaves a gap, or takes what is to be kept.
  private static func judge(_ extract: AuditExtract, _ trail: AuditTrail, _ services: Services) throws {
    // GUARD: audit cut: everything that goes was copied
    guard extract.after <= trail.beginning.newest?.seq ?? 0 else {
      throw OperatorError(
        .refused, "the copy begins behind \(extract.after), and the log has entries before that",
        hint: "copy again, without a number to begin behind")
    }
    guard let retention = services.auditRetention else {
      throw OperatorError(
        .refused, "audit.retention is not set: this installation cuts no audit log", hint: "gatehouse config example")
    }
    // The earlier of two clocks, so that neither alone makes entries old.
    let now = min(trail.state.now, services.clock.now).microseconds
    let kept = now - retention.components.seconds * 1_000_000
    // GUARD: audit cut: nothing younger than the retention
    guard extract.latest < kept else {
      throw OperatorError(
        .refused,
        "audit.retention keeps what was sealed after \(Timestamp(Date(microseconds: kept))), and the copy goes beyond that",
        hint: "an earlier --before")
    }
  }
}
