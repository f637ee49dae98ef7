import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Repeated requests of operators")
struct AdminIdempotencyTests {
  /// What each row that makes something takes, and what must be there once.
  private static let creates: [(path: String, body: String, other: String, count: SQL)] = [
    (
      "/tenants", #"{"name":"made"}"#, #"{"name":"other"}"#,
      "SELECT count(*)::int FROM gatehouse.tenant WHERE name IN ('made', 'other')"
    ),
    (
      "/tenants/vibes/users", #"{"email":"bo@example.com","profile":{"username":"bobo"}}"#,
      #"{"email":"cy@example.com","profile":{"username":"cyan"}}"#, "SELECT count(*)::int FROM gatehouse.account"
    ),
    (
      "/tenants/vibes/webhooks", #"{"url":"https://example.com/in"}"#, #"{"url":"https://example.com/out"}"#,
      "SELECT count(*)::int FROM gatehouse.webhook_endpoint"
    ),
    (
      "/tokens", #"{"name":"made","scopes":["audit:read"]}"#, #"{"name":"other","scopes":["audit:read"]}"#,
      "SELECT count(*)::int FROM gatehouse.admin_token WHERE name IN ('made', 'other')"
    ),
  ]

  private func count(_ statement: SQL, _ ground: AdminGround) async throws -> Int {
    let all = try await ground.server.storage.connect(user: Embedded.superuser)
    let rows = try await all.read(nil, statement)
    await all.stop()
    return try rows[0][0]
  }

  @Test(
    "a key makes one thing, and gives the same answer for a day; another body, token or operation is another matter")
  func once() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken("one", life: 3 * 86_400)
      let other = try await ground.server.adminToken("two", life: 3 * 86_400)
      func send(_ path: String, _ body: String, _ token: String, key: String? = "k-1") async throws
        -> TestClient.Answer
      {
        let headers = key.map { ["Idempotency-Key": $0] } ?? [:]
        return try await ground.client.send("POST", "/admin/v1" + path, body, token: token, headers: headers)
      }
      for (path, body, different, statement) in Self.creates {
        let first = try await send(path, body, token)
        #expect([200, 201].contains(first.status), "\(path): \(first.text)")
        for _ in 0..<3 {
          let again = try await send(path, body, token)
          #expect(again.status == first.status && again.body == first.body, "\(path): \(again.text)")
        }
        #expect(try await count(statement, ground) == 1, "\(path)")
        // Other bytes under the same key: nothing is done, and nothing is told.
        #expect(try await send(path, different, token).code == "idempotency_conflict", "\(path)")
        #expect(try await count(statement, ground) == 1, "\(path)")
        // A key is its token's own: for another token it is new, and what it would make is there already.
        let foreign = try await send(path, body, other)
        #expect(foreign.body != first.body && foreign.code != "idempotency_conflict", "\(path): \(foreign.text)")
        let without = try await send(path, body, token, key: nil)
        #expect(without.body != first.body, "\(path): \(without.text)")
        #expect(try await send(path, body, token, key: "a b").status == 400, "\(path)")
      }
      // The token that was answered twice is one, and works; it is nowhere in the database.
      let made = try await send("/tokens", Self.creates[3].body, token).json["token"]?.string ?? ""
      #expect(try await ground.client.get("/admin/v1/tenants/vibes/audit", token: made).status == 200)
      #expect(try await !ground.server.storage.dump().contains(made.dropFirst("gh_ad_".count)))
      ground.server.clock.advance(seconds: 86_401)
      #expect(try await send("/tokens", Self.creates[3].body, token).code == "exists")
    }
  }

  @Test("twenty of the same at once make one, and all hear of it or that it is under way", arguments: 0..<4)
  func race(_ index: Int) async throws {
    try await AdminGround.run { ground in
      let (path, body, _, statement) = Self.creates[index]
      let token = try await ground.server.adminToken("one")
      let client = ground.client
      let answers = try await withThrowingTaskGroup(of: TestClient.Answer.self) { group in
        for _ in 0..<20 {
          group.addTask {
            try await client.send("POST", "/admin/v1" + path, body, token: token, headers: ["Idempotency-Key": "k"])
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let done = answers.filter { $0.status < 300 }
      #expect(!done.isEmpty && Set(done.map(\.body)).count == 1)
      #expect(answers.allSatisfy { $0.status < 300 || ($0.code == "conflict" && $0.headers["retry-after"] != nil) })
      #expect(try await count(statement, ground) == 1)
    }
  }

  @Test("a refusal keeps nothing: mended, the same key does it")
  func refused() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken("one")
      let headers = ["Idempotency-Key": "k"]
      for (path, bad, good) in [
        ("/tokens", #"{"name":"Not A Name","scopes":["audit:read"]}"#, #"{"name":"a-name","scopes":["audit:read"]}"#),
        (
          "/tenants/vibes/users", #"{"email":"none","profile":{"username":"bobo"}}"#,
          #"{"email":"bo@example.com","profile":{"username":"bobo"}}"#
        ),
      ] {
        let refused = try await ground.client.send("POST", "/admin/v1" + path, bad, token: token, headers: headers)
        #expect(refused.status >= 400, "\(path)")
        let done = try await ground.client.send("POST", "/admin/v1" + path, good, token: token, headers: headers)
        #expect(done.status < 300, "\(path): \(done.text)")
      }
    }
  }

  @Test("everything that makes something takes a key, and the description says so")
  func described() {
    let taking = AdminRoutes.all.filter(\.isIdempotent).map(\.path)
    #expect(taking == ["/tenants", "/tenants/{tenant}/users", "/tenants/{tenant}/webhooks", "/tokens"])
    for route in AdminRoutes.all {
      let parameters = AdminDescription.document["paths"]?["/admin/v1" + route.path]?[
        route.method.rawValue.lowercased()]?[
          "parameters"]?.array
      let isThere = parameters?.contains { $0["name"]?.string == "Idempotency-Key" } ?? false
      #expect(isThere == route.isIdempotent, "\(route.path)")
    }
  }
}
