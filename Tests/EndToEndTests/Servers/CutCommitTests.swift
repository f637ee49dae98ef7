import Foundation
import GatehouseAssembly
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// The database loses a request in the middle: a lock holds one of its statements, and its session is ended there. The
/// clock of these tests stands still, so no claim ends by itself.
@Suite("A request under an Idempotency-Key that the database loses")
struct CutCommitTests {
  /// Sends a sign-up under the key `k`, whose session of the database is ended where it waits for this table.
  private func cut(at table: String, _ apps: ThreeApps) async throws -> TestClient.Answer {
    let all = try await apps.server.storage.connect(user: Embedded.superuser)
    let waiting: SQL = """
      SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND relation = \("gatehouse.\(table)")::regclass
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """
    let answer = try await all.transaction(nil) { transaction in
      _ = try await transaction.query("LOCK TABLE gatehouse.\(identifier: table) IN EXCLUSIVE MODE")
      async let answer = signUp(apps)
      let isEnded = try await eventually { try await all.read(nil, waiting).count > 0 }
      #expect(isEnded)
      return try await answer
    }
    await all.stop()
    return answer
  }

  private func signUp(_ apps: ThreeApps) async throws -> TestClient.Answer {
    try await apps.messai.send(
      "POST", "/v1/sign-up", App.messai.signUp(), headers: ["Idempotency-Key": "k"])
  }

  @Test("a commit that is cut has an unknown outcome; a round of the job later the same key is answered")
  func commit() async throws {
    try await ThreeApps.run { apps async throws in
      let cut = try await cut(at: "session", apps)
      #expect(cut.status == 503 && cut.code == "unknown_outcome" && cut.retryAfter != nil)
      // Negative control: until the claim is given back, the request counts as under way.
      #expect(try await signUp(apps).code == "conflict")
      #expect(try await apps.server.round(of: .giveBack) == false)
      let again = try await signUp(apps)
      #expect(again.status == 201 && again.headers["idempotency-replayed"] == nil)
      #expect(try await signUp(apps).body == again.body)
    }
  }

  @Test("a claim whose own outcome is unknown is given back: no request works under it")
  func claim() async throws {
    try await ThreeApps.run { apps async throws in
      #expect(try await cut(at: "idempotency_key", apps).code == "unknown_outcome")
      #expect(apps.server.services.returns.count == 1)
      #expect(try await apps.server.round(of: .giveBack) == false)
      #expect(apps.server.services.returns.count == 0)
      #expect(try await signUp(apps).status == 201)
    }
  }

  @Test("a claim is given back again and again while the database refuses, and by itself ends after 15 seconds")
  func patience() async throws {
    try await ThreeApps.run { apps async throws in
      _ = try await cut(at: "session", apps)
      try await apps.server.storage.run(
        script: """
          CREATE FUNCTION gatehouse.stumble() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN RAISE EXCEPTION USING ERRCODE = '53100'; END $$;
          CREATE TRIGGER stumble BEFORE DELETE ON gatehouse.idempotency_key
            FOR EACH ROW EXECUTE FUNCTION gatehouse.stumble();
          """)
      for _ in 0..<3 {
        await #expect(throws: StoreError.impaired(state: "53100")) {
          try await apps.server.round(of: .giveBack)
        }
      }
      #expect(try await signUp(apps).code == "conflict")
      #expect(apps.server.services.returns.count == 1)
      apps.server.clock.advance(seconds: 15)
      #expect(try await apps.server.round(of: .giveBack) == false)
      #expect(apps.server.services.returns.count == 0)
      #expect(try await signUp(apps).status == 201)
    }
  }
}
