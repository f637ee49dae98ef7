import GatehouseIdentity
import GatehouseRuntime
import GatehouseWire
import Testing

@testable import GatehouseServer

@Suite("Surfaces")
struct SurfaceTests {
  /// Paths with answers that say which entry answered.
  struct Named: Surface {
    var rows: [(method: GatehouseWire.Method, path: String, traits: Traits)]
    var root = ""
    var isForScripts = false

    var entries: [Entry<Int>] {
      rows.map { row in
        Entry(row.method, row.path, row.traits) { _, parameters, context in
          var answer = Answer(status: 200)
          answer.headers.set("Answered-By", "\(row.method.rawValue) \(row.path) \(parameters.all) \(context)")
          return answer
        }
      }
    }

    func claims(_ path: PathSegments) -> Bool { path.first.map { Array($0) == Array(root.utf8) } ?? false }

    func refuse(_ error: any Error, _ exchange: inout Exchange) -> Answer {
      var answer = Answer(status: (error as? Refusal)?.code.status ?? 500)
      answer.headers.set("Refused-By", root)
      return answer
    }
  }

  private func send(
    _ method: GatehouseRuntime.Method, _ path: String, _ surfaces: [Named], admit: () throws -> Int = { 7 }
  ) async throws -> (answer: Answer, exchange: Exchange) {
    let table = SurfaceTable<Int>(surfaces, read: PathTemplate.plain)
    let request = try #require(Request(method: method, target: path))
    let segments = try #require(PathTemplate.segments(of: path))
    var exchange = Exchange(request, id: "r", clock: RequestClock(.system), languages: [])
    let answer = await Dispatch(table.matches(segments), table, segments).answer(&exchange) { _ in try admit() }
    return (answer, exchange)
  }

  private let users = Named(rows: [
    (.get, "/users/me", []), (.get, "/users/{id}", []), (.patch, "/users/{id}", []), (.post, "/users/{id}", []),
  ])

  @Test("a literal segment wins over a parameter")
  func literal() async throws {
    let sent = try await send(.get, "/users/me", [users])
    #expect(sent.answer.headers["answered-by"] == "GET /users/me [] 7")
  }

  @Test("a method that the literal path lacks is found beside it")
  func beside() async throws {
    let sent = try await send(.patch, "/users/me", [users])
    #expect(sent.answer.headers["answered-by"] == #"PATCH /users/{id} [(name: "id", value: "me")] 7"#)
  }

  @Test("the record names the template and never the path")
  func record() async throws {
    #expect(try await send(.patch, "/users/17", [users]).exchange.record.route == "/users/{id}")
  }

  @Test("a method that nothing takes is refused with the methods of the path")
  func allowed() async throws {
    let sent = try await send(.delete, "/users/17", [users])
    #expect(sent.answer.status == 405)
    #expect(sent.exchange.allowed == "GET, PATCH, POST, HEAD")
  }

  @Test("a GET with an effect takes no HEAD")
  func effect() async throws {
    let landing = Named(rows: [(.get, "/back", .hasEffect)])
    let sent = try await send(.head, "/back", [landing])
    #expect(sent.answer.status == 405)
    #expect(sent.exchange.allowed == "GET")
  }

  @Test("OPTIONS is answered where scripts call, with every method of the path")
  func preflight() async throws {
    var scripts = users
    scripts.isForScripts = true
    let sent = try await send(.options, "/users/17", [scripts])
    #expect(sent.answer.status == 204)
    #expect(sent.answer.headers["allow"] == "GET, PATCH, POST, HEAD, OPTIONS")
    #expect(try await send(.options, "/users/17", [users]).answer.status == 405)
  }

  @Test("a path at which nothing is, is refused by the surface that claims it, or by the last one")
  func claimed() async throws {
    let pages = Named(rows: [(.get, "/ui/a", [])], root: "ui")
    let others = Named(rows: [], root: "others")
    #expect(try await send(.get, "/ui/b", [pages, others]).answer.headers["refused-by"] == "ui")
    #expect(try await send(.get, "/x", [pages, others]).answer.headers["refused-by"] == "others")
  }

  @Test("a request that is not admitted hears nothing of methods")
  func admitted() async throws {
    let sent = try await send(.delete, "/users/17", [users]) { throw Refusal(.unauthenticated) }
    #expect(sent.answer.status == 401)
    #expect(sent.exchange.allowed == nil)
  }

  @Test("what is true of one method alone is not true of a refusal beside it, but for cookies of scripts")
  func traits() async throws {
    let rows = Named(rows: [(.get, "/a", []), (.post, "/a", [.isEven, .bindsBrowser])])
    #expect(try await send(.get, "/a", [rows]).exchange.traits == .bindsBrowser)
    #expect(try await send(.post, "/a", [rows]).exchange.traits == [.isEven, .bindsBrowser])
  }

  @Test("a parameter with malformed percent signs does not match")
  func decoding() {
    let template = PathTemplate("/users/{user}")
    func value(_ path: String) -> String? {
      PathTemplate.segments(of: path).flatMap { template.match($0, PathTemplate.decoded) }?["user"]
    }
    #expect(value("/users/bo%40example.com") == "bo@example.com")
    for path in ["/users/%4", "/users/%zz", "/users/%0A", "/users/", "/users/%FF"] { #expect(value(path) == nil) }
  }

  @Test("a template's path with its values is the path that it matched")
  func inverse() throws {
    let template = PathTemplate("/v1/links/{provider}/token/{id}")
    let path = "/v1/links/spotify/token/9"
    let segments = try #require(PathTemplate.segments(of: path))
    let parameters = try #require(template.match(segments, PathTemplate.plain))
    #expect(template.path(with: parameters) == path)
  }

  @Test("a cookie is this host's alone, and secure where the server is", arguments: [true, false])
  func cookie(isSecure: Bool) {
    let name = SetCookie.name("gh-a", isSecure: isSecure)
    let field = SetCookie(name: name, value: "x", age: 5, isSecure: isSecure).field
    #expect(field.hasPrefix(isSecure ? "__Host-gh-a=x; Path=/; HttpOnly; SameSite=Lax; Secure" : "gh-a=x; Path=/"))
    #expect(!field.contains("Domain"))
  }
}
