import Foundation
import GatehouseClient
import GatehouseTesting
import Testing

/// The client's transport against a server of another make that misbehaves.
@Suite("URLSession as the client's transport")
struct TransportTests {
  private func get(
    _ peer: HTTPSPeer, _ path: String, deadline: Duration = .seconds(20), largest: Int = 1 << 20
  ) async throws -> HTTPAnswer {
    let url = try #require(URL(string: peer.url(path, host: "127.0.0.1")))
    return try await URLSessionTransport().send(
      HTTPCall(url: url, method: "GET", largestAnswer: largest), deadline: deadline)
  }

  @Test("an answer has its status, its fields in lower case, and its content")
  func answer() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    let answer = try await get(peer, "/x")
    #expect(answer.status == 200 && answer.headers["x-seen"] == "/x" && answer.body == Data("ok".utf8))
  }

  @Test("a request has its method, fields and content")
  func request() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    let url = try #require(URL(string: peer.url("/y", host: "127.0.0.1")))
    let call = HTTPCall(url: url, method: "PATCH", headers: ["Authorization": "Bearer x"], body: Data("{}".utf8))
    _ = try await URLSessionTransport().send(call, deadline: .seconds(20))
    let seen = try await peer.next()
    #expect(seen.method == "PATCH" && seen.header("authorization") == "Bearer x" && seen.body == Array("{}".utf8))
  }

  @Test("no redirect is followed")
  func redirect() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    try await peer.answer("/from", 302, headers: ["Location": "/to"])
    #expect(try await get(peer, "/from").status == 302)
  }

  @Test("no cookie is kept")
  func cookie() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    try await peer.answer("/set", 200, headers: ["Set-Cookie": "a=b; Path=/"])
    _ = try await get(peer, "/set")
    _ = try await get(peer, "/after")
    _ = try await peer.next()
    #expect(try await peer.next().header("cookie") == nil)
  }

  @Test("a status 401 is an answer, and asks no person for a name")
  func unauthorised() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    try await peer.answer("/no", 401, headers: ["WWW-Authenticate": "Bearer"], body: "{}")
    #expect(try await get(peer, "/no").status == 401)
  }

  @Test("an incomplete answer throws", arguments: ["/garbage", "/short", "/nothing"])
  func noAnswer(path: String) async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    await #expect(throws: TransportError.self) { _ = try await get(peer, path) }
  }

  @Test("an answer beyond the bound throws before it is read")
  func tooLarge() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    await #expect(throws: TransportError.self) { _ = try await get(peer, "/endless", largest: 1 << 16) }
  }

  @Test("an answer that does not end ends at the deadline", arguments: ["/silent", "/drip", "/headers"])
  func deadline(path: String) async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    await #expect(throws: TransportError.self) { _ = try await get(peer, path, deadline: .milliseconds(300)) }
  }

  @Test("a cancelled task stops waiting")
  func cancelled() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    let task = Task { try await get(peer, "/silent") }
    _ = try await peer.next()
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }

  @Test("C07 a task that was cancelled before its request began does not wait")
  func cancelledBefore() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    for _ in 0..<200 {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await get(peer, "/silent", deadline: .seconds(600))
      }
      await #expect(throws: CancellationError.self) { _ = try await task.value }
    }
  }

  @Test("a port without a listener throws")
  func refused() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/"))
    await #expect(throws: TransportError.self) {
      _ = try await URLSessionTransport().send(HTTPCall(url: url, method: "GET"), deadline: .seconds(20))
    }
  }

  @Test("neither a request nor an answer shows its content")
  func silence() async throws {
    let url = try #require(URL(string: "https://auth.example.com/v1/token?code=secret"))
    let call = HTTPCall(
      url: url, method: "POST", headers: ["Authorization": "Bearer secret"], body: Data("secret".utf8))
    var text = "\(call) \(HTTPAnswer(status: 200, headers: ["x": "secret"], body: Data("secret".utf8)))"
    dump(call, to: &text)
    #expect(text.contains("secret") == false)
  }
}
