import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Lines of requests")
struct RequestLineTests {
  private func line(_ environment: [String: String], _ path: String) async throws -> JSONValue {
    var found: JSONValue?
    try await ServedApp.run(environment: environment) { server, _, app in
      _ = try await TestClient(app.url).get(path)
      found = try JSONParser.parse(Array(try await server.line(with: "\"request\"").utf8))
    }
    return try #require(found)
  }

  @Test("the client's address is in no line unless it is asked for")
  func off() async throws {
    #expect(try await line([:], "/t/dd-ride/v1/policy")["client"] == nil)
  }

  @Test(
    "with log.clients each line has it, of a path at which nothing is as well",
    arguments: ["/t/dd-ride/v1/policy", "/nothing"])
  func on(_ path: String) async throws {
    #expect(try await line(["GATEHOUSE_LOG_CLIENTS": "true"], path)["client"] == .string("127.0.0.1"))
  }
}
