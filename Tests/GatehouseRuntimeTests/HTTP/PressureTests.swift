import Glibc
import Testing

@testable import GatehouseRuntime

private let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

/// The usual limits, changed.
private func limits(_ change: (inout HTTPLimits) -> Void) -> HTTPLimits {
  var limits = HTTPLimits()
  change(&limits)
  return limits
}

@Suite("Deadlines, caps and slow peers")
struct PressureTests {
  @Test(
    "a request that does not become whole in time is answered 408 and closed",
    arguments: [
      "GET / HT", "GET / HTTP/1.1\r\nHost: x\r\n", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabc",
    ])
  func slowRequest(_ text: String) async throws {
    let short = limits {
      $0.head = .milliseconds(20)
      $0.body = .milliseconds(20)
    }
    try await withServer(limits: short) { running in
      let client = try running.client()
      client.send(text)
      #expect(try client.receive().status == 408)
      #expect(try client.receiveToEnd() == "")
    }
  }

  @Test("the deadline for the head is absolute: a byte now and then does not move it")
  func trickle() async throws {
    try await withServer(limits: limits { $0.head = .milliseconds(40) }) { running in
      let client = try running.client()
      client.send("GET / HTTP/1.1\r\nHost: x\r\nX: ")
      var poller = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
      var sent = 0
      // Waits for the answer 2 ms at a time, and sends a byte each time it has not come.
      while sent < 5000, poll(&poller, 1, 2) == 0 {
        client.send("a")
        sent += 1
      }
      #expect(sent > 2 && sent < 5000)
      #expect(try client.receive().status == 408)
    }
  }

  @Test("a body must come at its minimum rate, whatever its absolute deadline")
  func bodyRate() async throws {
    let short = limits {
      $0.bodyGrace = .milliseconds(40)
      $0.bodyRate = 1000
    }
    try await withServer(limits: short) { running in
      let client = try running.client()
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n")
      var poller = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
      var sent = 0
      // One byte in 2 ms at most: half the rate, and far from the 30 s of the absolute deadline.
      while sent < 5000, poll(&poller, 1, 2) == 0 {
        client.send("a")
        sent += 1
      }
      #expect(sent > 2 && sent < 5000)
      #expect(try client.receive().status == 408)
    }
  }

  @Test("a body at its rate lives beyond the grace")
  func bodyAtRate() async throws {
    let short = limits {
      $0.bodyGrace = .milliseconds(20)
      $0.bodyRate = 1
    }
    try await withServer(limits: short) { running in
      let client = try running.client()
      // Each byte buys a second: the rest may come long after the grace.
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 61\r\n\r\n" + String(repeating: "a", count: 60))
      var poller = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
      #expect(poll(&poller, 1, 100) == 0)
      client.send("a")
      #expect(try client.receive().body == "POST / 61")
    }
  }

  @Test("a connection that says nothing, or nothing more, is closed without an answer", arguments: [false, true])
  func idle(afterRequest: Bool) async throws {
    let short = limits {
      if afterRequest { $0.idle = .milliseconds(20) } else { $0.head = .milliseconds(20) }
    }
    try await withServer(limits: short) { running in
      let client = try running.client()
      if afterRequest {
        client.send(request)
        #expect(try client.receive().status == 200)
      }
      #expect(try client.receiveToEnd() == "")
    }
  }

  @Test("while a handler works no deadline of the peer runs")
  func busy() async throws {
    let short = limits {
      $0.head = .milliseconds(5)
      $0.idle = .milliseconds(5)
      $0.body = .milliseconds(5)
    }
    let handler: Handler = { _ in
      for _ in 0..<8 { try? await Loop.current?.sleep(for: .milliseconds(5)) }
      return .text("done")
    }
    try await withServer(limits: short, handler: handler) { running in
      let client = try running.client()
      client.send(request)
      #expect(try client.receive().body == "done")
    }
  }

  @Test("a peer that does not take its answer is cut after the write deadline")
  func writeDeadline() async throws {
    let large = [UInt8](repeating: 0x61, count: 32 << 20)
    try await withServer(limits: limits { $0.write = .milliseconds(30) }, handler: { _ in .json(large) }) { running in
      let client = try running.client(receiveBuffer: 4096)
      client.send(request)
      var poller = pollfd(fd: client.descriptor, events: 0, revents: 0)
      #expect(poll(&poller, 1, 10_000) == 1)
      #expect(poller.revents & Int16(POLLERR | POLLHUP) != 0)
    }
  }

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
  func cap() async throws {
    let counts = HTTPServerTests.Counts()
    try await withServer(limits: limits { $0.connections = 2 }, observer: counts) { running in
      let kept = [try running.client(), try running.client()]
      for client in kept {
        client.send(request)
        #expect(try client.receive().status == 200)
      }
      let extra = try running.client()
      let answer = try extra.receive()
      #expect(answer.status == 503 && answer.headers["retry-after"] == "1")
      #expect(try extra.receiveToEnd() == "")
      kept[0].finishWriting()
      #expect(try kept[0].receiveToEnd() == "")
      let next = try running.client()
      next.send(request)
      #expect(try next.receive().status == 200)
    }
    #expect(counts.seen.withLock { $0 }.count { $0 == "turned away" } == 1)
  }

  @Test("beyond the cap of its address a connection is closed at once, on whatever loop, and a closed one makes room")
  func capPerAddress() async throws {
    let counts = HTTPServerTests.Counts()
    let few = limits { $0.connectionsPerAddress = 2 }
    try await withServer(loops: 2, limits: few, observer: counts) { running in
      let kept = [try running.client(), try running.client()]
      for client in kept {
        client.send(request)
        #expect(try client.receive().status == 200)
      }
      for _ in 0..<4 { #expect(try running.client().receiveToEnd() == "") }
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

  @Test("addresses are counted by IPv4 address and by /64, and no entry is kept for who left")
  func networks() throws {
    let counts = AddressCounts(limit: 1)
    let first = try #require(PeerAddress("2001:db8::1", port: 1))
    #expect(counts.enter(first))
    #expect(!counts.enter(try #require(PeerAddress("2001:db8::2", port: 2))))
    #expect(counts.enter(try #require(PeerAddress("2001:db8:0:1::2"))))
    #expect(counts.enter(try #require(PeerAddress("192.0.2.1"))))
    #expect(!counts.enter(try #require(PeerAddress("::ffff:192.0.2.1"))))
    counts.leave(first)
    #expect(counts.enter(first))
  }

  @Test("a long pipeline does not keep others waiting: its requests are started a few in a turn")
  func fairness() async throws {
    let order = Locked<[String]>([])
    let handler: Handler = { request in
      order.withLock { $0.append(request.path) }
      return .text("")
    }
    let gate = Gate()
    let held: Handler = { request in
      if request.path == "/first" { await gate.pass() }
      return await handler(request)
    }
    try await withServer(limits: limits { $0.requestsPerTurn = 4 }, handler: held) { running in
      let greedy = try running.client()
      let other = try running.client()
      // Both pipelines lie in the server's buffers before either goes on.
      greedy.send(request.replacing(" / ", with: " /first ") + String(repeating: request, count: 400))
      await gate.reached()
      let descriptor = other.descriptor
      let bytes = Array(request.replacing(" / ", with: " /other ").utf8)
      // On the loop: it can not look at its sockets before both have something to do.
      running.loops.loops[0].execute {
        _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
        gate.open()
      }
      #expect(try other.receive().status == 200)
      for _ in 0..<401 { #expect(try greedy.receive().status == 200) }
      let seen = order.withLock { $0 }
      let place = try #require(seen.firstIndex(of: "/other"))
      #expect(place < 200, "served after \(place) others")
    }
  }
}

@Suite("A drain loses no answer")
struct DrainTests {
  @Test("idle connections close, what is in flight is answered with close, nobody new gets in")
  func drain() async throws {
    let gate = Gate()
    let handler: Handler = { request in
      if request.path == "/slow" { await gate.pass() }
      return .text(request.path)
    }
    try await withServer(limits: limits { $0.drainGrace = .milliseconds(20) }, handler: handler) { running in
      let idle = try running.client()
      idle.send(request)
      #expect(try idle.receive().headers["connection"] == nil)
      let busy = try running.client()
      busy.send(request.replacing(" / ", with: " /slow "))
      await gate.reached()
      // On the loop, so that a test blocked on its socket can not keep the drain from running.
      let drain = Task(executorPreference: running.loops.loops[0]) { await running.server.drain(within: .seconds(10)) }
      #expect(try idle.receiveToEnd() == "")
      // Each loop closes its own listener when it comes to it; the bound is far beyond that.
      var isClosed = false
      for _ in 0..<10_000 where !isClosed {
        isClosed = (try? running.client()) == nil
        await Task.yield()
      }
      #expect(isClosed)
      gate.open()
      let answer = try busy.receive()
      #expect(answer.body == "/slow" && answer.headers["connection"] == "close")
      #expect(try busy.receiveToEnd() == "")
      busy.finishWriting()
      idle.finishWriting()
      #expect(await drain.value == 0)
    }
  }

  @Test("a request that an idle connection sends while a drain begins is answered, with close")
  func lateRequest() async throws {
    try await withServer { running in
      let client = try running.client()
      client.send(request)
      #expect(try client.receive().headers["connection"] == nil)
      let loop = running.loops.loops[0]
      let drain = Task(executorPreference: loop) { await running.server.drain(within: .seconds(10)) }
      var isClosed = false
      for _ in 0..<10_000 where !isClosed {
        isClosed = (try? running.client()) == nil
        await Task.yield()
      }
      client.send(request)
      #expect(try client.receive().headers["connection"] == "close")
      client.finishWriting()
      #expect(try client.receiveToEnd() == "")
      #expect(await drain.value == 0)
    }
  }

  @Test("what is still in flight at the end is cut and counted, and its late answer does no harm")
  func cut() async throws {
    let gate = Gate()
    let handler: Handler = { _ in
      await gate.pass()
      return .text("late")
    }
    try await withServer(handler: handler) { running in
      let clients = [try running.client(), try running.client()]
      for client in clients { client.send(request) }
      await gate.reached()
      let drain = Task(executorPreference: running.loops.loops[0]) {
        await running.server.drain(within: .milliseconds(10))
      }
      for client in clients { #expect(try client.receiveToEnd() == "") }
      let cut = await drain.value
      #expect(cut >= 1 && cut <= 2)
      gate.open()
    }
  }

  @Test("a second drain has nothing to do")
  func twice() async throws {
    try await withServer(loops: 2) { running in
      #expect(await running.server.drain(within: .seconds(10)) == 0)
      #expect(await running.server.drain(within: .seconds(10)) == 0)
    }
  }
}
