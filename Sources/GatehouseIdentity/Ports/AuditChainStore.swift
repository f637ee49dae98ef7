package import Foundation

/// The chain over a tenant's audit log.
package protocol AuditChainStore: Sendable {
  /// How the chain stands, at one moment.
  func auditChain() async throws -> AuditChainState

  /// The same, and up to `limit` rows that wait to be sealed, oldest ids first.
  func unsealedAudit(limit: Int) async throws -> (state: AuditChainState, rows: [TrailRow])

  /// Adds links and the head they lead to, and takes their rows from those that wait: `refused(.auditHeadIsCurrent)`
  /// when another server added links, or something was erased, since `version`.
  func seal(_ links: [AuditLink], head: String, expecting version: Int64) async throws

  /// Keeps the tenant's sealed audit key, unless there is one already.
  func keepAuditKey(_ sealed: [UInt8]) async throws

  /// Where the chain begins, at one moment.
  func auditOrigin() async throws -> StoredAuditOrigin

  /// Keeps a cut together with the row that records it: `exists` where there is one up to this number.
  func keepAuditCut(_ cut: StoredAuditCut, audit: AuditEntry) async throws

  /// Deletes the next `limit` links behind a number with their rows, as far as the newest sealed cut goes; how many,
  /// and the number of the last: `refused(.auditCutIsSealed)` where there is no such cut.
  func deleteCutAudit(behind: Int64, limit: Int) async throws -> (deleted: Int, last: Int64?)

  /// Those of these users whose deletion the audit log records.
  func deletedUsers(among users: Set<UUID>) async throws -> Set<UUID>

  /// Links behind this number with their rows, in order, at most `limit`.
  func auditLinks(after seq: Int64, limit: Int) async throws -> [LinkedRow]

  /// A row that neither has a link nor waits for one, or waits and names a time before `late`; nil when there is none.
  func strayAudit(before late: Date?) async throws -> TrailRow?

  /// A row that was to be sealed and is not there any more; nil when there is none.
  func lostAudit() async throws -> UUID?

  /// Rows that record the deletion of a person, and have no link up to this number.
  func deletions(after seq: Int64) async throws -> [TrailRow]
}

/// How a tenant's chain stands.
package struct AuditChainState: Sendable {
  /// Moves on with everything that is added or erased.
  package var version: Int64
  /// The signed head as it is stored; nil before the first round.
  package var token: String?
  /// The last link's number, 0 without links.
  package var lastSeq: Int64
  package var lastHash: [UInt8]?
  package var sealedKey: [UInt8]?
  /// Rows that wait to be sealed.
  package var waiting: Int
  /// The database's clock.
  package var now: Date

  package init(
    version: Int64, token: String?, lastSeq: Int64, lastHash: [UInt8]?, sealedKey: [UInt8]?, waiting: Int, now: Date
  ) {
    self.version = version
    self.token = token
    self.lastSeq = lastSeq
    self.lastHash = lastHash
    self.sealedKey = sealedKey
    self.waiting = waiting
    self.now = now
  }
}

/// The sealer's look at all tenants, by the jobs role.
package protocol AuditQueue: Sendable {
  /// Tenants with rows that wait to be sealed.
  func tenantsWithUnsealedAudit() async throws -> [TenantID]
}
