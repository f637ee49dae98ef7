import GatehouseAssembly
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Readiness")
struct ReadinessTests {
  private func run(_ body: (TestServer, TestClient) async throws -> Void) async throws {
    let server = try await TestServer.start(policies: ["messai": TestLists.policy("messai")])
    do {
      try await body(server, TestClient(server.operationsURL))
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  @Test("a server whose database is away is ready, says so, and gives out key set and policy")
  func withoutDatabase() async throws {
    try await run { server, operations in
      _ = try await server.round(of: .askDatabase)
      let before = try await operations.get("/readyz")
      #expect(before.status == 200 && before.json["database"] == .string("answers"))
      await server.database.stop()
      _ = try await server.round(of: .askDatabase)
      let ready = try await operations.get("/readyz")
      #expect(ready.status == 200 && ready.json["ready"] == .bool(true))
      #expect(ready.json["database"] == .string("does not answer: database unavailable"))
      for path in ["/.well-known/jwks.json", "/v1/policy"] {
        let answer = try? await TestClient(server.url + "/t/messai").get(path)
        #expect(answer?.status == 200, "\(path)")
      }
    }
  }

  @Test("a server that follows nothing while its database answers is not ready")
  func notFollowed() async throws {
    try await run { server, operations in
      _ = try await server.round(of: .askDatabase)
      // The clock leaps a minute at each look at it.
      server.loseTurns(true)
      let unready = try await operations.get("/readyz")
      #expect(unready.status == 503 && unready.json["ready"] == .bool(false))
      #expect(unready.json["troubles"]?["followed"]?.string?.contains("were not compared") == true)
    }
  }
}
