import GatehousePrimitives
import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Every public route of a running server")
struct ServedRouteTests {
  @Test("T123 every public route succeeds once and is refused once, and the process serves on after each")
  func everyRow() async throws {
    try await ServedWorld.run { world in
      for (number, route) in Routes.all.enumerated() {
        let name = "\(route.method.rawValue) \(route.path)"
        let make = try #require(PublicSample.all[name], "\(name) has no request")
        let person = try await ServedPerson("person\(number)", at: world)
        let sample = try await make(world, person)
        let token = sample.isSignedIn ? person.access : nil
        let unknown = sample.path + (sample.path.contains("?") ? "&" : "?") + "colour=red"
        let client = world.client(sample.tenant)
        let refused = try await client.send(route.method.rawValue, unknown, sample.body, token: token)
        #expect(refused.status == 400, "\(name): \(refused.text)")
        try #require(try await world.serves(), "\(name) refused")
        let answer = try await client.send(route.method.rawValue, sample.path, sample.body, token: token)
        #expect(answer.status == route.status, "\(name): \(answer.text.prefix(300))")
        try #require(try await world.serves(), "\(name) ended the process")
      }
      #expect(PublicSample.all.count == Routes.all.count)
    }
  }

  @Test("T123 documents, pages behind links and ways back from providers answer and refuse, and the process serves on")
  func elsewhere() async throws {
    try await ServedWorld.run { world in
      let visitor = TestClient(world.app.url)
      for path in ["/openapi.json", "/t/vibes/v1/policy", "/t/vibes/.well-known/jwks.json"] {
        #expect(try await visitor.get(path).status == 200, "\(path)")
        #expect(try await visitor.post(path).status == 405, "\(path)")
        try #require(try await world.serves(), "\(path)")
      }
      for (path, page) in ServedWorld.pages {
        let person = try await ServedPerson(page.replacing("-", with: "_"), at: world)
        let make = try #require(PublicSample.all["POST \(path)"], "\(path)")
        let sample = try await make(world, person)
        let token = try #require(try JSONParser.parse(Array((sample.body ?? "").utf8))["token"]?.string)
        let opened = try await world.people.get("/ui/\(page)?token=\(token)")
        let cookie = String(try #require(opened.headers["set-cookie"], "\(page)").prefix { $0 != ";" })
        #expect(try await world.people.send("GET", "/ui/\(page)", headers: ["Cookie": cookie]).status == 200, "\(page)")
        #expect(try await world.people.get("/ui/\(page)?colour=red").status == 400, "\(page)")
        try #require(try await world.serves(), "\(page)")
      }
      for way in ["sign-in/google", "links/spotify"] {
        #expect(try await world.people.get("/v1/\(way)/callback").status == 400, "\(way)")
        try #require(try await world.serves(), "\(way)")
      }
    }
  }
}
