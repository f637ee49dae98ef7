import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct AuditRowsTests {
  @Test("an entry comes back whole")
  func roundTrip() async throws {
    try await withStore { ground async throws in
      let full = AuditEntry(
        id: id(1), at: ground.now, event: .limitExceeded, actor: "user:x", user: UserID(id(2)),
        session: SessionID(id(3)), requestID: "req", address: "2001:db8::1", revision: 4,
        details: ["limit": "sign_up_per_ip", "quote": "\"\n"])
      try await ground.store.commit([.audit(full)])
      #expect(try await ground.store.audit(AuditQuery(event: "excess_rate_limit_exceeded"), limit: 1) == [full])
    }
  }

  @Test(
    "the entries of a commit are kept in its order, and a deletion makes those before it nameless, not those behind it")
  func aroundDeletion() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      var entries = (1...4).map { entry(.userDeleted, ground.now, $0) }
      for index in entries.indices {
        entries[index].user = user.id
        entries[index].details = ["n": "\(index)"]
      }
      try await ground.store.commit([.user(.insert(user, unique: [])), .audit(entries[0])])
      try await ground.store.commit(
        [
          .audit(entries[1]), .limit(.clearFailures(signInKey(ground.tenant, user.address))),
          .user(.delete(user.id)),
        ]
          + entries[2...].map(Change.audit))
      let found = try await ground.store.audit(AuditQuery(user: user.id), limit: 9)
      #expect(found.map(\.id) == entries.map(\.id).reversed())
      #expect(found.map(\.details) == [["n": "3"], ["n": "2"], [:], [:]])
    }
  }

  @Test("entries are found by event, account and time, newest first; a tail continues where it was")
  func search() async throws {
    try await withStore { ground async throws in
      let start = ground.now.addingTimeInterval(1000)
      for number in 1...6 {
        ground.clock.set(start.addingTimeInterval(Double(number)))
        var made = entry(number % 2 == 0 ? .signInFailed : .userCreated, ground.now, number)
        made.user = UserID(id(number % 3))
        try await ground.store.commit([.audit(made)])
      }
      func found(_ query: AuditQuery, _ limit: Int = 100) async throws -> [UUID] {
        try await ground.store.audit(query, limit: limit).map(\.id)
      }
      let since = start
      #expect(try await found(AuditQuery(since: since)) == [6, 5, 4, 3, 2, 1].map { id($0) })
      #expect(try await found(AuditQuery(since: since), 2) == [6, 5].map { id($0) })
      #expect(try await found(AuditQuery(event: "authn_login_fail")) == [6, 4, 2].map { id($0) })
      #expect(try await found(AuditQuery(user: UserID(id(1)))) == [4, 1].map { id($0) })
      #expect(
        try await found(AuditQuery(since: start.addingTimeInterval(2), until: start.addingTimeInterval(4)))
          == [3, 2].map { id($0) })
      #expect(try await found(AuditQuery(since: since, after: id(4))) == [6, 5].map { id($0) })
      #expect(try await found(AuditQuery(event: "nothing")).isEmpty)
    }
  }

  @Test("the server can add to the trail and do nothing else to it", arguments: [Roles.app, Roles.jobs])
  func insertOnly(role: String) async throws {
    try await withStore { ground async throws in
      let login = role == Roles.app ? ground.app : ground.jobs
      for statement: SQL in [
        "UPDATE audit SET actor = 'nobody'", "DELETE FROM audit", "TRUNCATE audit", "ALTER TABLE audit ADD x int",
        "DROP TABLE audit",
      ] {
        let error = await failure { try await login.write(ground.tenant.uuid, statement) }
        #expect(error?.sqlState == "42501", "\(statement)")
      }
      #expect(try await ground.store.audit(AuditQuery(), limit: 9).count == 1)
    }
  }
}
