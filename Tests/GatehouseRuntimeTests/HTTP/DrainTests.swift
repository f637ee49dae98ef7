import Glibc
import Testing

@testable import GatehouseRuntime

private let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

@Suite("A drain loses no answer")
struct DrainTests {
  @Test("idle connections are waited for a moment and closed, what is in flight is answered with close")
  func drain() throws {
    let gate = Gate()
    let handler: Handler = { request in
      if request.path == "/slow" { await gate.pass() }
      return .text(request.path)
    }
    let server = try SteppedServer(handler: handler)
    let (idle, busy, silent) = (try server.connect(), try server.connect(), try server.connect())
    idle.send(request)
    #expect(!idle.received().contains("\r\nconnection: "))
    busy.send(request.replacing(" / ", with: " /slow "))
    server.drain(within: .seconds(10))
    server.pass(.seconds(0.9))
    #expect(idle.isQuiet && silent.isQuiet && busy.isQuiet)
    server.pass(.seconds(0.3))
    for client in [idle, silent] {
      #expect(client.received() == "" && client.isEnded)
      client.finishWriting()
    }
    #expect(server.cutAnswers == nil)
    gate.open()
    server.settle()
    let answer = busy.received()
    #expect(answer.hasSuffix("/slow") && answer.contains("\r\nconnection: close\r\n") && busy.isEnded)
    busy.finishWriting()
    #expect(server.cutAnswers == 0)
  }

  @Test("a request that an idle connection sends while a drain goes on is answered, with close")
  func lateRequest() throws {
    let server = try SteppedServer()
    let client = try server.connect()
    client.send(request)
    #expect(!client.received().contains("\r\nconnection: "))
    server.drain(within: .seconds(10))
    server.pass(.seconds(0.8))
    client.send(request)
    let answer = client.received()
    #expect(answer.contains("200 OK") && answer.contains("\r\nconnection: close\r\n") && client.isEnded)
    client.finishWriting()
    #expect(server.cutAnswers == 0)
  }

  @Test("requests sent before the drain began are answered, read or not")
  func unread() throws {
    let server = try SteppedServer()
    let clients = try (0..<20).map { _ in try server.connect() }
    for client in clients {
      // Past the client's own `send`, which would let the server act.
      _ = Array(request.utf8).withUnsafeBytes { Glibc.write(client.descriptor, $0.baseAddress, $0.count) }
    }
    server.drain(within: .seconds(10))
    for client in clients { #expect(client.received().contains("200 OK")) }
    server.pass(.seconds(1.2))
    for client in clients {
      #expect(client.received() == "" && client.isEnded)
      client.finishWriting()
    }
    #expect(server.cutAnswers == 0)
  }

  @Test("a request that began before a drain and ends within its time is answered")
  func half() throws {
    let server = try SteppedServer()
    let client = try server.connect()
    client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab")
    server.drain(within: .seconds(10))
    server.pass(.seconds(5))
    client.send("cd")
    #expect(client.received().hasSuffix("POST / 4"))
    client.finishWriting()
    #expect(server.cutAnswers == 0)
  }

  @Test("a request still in flight at the end is cut and counted, and its late answer does no harm")
  func cut() throws {
    let gate = Gate()
    let handler: Handler = { _ in
      await gate.pass()
      return .text("late")
    }
    let server = try SteppedServer(handler: handler)
    let clients = [try server.connect(), try server.connect(), try server.connect()]
    for client in clients.dropLast() { client.send(request) }
    server.drain(within: .seconds(10))
    server.pass(.seconds(9.9))
    #expect(server.cutAnswers == nil && clients[0].isQuiet)
    server.pass(.seconds(0.2))
    #expect(server.cutAnswers == 2)
    gate.open()
    server.settle()
    for client in clients { #expect(client.received() == "" && client.isEnded) }
  }

  @Test("a peer that never takes its answer does not hold a drain beyond its time, and counts as cut")
  func stuck() throws {
    let large = [UInt8](repeating: 0x61, count: 32 << 20)
    let server = try SteppedServer(handler: { _ in .json(large) })
    let client = try server.connect()
    client.send(request)
    // Before it is ended for what it does not take.
    server.drain(within: .seconds(4))
    server.pass(.seconds(4.1))
    #expect(server.cutAnswers == 1)
    #expect(client.received().utf8.count < large.count && client.isEnded)
  }

  @Test("a proxy that has not named its client is waited for only briefly")
  func preface() throws {
    let server = try SteppedServer(proxies: ProxyTrust(.proxyV2) { _ in true })
    let client = try server.connect(peer: try #require(PeerAddress("192.0.2.1")))
    server.drain(within: .seconds(10))
    server.pass(.seconds(0.9))
    #expect(client.isQuiet && server.cutAnswers == nil)
    server.pass(.seconds(0.2))
    #expect(client.received() == "" && client.isEnded && server.cutAnswers == 0)
  }

  @Test("no new client gets in, and the address is free again")
  func closed() async throws {
    try await withServer(loops: 2) { running in
      #expect(await running.server.drain(within: .seconds(10)) == 0)
      #expect(throws: (any Error).self) { try running.client() }
      #expect(await running.server.drain(within: .seconds(10)) == 0)
    }
  }
}
