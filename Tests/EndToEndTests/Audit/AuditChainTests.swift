import Foundation
import GatehouseAssembly
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The audit trail is chained, and every change to it is detected")
struct AuditChainTests {
  struct Tampering: CustomTestStringConvertible {
    let name: String
    let script: String
    let kind: AuditFinding.Kind
    let seq: Int64?

    init(_ name: String, _ kind: AuditFinding.Kind, _ seq: Int64?, _ script: String) {
      self.name = name
      self.kind = kind
      self.seq = seq
      self.script = script
    }

    var testDescription: String { name }

    static let row3 = "id = (SELECT audit_id FROM gatehouse.audit_link WHERE seq = 3)"

    static let all = [
      Tampering("another actor", .edited, 3, "UPDATE gatehouse.audit SET actor = 'operator:eve' WHERE \(row3)"),
      Tampering("another event", .edited, 3, "UPDATE gatehouse.audit SET event = 'user_updated' WHERE \(row3)"),
      Tampering("another time", .edited, 3, "UPDATE gatehouse.audit SET at = at + interval '1 us' WHERE \(row3)"),
      Tampering(
        "another person", .edited, 3, "UPDATE gatehouse.audit SET account_id = gen_random_uuid() WHERE \(row3)"),
      Tampering("another address", .edited, 3, "UPDATE gatehouse.audit SET address = '192.0.2.1' WHERE \(row3)"),
      Tampering("another request", .edited, 3, "UPDATE gatehouse.audit SET request_id = 'other' WHERE \(row3)"),
      Tampering("other details", .edited, 3, #"UPDATE gatehouse.audit SET details = '{"a":"b"}' WHERE \#(row3)"#),
      Tampering(
        "another moment of sealing", .edited, 3, "UPDATE gatehouse.audit_link SET sealed_at = now() WHERE seq = 3"),
      Tampering("another salt", .edited, 3, "UPDATE gatehouse.audit_link SET salt = hash WHERE seq = 3"),
      Tampering(
        "erased for a user who still exists", .edited, 3,
        """
        UPDATE gatehouse.audit SET address = NULL, request_id = NULL, details = '{}' WHERE \(row3);
        UPDATE gatehouse.audit_link SET salt = NULL WHERE seq = 3
        """),
      Tampering(
        "no salt, and everything is still there", .edited, 3,
        "UPDATE gatehouse.audit_link SET salt = NULL WHERE seq = 3"),
      Tampering("a row is gone", .deleted, 3, "DELETE FROM gatehouse.audit WHERE \(row3)"),
      Tampering("a link is gone", .deleted, 3, "DELETE FROM gatehouse.audit_link WHERE seq = 3"),
      Tampering(
        "a row and its link are gone", .deleted, 3,
        "DELETE FROM gatehouse.audit WHERE \(row3); DELETE FROM gatehouse.audit_link WHERE seq = 3"),
      Tampering(
        "a row that nothing lists", .inserted, nil,
        "SET session_replication_role = replica; \(insert("gen_random_uuid(), at"))"),
      Tampering("a row of yesterday", .inserted, nil, insert("gen_random_uuid(), at - interval '1 day'")),
      Tampering(
        "a row in the place of another one", .inserted, 3,
        """
        ALTER TABLE gatehouse.audit_link DROP CONSTRAINT audit_link_seq_check;
        CREATE TABLE public.three AS SELECT * FROM gatehouse.audit_link WHERE seq = 3;
        UPDATE gatehouse.audit_link SET seq = -seq WHERE seq >= 3;
        UPDATE gatehouse.audit_link SET seq = 1 - seq WHERE seq < 0;
        SET session_replication_role = replica;
        INSERT INTO gatehouse.audit (tenant_id, id, at, event, actor)
          SELECT a.tenant_id, '0190e5a2-5c1b-7e7c-8d3a-3a1f5b6c7d8e', at, 'user_enabled', 'operator:eve'
          FROM gatehouse.audit AS a, public.three WHERE a.id = audit_id;
        INSERT INTO gatehouse.audit_link SELECT tenant_id, 3, '0190e5a2-5c1b-7e7c-8d3a-3a1f5b6c7d8e', sealed_at, salt,
          commitment, hash FROM public.three
        """),
      Tampering(
        "two rows under each other's number", .reordered, 3,
        """
        CREATE TABLE public.two AS SELECT seq, audit_id, salt, commitment FROM gatehouse.audit_link WHERE seq IN (3, 4);
        UPDATE gatehouse.audit_link SET audit_id = gen_random_uuid() WHERE seq IN (3, 4);
        UPDATE gatehouse.audit_link AS l SET audit_id = two.audit_id, salt = two.salt, commitment = two.commitment
          FROM public.two WHERE l.seq = 7 - two.seq
        """),
      Tampering(
        "two links under each other's number", .reordered, 3,
        """
        UPDATE gatehouse.audit_link SET seq = 1000 WHERE seq = 3; UPDATE gatehouse.audit_link SET seq = 3 WHERE seq = 4;
        UPDATE gatehouse.audit_link SET seq = 4 WHERE seq = 1000
        """),
      Tampering("the last links are gone", .truncated, 5, "DELETE FROM gatehouse.audit_link WHERE seq >= 5"),
      Tampering("no head", .forged, nil, "UPDATE gatehouse.audit_head SET token = NULL"),
      Tampering("another head", .forged, nil, "UPDATE gatehouse.audit_head SET token = 'x.y.z'"),
      Tampering("no key", .forged, nil, "DELETE FROM gatehouse.audit_key"),
      Tampering("a key of one's own", .forged, nil, "UPDATE gatehouse.audit_key SET sealed_private_key = '\\x01'"),
      Tampering(
        "nothing but the rows", .inserted, nil,
        "DELETE FROM gatehouse.audit_link; DELETE FROM gatehouse.audit_head; DELETE FROM gatehouse.audit_key"),
      Tampering(
        "a link of one's own behind the head", .forged, nil,
        """
        INSERT INTO gatehouse.audit_link SELECT tenant_id, (SELECT max(seq) + 1 FROM gatehouse.audit_link),
          gen_random_uuid(), sealed_at, salt, commitment, hash FROM gatehouse.audit_link WHERE seq = 3
        """),
    ]

    private static func insert(_ values: String) -> String {
      """
      INSERT INTO gatehouse.audit (tenant_id, event, actor, id, at)
      SELECT tenant_id, 'user_enabled', 'operator:eve', \(values) FROM gatehouse.audit WHERE \(row3)
      """
    }
  }

  @Test("T121 every kind of tampering is found, and the first bad row is named", arguments: Tampering.all)
  func tampering(_ tampering: Tampering) async throws {
    try await Trail.run { trail in
      _ = try await trail.live()
      let before = try await trail.verify()
      #expect(before.finding == nil && before.sealed > 5 && before.waiting == 0, "\(before)")
      let third = try await trail.links()[2]
      try await trail.tamperAlone(tampering.script)
      let after = try await trail.verify()
      let finding = try #require(after.finding)
      #expect(finding.kind == tampering.kind, "\(finding)")
      if let seq = tampering.seq { #expect(finding.seq == seq, "\(finding)") }
      if tampering.kind == .edited { #expect(finding.row == third.link.row) }
      await #expect(throws: (any Error).self) { _ = try await trail.export() }
    }
  }

  @Test("T121 rows of a server whose clock is an hour off bear the database's time, and the trail holds")
  func wrongClock() async throws {
    try await Trail.run { trail in
      _ = try await trail.live()
      for hours in [-1.0, 1] {
        let id = UUID()
        let entry = AuditEntry(
          id: id, at: trail.server.clock.now.addingTimeInterval(hours * 3600), event: .userUpdated,
          actor: "operator:test")
        try await trail.store.commit([.audit(entry)], as: .anonymous)
        try await trail.server.sealAudit()
        let stored = try await trail.store.audit(AuditQuery(event: "user_updated"), limit: 10).first { $0.id == id }
        #expect(stored?.at == trail.server.clock.now)
        #expect(try await trail.verify().finding == nil)
        trail.server.clock.advance(seconds: 60)
      }
    }
  }

  @Test("T121 a row that was put in later is found after it was sealed, too")
  func lateInsertion() async throws {
    try await Trail.run { trail in
      _ = try await trail.live()
      try await trail.tamperAlone(Tampering.all.first { $0.name == "a row of yesterday" }?.script ?? "")
      #expect(try await trail.verify().finding?.seq == nil)
      try await trail.server.sealAudit()
      let links = try await trail.links()
      let found = try await trail.verify().finding
      #expect(found?.kind == .inserted && found?.seq == links.last?.link.seq && found?.row == links.last?.link.row)
    }
  }

  @Test(
    "T121 a trail that was cut off together with its head is found by an earlier export, and by a server that saw it")
  func rollback() async throws {
    try await Trail.run { trail in
      _ = try await trail.live()
      let early = try #require(try await trail.store.auditChain().token)
      let length = try await trail.links().count
      _ = try await trail.live("bo@example.com")
      let known = try #require(try await trail.store.auditChain().token)
      #expect(try await trail.verify(known: known).finding == nil)
      #expect(try await trail.verify(known: early).finding == nil)
      try await trail.tamperAlone(
        """
        DELETE FROM gatehouse.audit WHERE id IN (SELECT audit_id FROM gatehouse.audit_link WHERE seq > \(length));
        DELETE FROM gatehouse.audit_link WHERE seq > \(length);
        UPDATE gatehouse.audit_head SET token = '\(early)'
        """)
      // By itself it looks whole: that is what exports are for.
      #expect(try await trail.verify().finding == nil)
      let found = try await trail.verify(known: known).finding
      #expect(found?.kind == .truncated && found?.seq == Int64(length + 1), "\(String(describing: found))")
      #expect(try await trail.verify(known: early + "x").finding?.kind == .forged)
      // Another history from there on is no better.
      #expect(
        try await trail.client.post("/v1/sign-in", #"{"email":"al@example.com","password":"kt49xw"}"#).status == 200)
      try await trail.server.sealAudit()
      #expect(trail.server.sealTroubles.withLock { $0 } == [.wentBack])
      #expect(try await trail.links().count == length)
      let other = try await trail.server.sibling()
      try await other.sealAudit()
      await other.stop()
      #expect(try await trail.links().count > length)
      #expect(try await trail.verify().finding == nil)
      #expect(try await trail.verify(known: known).finding != nil)
    }
  }

  @Test("T121 an attacker with the database who hashes all of it anew cannot sign it, and it is not continued")
  func rehashed() async throws {
    try await Trail.run { trail in
      _ = try await trail.live()
      try await trail.tamperAlone("UPDATE gatehouse.audit SET actor = 'operator:eve' WHERE \(Tampering.row3)")
      let chain = AuditChain(tenant: try trail.tenant.id.uuid)
      var previous = chain.start
      for linked in try await trail.links() {
        let link = linked.link
        previous = chain.hash(
          try #require(linked.row), seq: link.seq, after: previous, sealedAt: link.sealedAt, commitment: link.commitment
        )
        try await trail.tamperAlone(
          "UPDATE gatehouse.audit_link SET hash = '\\x\(Hex.encode(previous))' WHERE seq = \(link.seq)")
      }
      #expect(try await trail.verify().finding?.kind == .forged)
      let count = try await trail.links().count
      #expect(
        try await trail.client.post("/v1/sign-in", #"{"email":"al@example.com","password":"kt49xw"}"#).status == 200)
      try await trail.server.sealAudit()
      try await trail.server.sealAudit()
      #expect(trail.server.sealTroubles.withLock { $0 } == [.headIsNotOurs], "told once")
      #expect(try await trail.links().count == count)
      // A head signed by another key is no head, even where it fits the links.
      let forged = AuditHead(seq: Int64(count), hash: previous, signedAt: trail.server.clock.now)
      let token = try forged.signed(for: try trail.tenant.id.uuid, by: .generate())
      try await trail.tamperAlone("UPDATE gatehouse.audit_head SET token = '\(token)'")
      #expect(try await trail.verify().finding?.kind == .forged)
    }
  }

  @Test("T121 rows are sealed in whatever order they are committed, and none is passed over")
  func lateCommit() async throws {
    try await Trail.run { trail in
      _ = try await trail.live()
      let id = try trail.tenant.id.uuid
      let database = trail.server.database
      let (store, server) = (trail.store, trail.server)
      let sealedBefore = try await trail.links().count
      // Made first, with the older id and time; committed last.
      try await database.transaction(id) { transaction in
        _ = try await transaction.query(
          """
          INSERT INTO audit (id, at, event, actor) VALUES ('00000000-0000-7000-8000-000000000001', gatehouse.now(),
            'user_enabled', 'operator:late')
          """)
        server.clock.advance(seconds: 5)
        try await store.commit([
          .audit(
            AuditEntry(
              id: server.services.clock.makeID(), at: server.clock.now, event: .userEnabled, actor: "operator:early"))
        ])
        try await server.sealAudit()
        let links = try await store.auditLinks(after: 0, limit: 1000)
        #expect(links.count == sealedBefore + 1 && links.last?.row?.actor == "operator:early")
      }
      try await server.sealAudit()
      let links = try await trail.links()
      #expect(links.count == sealedBefore + 2 && links.last?.row?.actor == "operator:late")
      #expect(try await trail.verify().finding == nil)
    }
  }

  @Test("T121 several servers seal at once while rows come in: each row has one link, and the chain holds")
  func severalServers() async throws {
    try await Trail.run { trail in
      let other = try await trail.server.sibling()
      let (server, store) = (trail.server, trail.store)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<4 {
          group.addTask {
            for step in 0..<60 {
              try await store.commit([
                .audit(
                  AuditEntry(
                    id: server.services.clock.makeID(), at: server.clock.now, event: .userEnabled,
                    actor: "operator:\(writer)-\(step)"))
              ])
            }
          }
        }
        for sealer in [server, other, server, other] {
          group.addTask { for _ in 0..<30 { _ = try await sealer.round(of: .sealAudit) } }
        }
        try await group.waitForAll()
      }
      try await other.sealAudit()
      try await server.sealAudit()
      await other.stop()
      let links = try await trail.links()
      #expect(Set(links.map(\.link.row)).count == links.count && links.count == 241, "\(links.count)")
      #expect(trail.server.sealTroubles.withLock { $0 } == [])
      let verdict = try await trail.verify()
      #expect(verdict.finding == nil && verdict.waiting == 0)
    }
  }

  @Test("T121 a person can be erased from the trail, before and after it was sealed, and the chain holds")
  func erasure() async throws {
    try await Trail.run { trail in
      let up = try await trail.live()
      let bo = try await trail.live("bo@example.com")
      // Not sealed yet when she goes.
      #expect(
        try await trail.client.post("/v1/sign-in", #"{"email":"al@example.com","password":"wrong1"}"#).status == 401)
      let user = try #require(UserID(text: up.userID))
      let before = try await trail.store.audit(AuditQuery(user: user), limit: 100)
      #expect(before.allSatisfy { $0.address == "127.0.0.1" && $0.requestID != nil })
      let state = try await trail.store.unsealedAudit(limit: 10)
      let gone = try await trail.client.send("DELETE", "/v1/me", #"{"password":"kt49xw"}"#, token: up.accessToken)
      #expect(gone.status == 204, "\(gone.text)")
      // A sealer that had read the rows before finds out.
      let chain = AuditChain(tenant: try trail.tenant.id.uuid)
      let stale = chain.link(
        state.rows[0], seq: state.state.lastSeq + 1, after: state.state.lastHash ?? [], sealedAt: 0)
      await #expect(throws: StoreError.refused(.auditHeadIsCurrent)) {
        try await trail.store.seal([stale], head: "x", expecting: state.state.version)
      }
      #expect(try await trail.verify().finding == nil, "before the deletion is sealed")
      try await trail.server.sealAudit()
      let after = try await trail.store.audit(AuditQuery(user: user), limit: 100)
      #expect(after.count == before.count + 1 && after.contains { $0.event == .userDeleted })
      #expect(after.allSatisfy { $0.address == nil && $0.requestID == nil && $0.details.isEmpty }, "\(after)")
      let verdict = try await trail.verify()
      #expect(verdict.finding == nil && verdict.waiting == 0)
      // Others' rows still say what they said.
      let other = try await trail.store.audit(AuditQuery(user: UserID(text: bo.userID)), limit: 100)
      #expect(other.count > 3 && other.allSatisfy { $0.address != nil })
      #expect(Trail.check(try await trail.export())?.finding == nil)
      // An erased row says nothing ever again: nothing vouches for what it would say.
      try await trail.tamperAlone(
        """
        UPDATE gatehouse.audit SET address = '192.0.2.1'
        WHERE id IN (SELECT audit_id FROM gatehouse.audit_link WHERE salt IS NULL)
        """)
      #expect(try await trail.verify().finding?.kind == .edited)
    }
  }

  @Test("T121 an export is checked without the database, and every change of it is found")
  func exported() async throws {
    try await Trail.run { trail in
      _ = try await trail.live()
      let lines = try await trail.export()
      let whole = try #require(Trail.check(lines))
      #expect(whole.finding == nil && whole.sealed == Int64(lines.count - 2) && whole.tenant == "messai")
      let verified = try await trail.verify()
      #expect(whole.fingerprint == verified.fingerprint)
      #expect(Trail.check(lines, key: whole.fingerprint)?.finding == nil)
      #expect(Trail.check(lines, key: "another")?.finding?.kind == .forged)
      for index in lines.indices {
        var fewer = lines
        fewer.remove(at: index)
        var more = lines
        more.insert(lines[index], at: index)
        var swapped = lines
        if index + 1 < lines.count { swapped.swapAt(index, index + 1) } else { swapped[index] = [] }
        for (name, changed) in [("fewer", fewer), ("more", more), ("swapped", swapped)] {
          let verdict = Trail.check(changed)
          #expect(verdict == nil || verdict?.finding != nil, "\(name) at \(index)")
        }
        // One byte of every value.
        let line = String(decoding: lines[index], as: UTF8.self)
        for place in line.indices where line[place].isNumber {
          var changed = lines
          let other = line[place] == "7" ? "8" : "7"
          changed[index] = Array(line.replacingCharacters(in: place...place, with: other).utf8)
          let verdict = Trail.check(changed)
          #expect(verdict == nil || verdict?.finding != nil, "line \(index): \(line[place...].prefix(20))")
        }
      }
      // Only what is new, from where the last one ended.
      let more = try await trail.export(after: whole.sealed)
      #expect(more.count == 3 && Trail.check(more)?.finding == nil)
      #expect(
        try await trail.verify(
          known: whole.head.map { _ in String(decoding: lines.last ?? [], as: UTF8.self) }
            .flatMap { line in if case .head(let token)? = AuditFile.read(Array(line.utf8)) { token } else { nil } }
        ).finding == nil)
    }
  }
}
