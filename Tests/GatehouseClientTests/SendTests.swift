import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A backend of the app beside the server: it notes what it gets.
private struct Backend: HTTPTransport {
  let server: FakeServer
  let calls = Book<HTTPCall>()
  var status = 200

  func send(_ call: HTTPCall, deadline: Duration) async throws -> HTTPAnswer {
    guard call.url.host == "127.0.0.1" || call.url.host == "api.example.com" else {
      return try await server.send(call, deadline: deadline)
    }
    calls.add(call)
    return HTTPAnswer(status: status)
  }
}

@Suite("Requests of an app to its backend")
struct SendTests {
  private let stage = ClientStage()

  private func client(_ backend: Backend) async throws -> AuthClient {
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    var configuration = stage.configuration()
    (configuration.transport, configuration.tokenHosts) = (backend, ["127.0.0.1", "api.example.com"])
    let client = AuthClient(configuration)
    _ = try await client.signIn(email: ClientStage.email, password: ClientStage.password)
    return client
  }

  private func request(_ address: String) throws -> URLRequest { URLRequest(url: try #require(URL(string: address))) }

  @Test(
    "a token goes to hosts of the app over TLS, and in clear to this machine alone",
    arguments: [
      ("http://127.0.0.1:3000/x", true), ("https://api.example.com/x", true), ("http://api.example.com/x", false),
    ])
  func trusted(address: String, hasToken: Bool) async throws {
    let backend = Backend(server: stage.server)
    _ = try await client(backend).send(request(address))
    #expect((backend.calls.all.first?.headers["Authorization"] != nil) == hasToken)
  }

  @Test("a request that leaves without the token is in the log")
  func logged() async throws {
    let backend = Backend(server: stage.server)
    _ = try await client(backend).send(request("http://api.example.com/x"))
    #expect(stage.log.all.contains { $0.event == "send" && $0.outcome == "without token" })
  }

  @Test("the content of a stream is sent")
  func streamed() async throws {
    let backend = Backend(server: stage.server)
    var request = try request("https://api.example.com/x")
    request.httpMethod = "POST"
    request.httpBodyStream = InputStream(data: Data("hello".utf8))
    _ = try await client(backend).send(request)
    #expect(backend.calls.all.first?.body == Data("hello".utf8))
  }

  @Test("a stream that cannot be read is an error, and nothing is sent")
  func stream() async throws {
    let backend = Backend(server: stage.server)
    var request = try request("https://api.example.com/x")
    request.httpBodyStream = InputStream(fileAtPath: "/nowhere/at/all")
    let client = try await client(backend)
    let sent = request
    let error = await failure { () async throws(AuthError) in try await client.send(sent) }
    #expect(error?.code == .payloadTooLarge && backend.calls.all.isEmpty)
  }

  @Test("a backend that refuses a token of a moment ago costs no rotation, and one of a minute ago costs one")
  func refused() async throws {
    let backend = Backend(server: stage.server, status: 401)
    let client = try await client(backend)
    for _ in 0..<6 { _ = try await client.send(request("https://api.example.com/x")) }
    #expect(stage.server.count(of: "POST /v1/token") == 0 && backend.calls.all.count == 6)
    stage.clock.advance(by: .seconds(60))
    _ = try await client.send(request("https://api.example.com/x"))
    #expect(stage.server.count(of: "POST /v1/token") == 1)
  }
}
