import Foundation
import GatehouseTesting
import Testing

@testable import GatehouseClient

@Suite("The client's transport on Linux")
struct CurlTransportTests {
  private func call(_ peer: HTTPSPeer, _ path: String, _ method: String = "GET") throws -> HTTPCall {
    HTTPCall(url: try #require(URL(string: peer.url(path))), method: method)
  }

  /// With connections of this test alone: those of others would push them out.
  private let own = CurlTransport(thread: CurlThread())

  private func trusting(_ peer: HTTPSPeer) -> CurlTransport {
    CurlTransport(thread: CurlThread(), authorities: peer.certificate)
  }

  private func send(_ call: HTTPCall, _ transport: CurlTransport? = nil) async throws -> HTTPAnswer {
    try await (transport ?? own).send(call, deadline: .seconds(20))
  }

  @Test("a server that no authority vouches for gets no request")
  func untrusted() async throws {
    let peer = try await HTTPSPeer.start()
    await #expect(throws: TransportError(reason: "certificate not trusted")) { _ = try await send(call(peer, "/x")) }
    try await peer.left()
    #expect(peer.waiting == 0)
    let trusting = trusting(peer)
    #expect(try await send(call(peer, "/x"), trusting).body == Data("ok".utf8))
  }

  @Test("a trusted certificate of another name gets no request")
  func wrongName() async throws {
    let peer = try await HTTPSPeer.start(names: "DNS:other.example")
    let trusting = trusting(peer)
    await #expect(throws: TransportError(reason: "certificate not trusted")) {
      _ = try await send(call(peer, "/x"), trusting)
    }
    try await peer.left()
    #expect(peer.waiting == 0)
  }

  @Test("requests use a connection again")
  func reuse() async throws {
    let peer = try await HTTPSPeer.start()
    let trusting = trusting(peer)
    for _ in 0..<5 { _ = try await send(call(peer, "/x"), trusting) }
    #expect(peer.connections == 1)
  }

  @Test("a host has six connections at most, and every request its turn")
  func sixConnections() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    let call = try call(peer, "/later")
    try await withThrowingTaskGroup(of: Data.self) { group in
      for _ in 0..<24 { group.addTask { try await send(call).body } }
      for try await body in group { #expect(body == Data("later".utf8)) }
    }
    #expect(peer.connections == 6)
  }

  @Test("requests that wait for a connection get those of requests that were cancelled")
  func placeOfCancelled() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    let (held, call) = (try call(peer, "/watched"), try call(peer, "/x"))
    let holders = (0..<6).map { _ in Task { try await own.send(held, deadline: .seconds(600)) } }
    for _ in holders { _ = try await peer.next() }
    let waiters = (0..<6).map { _ in Task { try await send(call).status } }
    for holder in holders { holder.cancel() }
    for waiter in waiters { #expect(try await waiter.value == 200) }
  }

  @Test("a request with a content, or of a method that may not come twice, is sent once over a connection that breaks")
  func once() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    for body in [nil, Data("{}".utf8)] {
      _ = try await send(call(peer, "/before"))
      var call = try call(peer, "/nothing", "POST")
      call.body = body
      await #expect(throws: TransportError.self) { _ = try await send(call) }
      _ = try await send(self.call(peer, "/after"))
      for path in ["/before", "/nothing", "/after"] { #expect(try await peer.next().path == path) }
    }
  }

  @Test("connections without a request are closed after a while, and a later request opens another")
  func idle() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    let transport = CurlTransport(thread: CurlThread(idle: .milliseconds(50)))
    for connections in 1...3 {
      #expect(try await send(call(peer, "/x"), transport).status == 200)
      try await peer.left()
      #expect(peer.connections == connections)
    }
  }

  @Test(
    "only addresses of the web without a name of a person are asked",
    arguments: ["file:///etc/hostname", "ftp://127.0.0.1/", "http://me:pw@127.0.0.1:1/", "gopher://127.0.0.1:1/"])
  func addresses(text: String) async throws {
    let url = try #require(URL(string: text))
    await #expect(throws: TransportError(reason: "address")) { _ = try await send(HTTPCall(url: url, method: "GET")) }
  }

  @Test("no value makes a line of its own", arguments: ["a\r\nX: y", "a\nX: y", "a\0"])
  func injection(value: String) async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    var calls = [try call(peer, "/x", value), try call(peer, "/x")]
    calls[1].headers = ["A": value]
    for call in calls {
      await #expect(throws: TransportError(reason: "request")) { _ = try await send(call) }
    }
  }

  @Test("an answer to HEAD has no content, however large that would be")
  func head() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    try await peer.answer("/big", raw: Array("HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n".utf8))
    let answer = try await send(call(peer, "/big", "HEAD"))
    #expect(answer.body.isEmpty && answer.headers["content-length"] == "9999999")
  }

  @Test("an encoding that was not asked for is left as it came")
  func encoded() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    let answer = try await send(call(peer, "/compressed"))
    #expect(answer.headers["content-encoding"] == "gzip" && answer.body == Data("bomb".utf8))
  }

  @Test("hundreds of requests, a third of them given up, end each for itself")
  func crowd() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    let call = try call(peer, "/later")
    let tasks = (0..<300).map { _ in Task { try await own.send(call, deadline: .seconds(60)).status } }
    for (index, task) in tasks.enumerated() where index % 3 == 0 { task.cancel() }
    for (index, task) in tasks.enumerated() where index % 3 != 0 { #expect(try await task.value == 200) }
    for (index, task) in tasks.enumerated() where index % 3 == 0 {
      if case .failure(let error) = await task.result { #expect(error is CancellationError) }
    }
  }
}
