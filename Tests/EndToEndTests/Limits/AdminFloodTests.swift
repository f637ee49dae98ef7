import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Bad tokens at the admin listener")
struct AdminFloodTests {
  /// Well-formed, and unknown.
  private func falseToken() -> String { OpaqueToken.generate(.administrator).text.expose { $0 } }

  private func run(_ body: (TestClient, String) async throws -> Void) async throws {
    let server = try await TestServer.start()
    do {
      try await body(TestClient(server.adminURL), try await server.adminToken())
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  @Test("T155 after 17 bad tokens from an address a valid one is answered at once, and the next bad one waits")
  func valid() async throws {
    try await run { client, token in
      var statuses: [Int] = []
      for _ in 0..<17 { statuses.append(try await client.get("/admin/v1/tenants", token: falseToken()).status) }
      #expect(statuses == Array(repeating: 401, count: 11) + Array(repeating: 429, count: 6))
      #expect(try await client.get("/admin/v1/tenants", token: token).status == 200)
      for bad in ["gh_ad_x", falseToken()] {
        let waiting = try await client.get("/admin/v1/tenants", token: bad)
        #expect(waiting.status == 429 && waiting.headers["retry-after"] == "2")
      }
      #expect(try await client.get("/admin/v1/tenants", token: token).status == 200)
    }
  }

  @Test("T155 a valid token is answered within a flood of well-formed false ones from its address")
  func flood() async throws {
    try await run { client, token in
      for _ in 0..<11 { _ = try await client.get("/admin/v1/tenants", token: falseToken()) }
      let tokens = (0..<32).map { $0 == 16 ? token : falseToken() }
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for token in tokens { group.addTask { try await client.get("/admin/v1/tenants", token: token).status } }
        return try await group.reduce(into: [Int]()) { $0.append($1) }
      }
      #expect(statuses.sorted() == [200] + Array(repeating: 429, count: 31))
    }
  }
}
