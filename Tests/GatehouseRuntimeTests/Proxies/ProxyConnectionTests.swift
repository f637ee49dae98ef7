import Glibc
import Testing

@testable import GatehouseRuntime

/// Answers who the request came from.
let whoHandler: Handler = { .text($0.peer.description) }

/// Believes connections from this machine over IPv4.
let loopbackProxies = ProxyTrust(.proxyV2) { $0.network == PeerAddress("127.0.0.1") }

private let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
private let header = ProxyBytes.header(family: 0x11, block: ProxyBytes.four)

@Suite("Connections of proxies that announce their clients")
struct ProxyConnectionTests {
  @Test("the announced client is the peer, however the bytes arrive", arguments: [1, 16, 29, 1000])
  func announced(_ piece: Int) async throws {
    try await withServer(proxies: loopbackProxies, handler: whoHandler) { running in
      let client = try running.client()
      var rest = (header + Array(request.utf8))[...]
      while !rest.isEmpty {
        client.send(Array(rest.prefix(piece)))
        rest = rest.dropFirst(piece)
      }
      #expect(try client.receive().body == "192.0.2.7:4711")
      client.send(request)
      #expect(try client.receive().body == "192.0.2.7:4711")
    }
  }

  @Test("a proxy that speaks for itself is the peer itself")
  func local() async throws {
    try await withServer(proxies: loopbackProxies, handler: whoHandler) { running in
      let client = try running.client()
      client.send(ProxyBytes.header(command: 0x20, family: 0, block: []) + Array(request.utf8))
      #expect(try client.receive().body.hasPrefix("127.0.0.1:"))
    }
  }

  @Test("T030 a header from another peer is not believed: it is a malformed request")
  func notBelieved() async throws {
    let others = ProxyTrust(.proxyV2) { $0.network == PeerAddress("192.0.2.1") }
    try await withServer(proxies: others, handler: whoHandler) { running in
      let liar = try running.client()
      liar.send(header + Array(request.utf8))
      #expect(try liar.receive().status == 400)
      #expect(try liar.receiveToEnd() == "")
      let honest = try running.client()
      honest.send(request)
      #expect(try honest.receive().body.hasPrefix("127.0.0.1:"))
    }
  }

  @Test("a listener without proxies takes the header for a malformed request")
  func notConfigured() async throws {
    try await withServer(handler: whoHandler) { running in
      let client = try running.client()
      client.send(header + Array(request.utf8))
      #expect(try client.receive().status == 400)
    }
  }

  @Test("a second header behind the first is a malformed request")
  func twice() async throws {
    try await withServer(proxies: loopbackProxies, handler: whoHandler) { running in
      let client = try running.client()
      client.send(header + header + Array(request.utf8))
      #expect(try client.receive().status == 400)
    }
  }

  @Test("a malformed header ends the connection without a word, and is counted")
  func malformed() async throws {
    let counts = HTTPServerTests.Counts()
    try await withServer(proxies: loopbackProxies, observer: counts, handler: whoHandler) { running in
      for (name, bytes) in ProxyHeaderTests.malformed {
        let client = try running.client()
        client.send(bytes + Array(request.utf8))
        #expect(try client.receiveToEnd() == "", "\(name)")
      }
      let client = try running.client()
      client.send(header + Array(request.utf8))
      #expect(try client.receive().status == 200)
    }
    let seen = counts.seen.withLock { $0 }
    #expect(seen.count { $0 == "bad proxy header" } == ProxyHeaderTests.malformed.count)
    #expect(seen.count { $0 == "opened" } == 1)
  }

  @Test("a connection that is opened and closed again, as balancers look for life, is nothing to count")
  func probe() async throws {
    let counts = HTTPServerTests.Counts()
    try await withServer(proxies: loopbackProxies, observer: counts, handler: whoHandler) { running in
      let client = try running.client()
      client.finishWriting()
      #expect(try client.receiveToEnd() == "")
    }
    #expect(counts.seen.withLock { $0 } == [])
  }

  @Test("connections that wait for their header count against the cap, and end with a drain")
  func capAndDrain() async throws {
    var limits = HTTPLimits()
    limits.connections = 2
    limits.drainGrace = .milliseconds(10)
    try await withServer(limits: limits, proxies: loopbackProxies, handler: whoHandler) { running in
      let waiting = [try running.client(), try running.client()]
      let extra = try running.client()
      #expect(try extra.receive().status == 503)
      #expect(await running.server.drain(within: .seconds(10)) == 0)
      for client in waiting { #expect(try client.receiveToEnd() == "") }
    }
  }

  @Test("the cap per address counts the announced clients, never the proxy")
  func capPerClient() async throws {
    var limits = HTTPLimits()
    limits.connectionsPerAddress = 1
    let counts = HTTPServerTests.Counts()
    let gates = [Gate(), Gate()]
    let handler: Handler = { request in
      if case .ipv4(let address, _) = request.peer { await gates[Int(address & 1)].pass() }
      return .text("")
    }
    try await withServer(limits: limits, proxies: loopbackProxies, observer: counts, handler: handler) { running in
      func connect(_ last: UInt8) throws -> RawClient {
        let client = try running.client()
        let block = ProxyBytes.block([192, 0, 2, last], [1, 2, 3, 4])
        client.send(ProxyBytes.header(family: 0x11, block: block) + Array(request.utf8))
        return client
      }
      let kept = [try connect(1), try connect(2)]
      for gate in gates { await gate.reached() }
      #expect(try connect(1).receiveToEnd() == "")
      for gate in gates { gate.open() }
      for client in kept { #expect(try client.receive().status == 200) }
    }
    #expect(counts.seen.withLock { $0 }.count { $0 == "crowded out" } == 1)
  }
}
