import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

/// Old entries of a trail that are copied and cut.
extension Trail {
  /// A trail with old entries, and the moment before which they were sealed.
  static func old(_ body: (Trail, Date) async throws -> Void) async throws {
    try await run { trail in
      _ = try await trail.live()
      trail.server.clock.advance(seconds: 3600)
      let moment = trail.server.clock.now
      trail.server.clock.advance(seconds: 40 * 86_400)
      _ = try await trail.live("bo@example.com")
      try await body(trail, moment)
    }
  }

  /// The lines of a copy of what was sealed before a moment.
  func copy(before moment: Date, after: Int? = nil, as call: OperatorCall? = nil) async throws -> [[UInt8]] {
    var lines: [[UInt8]] = []
    let tenant = try tenant.name.description
    try await AuditCopy.write { cursor in
      try await ExportAudit.run(
        .init(tenant: tenant, after: after, before: Timestamp(moment), cursor: cursor), call ?? server.asOperator)
    } to: {
      lines.append(Array($0.utf8))
    }
    return lines
  }

  static func digest(_ lines: [[UInt8]]) -> [UInt8] { SHA256.digest(lines.flatMap { $0 + [0x0A] }) }

  /// The signed end of a copy.
  static func extract(_ lines: [[UInt8]]) throws -> String {
    guard case .extract(let token)? = lines.last.flatMap(AuditFile.read) else { throw NoExtract() }
    return token
  }

  private struct NoExtract: Error {}

  /// Cuts what a copy holds; how many entries went.
  @discardableResult
  func cut(_ lines: [[UInt8]], as call: OperatorCall? = nil) async throws -> Int {
    let input = CutAuditOperation.Input(
      tenant: try tenant.name.description, extract: try Self.extract(lines), export: Hex.encode(Self.digest(lines)))
    return try await cut(input, as: call)
  }

  func cut(_ input: CutAuditOperation.Input, as call: OperatorCall? = nil) async throws -> Int {
    var deleted = 0
    var output: CutAuditOperation.Output
    repeat {
      output = try await CutAudit.run(input, call ?? server.asOperator)
      deleted += output.deleted
    } while !output.done
    return deleted
  }

  /// Marks a cut as `CutAudit` does, and goes no further.
  func mark(_ lines: [[UInt8]]) async throws {
    let state = try await store.auditChain()
    let key = try AuditKey.open(state.sealedKey, tenant.vault)
    let id = try tenant.id.uuid
    let extract = try #require(AuditExtract(try Self.extract(lines), of: id, key: key.publicKey))
    let entry = AuditEntry(
      id: server.services.clock.makeID(), at: server.clock.now, event: .auditCut, actor: "operator:test",
      details: AuditCut.details(seq: extract.seq, hash: extract.hash, export: Self.digest(lines)))
    let cut = AuditCut(
      seq: extract.seq, hash: extract.hash, export: Self.digest(lines), row: entry.id, actor: entry.actor,
      signedAt: server.clock.now)
    try await store.keepAuditCut(
      StoredAuditCut(seq: cut.seq, row: cut.row, token: try cut.signed(for: id, by: key)), audit: entry)
  }

  /// What `audit verify --against` with these files comes to.
  func joined(_ files: [[[UInt8]]]) async throws -> AuditFinding? {
    var join = AuditJoin()
    for lines in files {
      var check = AuditFileCheck(behind: join.parts.last)
      for line in lines { check.take(line) }
      let finding = check.finish(fingerprint: nil)?.finding
      guard let part = check.part(digest: Self.digest(lines)) else { return finding }
      if let finding = join.add(part) { return finding }
    }
    let verdict = try await verify(known: join.known)
    return verdict.finding
      ?? join.finding(beforeLogBehind: verdict.cut?.seq ?? 0, export: verdict.cut?.export)
  }
}
