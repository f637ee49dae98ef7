import GatehousePrimitives
import GatehouseRuntime
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// Mailed codes and links are on these pages: every other request gets the answer of an unknown path, to the byte.
@Suite("The pages of development, for whom they are")
struct DevelopmentGateTests {
  static let paths = ["/", "/dev/mail"]
  static let unknown = "/nothing/there"

  /// One server for a test, with one app, that has the pages of development or not.
  static func run(showsDevelopment: Bool = true, _ body: (TestServer) async throws -> Void) async throws {
    let server = try await TestServer.start(
      policies: ["dd-ride": try TestLists.policy("dd-ride")], showsDevelopment: showsDevelopment)
    do {
      try await body(server)
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  private static func answer(
    _ server: TestServer, _ path: String, _ method: GatehouseRuntime.Method = .get, host: String = "127.0.0.1",
    peer: String = "127.0.0.1", fields: [(name: String, value: String)] = []
  ) async throws -> Response {
    let headers = Headers([(name: "host", value: host), (name: "x-request-id", value: "same-name")] + fields)
    let address = try #require(peer == "unix" ? PeerAddress.unix : PeerAddress(peer, port: 50_000))
    let request = try #require(Request(method: method, target: path, headers: headers, peer: address))
    return await server.answer(to: request)
  }

  /// Whether two answers are the same in every byte.
  private static func isSame(_ one: Response, _ other: Response) -> Bool {
    func fields(_ response: Response) -> [String] { response.headers.pairs.map { "\($0.name): \($0.value)" } }
    return one.status == other.status && fields(one) == fields(other) && one.body == other.body
      && one.requestID == other.requestID
  }

  /// Expects that every page answers as an unknown path does, by each method.
  private static func expectUnknown(
    _ server: TestServer, host: String = "127.0.0.1", peer: String = "127.0.0.1",
    fields: [(name: String, value: String)] = []
  ) async throws {
    for path in paths {
      for method in [GatehouseRuntime.Method.get, .head, .post, .options] {
        let page = try await answer(server, path, method, host: host, peer: peer, fields: fields)
        let none = try await answer(server, unknown, method, host: host, peer: peer, fields: fields)
        #expect(page.status == 404 && isSame(page, none), "\(method) \(path) \(host) \(peer) \(fields)")
      }
    }
  }

  @Test("a server for the public does not know them")
  func absent() async throws {
    try await Self.run(showsDevelopment: false) { try await Self.expectUnknown($0) }
  }

  @Test(
    "T169 other machines do not see them",
    arguments: ["192.0.2.1", "10.0.0.1", "2001:db8::1", "::2", "fe80::1", "128.0.0.1", "unix"])
  func peers(_ peer: String) async throws {
    try await Self.run { try await Self.expectUnknown($0, peer: peer) }
  }

  @Test("T169 a page of the web that leads its name to this machine does not see them")
  func hosts() async throws {
    let names = [
      "auth.example.com", "localhost.example.com", "127.0.0.1.example.com", "evil.localhost", "localhost.", "localhos",
      "192.0.2.1", "[::2]", "[2001:db8::1]:8080", "0.0.0.0:8080", "[::]", "127.1", "localhost:80:80", "localhost:a",
      "localhost:", "localhost:123456", "[::1", "::1", "user@localhost", "",
    ]
    try await Self.run { server async throws in
      for name in names { try await Self.expectUnknown(server, host: name) }
    }
  }

  @Test(
    "T169 what a proxy or a tunnel passes on does not reach them",
    arguments: [
      "Forwarded", "Via", "X-Real-IP", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Server",
    ])
  func forwarded(_ field: String) async throws {
    try await Self.run { try await Self.expectUnknown($0, fields: [(name: field, value: "127.0.0.1")]) }
  }

  @Test("a browser on this machine sees them, over either family and at any port")
  func control() async throws {
    try await Self.run { server async throws in
      for path in Self.paths {
        for peer in ["127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1"] {
          for host in ["127.0.0.1", "127.0.0.1:8080", "127.0.0.1:1"] {
            let answer = try await Self.answer(server, path, host: host, peer: peer)
            #expect(answer.status == 200, "\(path) \(host) \(peer)")
          }
        }
        #expect(try await Self.answer(server, path, .head).status == 200)
        #expect(try await Self.answer(server, path, .post).status == 405)
        #expect(try await Self.answer(server, path + "x").status == 404)
      }
    }
  }

  @Test("at another name of this machine, pages are sent on to the one of the public URL, with their query")
  func names() async throws {
    try await Self.run { server async throws in
      let targets = [
        "/", "/dev/mail", "/t/dd-ride/ui", "/t/dd-ride/ui/verify-email", "/t/dd-ride/ui/verify-email?token=gh_lt_0123",
      ]
      for host in ["localhost", "LocalHost:8080", "[::1]", "[::1]:8080", "127.0.0.2"] {
        for target in targets {
          let answer = try await Self.answer(server, target, host: host)
          #expect(answer.status == 303 && answer.headers["location"] == server.url + target, "\(host) \(target)")
        }
      }
    }
  }

  @Test(
    "nothing else is sent on",
    arguments: ["/openapi.json", "/t/dd-ride/v1/policy", "/t/dd-ride/.well-known/jwks.json", "/t/dd-ride"])
  func others(_ path: String) async throws {
    try await Self.run { server async throws in
      #expect(try await Self.answer(server, path, host: "localhost").status != 303)
      #expect(try await Self.answer(server, "/", .post, host: "localhost").status == 405)
    }
  }

  @Test("no request of others is sent on")
  func sentOn() async throws {
    try await Self.run { server async throws in
      let page = "/t/dd-ride/ui/nowhere"
      #expect(try await Self.answer(server, page, host: "localhost", peer: "192.0.2.1").status == 404)
      #expect(try await Self.answer(server, page, host: "auth.example.com").status == 404)
    }
    try await Self.run(showsDevelopment: false) { server async throws in
      #expect(try await Self.answer(server, "/t/dd-ride/ui/nowhere", host: "localhost").status == 404)
    }
  }
}
