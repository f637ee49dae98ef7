import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

@Suite("Every row of the admin API")
struct AdminAccessTests {
  @Test("no token, rubbish, an expired and a revoked one get the same answer, byte for byte")
  func unauthenticated() async throws {
    try await AdminGround.run { ground in
      let expired = try await ground.server.adminToken("expired", life: 60)
      let revoked = try await ground.server.adminToken("revoked")
      let owner = try await ground.server.adminToken("owner", life: 86_400)
      ground.server.clock.advance(seconds: 61)
      #expect(try await ground.client.send("DELETE", "/admin/v1/tokens/revoked", token: owner).status == 200)
      let unknown = OpaqueToken.generate(.administrator).text.expose { $0 }
      for route in AdminRoutes.all {
        let sample = try #require(ground.sample(route), "\(route.method) \(route.path)")
        var answers: [TestClient.Answer] = []
        for token in [nil, "rubbish", unknown, expired, revoked] {
          answers.append(try await sample.send(ground.client, token: token, headers: ["X-Request-Id": "the-same-one"]))
        }
        for answer in answers {
          #expect(answer.status == 401 && answer.code == "unauthenticated", "\(route.path)")
          #expect(answer.body == answers[0].body && answer.headers["www-authenticate"] == "Bearer")
          #expect(answer.headers.keys.sorted() == answers[0].headers.keys.sorted())
        }
        // Those who fail too often wait; that is another test's matter.
        ground.server.clock.advance(seconds: 61)
      }
      #expect(try await ground.client.send("GET", "/admin/v1/nowhere").status == 401, "not even what there is")
    }
  }

  @Test("a token without the scope is told which one; one for another tenant meets what is not there")
  func forbidden() async throws {
    try await AdminGround.run { ground in
      let foreign = try await ground.server.adminToken("foreign", tenants: ["messai"])
      for (number, route) in AdminRoutes.all.enumerated() {
        let sample = try #require(ground.sample(route))
        let others = AdminScope.allCases.filter { !$0.allows(route.scope) }
        let narrow = try await ground.server.adminToken("narrow-\(number)", scopes: others)
        let refused = try await sample.send(ground.client, token: narrow)
        #expect(refused.status == 403 && refused.code == "forbidden", "\(route.path): \(refused.text)")
        #expect(refused.json["scope"] == .string(route.scope.rawValue))
        guard sample.isAboutTenant else { continue }
        let hidden = try await sample.send(ground.client, token: foreign)
        #expect(hidden.status == 404 && hidden.code == "not_found", "\(route.path): \(hidden.text)")
        // As a tenant that there is not, but for its name; nothing near is suggested.
        #expect(hidden.json["detail"] == .string(#"there is no tenant "vibes""#), "\(hidden.text)")
      }
      // The same token does get in at home: the refusals above are not those of a broken token.
      #expect(try await ground.client.get("/admin/v1/tenants/messai", token: foreign).status == 200)
      let seen = try await ground.client.get("/admin/v1/tenants", token: foreign)
      #expect((seen.json["items"]?.array ?? []).compactMap { $0["name"]?.string } == ["messai"])
    }
  }

  @Test("a token with just the scope gets in everywhere, and every answer is what the description says")
  func right() async throws {
    try await AdminGround.run(undoesDeletions: true) { ground in
      _ = try await ground.server.adminToken("doomed")
      let owner = try await ground.server.adminToken("owner")
      let users = #"{"email":"bo@example.com","profile":{"username":"bobo"}}"#
      let bo = try await ground.client.post("/admin/v1/tenants/vibes/users", users, token: owner)
      #expect(bo.status == 200, "\(bo.text)")
      let secret = try await ground.client.send(
        "PUT", "/admin/v1/tenants/vibes/secrets/doomed", #"{"value":"hunter2"}"#, token: owner)
      #expect(secret.status == 204)
      let cy = #"{"email":"cy@example.com","profile":{"username":"cyan"}}"#
      #expect(try await ground.client.post("/admin/v1/tenants/vibes/users", cy, token: owner).status == 200)
      let noted = try await ground.client.post(
        "/admin/v1/tenants/vibes/hosts", #"{"host":"\#(AdminSample.host)"}"#, token: owner)
      #expect(noted.status == 201, "\(noted.text)")
      try await TenantLoader(ground.server.services).loadAll()
      let peer = try await HTTPSPeer.start(tls: false)
      let hook = try await ground.client.post(
        "/admin/v1/tenants/vibes/webhooks", #"{"url":"\#(peer.url("/hook"))"}"#, token: owner)
      let webhook = try #require(hook.json["item"]?["id"]?.string, "\(hook.text)")
      // A copy of a person, or of the trail, shows both; a proven host is where links lead.
      let more: [String: AdminScope] = [
        "/tenants/{tenant}/users/{user}/export": .auditRead, "/tenants/{tenant}/audit/export": .userRead,
        "/tenants/{tenant}/hosts/{host}/verify": .trustWrite,
      ]
      let served = try await ground.client.get("/admin/v1/openapi.json")
      #expect(served.status == 200 && served.json == AdminDescription.document)
      var pairs: [(schema: JSONValue, body: JSONValue)] = []
      #expect(AdminSample.order.count == AdminRoutes.all.count)
      for (number, route) in AdminSample.order.enumerated() {
        if route.is(DeleteTenantOperation.self) { try await AdminSample.disable(ground.client, token: owner) }
        // The newest key: the one that signs stays.
        let keys = try await ground.client.get("/admin/v1/tenants/vibes/keys", token: owner).json["items"]?.array ?? []
        let kid = keys.first { $0["state"]?.string == "next" } ?? keys.last
        let sample = try #require(ground.sample(route, kid: kid?["kid"]?.string ?? "none", webhook: webhook))
        // What makes and ends tokens can do so only within its own reach.
        let scopes =
          route.scope == .tokenWrite ? AdminScope.allCases : [route.scope] + (more[route.path].map { [$0] } ?? [])
        let token = try await ground.server.adminToken("right-\(number)", scopes: scopes)
        let answer = try await sample.send(ground.client, token: token)
        #expect(answer.status == route.status, "\(route.path): \(answer.text.prefix(300))")
        #expect(answer.headers["cache-control"] == "no-store")
        #expect(answer.headers["access-control-allow-origin"] == nil)
        guard route.status != 204, route.form != .textAnswer else { continue }
        let described = AdminDescription.document["paths"]?["/admin/v1" + route.path]?[
          route.method.rawValue.lowercased()]
        let schema = described?["responses"]?[String(route.status)]?["content"]?["application/json"]?["schema"]
        pairs.append((try #require(schema, "\(route.path)"), answer.json))
      }
      #expect(try DescriptionCheck.problems(pairs, in: AdminDescription.document) == [])
      let wrong = try pairs.map { (schema: $0.schema, body: try #require(pairs.last?.body)) }
      #expect(try !DescriptionCheck.problems(wrong, in: AdminDescription.document).isEmpty, "the validator looks")
    }
  }

  @Test("the description is valid by OpenAPI 3.1")
  func description() throws {
    #expect(try DescriptionCheck.problems(of: AdminDescription.document) == [])
  }

  @Test("neither listener serves the other's paths")
  func listeners() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken()
      let main = TestClient(ground.server.url)
      for path in ["/admin/v1/tenants", "/admin/v1/openapi.json", "/t/vibes/admin/v1/tenants"] {
        #expect(try await main.get(path, token: token).status == 404, "\(path)")
      }
      for path in ["/t/vibes/v1/policy", "/openapi.json", "/metrics", "/healthz", "/", "/admin/v1", "/admin/v1/"] {
        #expect(try await ground.client.get(path, token: token).status == 404, "\(path)")
      }
      #expect(try await main.get("/t/vibes/v1/policy").status == 200)
      let preflight = try await ground.client.send(
        "OPTIONS", "/admin/v1/tenants", token: token,
        headers: ["Origin": "https://evil.example", "Access-Control-Request-Method": "GET"])
      #expect(preflight.status == 405 && preflight.headers["allow"] == "GET, POST, HEAD")
      #expect(!preflight.headers.keys.contains { $0.hasPrefix("access-control") })
    }
  }

  @Test("a client that sends bad tokens waits, longer each time, and is heard again later")
  func knocking() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken(life: 86_400)
      for _ in 0..<10 { #expect(try await ground.client.get("/admin/v1/tenants", token: "gh_ad_x").status == 401) }
      #expect(try await ground.client.get("/admin/v1/tenants", token: token).status == 200, "ten are free")
      #expect(try await ground.client.get("/admin/v1/tenants", token: "gh_ad_x").status == 401)
      let waiting = try await ground.client.get("/admin/v1/tenants", token: "gh_ad_x")
      #expect(waiting.status == 429 && waiting.headers["retry-after"] == "2")
      ground.server.clock.advance(seconds: 3)
      #expect(try await ground.client.get("/admin/v1/tenants", token: "gh_ad_x").status == 401)
      let longer = try await ground.client.get("/admin/v1/tenants", token: "gh_ad_x")
      #expect(longer.status == 429 && longer.headers["retry-after"] == "4")
      ground.server.clock.advance(seconds: 61)
      #expect(try await ground.client.get("/admin/v1/tenants", token: token).status == 200)
    }
  }

  @Test("T118 malformed input is refused whole, and bodies are bounded")
  func strictness() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken()
      func status(_ method: String, _ path: String, _ body: String? = nil, _ headers: [String: String] = [:])
        async throws
        -> Int
      { try await ground.client.send(method, "/admin/v1" + path, body, token: token, headers: headers).status }
      let yaml = ["Content-Type": "application/yaml"]
      #expect(try await status("GET", "/tenants?limit=0") == 400)
      #expect(try await status("GET", "/tenants?limit=ten") == 400)
      #expect(try await status("GET", "/tenants?limit=99999999999999999999") == 400)
      #expect(try await status("GET", "/tenants?limit=1&limit=2") == 400)
      #expect(try await status("GET", "/tenants?colour=red") == 400)
      #expect(try await status("GET", "/tenants/vibes?tenant=messai") == 400, "a name given twice")
      #expect(try await status("GET", "/tenants/%2e%2e") == 404)
      #expect(try await status("GET", "/tenants/a%00b") == 404)
      #expect(try await status("GET", "/tenants/%ff") == 404)
      #expect(try await status("POST", "/tokens", #"{"name":"x","name":"y","scopes":["audit:read"]}"#) == 400)
      #expect(try await status("POST", "/tokens", #"{"name":"x","scopes":["root"]}"#) == 400)
      #expect(try await status("POST", "/tokens", #"{"name":"x","scopes":["audit:read"],"expires_in":5}"#) == 400)
      #expect(try await status("POST", "/tokens", "name=x", ["Content-Type": "text/plain"]) == 415)
      #expect(try await status("POST", "/tenants/vibes/policy/explain", "{}") == 400)
      #expect(try await status("PUT", "/tenants/vibes/policy?reason=a%0Ab", ground.policy, yaml) == 428)
      #expect(
        try await status(
          "PUT", "/tenants/vibes/policy?reason=a%0Ab", ground.policy, yaml.merging(["If-Match": "*"]) { $1 })
          == 400)
      let long = String(repeating: "#", count: 300_000)
      #expect(try await status("POST", "/policy/check", long, yaml) == 200, "the reader says that it is too long")
      #expect(try await status("POST", "/policy/check", String(repeating: "#", count: 1_048_577), yaml) == 413)
    }
  }
}
