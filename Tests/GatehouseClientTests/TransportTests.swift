import Foundation
import GatehouseTesting
import Testing

@testable import GatehouseClient

/// The client's transport against a server of another make that misbehaves.
@Suite("The client's transport")
struct TransportTests {
  private func call(_ peer: HTTPSPeer, _ path: String, _ method: String = "GET") throws -> HTTPCall {
    HTTPCall(url: try #require(URL(string: peer.url(path, host: "127.0.0.1"))), method: method)
  }

  private func get(
    _ peer: HTTPSPeer, _ path: String, deadline: Duration = .seconds(20), largest: Int = 1 << 20
  ) async throws -> HTTPAnswer {
    var call = try call(peer, path)
    call.largestAnswer = largest
    return try await SystemTransport().send(call, deadline: deadline)
  }

  @Test("an answer has its status, its fields in lower case, and its content")
  func answer() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    let answer = try await get(peer, "/x")
    #expect(answer.status == 200 && answer.headers["x-seen"] == "/x" && answer.body == Data("ok".utf8))
  }

  @Test("a request has its method, fields and content, and no field besides", arguments: [5, 300_000])
  func request(size: Int) async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    var call = try call(peer, "/y", "PATCH")
    call.headers = ["Authorization": "Bearer x", "X-Empty": ""]
    call.body = Data(repeating: 0x61, count: size)
    #expect(try await SystemTransport().send(call, deadline: .seconds(20)).body == call.body)
    let seen = try await peer.next()
    #expect(seen.method == "PATCH" && seen.header("authorization") == "Bearer x" && seen.header("x-empty") == "")
    #expect(seen.body.count == size && seen.header("content-length") == "\(size)")
    for name in ["Content-Type", "Expect", "Accept-Encoding", "Cookie", "Transfer-Encoding"] {
      #expect(seen.header(name) == nil, "\(name)")
    }
  }

  @Test("a request without a content says so where its method has one", arguments: ["POST", "PUT", "DELETE"])
  func withoutContent(method: String) async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    _ = try await SystemTransport().send(call(peer, "/z", method), deadline: .seconds(20))
    let seen = try await peer.next()
    #expect(seen.method == method && seen.header("content-length") == (method == "DELETE" ? nil : "0"))
  }

  @Test("no redirect is followed")
  func redirect() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    try await peer.answer("/from", 302, headers: ["Location": "/to"])
    #expect(try await get(peer, "/from").status == 302)
    _ = try await get(peer, "/after")
    for path in ["/from", "/after"] { #expect(try await peer.next().path == path) }
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

  @Test("an incomplete answer throws", arguments: ["/garbage", "/short", "/nothing", "/endless"])
  func noAnswer(path: String) async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    await #expect(throws: TransportError.self) { _ = try await get(peer, path) }
  }

  @Test("too much of an answer throws before it is read", arguments: ["/announced", "/headers", "/interim"])
  func tooLarge(path: String) async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    await #expect(throws: TransportError(reason: "too large")) { _ = try await get(peer, path, largest: 1 << 16) }
  }

  @Test("a content that is as large as the bound is taken", arguments: [(3, true), (2, false)])
  func bound(largest: Int, isTaken: Bool) async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    try await peer.answer("/length", 200, body: "abc")
    try await peer.answer(
      "/chunks", raw: Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n".utf8))
    for path in ["/length", "/chunks"] {
      let body = try? await get(peer, path, largest: largest).body
      #expect(body == (isTaken ? Data("abc".utf8) : nil), "\(path)")
    }
  }

  @Test(
    "an answer that does not end ends at the deadline, and no byte puts that off",
    arguments: ["/silent", "/drip", "/drops?drip"])
  func deadline(path: String) async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    let head = "HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 10_000)
    try await peer.answer("/drops", raw: Array(head.utf8))
    await #expect(throws: TransportError(reason: "deadline")) {
      _ = try await get(peer, path, deadline: .milliseconds(300))
    }
  }

  @Test("a cancelled task stops waiting, and its connection ends")
  func cancelled() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    let task = Task { try await get(peer, "/watched", deadline: .seconds(600)) }
    _ = try await peer.next()
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    try await peer.left()
  }

  @Test("C07 a task that was cancelled before its request began does not wait, and sends nothing")
  func cancelledBefore() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    for _ in 0..<200 {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await get(peer, "/silent", deadline: .seconds(600))
      }
      await #expect(throws: CancellationError.self) { _ = try await task.value }
    }
    _ = try await get(peer, "/after")
    #expect(try await peer.next().path == "/after")
  }

  @Test("a port without a listener throws")
  func refused() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/"))
    await #expect(throws: TransportError(reason: "no connection")) {
      _ = try await SystemTransport().send(HTTPCall(url: url, method: "GET"), deadline: .seconds(20))
    }
  }

  @Test("a host without an address throws")
  func unresolved() async throws {
    let url = try #require(URL(string: "http://nowhere.invalid/"))
    await #expect(throws: TransportError(reason: "host not found")) {
      _ = try await SystemTransport().send(HTTPCall(url: url, method: "GET"), deadline: .seconds(60))
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
