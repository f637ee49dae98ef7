import Foundation
import GatehousePrimitives
import GatehouseRuntime
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseOutbound

/// A client with the development permission, unless said otherwise.
private struct Client {
  let http: OutboundHTTP
  let loops: LoopGroup

  init(_ peer: HTTPSPeer?, isDevelopment: Bool = true, trusts: Bool = true, circuits: OutboundCircuits.Limits? = nil) {
    loops = LoopGroup(count: 1)
    loops.start()
    var settings = OutboundHTTP.Settings(
      addresses: ReachableAddresses(allowsLoopback: isDevelopment), caFile: trusts ? peer?.certificate : nil)
    if let circuits { settings.circuits = circuits }
    http = OutboundHTTP(loop: loops.loops[0], settings)
  }

  func get(_ url: String, within timeout: Duration = .seconds(3), owner: String = "") async throws -> OutboundResponse {
    let request = try OutboundRequest(
      .get, http.url(url), purpose: OutboundPurpose(.provider, owner: owner), timeout: timeout)
    return try await http.send(request)
  }

  func close() async {
    await http.close()
    try? loops.stop()
  }
}

@Suite("Requests to foreign servers")
struct OutboundHTTPTests {
  private func with(_ client: Client, _ body: (Client) async throws -> Void) async throws {
    do {
      try await body(client)
      await client.close()
    } catch {
      await client.close()
      throw error
    }
  }

  private func fails(
    _ error: OutboundError, _ client: Client, _ url: String, within timeout: Duration = .seconds(3)
  ) async {
    await #expect(throws: error) { _ = try await client.get(url, within: timeout) }
  }

  @Test("within a trace a request names its place: the caller's, or that of its own span where it is recorded")
  func traced() async throws {
    let peer = try await HTTPSPeer.start()
    try await with(Client(peer)) { client in
      let parent = try #require(TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
      let state = TraceState(["rojo=1"])
      _ = try await client.get(peer.url("/echo"))
      let plain = try await peer.next()
      #expect(plain.header("traceparent") == nil && plain.header("tracestate") == nil)
      try await Trace.$current.withValue(TraceContext(parent, state: state)) {
        _ = try await client.get(peer.url("/echo"))
      }
      let handedOn = try await peer.next()
      #expect(handedOn.header("traceparent") == parent.field && handedOn.header("tracestate") == "rojo=1")
      let tracer = Tracer(share: 1) { 1 }
      try await Trace.$current.withValue(TraceContext(parent, state: state, tracer: tracer)) {
        _ = try await client.get(peer.url("/echo"))
        await #expect(throws: OutboundError.self) { _ = try await client.get("https://localhost:1/") }
      }
      let spans = tracer.next(atMost: 9)
      let recorded = try await peer.next()
      #expect(recorded.header("traceparent") == "00-\(parent.traceID.text)-\(spans[0].spanID.text)-01")
      #expect(spans.count == 2 && spans.allSatisfy { $0.parent == parent.spanID && $0.kind == .message })
      #expect(spans.map(\.isFailure) == [false, true])
      #expect(spans[0].attributes.contains(SpanAttribute("http.response.status_code", 200)))
      #expect(spans[0].attributes.contains(SpanAttribute("server.address", "localhost")))
    }
  }

  @Test("a request arrives as it was written, and the answer comes back whole; connections are kept")
  func exchange() async throws {
    let peer = try await HTTPSPeer.start()
    try await with(Client(peer)) { client in
      let body = Array(String(repeating: "byte ", count: 10_000).utf8)
      let request = try OutboundRequest(
        .post, client.http.url(peer.url("/echo?a=%20b")), purpose: OutboundPurpose(.webhook),
        headers: [("content-type", "application/json"), ("webhook-id", "msg_1")], body: body)
      let response = try await client.http.send(request)
      #expect(response.status == 200 && response.isSuccess && response.header("x-SEEN") == "/echo")
      #expect(response.body == body)
      let seen = try await peer.next()
      #expect(seen.method == "POST" && seen.path == "/echo?a=%20b" && seen.body == body)
      #expect(seen.header("Webhook-Id") == "msg_1" && seen.header("Content-Type") == "application/json")
      #expect(seen.header("Host") == "localhost:\(peer.port)" && seen.header("User-Agent") == "Gatehouse")
      #expect(seen.header("Expect") == nil && seen.header("Accept-Encoding") == nil)
      for method in [OutboundRequest.Method.put, .patch, .delete, .post, .get] {
        let request = try OutboundRequest(method, client.http.url(peer.url("/m")), purpose: OutboundPurpose(.webhook))
        _ = try await client.http.send(request)
        let next = try await peer.next()
        #expect(next.method == method.rawValue && next.body.isEmpty && next.header("Content-Type") == nil)
        #expect(next.peer == seen.peer)
      }
    }
  }

  @Test("T102 a redirect is an answer like any other: nothing follows it")
  func redirect() async throws {
    let (peer, other) = (try await HTTPSPeer.start(), try await HTTPSPeer.start())
    try await with(Client(peer)) { client in
      try await peer.answer("/away", 302, headers: ["Location": other.url("/secret")])
      let response = try await client.get(peer.url("/away"))
      #expect(response.status == 302 && response.header("location") == other.url("/secret"))
      #expect(other.connections == 0)
    }
  }

  @Test(
    "T102 a host that leads to this machine is not connected to, however it is written",
    arguments: ["localhost", "127.0.0.1", "[::ffff:127.0.0.1]"])
  func loopback(_ host: String) async throws {
    let peer = try await HTTPSPeer.start()
    let url = peer.url("/", host: host)
    try await with(Client(peer)) { client in
      let answer = try await client.get(url)
      #expect(answer.status == 200)
      _ = try await peer.next()
    }
    let before = peer.connections
    try await with(Client(peer, isDevelopment: false)) { client in
      // The address itself is refused when the URL is read; that it is refused again at the socket is seen with the
      // name, and with a URL that a more lenient reader made.
      let lenient = try OutboundURL(url, addresses: ReachableAddresses(allowsLoopback: true))
      let request = try OutboundRequest(.get, lenient, purpose: OutboundPurpose(.provider))
      await #expect(throws: OutboundError.addressNotAllowed) { _ = try await client.http.send(request) }
    }
    #expect(peer.connections == before && peer.waiting == 0)
  }

  @Test("T102 loopback over IPv6 is not connected to")
  func loopback6() async throws {
    let peer = try await HTTPSPeer.start(address: "::1")
    let url = try OutboundURL(peer.url("/", host: "[::1]"), addresses: ReachableAddresses(allowsLoopback: true))
    let request = try OutboundRequest(.get, url, purpose: OutboundPurpose(.provider))
    try await with(Client(peer)) { client in
      let answer = try await client.http.send(request)
      #expect(answer.status == 200)
    }
    let before = peer.connections
    try await with(Client(peer, isDevelopment: false)) { client in
      await #expect(throws: OutboundError.addressNotAllowed) { _ = try await client.http.send(request) }
    }
    #expect(peer.connections == before)
  }

  @Test("T102 plain http goes to this machine in development only")
  func plain() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    try await with(Client(peer)) { client in
      let answer = try await client.get(peer.url("/"))
      #expect(answer.status == 200)
    }
    try await with(Client(peer, isDevelopment: false)) { client in
      await #expect(throws: OutboundURL.Problem.scheme) { _ = try await client.get(peer.url("/")) }
    }
  }

  @Test("T102 a certificate of an unknown authority or for another name ends the connection")
  func certificates() async throws {
    let peer = try await HTTPSPeer.start()
    try await with(Client(peer, trusts: false)) { client in
      await fails(.notTrusted(.unknownAuthority), client, peer.url("/"))
    }
    let other = try await HTTPSPeer.start(names: "DNS:example.com")
    try await with(Client(other)) { client in await fails(.notTrusted(.otherName), client, other.url("/")) }
    #expect(peer.waiting == 0 && other.waiting == 0)
  }

  @Test(
    "T102 an answer that is too large, not HTTP, or truncated is a failure",
    arguments: [
      ("/endless", OutboundError.tooLarge), ("/announced", .tooLarge), ("/headers", .tooLarge), ("/interim", .tooLarge),
      ("/garbage", .malformed), ("/short", .malformed), ("/nothing", .malformed),
    ])
  func broken(_ path: String, _ error: OutboundError) async throws {
    let peer = try await HTTPSPeer.start()
    try await with(Client(peer)) { client in
      await fails(error, client, peer.url(path))
      let answer = try await client.get(peer.url("/ok"))
      #expect(answer.status == 200)
    }
  }

  @Test("the limit is exact, and a content coding is not undone")
  func limit() async throws {
    let peer = try await HTTPSPeer.start()
    try await peer.answer("/at", 200, body: String(repeating: "x", count: 65_536))
    try await peer.answer("/over", 200, body: String(repeating: "x", count: 65_537))
    try await with(Client(peer)) { client in
      let whole = try await client.get(peer.url("/at")).body
      #expect(whole.count == 65_536)
      await fails(.tooLarge, client, peer.url("/over"))
      let compressed = try await client.get(peer.url("/compressed")).body
      #expect(compressed == Array("bomb".utf8))
    }
  }

  @Test("T102 a peer that is slow, in whatever way, costs the time-out and no more", arguments: ["/silent", "/drip"])
  func slow(_ path: String) async throws {
    let peer = try await HTTPSPeer.start()
    try await with(Client(peer)) { client in
      let began = ContinuousClock.now
      await fails(.timedOut, client, peer.url(path), within: .milliseconds(300))
      #expect(ContinuousClock.now - began < .seconds(2))
    }
  }

  @Test("a port without a server, and a name that does not exist")
  func unreachable() async throws {
    let deaf = try SilentPort(listens: false)
    try await with(Client(nil)) { client in
      await fails(.unreachable, client, "https://127.0.0.1:\(deaf.port)/")
      await fails(.unresolved, client, "https://does-not-exist.invalid/")
    }
  }

  @Test("T102 only hosts of the list are asked")
  func allowList() async throws {
    let peer = try await HTTPSPeer.start()
    try await with(Client(peer)) { client in
      let url = try client.http.url(peer.url("/"))
      func request(_ hosts: [String]) throws -> OutboundRequest {
        try OutboundRequest(.get, url, purpose: OutboundPurpose(.provider), allowedHosts: hosts)
      }
      await #expect(throws: OutboundError.hostNotAllowed) { _ = try await client.http.send(request(["example.com"])) }
      await #expect(throws: OutboundError.hostNotAllowed) { _ = try await client.http.send(request([])) }
      #expect(peer.connections == 0)
      let answer = try await client.http.send(request(["example.com", "localhost"]))
      #expect(answer.status == 200)
    }
  }

  @Test("no proxy of the environment is used")
  func proxy() async throws {
    let (peer, proxy) = (try await HTTPSPeer.start(), try await HTTPSPeer.start(tls: false))
    let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    for name in names { setenv(name, "http://127.0.0.1:\(proxy.port)", 1) }
    defer { for name in names { unsetenv(name) } }
    try await with(Client(peer)) { client in
      let answer = try await client.get(peer.url("/"))
      #expect(answer.status == 200)
    }
    #expect(proxy.connections == 0)
  }

  @Test("a host that keeps failing is left alone, other owners of the same host are not")
  func circuit() async throws {
    let peer = try await HTTPSPeer.start()
    try await peer.answer("/", 503)
    try await with(Client(peer)) { client in
      for _ in 0..<5 {
        let answer = try await client.get(peer.url("/"), owner: "one")
        #expect(answer.status == 503)
        _ = try await peer.next()
      }
      await #expect {
        _ = try await client.get(peer.url("/"), owner: "one")
      } throws: { error in
        guard case .circuitOpen? = error as? OutboundError else { return false }
        return true
      }
      let other = try await client.get(peer.url("/?other"), owner: "two")
      #expect(other.status == 503)
      let seen = try await peer.next()
      #expect(seen.path == "/?other")
    }
  }

  @Test("places at a host are bounded, and waiting for one counts against the time-out")
  func places() async throws {
    let peer = try await HTTPSPeer.start()
    let circuits = OutboundCircuits.Limits(perHost: 2, perKind: 4, waiting: 1)
    try await with(Client(peer, circuits: circuits)) { client in
      let outcomes = await withTaskGroup(of: OutboundError?.self) { group in
        for _ in 0..<8 {
          group.addTask {
            do {
              _ = try await client.get(peer.url("/silent"), within: .milliseconds(400))
              return nil
            } catch { return error as? OutboundError }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.count { $0 == .busy } == 5 && outcomes.count { $0 == .timedOut } == 3)
      #expect(peer.connections <= 3)
    }
  }

  @Test("a task that is cancelled, and a client that is closed, give up at once")
  func givingUp() async throws {
    let peer = try await HTTPSPeer.start()
    let client = Client(peer)
    let task = Task { try await client.get(peer.url("/silent"), within: .seconds(30)) }
    _ = try await peer.next()
    task.cancel()
    await #expect(throws: OutboundError.cancelled) { try await task.value }
    let second = Task { try await client.get(peer.url("/silent"), within: .seconds(30)) }
    _ = try await peer.next()
    await client.http.close()
    await #expect(throws: OutboundError.cancelled) { try await second.value }
    await fails(.cancelled, client, peer.url("/"))
    await client.close()
  }

  @Test(
    "header fields that could say more than one thing are never sent",
    arguments: [
      ("a\r\nb", "x"), ("a", "x\r\nInjected: y"), ("a", "x\ny"), ("", "x"), ("a b", "x"), ("a:", "x"), ("a", ""),
      ("a", "é"), ("Host", "evil"), ("content-length", "1"), ("Transfer-Encoding", "chunked"), ("a", "x\0y"),
    ])
  func fields(_ name: String, _ value: String) throws {
    let url = try OutboundURL("https://example.com/")
    #expect(throws: OutboundError.invalidRequest) {
      _ = try OutboundRequest(.get, url, purpose: OutboundPurpose(.webhook), headers: [(name, value)])
    }
    _ = try OutboundRequest(.get, url, purpose: OutboundPurpose(.webhook), headers: [("a", "x y")])
  }
}
