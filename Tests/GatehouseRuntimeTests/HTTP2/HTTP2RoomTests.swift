import Testing

@testable import GatehouseRuntime

/// The usual limits, changed.
private func limits(_ change: (inout HTTPLimits) -> Void = { _ in }) -> HTTPLimits {
  var limits = HTTPLimits()
  change(&limits)
  return limits
}

private let bound = HTTPLimits().unsentBytes
/// What a hundred streams take besides requests and answers, and what is counted in a step.
private let besides = 100 * HTTP2Stream.ownSize + BufferSum.step

/// So many requests, the first on stream 1.
private func gets(_ count: UInt32) -> [Frame] { (0..<count).map { Frame.get($0 * 2 + 1) } }

@Suite("Answers that a peer of HTTP/2 does not take")
struct HTTP2RoomTests {
  /// Answers ten thousand bytes, and counts.
  final class Pages: Sendable {
    let begun = Locked(0)
    private let gate: Gate?

    init(_ gate: Gate? = nil) { self.gate = gate }

    var count: Int { begun.withLock { $0 } }

    var handler: Handler {
      { [self] _ in
        begun.withLock { $0 += 1 }
        await gate?.pass()
        return .text(String(repeating: "a", count: 10_000))
      }
    }
  }

  @Test("T188 without a window, no handler begins once the answers fill the bound")
  func atBound() throws {
    let pages = Pages()
    let server = try SteppedServer(handler: pages.handler)
    let client = try HTTP2Client(server)
    client.send([.initialWindow(0)] + gets(100))
    #expect(pages.count == bound / 10_000 + 1)
    #expect(client.goodbye == nil)
    #expect(server.buffered <= bound + 10_100 + besides)
  }

  @Test("T188 without a window, as many handlers are at work as their usual answers fit")
  func atWork() throws {
    let gate = Gate()
    let pages = Pages(gate)
    let server = try SteppedServer(handler: pages.handler)
    let client = try HTTP2Client(server)
    client.send([.initialWindow(0)] + gets(100))
    #expect(pages.count == bound / 16_384 + 1)
    gate.open()
    server.settle()
  }

  @Test("T188 with a large window all handlers begin at once")
  func largeWindow() throws {
    let gate = Gate()
    let pages = Pages(gate)
    let server = try SteppedServer(handler: pages.handler)
    let client = try HTTP2Client(server)
    client.send([.initialWindow(1 << 20), .window(0, 16 << 20)] + gets(100))
    #expect(pages.count == 100)
    gate.open()
    server.settle()
    #expect(client.streams(200) == 100)
  }

  @Test("T188 a window that is taken back while handlers work keeps no more than twice the bound")
  func twiceTheBound() throws {
    let gate = Gate()
    let pages = Pages(gate)
    let server = try SteppedServer(handler: pages.handler)
    let client = try HTTP2Client(server)
    client.send([.initialWindow(1 << 20), .window(0, 16 << 20)] + gets(100))
    client.send(.initialWindow(0))
    gate.open()
    server.settle()
    #expect(pages.count == 100)
    let kept = 2 * bound / 10_037
    #expect(client.resets(Code.calm) == 100 - kept && client.goodbye == nil)
    #expect(server.buffered <= 2 * bound + besides)
  }

  @Test("T188 a peer above half of the bound that takes nothing is ended after five seconds, and holds nothing then")
  func fiveSeconds() throws {
    let counts = HTTPServerTests.Counts()
    let server = try SteppedServer(observer: counts, handler: Pages().handler)
    let client = try HTTP2Client(server)
    client.send([.initialWindow(0)] + gets(14))
    server.pass(.seconds(4.5))
    #expect(client.goodbye == nil && server.buffered > 0)
    server.pass(.seconds(2))
    #expect(client.goodbye == Code.calm && client.isEnded && server.buffered == 0)
    #expect(counts.seen.withLock { $0 }.contains("ended slow"))
  }

  @Test("T188 a window that opens by a byte at a time, or pings, are no progress", arguments: [false, true])
  func trickle(_ pings: Bool) throws {
    let server = try SteppedServer(handler: Pages().handler)
    let client = try HTTP2Client(server)
    client.send([.initialWindow(0)] + gets(20))
    for _ in 0..<65 {
      client.send((0..<10).map { _ in pings ? .ping : .window(1, 1) })
      server.pass(.milliseconds(100))
    }
    #expect(client.goodbye == Code.calm && client.isEnded && server.buffered == 0)
  }

  @Test("T188 a peer at half of the bound has the thirty seconds of each answer")
  func atHalf() throws {
    let server = try SteppedServer(handler: Pages().handler)
    let client = try HTTP2Client(server)
    client.send([.initialWindow(0)] + gets(13))
    server.pass(.seconds(29))
    #expect(client.goodbye == nil && client.resets(Code.cancel) == 0)
    server.pass(.seconds(2))
    #expect(client.resets(Code.cancel) == 13 && client.goodbye == nil && server.buffered == 0)
  }

  @Test("T188 a phone on a slow line gets a long answer whole, and a second one")
  func slowLine() throws {
    let text = String(repeating: "abcdefgh", count: 30_000)
    let server = try SteppedServer { _ in .text(text) }
    let client = try HTTP2Client(server)
    for stream: UInt32 in [1, 3] {
      client.send(Frame.get(stream))
      for _ in 0..<24 {
        server.pass(.seconds(1))
        // The client's system takes what has come.
        _ = client.frames
        client.send(.window(0, 10_000), .window(stream, 10_000))
      }
      #expect(client.answer(stream).text == text && client.answer(stream).isEnded)
    }
    #expect(client.goodbye == nil)
  }

  @Test("T188 requests that wait for room are answered once the peer takes what there is")
  func waiting() throws {
    let server = try SteppedServer(handler: Pages().handler)
    let client = try HTTP2Client(server)
    client.send([.initialWindow(0)] + gets(100))
    server.pass(.seconds(3))
    client.send(.initialWindow(20_000), .window(0, 2 << 20))
    #expect(client.streams(200) == 100 && client.goodbye == nil)
    #expect(server.buffered == 0)
  }

  @Test("T188 requests that wait for room take a bounded amount of memory, and may be sent again")
  func waitingRequests() throws {
    let pages = Pages()
    let server = try SteppedServer(handler: pages.handler)
    let client = try HTTP2Client(server)
    let field = ("x", String(repeating: "b", count: 10_000))
    client.send(.initialWindow(0))
    for number in 0..<100 as Range<UInt32> { client.send(Frame.get(number * 2 + 1, "/", [field])) }
    let fits = bound / 10_100
    #expect(client.resets(Code.refused) >= 100 - pages.count - fits - 1)
    #expect(pages.count == bound / 10_000 + 1)
    #expect(server.buffered <= 2 * bound + 10_100 + besides)
  }

  @Test("T188 a request that was refused for want of room reaches no handler, also where its end came along")
  func refusedWhole() throws {
    let handled = Locked(0)
    let server = try SteppedServer(limits: limits { $0.bufferedBytes = 1000 }) { _ in
      handled.withLock { $0 += 1 }
      return .text("")
    }
    let client = try HTTP2Client(server)
    client.send(
      Frame.headers(1, Frame.request("POST"), end: false), .data(1, [UInt8](repeating: 1, count: 2000), end: true))
    #expect(client.resets(Code.refused) == 1 && handled.withLock { $0 } == 0)
  }
}

@Suite("Buffers of many connections")
struct BufferTests {
  private static let megabyte = 1 << 20

  /// A peer that holds about 200 kB of answers and takes none.
  private func hold(_ server: SteppedServer, _ address: String) throws -> HTTP2Client {
    let client = try HTTP2Client(server, peer: try #require(PeerAddress(address)))
    client.send([.initialWindow(0)] + gets(20))
    return client
  }

  @Test("T189 the connections of one address hold no more than its bound, and others are served")
  func ofAddress() throws {
    let counts = HTTPServerTests.Counts()
    let server = try SteppedServer(
      limits: limits { $0.buffersPerAddress = Self.megabyte }, observer: counts,
      handler: HTTP2RoomTests.Pages().handler)
    let clients = try (0..<20).map { _ in try hold(server, "192.0.2.1") }
    #expect(server.buffered <= Self.megabyte + 250_000)
    #expect(clients.count { $0.goodbye == Code.calm } >= 13)
    #expect(counts.seen.withLock { $0 }.count { $0 == "ended buffers" } == clients.count { $0.goodbye == Code.calm })
    let other = try hold(server, "192.0.2.2")
    #expect(other.goodbye == nil)
    // A neighbour behind the same address, who takes what is answered.
    let neighbour = try HTTP2Client(server, peer: try #require(PeerAddress("192.0.2.1")))
    neighbour.send(Frame.get(1))
    #expect(neighbour.answer(1).body.count == 10_000 && neighbour.goodbye == nil)
  }

  @Test("T189 connections of a proxy have no bound of an address")
  func ofProxy() throws {
    let server = try SteppedServer(
      limits: limits { $0.buffersPerAddress = Self.megabyte }, proxies: ProxyTrust(.xForwardedFor) { _ in true },
      handler: HTTP2RoomTests.Pages().handler)
    let clients = try (0..<20).map { _ in try hold(server, "192.0.2.1") }
    #expect(clients.allSatisfy { $0.goodbye == nil })
  }

  @Test("T189 the connections of all addresses hold no more than the bound of the server")
  func ofServer() throws {
    let server = try SteppedServer(
      limits: limits { $0.buffers = Self.megabyte }, handler: HTTP2RoomTests.Pages().handler)
    let clients = try (0..<20).map { try hold(server, "192.0.2.\($0)") }
    #expect(server.buffered <= Self.megabyte + 250_000)
    #expect(clients.count { $0.goodbye == Code.calm } >= 13)
  }

  @Test("T189 once buffers are more than half full, a peer that holds little has to take it within five seconds")
  func crowded() throws {
    let server = try SteppedServer(
      limits: limits { $0.buffersPerAddress = Self.megabyte / 2 }, handler: HTTP2RoomTests.Pages().handler)
    let peer = try #require(PeerAddress("192.0.2.1"))
    let clients = try (0..<4).map { _ in
      let client = try HTTP2Client(server, peer: peer)
      client.send([.initialWindow(0)] + gets(10))
      return client
    }
    server.pass(.seconds(7))
    // As many as it takes.
    #expect(clients.count { $0.goodbye == Code.calm } == 2 && server.buffered <= Self.megabyte / 4)
  }

  @Test("T189 memory is given back once after a burst, and not for small ones", arguments: [(7, 0), (64, 1)])
  func relief(_ megabytes: Int, _ times: Int) {
    let relieved = Locked(0)
    let memory = BufferMemory(bound: 256 * Self.megabyte) { relieved.withLock { $0 += 1 } }
    for _ in 0..<2 {
      for _ in 0..<megabytes { _ = memory.add(Self.megabyte, own: 0) }
      for _ in 0..<megabytes { _ = memory.add(-Self.megabyte, own: Self.megabyte) }
    }
    #expect(relieved.withLock { $0 } == times)
    #expect(memory.bytes == 0)
  }

  @Test("T189 requests that come slowly count, and one beyond the bound is answered 503")
  func bodies() throws {
    let server = try SteppedServer(limits: limits { $0.buffersPerAddress = 100_000 })
    let peer = try #require(PeerAddress("192.0.2.1"))
    let clients = try (0..<4).map { _ in
      let client = try server.connect(peer: peer)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n")
      client.send([UInt8](repeating: 0x61, count: 59_999))
      return client
    }
    #expect(clients.map { $0.statuses() } == [[], [], [], [503]])
    for client in clients.prefix(3) {
      client.send("b")
      #expect(client.statuses() == [200])
    }
    #expect(server.buffered == 0)
  }
}

@Suite("Answers that a peer of HTTP/1.1 does not take")
struct PipelineRoomTests {
  private static let pipeline = String(repeating: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", count: 30)

  @Test("T189 a pipeline whose answers are not read is ended after five seconds, and holds its bound until then")
  func unread() throws {
    let begun = Locked(0)
    let server = try SteppedServer { _ in
      begun.withLock { $0 += 1 }
      return .text(String(repeating: "a", count: 200_000))
    }
    let client = try server.connect()
    client.send(Self.pipeline)
    #expect(server.buffered > bound / 2 && server.buffered <= bound + 201_000 + BufferSum.step)
    let before = begun.withLock { $0 }
    server.pass(.seconds(4.5))
    #expect(begun.withLock { $0 } == before && server.buffered > 0)
    server.pass(.seconds(2))
    #expect(server.buffered == 0)
    _ = client.received()
    #expect(client.isEnded)
  }

  @Test("T189 one that is read slowly is answered to its end")
  func readSlowly() throws {
    let server = try SteppedServer { _ in .text(String(repeating: "a", count: 200_000)) }
    let client = try server.connect()
    client.send(Self.pipeline)
    var count = 0
    for _ in 0..<70 where !client.isEnded {
      count += client.received(atMost: 100_000).utf8.count
      server.pass(.seconds(1))
    }
    #expect(count > 30 * 200_000 && !client.isEnded)
  }

  @Test("T189 what was sent of a long answer is not kept")
  func sentBytes() throws {
    let server = try SteppedServer { _ in .text(String(repeating: "a", count: 8_000_000)) }
    let client = try server.connect()
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(server.buffered > 7_000_000)
    #expect(client.received(atMost: 6_500_000).utf8.count == 6_500_000)
    #expect(server.buffered < 4_000_000)
  }
}
