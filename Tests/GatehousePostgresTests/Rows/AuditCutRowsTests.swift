import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// What the server's role can delete of an audit log.
@Suite struct AuditCutRowsTests {
  /// A sealed log of one entry of the tenant's creation and `count` others, with what signs for it.
  private struct Log {
    let ground: StoreFixture
    let key: P256PrivateKey
    let chain: AuditChain

    init(_ ground: StoreFixture, count: Int) async throws {
      self.ground = ground
      key = try PublicJWK.generateKey()
      chain = AuditChain(tenant: ground.tenant.uuid)
      try await ground.store.commit((1...count).map { .audit(entry(.userEnabled, ground.now, $0)) })
      try await seal()
    }

    func seal() async throws {
      let (state, rows) = try await ground.store.unsealedAudit(limit: 5000)
      var last = (seq: state.lastSeq, hash: state.lastHash ?? chain.start)
      let links = rows.map { row in
        let link = chain.link(row, seq: last.seq + 1, after: last.hash, sealedAt: state.now.microseconds)
        last = (link.seq, link.hash)
        return link
      }
      let head = AuditHead(seq: last.seq, hash: last.hash, signedAt: ground.now)
      try await ground.store.seal(
        links, head: try head.signed(for: ground.tenant.uuid, by: key), expecting: state.version)
    }

    /// Stores a mark, and what records it.
    /// - Parameter hash: what the mark and its entry say of the last entry that goes.
    func mark(_ seq: Int64, hash: [UInt8]? = nil, tenant: UUID? = nil, recorded: [String: String]? = nil) async throws {
      let found = try await ground.store.auditLinks(after: seq - 1, limit: 1).first?.link.hash
      let hash = try #require(hash ?? found)
      var made = entry(.auditCut, ground.now, 99_000)
      made.details = recorded ?? AuditCut.details(seq: seq, hash: hash, export: SHA256.digest("file"))
      let cut = AuditCut(
        seq: seq, hash: hash, export: SHA256.digest("file"), row: made.id, actor: made.actor, signedAt: ground.now)
      let token = try cut.signed(for: tenant ?? ground.tenant.uuid, by: key)
      try await ground.store.keepAuditCut(StoredAuditCut(seq: seq, row: made.id, token: token), audit: made)
    }

    func count() async throws -> Int { try await ground.store.auditLinks(after: 0, limit: 5000).count }
  }

  private func refused(_ name: String, _ prepare: (Log) async throws -> Void) async throws {
    try await withStore { ground async throws in
      let log = try await Log(ground, count: 20)
      try await prepare(log)
      let before = try await log.count()
      await #expect(throws: StoreError.refused(.auditCutIsSealed), "\(name)") {
        _ = try await ground.store.deleteCutAudit(behind: 0, limit: 100)
      }
      #expect(try await log.count() == before, "\(name)")
    }
  }

  @Test("T121 without a mark nothing is deleted")
  func noMark() async throws { try await refused("no mark") { _ in } }

  @Test("T121 a mark that is not sealed into the chain deletes nothing")
  func unsealed() async throws { try await refused("unsealed") { try await $0.mark(5) } }

  @Test("T121 a mark about another chain deletes nothing")
  func otherChain() async throws {
    try await refused("another hash") {
      try await $0.mark(5, hash: SHA256.digest("x"))
      try await $0.seal()
    }
  }

  @Test("T121 a mark of another tenant deletes nothing")
  func otherTenant() async throws {
    try await refused("another tenant") {
      try await $0.mark(5, tenant: UUID())
      try await $0.seal()
    }
  }

  @Test("T121 a mark that its entry does not state deletes nothing")
  func unstated() async throws {
    try await refused("other details") {
      try await $0.mark(5, recorded: ["seq": "4"])
      try await $0.seal()
    }
  }

  @Test("T121 a mark that lets itself go deletes nothing")
  func itself() async throws {
    try await refused("beyond its own entry") {
      try await $0.mark(40, hash: SHA256.digest("x"))
      try await $0.seal()
    }
  }

  @Test("T121 the server's role deletes entries up to a sealed mark, in batches, and no other way")
  func marked() async throws {
    try await withStore { ground async throws in
      let log = try await Log(ground, count: 20)
      try await log.mark(15)
      try await log.seal()
      #expect(try await ground.store.deleteCutAudit(behind: 0, limit: 10) == (10, 10))
      #expect(try await ground.store.auditOrigin().first == 11)
      #expect(try await ground.store.deleteCutAudit(behind: 10, limit: 10) == (5, 15))
      #expect(try await ground.store.deleteCutAudit(behind: 0, limit: 10) == (0, nil))
      let links = try await ground.store.auditLinks(after: 0, limit: 100)
      #expect(links.map(\.link.seq) == Array(16...22) && links.allSatisfy { $0.row != nil })
      #expect(try await ground.store.strayAudit(before: nil) == nil)
      for table in ["audit", "audit_link", "audit_cut"] {
        await #expect(throws: DatabaseError.self, "\(table)") {
          _ = try await ground.app.write(ground.tenant.uuid, "DELETE FROM \(identifier: table)")
        }
        await #expect(throws: DatabaseError.self, "\(table)") {
          _ = try await ground.app.write(ground.tenant.uuid, "UPDATE \(identifier: table) SET tenant_id = tenant_id")
        }
      }
    }
  }

  @Test("T121 another tenant's log is out of reach of a mark")
  func otherLog() async throws {
    try await withStore { ground async throws in
      let log = try await Log(ground, count: 5)
      let other = try await ground.makeTenant("other")
      try await log.mark(4)
      try await log.seal()
      await #expect(throws: StoreError.refused(.auditCutIsSealed)) {
        _ = try await other.store.deleteCutAudit(behind: 0, limit: 9)
      }
      #expect(try await other.store.audit(AuditQuery(), limit: 9).count == 1)
    }
  }

  @Test("the storage of a log that was cut goes down")
  func room() async throws {
    try await withStore { ground async throws in
      let log = try await Log(ground, count: 4000)
      let before = try await Self.size(ground)
      try await log.mark(4000)
      try await log.seal()
      while try await ground.store.deleteCutAudit(behind: 0, limit: 1000).deleted > 0 {}
      for table in ["audit", "audit_link"] {
        try await ground.place.runAsSuperuser(script: "VACUUM FULL gatehouse.\(table)")
      }
      let after = try await Self.size(ground)
      #expect(after < before / 4, "\(before) and \(after) bytes")
    }
  }

  private static func size(_ ground: StoreFixture) async throws -> Int64 {
    let rows = try await ground.everything(
      "SELECT pg_total_relation_size('gatehouse.audit') + pg_total_relation_size('gatehouse.audit_link')")
    return try rows.single()?[0] ?? 0
  }
}
