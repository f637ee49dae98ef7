import Testing

@testable import GatehouseRuntime

/// The usual limits, changed.
private func limits(_ change: (inout HTTPLimits) -> Void) -> HTTPLimits {
  var limits = HTTPLimits()
  change(&limits)
  return limits
}

@Suite("HTTP/2 under attack")
struct HTTP2AttackTests {
  /// Frames that get nothing done, and how many of them are too many.
  static let floods: [(name: String, frame: @Sendable (UInt32) -> [Frame])] = [
    ("pings", { _ in [.ping] }),
    ("settings", { _ in [Frame(kind: .settings)] }),
    ("settings that change", { [Frame(kind: .settings, payload: [0, 1] + Frame.word($0 % 4096))] }),
    ("empty data", { _ in [.data(1, [])] }),
    ("data of one byte", { _ in [.data(1, [1])] }),
    (
      "data of padding alone", { _ in [Frame(kind: .data, flags: 8, stream: 1, payload: [7] + [0, 0, 0, 0, 0, 0, 0])] }
    ),
    ("priorities", { [Frame(kind: .priority, stream: $0 * 2 + 101, payload: [0, 0, 0, 0, 1])] }),
    ("windows", { _ in [.window(0, 1)] }),
    ("streams opened and reset", { [.get($0 * 2 + 101), .reset($0 * 2 + 101)] }),
    ("streams reset without an error", { [.get($0 * 2 + 101), .reset($0 * 2 + 101, Code.none)] }),
    (
      "streams the server must reset",
      { [.headers($0 * 2 + 101, Frame.request("POST"), end: false), .window($0 * 2 + 101, 0x7FFF_FFFF)] }
    ),
    ("heads that are refused unread", { [.get($0 * 2 + 101, "/", [("connection", "close")])] }),
  ]

  @Test("frames that get nothing done end the connection, and nothing but it", arguments: floods.indices)
  func flood(_ index: Int) throws {
    let flood = Self.floods[index]
    let handled = Locked(0)
    let server = try SteppedServer { _ in
      handled.withLock { $0 += 1 }
      return .text("good")
    }
    let client = try HTTP2Client(server)
    client.send(Frame.headers(1, Frame.request("POST"), end: false))
    var sent: UInt32 = 0
    // All that fits in a few writes, as an attacker would; nothing is read meanwhile.
    while sent < 3000, client.send((0..<50).flatMap { flood.frame(sent + $0) }) { sent += 50 }
    #expect(client.goodbye == Code.calm, "\(flood.name)")
    #expect(client.isEnded)
    // A turn hands on what came in one reading before it was taken back: at most what one turn may open.
    #expect(handled.withLock { $0 } <= 100)
    let other = try HTTP2Client(server)
    other.send(Frame.get(1))
    #expect(other.answer(1).text == "good")
  }

  @Test("the same frames are no attack when they are few", arguments: floods.indices)
  func few(_ index: Int) throws {
    let flood = Self.floods[index]
    let server = try SteppedServer { .text("\($0.path)") }
    let client = try HTTP2Client(server)
    client.send(Frame.headers(1, Frame.request("POST"), end: false))
    for number in 0..<20 { client.send(flood.frame(UInt32(number))) }
    client.send(Frame.get(9001, "/good"))
    #expect(client.answer(9001).text == "/good", "\(flood.name)")
    #expect(client.goodbye == nil && !client.isEnded)
  }

  @Test("at most a hundred streams may be cancelled at once, although as many other frames are not a flood")
  func resets() throws {
    func goodbye(after count: UInt32, _ limits: HTTPLimits) throws -> UInt32? {
      let server = try SteppedServer(limits: limits)
      let client = try HTTP2Client(server)
      for number in 0..<count {
        client.send(Frame.headers(number * 2 + 1, Frame.request("POST"), end: false), Frame.reset(number * 2 + 1))
      }
      return client.goodbye
    }
    let (within, beyond) = (try goodbye(after: 100, HTTPLimits()), try goodbye(after: 101, HTTPLimits()))
    #expect(within == nil && beyond == Code.calm)
    // Negative control: it is the limit on resets that ends it.
    let generous = try goodbye(after: 101, limits { $0.resets = 1000 })
    #expect(generous == nil)
  }

  @Test("resets spread over time are forgiven, and requests that are answered pay for some")
  func patience() throws {
    let server = try SteppedServer()
    let client = try HTTP2Client(server)
    for round in 0..<10 as Range<UInt32> {
      for number in 0..<90 as Range<UInt32> {
        let stream = (round * 90 + number) * 2 + 1
        client.send(Frame.headers(stream, Frame.request("POST"), end: false), Frame.reset(stream))
      }
      #expect(client.goodbye == nil)
      server.pass(.seconds(10))
    }
    for number in 0..<500 as Range<UInt32> {
      let stream = 4001 + number * 4
      client.send(
        Frame.get(stream), Frame.headers(stream + 2, Frame.request("POST"), end: false), Frame.reset(stream + 2))
    }
    #expect(client.goodbye == nil && client.streams(200) == 500)
  }

  @Test("handlers of requests that were taken back count until they are done")
  func running() async throws {
    let gate = Gate()
    let handled = Locked(0)
    let handler: Handler = { _ in
      handled.withLock { $0 += 1 }
      await gate.pass()
      return .text("")
    }
    let server = try SteppedServer(
      limits: limits {
        $0.streams = 10
        $0.resets = 1000
      }, handler: handler)
    let client = try HTTP2Client(server)
    for number in 0..<50 as Range<UInt32> {
      client.send(Frame.get(number * 2 + 1))
      client.send(Frame.reset(number * 2 + 1))
    }
    #expect(handled.withLock { $0 } == 10)
    #expect(client.resets(Code.refused) == 40)
    gate.open()
    server.settle()
    client.send(Frame.get(1001))
    server.settle()
    #expect(client.answer(1001).status == 200)
  }

  @Test("a stream more than allowed at once is not served")
  func concurrency() throws {
    let server = try SteppedServer(limits: limits { $0.streams = 10 })
    let client = try HTTP2Client(server)
    let settings = client.frames.first { $0.kind == .settings && $0.flags == 0 }
    #expect(settings?.payload.starts(with: [0, 3, 0, 0, 0, 10]) == true)
    for number in 0..<11 as Range<UInt32> {
      client.send(Frame.headers(number * 2 + 1, Frame.request("POST"), end: false))
    }
    // Before it has acknowledged the settings, a client may not know: this one stream is refused.
    #expect(client.answer(21).reset == Code.refused && client.goodbye == nil)
    client.send(Frame(kind: .settings, flags: Frame.acknowledge))
    client.send(Frame.headers(23, Frame.request("POST"), end: false))
    #expect(client.answer(23).status == nil && (client.answer(23).reset != nil || client.goodbye != nil))
  }

  @Test("a head in very many frames ends the connection, whatever is in them", arguments: [0, 1, 16_384])
  func continuations(_ size: Int) throws {
    let server = try SteppedServer()
    let client = try HTTP2Client(server)
    let field = size == 0 ? [] : Frame.literal(Array("a".utf8), [UInt8](repeating: 98, count: max(0, size - 10)))
    client.send(Frame(kind: .headers, stream: 1, payload: Frame.get(1).payload))
    var sent = 0
    while sent < 2000, client.send(Frame(kind: .continuation, stream: 1, payload: field)) { sent += 1 }
    #expect(client.isEnded && client.answer(1).status == nil)
    #expect(client.goodbye.map { $0 != Code.none } == true)
  }

  @Test("frames of unknown types are skipped, and keep no connection")
  func unknown() throws {
    let server = try SteppedServer()
    let client = try HTTP2Client(server)
    for _ in 0..<20 { client.send((0..<50).map { _ in Frame(kind: .unknown, payload: [1, 2, 3]) }) }
    client.send(Frame.get(1))
    #expect(client.answer(1).status == 200)
    for _ in 0..<7 {
      server.pass(.seconds(9))
      client.send(Frame(kind: .unknown, payload: [1]))
    }
    #expect(client.isEnded && client.goodbye == Code.none)
  }

  @Test("a small head that unpacks to a huge one ends the connection")
  func bomb() throws {
    let server = try SteppedServer()
    let client = try HTTP2Client(server)
    // A field of 4000 bytes is put into the table once, and named by one byte thousands of times.
    let big = [UInt8](repeating: 98, count: 4000)
    let seed = [0x40, 1, 97, 0x7F, 0xA1, 0x1E] + big
    let head = Frame.get(1).payload + seed + [UInt8](repeating: 0xBE, count: 10_000)
    client.send(Frame(kind: .headers, flags: 5, stream: 1, payload: head))
    #expect(client.goodbye == Code.calm && client.isEnded)
    let other = try HTTP2Client(server)
    other.send(Frame(kind: .headers, flags: 5, stream: 1, payload: Frame.get(1).payload + seed + [0xBE, 0xBE]))
    #expect(other.answer(1).status == 200)
  }

  @Test("unfinished bodies take a bounded amount of memory; a refused client may ask again")
  func bufferedBodies() throws {
    let server = try SteppedServer(limits: limits { $0.bufferedBytes = 100_000 }) { .text("\($0.body.count)") }
    let client = try HTTP2Client(server)
    let piece = [UInt8](repeating: 1, count: 16_000)
    for number in 0..<10 as Range<UInt32> {
      client.send(Frame.headers(number * 2 + 1, Frame.request("POST"), end: false), Frame.data(number * 2 + 1, piece))
    }
    #expect(client.resets(Code.refused) == 4)
    for number in 0..<6 as Range<UInt32> { client.send(Frame.data(number * 2 + 1, [1], end: true)) }
    #expect(client.streams(200) == 6)
    client.send(Frame.headers(101, Frame.request("POST"), end: false), Frame.data(101, piece, end: true))
    #expect(client.answer(101).text == "16000")
  }
}

@Suite("HTTP/2 and time")
struct HTTP2TimeTests {
  @Test("an idle connection is told goodbye and closed, a ping does not keep it")
  func idle() throws {
    let server = try SteppedServer()
    let client = try HTTP2Client(server)
    client.send(Frame.get(1))
    #expect(client.answer(1).status == 200)
    server.pass(.seconds(50))
    client.send(Frame.ping)
    #expect(client.count(.ping, flags: Frame.acknowledge) == 1 && !client.isEnded)
    server.pass(.seconds(11))
    #expect(client.goodbye == Code.none && client.lastStreams == [1] && client.isEnded)
  }

  @Test("a greeting or a head that stops half-way ends the connection in the time of a head", arguments: [0, 1, 2])
  func halfway(_ kind: Int) throws {
    let server = try SteppedServer()
    let client = try HTTP2Client(server, greets: false)
    switch kind {
    case 0: client.send(bytes: Frame.preface)
    case 1: client.send(bytes: Frame.greeting + Frame(kind: .headers, stream: 1, payload: Frame.get(1).payload).bytes)
    default: client.send(bytes: Frame.greeting + Array(Frame.get(1).bytes.dropLast(3)))
    }
    server.pass(.seconds(9))
    #expect(client.goodbye == nil && !client.isEnded)
    server.pass(.seconds(2))
    #expect(client.isEnded)
  }

  @Test("a body that comes too slowly is answered 408, the other streams go on")
  func slowBody() throws {
    let server = try SteppedServer { .text("\($0.body.count)") }
    let client = try HTTP2Client(server)
    client.send(Frame.headers(1, Frame.request("POST"), end: false))
    client.send(
      Frame.headers(3, Frame.request("POST"), end: false), Frame.data(3, [UInt8](repeating: 1, count: 15_000)))
    server.pass(.seconds(9))
    #expect(client.answer(1).status == nil)
    server.pass(.seconds(2))
    #expect(client.answer(1).status == 408 && client.answer(1).reset == Code.none)
    // 15 000 bytes at 1000 a second bought 15 seconds more.
    #expect(client.answer(3).status == nil)
    client.send(Frame.data(3, [1], end: true))
    #expect(client.answer(3).text == "15001")
  }

  @Test("an answer waits for room, and comes whole; one that is never taken is given up")
  func slowReader() throws {
    let text = String(repeating: "abcdefgh", count: 7_500)
    let server = try SteppedServer { _ in .text(text) }
    let client = try HTTP2Client(server)
    client.send(.initialWindow(32_000), Frame.get(1), Frame.get(3))
    #expect(client.answer(1).body.count + client.answer(3).body.count == 64_000)
    server.pass(.seconds(20))
    client.send(Frame.window(0, 1_000_000), Frame.window(1, 1_000_000))
    #expect(client.answer(1).text == text && client.answer(1).isEnded && client.answer(1).reset == nil)
    #expect(!client.answer(3).isEnded)
    server.pass(.seconds(11))
    #expect(client.answer(3).reset == Code.cancel && client.goodbye == nil)
  }

  @Test("a peer that takes no bytes at all is cut, and holds no more than its share meanwhile")
  func deafPeer() throws {
    let text = String(repeating: "abcdefgh", count: 50_000)
    let handled = Locked(0)
    let server = try SteppedServer { _ in
      handled.withLock { $0 += 1 }
      return .text(text)
    }
    let client = try HTTP2Client(server)
    client.send(Frame(kind: .settings, payload: [0, 4, 0x7F, 0xFF, 0xFF, 0xFF]), Frame.window(0, 0x7FFF_0000))
    client.send((0..<60).map { Frame.get($0 * 2 + 1) })
    server.pass(.seconds(31))
    #expect(client.send(Frame.ping) == false || client.isEnded)
    #expect(handled.withLock { $0 } <= 60)
  }
}

@Suite("HTTP/2 drains")
struct HTTP2DrainTests {
  @Test("what is in flight is answered, what comes before the peer knows is too, then the connection ends")
  func inFlight() throws {
    let gate = Gate()
    let server = try SteppedServer { request in
      if request.path == "/slow" { await gate.pass() }
      return .text(request.path)
    }
    let client = try HTTP2Client(server)
    client.send(Frame.get(1, "/slow"))
    server.drain(within: .seconds(10))
    #expect(client.lastStreams == [0x7FFF_FFFF] && client.goodbye == Code.none)
    // On its way when the server began to stop.
    client.send(Frame.get(3, "/late"))
    #expect(client.answer(3).text == "/late")
    client.send(Frame(kind: .ping, flags: Frame.acknowledge, payload: [UInt8](repeating: 0, count: 8)))
    #expect(client.lastStreams == [0x7FFF_FFFF, 3] && !client.isEnded)
    client.send(Frame.get(5, "/refused"))
    gate.open()
    server.settle()
    #expect(client.answer(1).text == "/slow" && client.answer(1).isEnded)
    #expect(client.answer(5).status == nil && client.isEnded)
    server.pass(.seconds(3))
    #expect(server.cutAnswers == 0)
  }

  @Test("an idle peer that says nothing is given its grace")
  func silent() throws {
    let server = try SteppedServer()
    let client = try HTTP2Client(server)
    server.drain(within: .seconds(10))
    server.pass(.milliseconds(500))
    #expect(!client.isEnded)
    server.pass(.milliseconds(1200))
    #expect(client.isEnded && client.lastStreams.last == 0)
    server.pass(.seconds(3))
    #expect(server.cutAnswers == 0)
  }

  @Test("an answer that does not come in time is cut, and counted")
  func cut() throws {
    let gate = Gate()
    let server = try SteppedServer { _ in
      await gate.pass()
      return .text("")
    }
    let client = try HTTP2Client(server)
    client.send(Frame.get(1), Frame.get(3))
    server.drain(within: .seconds(10))
    server.pass(.seconds(11))
    #expect(server.cutAnswers == 1 && client.isEnded)
    gate.open()
    server.settle()
  }
}
