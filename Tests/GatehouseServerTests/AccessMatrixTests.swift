import Foundation
import GatehousePrimitives
import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Every route of the table")
struct AccessMatrixTests {
  private static func path(_ route: Route) -> String {
    route.path.replacing("{id}", with: UUID().text).replacing("{provider}", with: "google")
  }

  private static func server(_ body: (TestServer, TestClient, TestClient) async throws -> Void) async throws {
    let policies = try ["messai": TestLists.policy("messai"), "vibes": TestLists.policy("vibes")]
    let server = try await TestServer.start(policies: policies)
    do {
      try await body(server, TestClient(server.url + "/t/messai"), TestClient(server.url + "/t/vibes"))
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  private static func send(_ client: TestClient, _ route: Route, token: String?) async throws -> TestClient.Answer {
    try await client.send(route.method.rawValue, path(route), route.method == .get ? nil : "{}", token: token)
  }

  @Test("T070 a route that needs a user refuses no token, rubbish and another tenant's token")
  func matrix() async throws {
    try await Self.server { _, messai, vibes in
      let up = try await messai.post(
        "/v1/sign-up", #"{"email":"al@example.com","password":"kt49xw","profile":{"displayName":"Al"}}"#)
      let token = try #require(up.json["access_token"]?.string)
      for route in Routes.all where route.auth == .user {
        #expect(try await Self.send(messai, route, token: nil).code == "unauthenticated", "\(route.path)")
        #expect(try await Self.send(messai, route, token: token + "x").code == "unauthenticated", "\(route.path)")
        #expect(try await Self.send(vibes, route, token: token).code == "unauthenticated", "\(route.path)")
      }
      // The same token does get in at home: the refusals above are not those of a broken token.
      #expect(try await messai.get("/v1/me", token: token).status == 200)
    }
  }

  @Test("T118 unknown and repeated names, wrong types, rubbish and wrong media types change nothing")
  func strictness() async throws {
    try await Self.server { _, messai, _ in
      let bodies: [(String, String, Int)] = [
        (#"{"email":"a@b.co","password":"kt49xw","role":"admin"}"#, "application/json", 400),
        (#"{"email":"a@b.co","email":"c@d.co","password":"kt49xw"}"#, "application/json", 400),
        (#"{"email":["a@b.co"],"password":"kt49xw"}"#, "application/json", 400),
        (#"{"email":"a@b.co""#, "application/json", 400), ("[]", "application/json", 400),
        (#"{"email":"a\u0000@b.co","password":"x"}"#, "application/json", 400),
        (#"{"email":"\ud800","password":"x"}"#, "application/json", 400),
        (#"{"email":"a@b.co","password":"kt49xw"}"#, "text/plain", 415),
        (String(repeating: "[", count: 100), "application/json", 400),
      ]
      for (body, type, status) in bodies {
        let answer = try await messai.send("POST", "/v1/sign-up", body, headers: ["Content-Type": type])
        #expect(answer.status == status, "\(body.prefix(60))")
        #expect(answer.headers["content-type"] == "application/problem+json")
      }
      #expect(try await messai.post("/v1/sign-in", #"{"email":"a@b.co","password":"kt49xw"}"#).status == 401)
    }
  }

  @Test("a body with a content coding is refused by its kind", arguments: ["gzip", "br", "GZIP", "identity"])
  func coded(coding: String) async throws {
    try await Self.server { _, messai, _ in
      let answer = try await messai.send(
        "POST", "/v1/sign-in", #"{"email":"a@b.co","password":"kt49xw"}"#,
        headers: ["Content-Encoding": coding, "Content-Type": "application/json"])
      #expect(answer.status == (coding == "identity" ? 401 : 415), "\(answer.text)")
    }
  }

  @Test("other methods are 405 with Allow, other paths 404, other tenants 404")
  func routing() async throws {
    try await Self.server { server, messai, _ in
      let wrong = try await messai.send("DELETE", "/v1/sign-up")
      #expect(wrong.status == 405 && wrong.headers["allow"] == "POST, OPTIONS")
      #expect(try await messai.send("OPTIONS", "/v1/me").headers["allow"] == "GET, PATCH, DELETE, HEAD, OPTIONS")
      #expect(try await messai.get("/v1/nowhere").code == "not_found")
      #expect(try await messai.get("/v1//me").code == "not_found")
      #expect(try await messai.get("/v1/%6De").code == "not_found")
      #expect(try await TestClient(server.url).get("/t/nobody/v1/policy").code == "tenant_not_found")
      #expect(try await TestClient(server.url).get("/").code == "not_found")
      let head = try await messai.send("HEAD", "/v1/policy")
      #expect(head.status == 200 && head.body.isEmpty)
    }
  }

  @Test("the public policy is cached by its tag, and names the rules of a form")
  func policy() async throws {
    try await Self.server { _, messai, _ in
      let first = try await messai.get("/v1/policy")
      let tag = try #require(first.headers["etag"])
      let again = try await messai.send("GET", "/v1/policy", headers: ["If-None-Match": tag])
      #expect(again.status == 304 && again.body.isEmpty)
      #expect(first.json["password"]?["passwordrules"]?.string?.contains("minlength: ") == true)
      let rules = (first.json["rules"]?.array ?? []).compactMap { $0["id"]?.string }
      #expect(rules.contains("password.min6") && rules.contains("displayName.min_length"))
      let keys = try await messai.get("/.well-known/jwks.json")
      let key = try #require(keys.json["keys"]?.array?.first?.object)
      // T075: the public half, and nothing of the private one.
      #expect(Set(key.members.map(\.key)) == ["kty", "crv", "x", "y", "kid", "use", "alg"])
    }
  }

  @Test("the API's description has every route, with a schema for what goes in and comes out")
  func description() throws {
    let document = OpenAPI.document("https://auth.example.com")
    for route in Routes.all {
      let operation = document["paths"]?["/t/{tenant}" + route.path]?[route.method.rawValue.lowercased()]
      #expect(operation != nil, "\(route.path)")
      #expect(operation?["summary"]?.string?.isEmpty == false)
      guard route.status != 204 else { continue }
      let schema = operation?["responses"]?[String(route.status)]?["content"]?["application/json"]?["schema"]
      #expect(schema?["properties"] != nil || schema?["anyOf"] != nil, "\(route.path)")
    }
    let signUp = document["paths"]?["/t/{tenant}/v1/sign-up"]?["post"]?["requestBody"]?["content"]?["application/json"]
    #expect(signUp?["schema"]?["properties"]?["email"]?["type"] == .string("string"))
  }
}
