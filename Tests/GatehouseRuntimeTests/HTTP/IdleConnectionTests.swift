import Glibc
import Testing

@testable import GatehouseRuntime

private let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

@Suite("Idle connections make way")
struct IdleConnectionTests {
  private func limits(_ count: Int) -> HTTPLimits {
    var limits = HTTPLimits()
    limits.connectionsPerAddress = count
    return limits
  }

  private func peer() throws -> PeerAddress { try #require(PeerAddress("192.0.2.1")) }

  /// So many connections, each a second after the one before, after `bytes` of each.
  private func open(_ count: Int, _ server: SteppedServer, _ bytes: String = request) throws -> [SteppedClient] {
    try (0..<count).map { _ in
      let client = try server.connect(peer: try peer())
      client.send(bytes)
      _ = client.received()
      server.pass(.seconds(1))
      return client
    }
  }

  private func isServed(_ client: SteppedClient) -> Bool {
    client.send(request)
    return client.statuses() == [200]
  }

  @Test(
    "T190 beyond half of its share an address's longest idle connection is closed for a new one",
    arguments: ["", request, "GET / HTTP/1.1\r\nHost:"])
  func longestIdle(_ bytes: String) throws {
    let counts = HTTPServerTests.Counts()
    let server = try SteppedServer(limits: limits(10), observer: counts)
    let clients = try open(7, server, bytes)
    // Five fit into half of the share; the sixth and the seventh closed one each.
    for client in clients { _ = client.received() }
    #expect(clients.map(\.isEnded) == [true, true, false, false, false, false, false])
    #expect(counts.seen.withLock { $0 }.count { $0 == "ended made_way" } == 2)
    #expect(isServed(try server.connect(peer: try peer())))
  }

  @Test("T190 idle connections that fill the share of an address refuse no client behind it")
  func campus() throws {
    let server = try SteppedServer(limits: limits(100), capacity: 1000)
    let idle = try (0..<100).map { _ in try server.connect(peer: try peer()) }
    server.pass(.milliseconds(10))
    let honest = try (0..<40).map { _ in try server.connect(peer: try peer()) }
    for client in honest { #expect(isServed(client)) }
    #expect(idle.count { $0.isQuiet } == 10)
  }

  @Test("T190 idle connections of other addresses stay")
  func others() throws {
    let server = try SteppedServer(limits: limits(4))
    let other = try server.connect(peer: try #require(PeerAddress("192.0.2.2")))
    _ = try open(8, server)
    #expect(isServed(other))
  }

  @Test("T190 connections in use stay, and a new one is refused where no other is idle")
  func inUse() throws {
    let gate = Gate()
    let server = try SteppedServer(limits: limits(4), handler: gate.holding)
    let clients = try open(4, server, "GET /held HTTP/1.1\r\nHost: x\r\n\r\n")
    let extra = try server.connect(peer: try peer())
    #expect(extra.received() == "" && extra.isEnded)
    gate.open()
    server.settle()
    for client in clients { #expect(client.statuses() == [200]) }
    #expect(isServed(try server.connect(peer: try peer())))
  }

  @Test("T190 a request that has just come is answered, and its connection stays")
  func justCame() throws {
    let server = try SteppedServer(limits: limits(4))
    let clients = try open(2, server)
    // It lies in the server's socket before its loop turns.
    #expect(Glibc.send(clients[0].descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count)
    let next = try server.connect(peer: try peer())
    #expect(isServed(next))
    #expect(clients[0].statuses() == [200] && !clients[0].isEnded)
    for client in [clients[0], next] { client.finishWriting() }
    for client in clients { client.finishWriting() }
    #expect(server.addresses.isEmpty)
  }

  @Test("T190 one of HTTP/2 is told goodbye")
  func goodbye() throws {
    let server = try SteppedServer(limits: limits(2))
    let client = try HTTP2Client(server, peer: try peer())
    client.send(Frame.get(1))
    #expect(client.answer(1).status == 200)
    #expect(isServed(try server.connect(peer: try peer())))
    #expect(client.goodbye == Code.none && client.lastStreams == [1] && client.isEnded)
  }

  @Test("T190 where the connections of all are taken, the longest idle one is closed for a new one")
  func ofAll() throws {
    let server = try SteppedServer(capacity: 3)
    let clients = try open(3, server)
    let next = try server.connect(peer: .unix)
    #expect(isServed(next))
    for client in clients { _ = client.received() }
    #expect(clients.map(\.isEnded) == [true, false, false])
  }

  @Test("T190 idle connections of other loops make way too")
  func acrossLoops() async throws {
    try await withServer(loops: 4, limits: limits(16)) { running in
      var clients: [RawClient] = []
      for _ in 0..<80 {
        let client = try running.client()
        client.send(request)
        #expect(try client.receive().status == 200)
        clients.append(client)
      }
      // Those that made way are at their end.
      for client in clients.prefix(60) { #expect(try client.receiveToEnd() == "") }
    }
  }
}

@Suite("Listeners in clear")
struct ClearListenerTests {
  @Test(
    "T191 one that serves proxies serves them and this machine, and closes all others unheard",
    arguments: [
      ("192.0.2.1", true), ("192.0.2.2", false), ("127.0.0.1", true), ("::1", true), ("2001:db8::1", false),
      ("::ffff:192.0.2.1", true), ("10.0.0.1", false),
    ])
  func proxies(_ address: String, _ isServed: Bool) throws {
    let counts = HTTPServerTests.Counts()
    let proxy = PeerAddress("192.0.2.1")
    let server = try SteppedServer(
      proxies: ProxyTrust(.xForwardedFor) { $0.network == proxy }, onlyTrusted: true, observer: counts)
    let client = try server.connect(peer: try #require(PeerAddress(address, port: 9)))
    client.send(request)
    #expect(client.statuses() == (isServed ? [200] : []) && client.isEnded == !isServed)
    #expect(counts.seen.withLock { $0 }.contains("not trusted") == !isServed)
  }
}
