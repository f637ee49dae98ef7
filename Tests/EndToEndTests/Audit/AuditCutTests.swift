import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("The audit trail is cut by a signed mark, behind an export")
struct AuditCutTests {
  @Test("T121 old entries go to a file and out of the database; verify begins at the mark, and both join to one chain")
  func cut() async throws {
    try await Trail.old { trail, moment in
      let all = try await trail.links()
      let lines = try await trail.copy(before: moment)
      let copied = try #require(Trail.check(lines))
      #expect(copied.finding == nil && copied.sealed > 3 && copied.sealed < Int64(all.count))
      #expect(try await trail.links().count == all.count + 1, "a copy deletes nothing, and is an entry")
      #expect(try await trail.cut(lines) == Int(copied.sealed))
      let verdict = try await trail.verify()
      #expect(verdict.finding == nil && verdict.after == copied.sealed, "\(verdict)")
      #expect(verdict.cut?.export == Trail.digest(lines) && verdict.cut?.actor == "operator:test")
      #expect(try await trail.links().first?.link.seq == copied.sealed + 1)
      #expect(try await trail.joined([lines]) == nil)
      // What is left is searched, copied and continued as before.
      let found = try await trail.store.audit(AuditQuery(event: AuditEvent.auditCut.rawValue), limit: 9)
      #expect(found.count == 1 && found[0].details["seq"] == String(copied.sealed))
      let rest = try await trail.export()
      #expect(Trail.check(rest)?.finding == nil && Trail.check(rest)?.after == copied.sealed)
      _ = try await trail.live("cy@example.com")
      #expect(try await trail.joined([lines]) == nil)
      #expect(trail.server.sealTroubles.withLock { $0 } == [])
      #expect(try await trail.joined([lines, rest]) == nil, "a later export joins as well")
    }
  }

  @Test("T121 a user whose entries were cut still gets a copy of their data, of what is there")
  func dataExport() async throws {
    try await Trail.old { trail, moment in
      try await trail.cut(try await trail.copy(before: moment))
      let signedIn = try await trail.client.post("/v1/sign-in", #"{"email":"al@example.com","password":"kt49xw"}"#)
      let copy = try await trail.client.get("/v1/me/export", token: signedIn.json.accessToken)
      #expect(copy.status == 200, "\(copy.text)")
      let events = (copy.json["events"]?.array ?? []).compactMap { $0["event"]?.string }
      #expect(events.contains("authn_login_success") && !events.contains("user_created"), "\(events)")
    }
  }

  @Test("T121 a second cut goes on from the first: two files and the rest are one chain, and none can be left out")
  func second() async throws {
    try await Trail.old { trail, moment in
      let first = try await trail.copy(before: moment)
      try await trail.cut(first)
      trail.server.clock.advance(seconds: 40 * 86_400)
      let later = trail.server.clock.now.addingTimeInterval(-35 * 86_400)
      _ = try await trail.live("cy@example.com")
      let second = try await trail.copy(before: later)
      #expect(Trail.check(second)?.after == Trail.check(first)?.sealed && Trail.check(second)?.finding == nil)
      try await trail.cut(second)
      #expect(try await trail.verify().finding == nil)
      #expect(try await trail.joined([first, second]) == nil)
      #expect(try await trail.joined([second]) == nil)
      let gap = try await trail.joined([first])
      #expect(gap?.kind == .deleted && gap?.seq == (Trail.check(first)?.sealed ?? 0) + 1)
      var changed = first
      changed[2] = Array(String(decoding: first[2], as: UTF8.self).replacing("success", with: "failure").utf8)
      if changed != first { #expect(try await trail.joined([changed, second])?.kind == .edited) }
    }
  }

  @Test("T121 a cut that is killed between any two steps loses nothing, and goes on when it is run again")
  func killed() async throws {
    try await Trail.old { trail, moment in
      let all = try await trail.links().count
      let lines = try await trail.copy(before: moment)
      let copied = Int(try #require(Trail.check(lines)).sealed)
      // After the copy.
      #expect(try await trail.verify().finding == nil)
      // After the mark, which no sealed entry records yet: nothing can be deleted.
      try await trail.mark(lines)
      await #expect(throws: StoreError.refused(.auditCutIsSealed)) {
        _ = try await trail.store.deleteCutAudit(behind: 0, limit: 9)
      }
      #expect(try await trail.verify().finding == nil)
      #expect(try await trail.links().count == all + 1)
      // After the seal.
      try await trail.server.sealAudit()
      #expect(try await trail.verify().finding == nil)
      #expect(try await trail.links().count == all + 2)
      // Amid the deletion.
      #expect(try await trail.store.deleteCutAudit(behind: 0, limit: 2) == (2, 2))
      let amid = try await trail.verify()
      #expect(amid.finding == nil && amid.after == Int64(copied) && amid.cut != nil)
      #expect(try await trail.joined([lines]) == nil)
      // The same command again, and once more.
      #expect(try await trail.cut(lines) == copied - 2)
      #expect(try await trail.cut(lines) == 0)
      #expect(try await trail.verify().finding == nil)
      #expect(try await trail.joined([lines]) == nil)
    }
  }

  @Test("T121 a cut whose file is lost is finished without it")
  func withoutFile() async throws {
    try await Trail.old { trail, moment in
      let lines = try await trail.copy(before: moment)
      try await trail.mark(lines)
      try await trail.server.sealAudit()
      let copied = Int(try #require(Trail.check(lines)).sealed)
      #expect(try await trail.cut(.init(tenant: "messai")) == copied)
      #expect(try await trail.cut(.init(tenant: "messai")) == 0)
      #expect(try await trail.verify().finding == nil)
    }
  }

  struct Tampering: CustomTestStringConvertible {
    let testDescription: String
    let kind: AuditFinding.Kind
    let script: String

    init(_ name: String, _ kind: AuditFinding.Kind, _ script: String) {
      testDescription = name
      self.kind = kind
      self.script = script
    }

    private static let first = "(SELECT min(seq) FROM gatehouse.audit_link)"
    private static let markRow = "(SELECT audit_id FROM gatehouse.audit_cut)"

    static let all = [
      Tampering(
        "more is deleted than was cut", .deleted,
        """
        DELETE FROM gatehouse.audit WHERE id IN (SELECT audit_id FROM gatehouse.audit_link WHERE seq <= \(first) + 1);
        DELETE FROM gatehouse.audit_link WHERE seq <= \(first) + 1
        """),
      Tampering("the mark is gone", .deleted, "DELETE FROM gatehouse.audit_cut"),
      Tampering("a mark without a signature", .forged, "UPDATE gatehouse.audit_cut SET token = 'x.y.z'"),
      Tampering("a mark that was moved on", .forged, "UPDATE gatehouse.audit_cut SET seq = seq + 1"),
      Tampering(
        "the entry of the mark is gone", .deleted, "DELETE FROM gatehouse.audit WHERE id = \(markRow)"),
      Tampering(
        "the entry of the mark names another file", .edited,
        "UPDATE gatehouse.audit SET details = details || '{\"export\":\"00\"}' WHERE id = \(markRow)"),
      Tampering(
        "an entry behind the mark says something else", .edited,
        """
        UPDATE gatehouse.audit SET actor = 'operator:eve'
        WHERE id = (SELECT audit_id FROM gatehouse.audit_link WHERE seq = \(first) + 1)
        """),
      Tampering(
        "what was cut is cut off at the other end, too", .truncated,
        "DELETE FROM gatehouse.audit_link WHERE seq = (SELECT max(seq) FROM gatehouse.audit_link)"),
      Tampering(
        "a cut entry is put in again", .inserted,
        """
        SET session_replication_role = replica;
        INSERT INTO gatehouse.audit (tenant_id, id, at, event, actor)
          SELECT tenant_id, gen_random_uuid(), at - interval '50 days', 'user_enabled', 'operator:eve'
          FROM gatehouse.audit WHERE id = \(markRow)
        """),
    ]
  }

  @Test("T121 every change of a log that was cut is found", arguments: Tampering.all)
  func tampering(_ tampering: Tampering) async throws {
    try await Trail.old { trail, moment in
      let lines = try await trail.copy(before: moment)
      try await trail.cut(lines)
      #expect(try await trail.verify().finding == nil)
      try await trail.tamperAlone(tampering.script)
      let finding = try await trail.verify().finding
      #expect(finding?.kind == tampering.kind, "\(String(describing: finding))")
      #expect(try await trail.joined([lines]) != nil)
    }
  }

  @Test("T121 an attacker with the server's database role who lets entries go by a mark of their own is found")
  func forgedMark() async throws {
    try await Trail.old { trail, moment in
      let fourth = try await trail.links()[3].link
      let id = try trail.tenant.id.uuid
      // The server seals what stands in the log, by any writer.
      let entry = AuditEntry(
        id: UUID(), at: trail.server.clock.now, event: .auditCut, actor: "operator:olivia",
        details: AuditCut.details(seq: 4, hash: fourth.hash, export: SHA256.digest("no file")))
      let cut = AuditCut(
        seq: 4, hash: fourth.hash, export: SHA256.digest("no file"), row: entry.id, actor: entry.actor,
        signedAt: trail.server.clock.now)
      try await trail.store.keepAuditCut(
        StoredAuditCut(seq: 4, row: entry.id, token: try cut.signed(for: id, by: .generate())), audit: entry)
      #expect(try await trail.verify().finding?.kind == .forged, "before anything is deleted")
      try await trail.server.sealAudit()
      #expect(try await trail.store.deleteCutAudit(behind: 0, limit: 100) == (4, 4))
      let finding = try await trail.verify().finding
      #expect(finding?.kind == .forged && finding?.seq == 4)
      await #expect(throws: OperatorError.self, "the server itself does not go on from it") {
        _ = try await trail.copy(before: moment)
      }
    }
  }

  @Test("T121 of a user who was deleted the copy says no more than the log, and holds by itself")
  func erased() async throws {
    try await Trail.old { trail, moment in
      let signedIn = try await trail.client.post("/v1/sign-in", #"{"email":"al@example.com","password":"kt49xw"}"#)
      let gone = try await trail.client.send(
        "DELETE", "/v1/me", #"{"password":"kt49xw"}"#, token: signedIn.json.accessToken)
      #expect(gone.status == 204, "\(gone.text)")
      try await trail.server.sealAudit()
      let lines = try await trail.copy(before: moment)
      #expect(Trail.check(lines)?.finding == nil, "the deletion itself is not in the copy")
      #expect(!lines.contains { String(decoding: $0, as: UTF8.self).contains("127.0.0.1") })
      try await trail.cut(lines)
      #expect(try await trail.verify().finding == nil)
      #expect(try await trail.joined([lines]) == nil)
    }
  }

  @Test("T121 a copy of several parts holds, also when a user is deleted between two of them")
  func parts() async throws {
    try await Trail.run { trail in
      let server = trail.server
      let user = UserID(text: try await trail.live().userID)
      try await trail.store.commit(
        (0..<4500).map { number in
          .audit(
            AuditEntry(
              id: server.services.clock.makeID(), at: server.clock.now, event: .userUpdated, actor: "operator:x",
              user: user, address: "192.0.2.\(number % 250)"))
        })
      try await server.sealAudit()
      server.clock.advance(seconds: 3600)
      let moment = server.clock.now
      server.clock.advance(seconds: 40 * 86_400)
      let signedIn = try await trail.client.post("/v1/sign-in", #"{"email":"al@example.com","password":"kt49xw"}"#)
      var lines: [[UInt8]] = []
      var parts = 0
      try await AuditCopy.write { cursor in
        parts += 1
        if parts == 2 {
          _ = try await trail.client.send(
            "DELETE", "/v1/me", #"{"password":"kt49xw"}"#, token: signedIn.json.accessToken)
        }
        return try await ExportAudit.run(
          .init(tenant: "messai", before: Timestamp(moment), cursor: cursor), server.asOperator)
      } to: {
        lines.append(Array($0.utf8))
      }
      #expect(parts == 3 && lines.count > 4500)
      let named = lines.count { String(decoding: $0, as: UTF8.self).contains("192.0.2.") }
      #expect((1900...2000).contains(named), "\(named) entries were copied before the user was deleted")
      #expect(try await trail.cut(lines) == lines.count - 2)
      #expect(try await trail.joined([lines]) == nil)
    }
  }

  @Test("T121 what an attacker erased of a user who is there is not copied, and so not cut")
  func falselyErased() async throws {
    try await Trail.old { trail, moment in
      try await trail.tamperAlone(
        """
        UPDATE gatehouse.audit SET address = NULL, request_id = NULL, details = '{}'
        WHERE id = (SELECT audit_id FROM gatehouse.audit_link WHERE seq = 3);
        UPDATE gatehouse.audit_link SET salt = NULL WHERE seq = 3
        """)
      await #expect(throws: OperatorError.self) { _ = try await trail.copy(before: moment) }
    }
  }
}
