import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

@Suite("Every admin route of a running server")
struct ServedAdminTests {
  @Test(
    "T123 every admin route succeeds once and is refused once as the record says, and the process serves on after each")
  func everyRow() async throws {
    try await ServedWorld.run { world in
      var record = AnswerRecord()
      let (host, webhook) = try await Self.prepare(world)
      for route in AdminSample.order {
        if route.is(DeleteTenantOperation.self) { try await AdminSample.disable(world.admin, token: world.token) }
        let keys = try await world.admin.get("/admin/v1/tenants/vibes/keys", token: world.token).json["items"]?.array
        let kid = (keys ?? []).first { $0["state"]?.string == "next" } ?? keys?.last
        let sample = try #require(
          AdminSample.of(
            route, policy: world.policy, kid: kid?["kid"]?.string ?? "none", webhook: webhook, host: host),
          "\(route.method.rawValue) \(route.path) has no request")
        let refused = try await sample.withUnknownName.send(world.admin, token: world.token)
        #expect(refused.status == 400, "\(sample.method) \(route.path): \(refused.text)")
        let name = "\(sample.method) \(route.path)"
        record.note("\(name) with a parameter too many", refused)
        record.note("\(name) without a token", try await world.admin.send(sample.method, sample.path))
        record.note("\(name) by PROPFIND", try await world.admin.send("PROPFIND", sample.path, token: world.token))
        try #require(try await world.serves(), "\(sample.method) \(route.path) refused")
        let answer = try? await sample.send(world.admin, token: world.token)
        #expect(answer?.status == route.status, "\(sample.method) \(route.path): \(answer?.text.prefix(300) ?? "")")
        // What is sealed of the trail at a moment is chance.
        if let answer, !route.path.contains("/audit/") { record.note(name, answer) }
        try #require(try await world.serves(), "\(sample.method) \(route.path) ended the process")
      }
      for (method, path) in [
        ("GET", "/"), ("GET", "/admin/v1"), ("GET", "/admin/v1/none"), ("GET", "/admin/v1/openapi.json"),
        ("POST", "/admin/v1/openapi.json"),
      ] {
        record.note("\(method) \(path)", try await world.admin.send(method, path, token: world.token))
      }
      try record.expect("admin")
      #expect(try await world.hook.next().path == "/hook")
      #expect(try await world.mail.next(to: "ops@example.com").to == ["ops@example.com"])
    }
  }

  @Test("T123 peers that do not answer are refusals of webhook test and host verify, and the process serves on")
  func deadPeers() async throws {
    try await ServedWorld.run { world in
      let dead = try await Self.webhook("https://localhost:1/hook", world)
      let live = try await Self.webhook(world.hook.url("/live"), world)
      _ = try await Self.note("vibes.localhost:1", world)
      // More failures in a row than open a circuit.
      for _ in 0..<7 {
        for path in ["webhooks/\(dead)/test", "hosts/vibes.localhost:1/verify"] {
          let refused = try await world.admin.post("/admin/v1/tenants/vibes/\(path)", token: world.token)
          #expect((400..<500).contains(refused.status), "\(path): \(refused.text)")
          try #require(try await world.serves(), "\(path)")
        }
      }
      let answer = try await world.admin.post("/admin/v1/tenants/vibes/webhooks/\(live)/test", token: world.token)
      #expect(answer.status == 204, "\(answer.text)")
      #expect(try await world.hook.next().path == "/live")
    }
  }

  /// What the rows are about: two persons, a secret, a token, a webhook at the peer, and a host that leads to the
  /// server.
  private static func prepare(_ world: ServedWorld) async throws -> (host: String, webhook: String) {
    for (address, name) in [("bo@example.com", "bobo"), ("cy@example.com", "cyan")] {
      let made = try await world.admin.post(
        "/admin/v1/tenants/vibes/users", #"{"email":"\#(address)","profile":{"username":"\#(name)"}}"#,
        token: world.token)
      try #require(made.status == 200, "\(made.text)")
    }
    _ = try world.app.adminToken("doomed", "--scope", "audit:read", "--tenant", "vibes")
    let secret = try await world.admin.send(
      "PUT", "/admin/v1/tenants/vibes/secrets/doomed", #"{"value":"hunter2"}"#, token: world.token)
    try #require(secret.status == 204, "\(secret.text)")
    let port = try #require(world.app.url.split(separator: ":").last)
    let host = try await note("vibes.localhost:\(port)", world)
    // The server hears of the host from the database.
    let leadsHere = try await eventually {
      try await TestClient(world.app.url).send("GET", TenantHost.proofPath, headers: ["Host": host]).status == 200
    }
    try #require(leadsHere)
    return (host, try await webhook(world.hook.url("/hook"), world))
  }

  private static func note(_ host: String, _ world: ServedWorld) async throws -> String {
    let noted = try await world.admin.post(
      "/admin/v1/tenants/vibes/hosts", #"{"host":"\#(host)"}"#, token: world.token)
    try #require(noted.status == 201, "\(noted.text)")
    return host
  }

  private static func webhook(_ url: String, _ world: ServedWorld) async throws -> String {
    let made = try await world.admin.post(
      "/admin/v1/tenants/vibes/webhooks", #"{"url":"\#(url)","events":["user.link_broken"]}"#, token: world.token)
    return try #require(made.json["item"]?["id"]?.string, "\(made.text)")
  }
}
