import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct PostgresStoreTests {
  /// Makes the next `count` writes of a secret fail with this SQLSTATE; a sequence remembers across roll-backs.
  private func fail(_ count: Int, _ state: String, _ ground: StoreFixture) async throws {
    try await ground.place.run(
      script: """
        CREATE SEQUENCE gatehouse.tries;
        GRANT USAGE ON gatehouse.tries TO gatehouse_app;
        CREATE FUNCTION gatehouse.stumble() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('gatehouse.tries') <= \(count) THEN RAISE EXCEPTION USING ERRCODE = '\(state)'; END IF;
          RETURN new;
        END $$;
        CREATE TRIGGER stumble BEFORE INSERT ON gatehouse.secret FOR EACH ROW EXECUTE FUNCTION gatehouse.stumble();
        """)
  }

  private func write(_ ground: StoreFixture) async throws {
    try await ground.store.setSecret("x", sealed: [1], audit: entry(.secretChanged, ground.now))
  }

  @Test("a deadlock or serialization failure is tried again up to three times", arguments: ["40P01", "40001"])
  func retries(state: String) async throws {
    try await withStore { ground async throws in
      try await fail(3, state, ground)
      try await write(ground)
      #expect(try await ground.store.secret("x") == [1])
      #expect(try await ground.store.audit(AuditQuery(event: "secret_changed"), limit: 9).count == 1)
    }
  }

  @Test("a fourth deadlock is told as a store that can not be had now")
  func givesUp() async throws {
    try await withStore { ground async throws in
      try await fail(4, "40P01", ground)
      #expect(await refusal { try await write(ground) } == .unavailable)
      #expect(try await ground.store.secret("x") == nil)
    }
  }

  @Test("no other failure is tried again, and what only a defect can cause goes up as it is")
  func noRetry() async throws {
    try await withStore { ground async throws in
      try await fail(1, "22012", ground)
      #expect(await failure { try await write(ground) }?.sqlState == "22012")
      try await write(ground)
    }
  }

  @Test(
    "a database that lacks room or resources, or is stopped, is no defect; all else is",
    arguments: [
      ("53000", true), ("53100", true), ("53200", true), ("53300", true), ("53400", true), ("57000", true),
      ("58000", true), ("58030", true), ("58P01", true), ("22012", false), ("42P01", false), ("XX000", false),
      ("XX001", false),
    ])
  func impaired(state: String, isImpaired: Bool) async throws {
    try await withStore { ground async throws in
      try await fail(1, state, ground)
      do {
        try await write(ground)
        Issue.record("the write was taken")
      } catch {
        #expect((error as? StoreError == .impaired(state: state)) == isImpaired)
        #expect(((error as? DatabaseError)?.sqlState == state) == !isImpaired)
      }
      #expect(try await ground.store.secret("x") == nil)
    }
  }

  @Test("a session that its operator ends leaves a write unknown", arguments: ["57P01", "57P02", "57P05"])
  func ended(state: String) async throws {
    try await withStore { ground async throws in
      try await fail(1, state, ground)
      #expect(await refusal { try await write(ground) } == .unknownOutcome)
    }
  }

  @Test("names in guards come back whole, with colons and anything else")
  func guardNames() async throws {
    try await withStore { ground async throws in
      let field = UniqueValue(field: "a:b c", key: "k")
      try await ground.store.commit([.user(.insert(sampleUser(1, ground.now), unique: [field]))])
      #expect(
        await refusal { try await ground.store.commit([.user(.insert(sampleUser(2, ground.now), unique: [field]))]) }
          == .fieldTaken("a:b c"))
      let limit = Reservation(name: "x:y", key: "k", count: 0, window: 7)
      #expect(
        await refusal { try await ground.store.commit([.limit(.reserve([limit]))]) }
          == .limited(name: "x:y", retryAfter: 7))
    }
  }

  @Test("an empty list of changes opens no transaction")
  func nothing() async throws {
    try await withStore { ground async throws in
      let before = ground.app.statistics.succeeded
      try await ground.store.commit([])
      #expect(ground.app.statistics.succeeded == before)
      _ = try await ground.store.userCount()
      #expect(ground.app.statistics.succeeded == before + 1)
    }
  }

  @Test("a store whose database stopped says so")
  func stopped() async throws {
    try await withStore { ground async throws in
      let other = try await ground.replica()
      await other.stop()
      #expect(await refusal { try await PostgresStore(other).open(ground.tenant).userCount() } == .unavailable)
    }
  }
}
