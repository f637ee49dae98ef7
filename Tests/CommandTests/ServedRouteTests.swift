import GatehousePrimitives
import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Every public route of a running server")
struct ServedRouteTests {
  @Test(
    "T123 every public route succeeds once and is refused once as the record says, and the process serves on after each"
  )
  func everyRow() async throws {
    try await ServedWorld.run { world in
      var record = AnswerRecord()
      for (number, route) in Routes.all.enumerated() {
        let name = "\(route.method.rawValue) \(route.path)"
        let make = try #require(PublicSample.all[name], "\(name) has no request")
        let user = try await ServedUser("person\(number)", at: world)
        let sample = try await make(world, user)
        let token = sample.isSignedIn ? sample.access ?? user.access : nil
        let unknown = sample.path + (sample.path.contains("?") ? "&" : "?") + "colour=red"
        let client = world.client(sample.tenant)
        for method in ["OPTIONS", "PROPFIND"] {
          record.note("\(name) by \(method)", try await client.send(method, sample.path))
        }
        if route.auth != .anonymous {
          let stranger = try await client.send(route.method.rawValue, sample.path, sample.body, token: "none")
          record.note("\(name) with a token that is none", stranger)
        }
        let refused = try await client.send(route.method.rawValue, unknown, sample.body, token: token)
        #expect(refused.status == 400, "\(name): \(refused.text)")
        record.note("\(name) with a parameter too many", refused)
        try #require(try await world.serves(), "\(name) refused")
        let answer = try await client.send(route.method.rawValue, sample.path, sample.body, token: token)
        #expect(answer.status == route.status, "\(name): \(answer.text.prefix(300))")
        record.note(name, answer)
        try #require(try await world.serves(), "\(name) ended the process")
      }
      try record.expect("public")
      #expect(PublicSample.all.count == Routes.all.count)
    }
  }

  @Test(
    "T123 documents, pages behind links and ways back from providers answer and refuse as the record says, and the process serves on"
  )
  func elsewhere() async throws {
    try await ServedWorld.run { world in
      var record = AnswerRecord()
      let visitor = TestClient(world.app.url)
      // With this field a development server answers as one for the public does, which has no page at its root.
      let forwarded = ["Forwarded": "for=192.0.2.1"]
      for path in ["/", "/t", "/t/vibes", "/t/none/v1/policy", "/t/vibes/ui/none", "/t/vibes/v1/none", "/v1/policy"] {
        for method in ["GET", "OPTIONS"] {
          record.note("\(method) \(path)", try await visitor.send(method, path, headers: forwarded))
        }
      }
      for path in ["/openapi.json", "/t/vibes/v1/policy", "/t/vibes/.well-known/jwks.json"] {
        for (method, status) in [("GET", 200), ("POST", 405), ("OPTIONS", 204)] {
          let answer = try await visitor.send(method, path)
          #expect(answer.status == status, "\(method) \(path)")
          record.note("\(method) \(path)", answer)
        }
        try #require(try await world.serves(), "\(path)")
      }
      for (path, page) in ServedWorld.pages.sorted(by: { $0.key < $1.key }) {
        let user = try await ServedUser(page.replacing("-", with: "_"), at: world)
        let make = try #require(PublicSample.all["POST \(path)"], "\(path)")
        let sample = try await make(world, user)
        let token = try #require(try JSONParser.parse(Array((sample.body ?? "").utf8))["token"]?.string)
        let opened = try await world.users.get("/ui/\(page)?token=\(token)")
        let cookie = String(try #require(opened.headers["set-cookie"], "\(page)").prefix { $0 != ";" })
        let location = try #require(opened.headers["location"], "\(page)")
        let shown = try await world.users.send("GET", "/ui/\(location)", headers: ["Cookie": cookie])
        #expect(shown.status == 200, "\(page)")
        let refused = try await world.users.get("/ui/\(page)?token=one&token=two")
        #expect(refused.status == 400, "\(page)")
        let stranger = try await world.users.get("/ui/\(page)?colour=red")
        #expect(stranger.status == 200, "\(page)")
        try #require(try await world.serves(), "\(page)")
        record.note("\(page) by its link", opened)
        record.note("\(page) with its cookie", shown)
        record.note("\(page) with two tokens", refused)
        record.note("\(page) with a parameter of others", stranger)
        record.note("\(page) without a link", try await world.users.get("/ui/\(page)"))
        for method in ["POST", "PUT", "OPTIONS"] {
          record.note("\(method) \(page)", try await world.users.send(method, "/ui/\(page)"))
        }
      }
      for way in ["sign-in/google", "links/spotify"] {
        for method in ["GET", "POST", "PUT", "OPTIONS"] {
          let answer = try await world.users.send(method, "/v1/\(way)/callback")
          #expect((400...415).contains(answer.status), "\(method) \(way)")
          record.note("\(method) \(way)/callback", answer)
        }
        try #require(try await world.serves(), "\(way)")
      }
      try record.expect("elsewhere")
    }
  }
}
