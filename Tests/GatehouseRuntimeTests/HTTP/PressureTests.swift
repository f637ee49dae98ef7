import Glibc
import Testing

@testable import GatehouseRuntime

private let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
private let held = "GET /held HTTP/1.1\r\nHost: x\r\n\r\n"

/// The usual limits, changed.
private func limits(_ change: (inout HTTPLimits) -> Void) -> HTTPLimits {
  var limits = HTTPLimits()
  change(&limits)
  return limits
}

@Suite("Caps, slow peers and greedy ones")
struct PressureTests {
  @Test("a slow reader stops its own pipeline, and gets every answer in the end")
  func slowReader() async throws {
    let started = Locked(0)
    let large = String(repeating: "a", count: 1 << 20)
    let handler: Handler = { request in
      if request.path == "/large" { started.withLock { $0 += 1 } }
      return .text(request.path == "/large" ? large : "small")
    }
    try await withServer(handler: handler) { running in
      let slow = try running.client(receiveBuffer: 4096)
      slow.send(String(repeating: request.replacing(" / ", with: " /large "), count: 40))
      var poller = pollfd(fd: slow.descriptor, events: Int16(POLLIN), revents: 0)
      #expect(poll(&poller, 1, 10_000) == 1)
      let other = try running.client()
      other.send(request)
      #expect(try other.receive().body == "small")
      #expect(started.withLock { $0 } < 40)
      for _ in 0..<40 { #expect(try slow.receive().body.utf8.count == 1 << 20) }
      #expect(started.withLock { $0 } == 40)
    }
  }

  @Test("beyond the cap a connection is answered 503, and a closed one makes room")
  func cap() throws {
    let counts = HTTPServerTests.Counts()
    let gate = Gate()
    let server = try SteppedServer(capacity: 2, observer: counts, handler: gate.holding)
    let kept = [try server.connect(), try server.connect()]
    for client in kept { client.send(held) }
    let extra = try server.connect()
    let answer = extra.received()
    #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("\r\nretry-after: 1\r\n") && extra.isEnded)
    gate.open()
    server.settle()
    for client in kept { #expect(client.statuses() == [200]) }
    kept[0].finishWriting()
    #expect(kept[0].received() == "" && kept[0].isEnded)
    let next = try server.connect()
    next.send(request)
    #expect(next.statuses() == [200])
    #expect(counts.seen.withLock { $0 }.count { $0 == "turned away" } == 1)
  }

  @Test("beyond the cap of its address a connection is closed at once, on whatever loop, and a closed one makes room")
  func capPerAddress() async throws {
    let counts = HTTPServerTests.Counts()
    let few = limits { $0.connectionsPerAddress = 2 }
    let gates = [Gate(), Gate()]
    let handler: Handler = { request in
      if let place = Int(request.path.dropFirst()) { await gates[place].pass() }
      return .text("")
    }
    try await withServer(loops: 2, limits: few, observer: counts, handler: handler) { running in
      var kept: [RawClient] = []
      for (place, gate) in gates.enumerated() {
        kept.append(try running.client())
        kept[place].send(request.replacing(" / ", with: " /\(place) "))
        await gate.reached()
      }
      for _ in 0..<4 { #expect(try running.client().receiveToEnd() == "") }
      for gate in gates { gate.open() }
      for client in kept { #expect(try client.receive().status == 200) }
      kept[0].finishWriting()
      #expect(try kept[0].receiveToEnd() == "")
      let next = try running.client()
      next.send(request)
      #expect(try next.receive().status == 200)
    }
    let seen = counts.seen.withLock { $0 }
    #expect(seen.count { $0 == "crowded out" } == 4 && seen.count { $0 == "opened" } == 3)
    #expect(seen.count { $0 == "closed" } == 3)
  }

  @Test("connections of a proxy are its clients' and are counted as theirs")
  func capBehindProxy() throws {
    let gate = Gate()
    let few = limits { $0.connectionsPerAddress = 1 }
    let server = try SteppedServer(
      limits: few, proxies: ProxyTrust(.xForwardedFor) { $0.port == 1 }, handler: gate.holding)
    let proxy = try #require(PeerAddress("192.0.2.1", port: 1))
    let client = try #require(PeerAddress("192.0.2.1", port: 2))
    let kept = [try server.connect(peer: proxy), try server.connect(peer: proxy), try server.connect(peer: client)]
    for client in kept { client.send(held) }
    let extra = try server.connect(peer: client)
    #expect(extra.received() == "" && extra.isEnded)
    gate.open()
    server.settle()
    for client in kept { #expect(client.statuses() == [200]) }
  }

  @Test("a neighbour in the same /64 counts with a connection, one beyond it does not, mapped IPv4 is IPv4")
  func capPerNetwork() throws {
    let gate = Gate()
    let server = try SteppedServer(limits: limits { $0.connectionsPerAddress = 1 }, handler: gate.holding)
    func connect(_ address: String) throws -> SteppedClient {
      try server.connect(peer: try #require(PeerAddress(address, port: 9)))
    }
    func isServed(_ client: SteppedClient) -> Bool {
      client.send(request)
      return client.statuses() == [200]
    }
    let first = try connect("2001:db8::1")
    let four = try connect("192.0.2.1")
    for client in [first, four] { client.send(held) }
    for crowded in [try connect("2001:db8::ffff:1"), try connect("::ffff:192.0.2.1")] { #expect(!isServed(crowded)) }
    for other in [try connect("2001:db8:0:1::1"), try connect("192.0.2.2")] { #expect(isServed(other)) }
    gate.open()
    server.settle()
    #expect(first.statuses() == [200] && four.statuses() == [200])
    first.finishWriting()
    #expect(first.received() == "" && first.isEnded)
    let next = try connect("2001:db8::2")
    #expect(isServed(next))
  }

  @Test("no entry is kept for an address whose clients left")
  func entries() throws {
    let server = try SteppedServer()
    let clients = try ["192.0.2.1", "2001:db8::1", "2001:db8::2"].map { address in
      try server.connect(peer: try #require(PeerAddress(address)))
    }
    #expect(!server.addresses.isEmpty)
    for client in clients { client.finishWriting() }
    #expect(server.addresses.isEmpty)
  }

  @Test("a slow reader's pipeline is started as far as its answers fit, and goes on as it reads")
  func backPressure() throws {
    let started = Locked(0)
    let body = String(repeating: "a", count: 100_000)
    let handler: Handler = { _ in
      started.withLock { $0 += 1 }
      return .text(body)
    }
    let server = try SteppedServer(handler: handler)
    let slow = try server.connect()
    let other = try server.connect()
    slow.send(String(repeating: request, count: 60))
    // What the socket holds, what may be unsent, and one more.
    let before = started.withLock { $0 }
    #expect(before < 12)
    server.settle()
    #expect(started.withLock { $0 } == before)
    other.send(request)
    #expect(other.statuses() == [200])
    #expect(slow.received(atMost: 1_000_000).utf8.count == 1_000_000)
    let after = started.withLock { $0 }
    #expect(after > before && after < before + 14)
    #expect(slow.statuses().count == 60 - 10)
    #expect(started.withLock { $0 } == 61)
  }

  @Test("a long pipeline does not keep others waiting: its requests are started a few in a turn")
  func fairness() throws {
    let order = Locked<[String]>([])
    let handler: Handler = { request in
      order.withLock { $0.append(request.path) }
      return .text("")
    }
    let server = try SteppedServer(limits: limits { $0.requestsPerTurn = 4 }, handler: handler)
    let greedy = try server.connect()
    let other = try server.connect()
    // Both lie in the server's sockets before its loop turns.
    for (client, text) in [
      (greedy, String(repeating: request, count: 400)), (other, request.replacing(" / ", with: " /other ")),
    ] {
      #expect(
        text.utf8.count == Array(text.utf8).withUnsafeBytes { write(client.descriptor, $0.baseAddress, $0.count) })
    }
    server.turn()
    #expect(order.withLock { $0.count { $0 == "/" } } == 4)
    server.pass(.seconds(1))
    #expect(greedy.statuses().count == 400 && other.statuses() == [200])
    let place = try #require(order.withLock { $0.firstIndex(of: "/other") })
    #expect(place <= 8, "served after \(place) others")
  }
}
