import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A server is ready once its tenants are loaded and one of them is served")
struct ReadyTenantsTests {
  private static func run(_ policies: [String: String], _ body: (TestServer) async throws -> Void) async throws {
    let server = try await TestServer.start(policies: policies)
    do {
      try await body(server)
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  private static func ready(_ server: TestServer) async throws -> TestClient.Answer {
    try await TestClient(server.operationsURL).get("/readyz")
  }

  @Test("an installation without tenants is ready")
  func empty() async throws {
    try await Self.run([:]) { server in
      let answer = try await Self.ready(server)
      #expect(answer.status == 200)
    }
  }

  @Test("a server that serves no tenant of those there are is not ready, and names them")
  func none() async throws {
    try await Self.run(["messai": try TestLists.policy("messai")]) { server in
      let stranger = try await server.sibling(keys: (.random(version: 1), nil))
      let answer = try await Self.ready(stranger)
      await stranger.stop()
      #expect(answer.status == 503 && answer.json["troubles"]?["tenants"]?.string == "none is served, of 1")
      #expect(answer.json["tenants_not_served"]?["messai"] != nil)
    }
  }

  @Test("before the first load no server is ready")
  func unloaded() {
    let registry = TenantRegistry()
    #expect(registry.trouble == "not loaded yet")
  }

  @Test("the key-encryption key fits where it opens one data key, and no key is missed where none is stored")
  func fit() async throws {
    let key = try SealingKey.random(version: 1)
    try await Self.run([:]) { server in
      #expect(try await TenantLoader(server.services).loadAll() == .nothingStored)
      try await server.makeTenant("messai", try TestLists.policy("messai"))
      #expect(try await TenantLoader(server.services).loadAll() == .opens)
      let stranger = try await server.sibling(keys: (key, nil))
      #expect(try await TenantLoader(stranger.services).loadAll() == .opensNone(of: 1))
      await stranger.stop()
    }
  }

  @Test("no tenant is made with a key-encryption key that opens none of those that are there")
  func strangersTenant() async throws {
    try await Self.run([:]) { server in
      try await server.makeTenant("messai", try TestLists.policy("messai"))
      let stranger = try await server.sibling(keys: (try SealingKey.random(version: 1), nil))
      let refused = await #expect(throws: OperatorError.self) {
        try await stranger.makeTenant("vibes", try TestLists.policy("vibes"))
      }
      await stranger.stop()
      #expect(refused?.description.contains("opens none of the 1 data keys in the database") == true)
    }
  }
}
