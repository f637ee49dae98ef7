import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

@Suite("The tokens of the admin API")
struct AdminTokenTests {
  private static func make(
    _ ground: AdminGround, _ body: String, token: String
  ) async throws -> TestClient.Answer { try await ground.client.post("/admin/v1/tokens", body, token: token) }

  @Test("a token makes none that could do more, reach further or live longer than itself")
  func escalation() async throws {
    try await AdminGround.run { ground in
      let own = try await ground.server.adminToken(
        "own", scopes: [.tokenWrite, .policyWrite], tenants: ["vibes"], life: 3600)
      let more = try await Self.make(
        ground, #"{"name":"a","scopes":["user:read"],"tenants":["vibes"]}"#, token: own)
      #expect(more.status == 403 && more.json["scope"] == .string("user:read"))
      let everywhere = try await Self.make(ground, #"{"name":"b","scopes":["policy:read"]}"#, token: own)
      #expect(everywhere.status == 403)
      let elsewhere = try await Self.make(
        ground, #"{"name":"c","scopes":["policy:read"],"tenants":["vibes","messai"]}"#, token: own)
      #expect(elsewhere.status == 404)
      let child = try await Self.make(
        ground, #"{"name":"d","scopes":["policy:read"],"tenants":["vibes"],"expires_in":7200}"#, token: own)
      #expect(child.status == 201)
      let end = try #require(child.json["item"]?["expires_at"]?.string.flatMap { Timestamp($0) })
      #expect(end.date == ground.server.clock.now.addingTimeInterval(3600))
      #expect(child.json["item"]?["created_by"] == .string("own"))
      // It does work, within what it was made for.
      let token = try #require(child.json["token"]?.string)
      #expect(try await ground.client.get("/admin/v1/tenants/vibes/policy", token: token).status == 200)
      #expect(try await ground.client.get("/admin/v1/tenants", token: token).status == 403)
    }
  }

  @Test("a token neither sees nor ends one that could do more")
  func reach() async throws {
    try await AdminGround.run { ground in
      _ = try await ground.server.adminToken("everything")
      _ = try await ground.server.adminToken("near", scopes: [.policyRead], tenants: ["vibes"])
      _ = try await ground.server.adminToken("far", scopes: [.policyRead], tenants: ["messai"])
      let own = try await ground.server.adminToken("own", scopes: [.tokenWrite, .policyRead], tenants: ["vibes"])
      let seen = try await ground.client.get("/admin/v1/tokens", token: own).json["items"]?.array ?? []
      #expect(seen.compactMap { $0["name"]?.string } == ["near", "own"])
      for name in ["everything", "far", "nobody"] {
        let answer = try await ground.client.send("DELETE", "/admin/v1/tokens/\(name)", token: own)
        #expect(answer.status == 404 && answer.code == "not_found")
      }
      #expect(try await ground.client.send("DELETE", "/admin/v1/tokens/near", token: own).status == 200)
      #expect(try await ground.client.send("DELETE", "/admin/v1/tokens/near", token: own).status == 422)
    }
  }

  @Test("making and revoking is in the trail of every tenant that the token reaches, and names who did it")
  func audit() async throws {
    try await AdminGround.run { ground in
      let own = try await ground.server.adminToken("own")
      ground.server.clock.advance(seconds: 1)  // rows of one millisecond have no order
      _ = try await ground.server.adminToken("one", scopes: [.auditRead], tenants: ["messai"])
      #expect(try await ground.audit(.adminTokenCreated).map { $0.details["name"] } == ["own"])
      let made = try await ground.audit(.adminTokenCreated, of: "messai")
      #expect(made.map { $0.details["name"] } == ["one", "own"])
      #expect(made[0].actor == "operator:test" && made[0].details["scopes"] == "audit:read")
      #expect(made[0].details["tenants"] == "listed" && made[1].details["tenants"] == "all")
      #expect(
        try await ground.client.send(
          "DELETE", "/admin/v1/tokens/one", token: own, headers: ["X-Request-Id": "request-77"]
        ).status == 200)
      let revoked = try await ground.audit(.adminTokenRevoked, of: "messai")
      #expect(revoked.map(\.actor) == ["operator:own"] && revoked[0].requestID == "request-77")
      #expect(revoked[0].address == "127.0.0.1" && revoked[0].details["token"]?.isEmpty == false)
      #expect(try await ground.audit(.adminTokenRevoked).isEmpty)
    }
  }

  @Test("a name is used once, even after its token ended")
  func names() async throws {
    try await AdminGround.run { ground in
      let own = try await ground.server.adminToken("own")
      let body = #"{"name":"ci","scopes":["audit:read"]}"#
      #expect(try await Self.make(ground, body, token: own).status == 201)
      #expect(try await ground.client.send("DELETE", "/admin/v1/tokens/ci", token: own).status == 200)
      let again = try await Self.make(ground, body, token: own)
      #expect(again.status == 409 && again.code == "exists")
      #expect(
        try await Self.make(ground, #"{"name":"Not A Name","scopes":["audit:read"]}"#, token: own).code == "refused")
    }
  }

  @Test("T050 a revoked token is refused at the next call, by another server too")
  func revocation() async throws {
    try await AdminGround.run { ground in
      let other = try await ground.server.sibling()
      let doomed = try await ground.server.adminToken("doomed")
      let client = TestClient(other.adminURL)
      #expect(try await client.get("/admin/v1/tenants", token: doomed).status == 200)
      let own = try await ground.server.adminToken("own")
      #expect(try await ground.client.send("DELETE", "/admin/v1/tokens/doomed", token: own).status == 200)
      #expect(try await client.get("/admin/v1/tenants", token: doomed).status == 401)
      await other.stop()
    }
  }

  /// The bearer of a new token, as the server knows them while a request of theirs is under way.
  private static func bearer(_ name: String, _ ground: AdminGround, life: Int? = nil) async throws -> Operator {
    let text = try await ground.server.adminToken(name, life: life)
    return try #require(try await AdminTokens.bearer(of: text, ground.server.services))
  }

  @discardableResult
  private static func child(_ name: String, of who: Operator, _ ground: AdminGround, tenants: [String]? = nil)
    async throws -> Operator
  {
    let made = try await AdminRoutes.run(
      CreateAdminTokenOperation.self, .init(name: name, scopes: AdminScope.allCases, tenants: tenants),
      OperatorCall(who, ground.server.services, requestID: "test"))
    return try #require(try await AdminTokens.bearer(of: made.token ?? "", ground.server.services))
  }

  @Test("T156 revoking a token revokes what it made and what those made, tells how many, and each trail names each")
  func family() async throws {
    try await AdminGround.run { ground in
      let own = try await ground.server.adminToken("own")
      let maker = try await Self.bearer("maker", ground)
      let near = try await Self.child("near", of: maker, ground)
      try await Self.child("far", of: near, ground, tenants: ["messai"])
      try await Self.child("other", of: try await Self.bearer("stranger", ground), ground)
      let answer = try await ground.client.send("DELETE", "/admin/v1/tokens/maker", token: own)
      #expect(answer.json["also_revoked"] == .array([.string("far"), .string("near")]), "\(answer.text)")
      let left = try await ground.server.services.adminTokens.adminTokens().filter { $0.revokedAt == nil }
      #expect(left.map(\.name) == ["other", "own", "stranger"])
      let vibes = try await ground.audit(.adminTokenRevoked)
      #expect(Set(vibes.compactMap { $0.details["name"] }) == ["maker", "near"])
      let messai = try await ground.audit(.adminTokenRevoked, of: "messai")
      #expect(Set(messai.compactMap { $0.details["name"] }) == ["maker", "near", "far"])
      #expect(messai.count { $0.details["revoked_with"] == "maker" } == 2)
      #expect(messai.allSatisfy { $0.actor == "operator:own" })
    }
  }

  @Test("T156 a change asked for by a token that is being revoked is not stored", arguments: ["revoked", "expired"])
  func inFlight(_ end: String) async throws {
    try await AdminGround.run { ground in
      let maker = try await Self.bearer("maker", ground, life: 60)
      if end == "revoked" {
        let own = try await ground.server.adminToken("own")
        #expect(try await ground.client.send("DELETE", "/admin/v1/tokens/maker", token: own).status == 200)
      } else {
        ground.server.clock.advance(seconds: 61)
      }
      let refusal = await #expect(throws: Refusal.self) { try await Self.child("late", of: maker, ground) }
      #expect(refusal?.code == .unauthenticated)
      let names = try await ground.server.services.adminTokens.adminTokens().map(\.name)
      #expect(!names.contains("late"))
    }
  }

  @Test("the database holds no token, and knows when one was last used")
  func stored() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken("used", life: 86_400)
      func used() async throws -> JSONValue? {
        try await ground.client.get("/admin/v1/tokens", token: token).json["items"]?.array?.first?["last_used_at"]
      }
      let first = try await used()
      ground.server.clock.advance(seconds: 30)
      #expect(try await used() == first, "once a minute is enough")
      ground.server.clock.advance(seconds: 31)
      #expect(try await used() != first)
      let row: String = try await ground.server.database.read(nil, "SELECT to_jsonb(t)::text FROM admin_token AS t")[0][
        0]
      #expect(!row.contains(token) && !row.contains(token.dropFirst("gh_ad_".count)))
      #expect(row.contains(Hex.encode(SHA256.digest(token))), "what is looked for would be found")
    }
  }
}
