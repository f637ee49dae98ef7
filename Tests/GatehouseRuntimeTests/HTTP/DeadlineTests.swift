import Glibc
import Testing

@testable import GatehouseRuntime

private let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
private let post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n"

@Suite("Deadlines, by a clock that the test moves")
struct DeadlineTests {
  @Test(
    "a head that is not whole ten seconds after its first byte is answered 408 and closed",
    arguments: ["G", "GET / HT", "GET / HTTP/1.1\r\nHost: x\r\n", "\r\n", "GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n\r"])
  func head(_ text: String) throws {
    let server = try SteppedServer()
    let client = try server.connect()
    server.pass(.seconds(5))
    client.send(text)
    server.pass(.seconds(9.5))
    #expect(client.isQuiet)
    server.pass(.seconds(1))
    #expect(client.statuses() == [408] && client.isEnded)
  }

  @Test("the deadlines of many connections are looked at in parts, and none is passed over")
  func parts() throws {
    let counts = HTTPServerTests.Counts()
    func closed() -> Int { counts.seen.withLock { $0.count { $0 == "closed" } } }
    let server = try SteppedServer(observer: counts)
    let crowd = 3 * ServerShard.usualPart
    // Two of three say nothing for ten seconds; some of those leave by themselves. The others wait for their next
    // request.
    var clients = try (0..<crowd).map { _ in try server.connect() }
    for place in stride(from: 0, to: crowd, by: 3) { clients[place].send(request) }
    server.pass(.seconds(5))
    clients.removeLast(6)
    server.pass(.seconds(4.9))
    #expect(closed() == 6)
    // They see the end of the stream now, and their connections are closed two seconds later.
    let end = server.clock.now + .seconds(2.5)
    var most = 0
    while true {
      let before = closed()
      guard server.loop.onThisThread({ server.clock.fireNext(until: end) }) else { break }
      server.settle(turns: 4)
      most = max(most, closed() - before)
    }
    #expect(closed() == 6 + (crowd - 6) / 3 * 2)
    #expect(most > 0 && most <= ServerShard.usualPart)
    for place in stride(from: 0, to: crowd - 6, by: 3) { #expect(clients[place].statuses() == [200]) }
  }

  @Test("a head that became whole just in time is answered, and its connection goes on")
  func justInTime() throws {
    let server = try SteppedServer()
    let client = try server.connect()
    client.send("GET / HTTP/1.1\r\nHost: x\r\n")
    server.pass(.seconds(9.9))
    // It is read and answered in the turn in which its time ends; the answer is not written yet.
    #expect(Glibc.send(client.descriptor, "\r\n", 2, Int32(MSG_NOSIGNAL)) == 2)
    server.turn()
    let end = server.clock.now + .seconds(0.5)
    while server.loop.onThisThread({ server.clock.fireNext(until: end) }) {}
    server.settle()
    #expect(client.statuses() == [200] && !client.isEnded)
    client.send(request)
    #expect(client.statuses() == [200] && !client.isEnded)
  }

  @Test("the deadline for the head is absolute: a byte now and then does not move it")
  func trickle() throws {
    let server = try SteppedServer()
    let client = try server.connect()
    client.send("GET / HTTP/1.1\r\nHost: x\r\nX: ")
    for _ in 0..<19 {
      server.pass(.seconds(0.5))
      client.send("a")
    }
    #expect(client.isQuiet)
    server.pass(.seconds(1))
    #expect(client.statuses() == [408])
  }

  @Test("the second request of a connection has its own ten seconds for the head")
  func secondHead() throws {
    let server = try SteppedServer()
    let client = try server.connect()
    client.send(request)
    server.pass(.seconds(50))
    #expect(client.statuses() == [200])
    client.send("GET")
    server.pass(.seconds(9.5))
    #expect(client.isQuiet)
    server.pass(.seconds(1))
    #expect(client.statuses() == [408] && client.isEnded)
  }

  @Test(
    "a body of which nothing more comes is answered 408 after the grace",
    arguments: ["", "abc"], ["Content-Length: 5\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n5\r\n"])
  func silentBody(_ bytes: String, _ framing: String) throws {
    let server = try SteppedServer()
    let client = try server.connect()
    client.send("POST / HTTP/1.1\r\nHost: x\r\n" + framing + bytes)
    server.pass(.seconds(9.5))
    #expect(client.isQuiet)
    server.pass(.seconds(1))
    #expect(client.statuses() == [408] && client.isEnded)
  }

  @Test("half the minimum rate earns a body half its time again")
  func slowBody() throws {
    let server = try SteppedServer()
    let client = try server.connect()
    client.send(post)
    for _ in 0..<19 {
      client.send([UInt8](repeating: 0x61, count: 500))
      server.pass(.seconds(1))
      #expect(client.isQuiet)
    }
    server.pass(.seconds(2))
    #expect(client.statuses() == [408] && client.isEnded)
  }

  @Test("a body at its minimum rate lives beyond the grace, and still ends at thirty seconds")
  func absoluteBody() throws {
    let server = try SteppedServer()
    let client = try server.connect()
    client.send(post)
    for _ in 0..<29 {
      client.send([UInt8](repeating: 0x61, count: 1100))
      server.pass(.seconds(1))
      #expect(client.isQuiet)
    }
    client.send([UInt8](repeating: 0x61, count: 1100))
    server.pass(.seconds(1.5))
    #expect(client.statuses() == [408] && client.isEnded)
  }

  @Test("a body that is whole in time is served, whatever the rate was then")
  func wholeBody() throws {
    let server = try SteppedServer()
    let client = try server.connect()
    client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na")
    server.pass(.seconds(9))
    client.send("b")
    server.pass(.seconds(9))
    #expect(client.received().hasSuffix("POST / 2"))
  }

  @Test("a client that is told to continue and sends nothing is answered 408")
  func expectation() throws {
    let server = try SteppedServer()
    let client = try server.connect()
    client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
    #expect(client.statuses() == [100])
    server.pass(.seconds(9.5))
    #expect(client.isQuiet)
    server.pass(.seconds(1))
    #expect(client.statuses() == [408] && client.isEnded)
  }

  @Test("a connection that says nothing is closed without an answer after the time of a head")
  func silent() throws {
    let server = try SteppedServer()
    let client = try server.connect()
    server.pass(.seconds(9.5))
    #expect(client.isQuiet)
    server.pass(.seconds(1))
    #expect(client.received() == "" && client.isEnded)
  }

  @Test("a connection that says nothing more is closed without an answer after the idle time")
  func idle() throws {
    let server = try SteppedServer()
    let client = try server.connect()
    for _ in 0..<3 {
      client.send(request)
      #expect(client.statuses() == [200])
      server.pass(.seconds(59))
      #expect(client.isQuiet)
    }
    server.pass(.seconds(2))
    #expect(client.received() == "" && client.isEnded)
  }

  @Test("while a handler works no deadline of the peer runs")
  func busy() throws {
    let gate = Gate()
    let handler: Handler = { _ in
      await gate.pass()
      return .text("done")
    }
    let server = try SteppedServer(handler: handler)
    let client = try server.connect()
    client.send(request)
    server.pass(.seconds(600))
    #expect(client.isQuiet)
    gate.open()
    server.settle()
    #expect(client.statuses() == [200] && !client.isEnded)
  }

  @Test(
    "a peer that does not take all of its answer is cut after the time for a write, however often it takes a little")
  func write() throws {
    let large = [UInt8](repeating: 0x61, count: 32 << 20)
    let server = try SteppedServer(handler: { _ in .json(large) })
    let client = try server.connect()
    client.send(request)
    for _ in 0..<29 {
      server.pass(.seconds(1))
      // Large pieces: the system counts a piece in a unix socket as taken once it is read to its end.
      #expect(client.received(atMost: 100_000).utf8.count == 100_000)
    }
    server.pass(.seconds(2))
    #expect(client.received().utf8.count < large.count && client.isEnded)
  }

  @Test("an answer taken in time is whole")
  func writtenInTime() throws {
    // Less than half of what may be unsent is left when the system has its share.
    let large = [UInt8](repeating: 0x61, count: 250_000)
    let server = try SteppedServer(handler: { _ in .json(large) })
    let client = try server.connect()
    client.send(request)
    server.pass(.seconds(29))
    #expect(client.received().utf8.count > large.count && !client.isEnded)
    server.pass(.seconds(30))
    #expect(client.isQuiet)
  }

  @Test("after a refusal input is thrown away for two seconds, no longer and no more of it than the bound")
  func linger() throws {
    let server = try SteppedServer()
    let slow = try server.connect()
    slow.send("bad\r\n\r\n")
    #expect(slow.statuses() == [400] && slow.isEnded)
    server.pass(.seconds(1))
    #expect(slow.send("more"))
    server.pass(.seconds(1.5))
    #expect(!slow.send("more"))
    let fast = try server.connect()
    fast.send("bad\r\n\r\n")
    #expect(!fast.send([UInt8](repeating: 0x61, count: 900_000)))
  }

  @Test("a proxy's header that is not whole in ten seconds ends the connection", arguments: [0, 1, 20])
  func proxyHeader(_ count: Int) throws {
    let counts = HTTPServerTests.Counts()
    let trust = ProxyTrust(.proxyV2) { _ in true }
    let server = try SteppedServer(proxies: trust, observer: counts)
    let client = try server.connect(peer: try #require(PeerAddress("192.0.2.1")))
    client.send(Array(ProxyBytes.header(family: 0x11, block: ProxyBytes.four).prefix(count)))
    server.pass(.seconds(9.9))
    #expect(client.isQuiet)
    server.pass(.seconds(0.2))
    #expect(client.received() == "" && client.isEnded)
    #expect(counts.seen.withLock { $0 } == ["bad proxy header"])
  }
}

@Suite("A clock moved by hand")
struct ManualClockTests {
  @Test("timers fire in the order of their time, those of one time as they were armed, a cancelled one never")
  func order() {
    let clock = ManualClock()
    let loop = Loop(name: "stepped", clock: clock)
    var fired: [Int] = []
    let start = clock.now
    loop.onThisThread {
      loop.after(.seconds(3)) { fired.append(3) }
      loop.after(.seconds(1)) {
        fired.append(1)
        loop.after(.seconds(1)) { fired.append(22) }
      }
      loop.after(.seconds(2)) { fired.append(2) }
      loop.after(.seconds(2)) { fired.append(-1) }.cancel()
      loop.after(.seconds(-5)) { fired.append(0) }
      while clock.fireNext(until: start + .seconds(2.5)) {}
    }
    #expect(fired == [0, 1, 2, 22])
    #expect(clock.now == start + .seconds(2.5) && loop.now == clock.now)
  }
}
