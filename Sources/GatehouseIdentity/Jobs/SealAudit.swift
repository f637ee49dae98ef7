// Chains new rows of the audit logs. Rows are sealed after they were committed, in rounds of bounded size and
// in any order; no request waits for that. One server seals. Where another does too for a moment, as
// one that was frozen and goes on, its work is refused by the version that it read, and done by the next round.

import Foundation
package import GatehousePrimitives

package struct SealAudit: Sendable {
  /// Why a chain is not continued. The rows go on waiting, and `audit verify` says more.
  package enum Trouble: String, Error, Sendable, CaseIterable {
    /// The stored head is not signed by the tenant's audit key, or not the head of the stored links.
    case headIsNotOurs = "head_is_not_ours"
    /// The key is gone, and links are there.
    case keyIsGone = "key_is_gone"
    /// The stored chain is shorter than, or another one than, this server has seen it.
    case wentBack = "went_back"
  }

  /// Rows in one round of one tenant.
  package static let batch = 500
  /// Rounds that begin anew because something was erased, or another server was faster.
  private static let tries = 3

  private struct Seen: Sendable {
    var seq: Int64
    var hash: [UInt8]
  }

  private let queue: any AuditQueue
  private let services: Services
  private let seen = LockBox<[TenantID: Seen]>([:])
  private let troubled = LockBox<[TenantID: Trouble]>([:])
  private let report: @Sendable (_ trouble: Trouble, _ log: String) -> Void

  /// `report` is told of each trouble of a tenant's chain once.
  package init(
    _ queue: any AuditQueue, _ services: Services,
    report: @escaping @Sendable (_ trouble: Trouble, _ log: String) -> Void = { _, _ in }
  ) {
    self.queue = queue
    self.services = services
    self.report = report
  }

  /// One round over all tenants with rows that wait. True when there is more to do at once.
  package func runOnce() async throws -> Bool {
    let waiting = Set(try await queue.tenantsWithUnsealedAudit())
    guard !waiting.isEmpty else { return false }
    var isMore = false
    var logs = services.registry.all.filter { waiting.contains($0.id) }.map { AuditScope($0) }
    if waiting.contains(.installation) { logs += try await installation() }
    for tenant in logs {
      do {
        if try await seal(tenant) >= SealAudit.batch { isMore = true }
        troubled.withLock { $0[tenant.id] = nil }
      } catch let trouble as Trouble {
        note(trouble, of: tenant.id, named: tenant.shown)
      }
    }
    return isMore
  }

  /// The installation's log, where its key opens.
  private func installation() async throws -> [AuditScope] {
    do {
      return [try await AuditScope.installation(services)]
    } catch is OperatorError {
      note(.keyIsGone, of: .installation, named: "the installation")
      return []
    }
  }

  private func note(_ trouble: Trouble, of log: TenantID, named name: String) {
    let isNews = troubled.withLock { $0.updateValue(trouble, forKey: log) != trouble }
    if isNews { report(trouble, name) }
  }

  /// Seals one log's oldest rows that wait. How many.
  package func seal(_ tenant: AuditScope) async throws -> Int {
    for _ in 0..<SealAudit.tries {
      do {
        return try await round(tenant)
      } catch StoreError.refused(.auditHeadIsCurrent) {
        continue
      }
    }
    return 0
  }

  private func round(_ tenant: AuditScope) async throws -> Int {
    let store = services.store.open(tenant.id)
    // The state before the read: a concurrent round may be ahead of it.
    let before = seen.withLock { $0[tenant.id] }
    var (state, rows) = try await store.unsealedAudit(limit: SealAudit.batch)
    guard !rows.isEmpty else { return 0 }
    if state.sealedKey == nil {
      // A log begins with its first row: rows that no longer wait were in a chain once.
      guard state.token == nil, state.lastSeq == 0, try await store.strayAudit(before: nil) == nil else {
        throw Trouble.keyIsGone
      }
      try await store.keepAuditKey(try AuditKey.make(tenant.vault))
      (state, rows) = try await store.unsealedAudit(limit: SealAudit.batch)
    }
    let key = try AuditKey.open(state.sealedKey, tenant.vault)
    let chain = AuditChain(tenant: tenant.id.uuid)
    var last = try confirmed(state, key, chain, tenant, since: before)
    rows.sort { ($0.at, $0.id.text) < ($1.at, $1.id.text) }
    let links = rows.map { row in
      let link = chain.link(row, seq: last.seq + 1, after: last.hash, sealedAt: state.now.microseconds)
      last = Seen(seq: link.seq, hash: link.hash)
      return link
    }
    let head = AuditHead(seq: last.seq, hash: last.hash, signedAt: state.now)
    try await store.seal(links, head: try head.signed(for: tenant.id.uuid, by: key), expecting: state.version)
    seen.withLock { seen in
      if seen[tenant.id].map({ $0.seq < last.seq }) != false { seen[tenant.id] = last }
    }
    return links.count
  }

  /// The end of the stored chain, once the signed head vouches for it: a chain whose links an attacker changed is not
  /// continued.
  private func confirmed(
    _ state: AuditChainState, _ key: P256PrivateKey, _ chain: AuditChain, _ tenant: AuditScope,
    since before: Seen?
  ) throws -> Seen {
    var last = Seen(seq: 0, hash: chain.start)
    if let token = state.token {
      guard let head = AuditHead(token, of: tenant.id.uuid, key: key.publicKey), head.seq == state.lastSeq,
        let hash = state.lastHash, ConstantTime.equal(head.hash, hash)
      else { throw Trouble.headIsNotOurs }
      last = Seen(seq: head.seq, hash: head.hash)
    } else if state.lastSeq != 0 {
      throw Trouble.headIsNotOurs
    }
    if let before, last.seq < before.seq || last.seq == before.seq && last.hash != before.hash {
      throw Trouble.wentBack
    }
    return last
  }
}

/// The key that signs heads of a tenant's chain: a key of its own, so that nothing else is ever signed with it.
package enum AuditKey {
  /// A new key, sealed.
  package static func make(_ vault: Vault) throws -> [UInt8] {
    try PublicJWK.generateKey().pkcs8().expose { try vault.seal($0, for: .auditKey) }
  }

  /// Throws `SealAudit.Trouble.keyIsGone` for a key that is missing or was not sealed by this vault.
  package static func open(_ sealed: [UInt8]?, _ vault: Vault) throws -> P256PrivateKey {
    guard let sealed, let opened = try? vault.open(sealed, for: .auditKey) else { throw SealAudit.Trouble.keyIsGone }
    return try P256PrivateKey(pkcs8: opened)
  }
}
