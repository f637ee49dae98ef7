// What the operations that read a whole audit log share.

import Foundation
import GatehousePrimitives

/// An audit log as stored: its chain, its key and its signed head.
struct AuditTrail {
  /// Links in one read.
  static let page = 500

  let tenant: AuditScope
  let store: any TenantStore
  let state: AuditChainState
  let key: P256PrivateKey?
  let head: AuditHead?
  private let origin: StoredAuditOrigin
  /// Where the log begins.
  let beginning: AuditBeginning
  /// Why key, head and beginning are not those of the chain.
  let problem: AuditFinding?

  init(_ tenant: AuditScope, _ services: Services) async throws {
    self.tenant = tenant
    store = services.store.open(tenant.id)
    // The origin first: a cut that comes between them is in the chain that is read.
    origin = try await store.auditOrigin()
    state = try await store.auditChain()
    let ends = Self.ends(state, tenant)
    (key, head) = (ends.0, ends.1)
    switch AuditBeginning.find(origin, of: tenant.id.uuid, key: ends.0?.publicKey) {
    case .success(let found): (beginning, problem) = (found, ends.2)
    case .failure(let finding): (beginning, problem) = (.whole, ends.2 ?? finding)
    }
  }

  private static func ends(_ state: AuditChainState, _ tenant: AuditScope) -> (
    P256PrivateKey?, AuditHead?, AuditFinding?
  ) {
    guard state.token != nil || state.lastSeq > 0 || state.sealedKey != nil else { return (nil, nil, nil) }
    guard let key = try? AuditKey.open(state.sealedKey, tenant.vault) else {
      return (
        nil, nil, AuditFinding(.forged, "the key that signs this audit log is gone, or was not made by this server")
      )
    }
    guard let token = state.token else {
      guard state.lastSeq > 0 else { return (key, nil, nil) }
      return (key, nil, AuditFinding(.forged, seq: state.lastSeq, "the chain has links but no signed head"))
    }
    guard let head = AuditHead(token, of: tenant.id.uuid, key: key.publicKey) else {
      return (key, nil, AuditFinding(.forged, "the head was not signed by this tenant's audit key"))
    }
    return (key, head, nil)
  }

  /// The next links behind a number, up to another one.
  func links(after seq: Int64, upTo last: Int64) async throws -> [LinkedRow] {
    try await store.auditLinks(after: seq, limit: Int(min(Int64(Self.page), last - seq)))
  }

  /// Whether entries were cut since this was read.
  var isCutMeanwhile: Bool {
    get async throws {
      let now = try await store.auditOrigin()
      return now != origin && !now.cuts.isEmpty
    }
  }

  /// Rows that no link seals.
  func beside(_ check: AuditCheck) async throws -> AuditFinding? {
    if let row = try await store.strayAudit(before: check.lateBefore.map { Date(microseconds: $0) }) {
      return AuditFinding(.inserted, row: row.id, "the chain does not know this row")
    }
    if let lost = try await store.lostAudit() {
      return AuditFinding(.deleted, row: lost, "the row was to be sealed, and is gone")
    }
    return nil
  }

  /// Seals what waits, now. Throws `OperatorError` where the chain cannot be continued.
  static func seal(_ tenant: AuditScope, _ services: Services) async throws {
    let sealer = SealAudit(NoQueue(), services)
    do {
      while try await sealer.seal(tenant) > 0 {}
    } catch let trouble as SealAudit.Trouble {
      throw broken(tenant, trouble.rawValue)
    }
  }

  static func broken(_ tenant: AuditScope, _ why: String) -> OperatorError {
    OperatorError(
      .refused, "the audit log of \(tenant.shown) does not hold: \(why)", hint: "gatehouse audit verify \(tenant.word)"
    )
  }

  /// For sealing one tenant on demand.
  private struct NoQueue: AuditQueue {
    func tenantsWithUnsealedAudit() -> [TenantID] { [] }
  }
}
