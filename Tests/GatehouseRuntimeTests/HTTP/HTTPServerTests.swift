import Glibc
import Testing

@testable import GatehouseRuntime

private func get(_ target: String, _ fields: String = "", method: String = "GET", version: String = "1.1") -> String {
  "\(method) \(target) HTTP/\(version)\r\nHost: x\r\n\(fields)\r\n"
}

@Suite("The server answers in order and keeps its connections")
struct HTTPServerTests {
  @Test("one connection serves many requests, each with length and date")
  func keepAlive() async throws {
    try await withServer { running in
      let client = try running.client()
      for index in 0..<20 {
        client.send(get("/\(index)"))
        let answer = try client.receive()
        #expect(answer.status == 200 && answer.body == "GET /\(index) 0")
        #expect(answer.headers["connection"] == nil)
        #expect(answer.headers["content-length"] == "\(answer.body.utf8.count)")
        #expect(answer.headers["date"]?.hasSuffix(" GMT") == true)
      }
    }
  }

  @Test("pipelined requests are answered in their order, also when handlers suspend")
  func pipelining() async throws {
    let handler: Handler = { request in
      for _ in 0..<(request.rawTarget.utf8.count % 4) { await Task.yield() }
      return .text(request.path)
    }
    try await withServer(handler: handler) { running in
      let client = try running.client()
      let targets = (0..<500).map { "/\(String(repeating: "a", count: $0 % 7))\($0)" }
      client.send(targets.map { get($0) }.joined())
      for target in targets { #expect(try client.receive().body == target) }
    }
  }

  @Test("HEAD tells the length and sends no body")
  func head() async throws {
    try await withServer { running in
      let client = try running.client()
      client.send(get("/a", method: "HEAD") + get("/b"))
      let first = try client.receive(body: false)
      #expect(first.headers["content-length"] == "\("HEAD /a 0".utf8.count)")
      #expect(try client.receive().body == "GET /b 0")
    }
  }

  @Test("TRACE and CONNECT reach the handler, whose business they are", arguments: ["TRACE /", "CONNECT x:1"])
  func oddMethods(_ line: String) async throws {
    let handler: Handler = { request in
      [.trace, .connect].contains(request.method) ? .text("", status: 405) : .text("")
    }
    try await withServer(handler: handler) { running in
      let client = try running.client()
      client.send("\(line) HTTP/1.1\r\nHost: x:1\r\n\r\n")
      #expect(try client.receive().status == 405)
    }
  }

  @Test("HTTP/1.0 closes unless asked to keep")
  func oldVersion() async throws {
    try await withServer { running in
      let client = try running.client()
      client.send(get("/a", "Connection: keep-alive\r\n", version: "1.0"))
      #expect(try client.receive().headers["connection"] == "keep-alive")
      client.send(get("/b", version: "1.0"))
      #expect(try client.receive().headers["connection"] == "close")
      #expect(try client.receiveToEnd() == "")
    }
  }

  @Test("Connection: close closes after the answer", arguments: [true, false])
  func close(byPeer: Bool) async throws {
    let handler: Handler = { _ in
      Response(status: 200, headers: byPeer ? Headers() : Headers([("Connection", "Close")]))
    }
    try await withServer(handler: handler) { running in
      let client = try running.client()
      client.send(get("/", byPeer ? "Connection: close\r\n" : "") + get("/never"))
      #expect(try client.receive().headers["connection"] == "close")
      #expect(try client.receiveToEnd() == "")
    }
  }

  @Test("a peer that ends its side early still gets its answers")
  func halfClosed() async throws {
    let gate = Gate()
    let handler: Handler = { request in
      if request.path == "/slow" { await gate.pass() }
      return .text(request.path)
    }
    try await withServer(handler: handler) { running in
      let client = try running.client()
      client.send(get("/slow") + get("/after"))
      client.finishWriting()
      await gate.reached()
      gate.open()
      #expect(try client.receive().body == "/slow")
      #expect(try client.receive().body == "/after")
      #expect(try client.receiveToEnd() == "")
    }
  }

  @Test("100 Continue is sent once, before the body, and only when awaited")
  func expectContinue() async throws {
    try await withServer { running in
      let client = try running.client()
      let fields = "Expect: 100-continue\r\nContent-Length: 3\r\n"
      client.send(get("/", fields, method: "POST"))
      #expect(try client.receive().status == 100)
      client.send("ab")
      client.send("c")
      #expect(try client.receive().body == "POST / 3")
      client.send(get("/", fields, method: "POST") + "abc")
      #expect(try client.receive().status == 200)
      client.send(get("/", "Expect: 100-continue\r\nContent-Length: 0\r\n", method: "POST"))
      #expect(try client.receive().status == 200)
    }
  }

  @Test(
    "no client is told to send a body that is not wanted",
    arguments: [
      ("Expect: 100-continue\r\nContent-Length: 65537\r\n", 413), ("Expect: 200-ok\r\nContent-Length: 3\r\n", 417),
      ("Expect: 100-continue, more\r\nContent-Length: 3\r\n", 417),
      ("Expect: 100-continue\r\nTransfer-Encoding: gzip\r\n", 501),
      ("Expect: 100-continue\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n", 400),
    ])
  func expectUnwanted(_ fields: String, _ status: Int) async throws {
    try await withServer { running in
      let client = try running.client()
      client.send(get("/", fields, method: "POST"))
      let answer = try client.receive()
      #expect(answer.status == status && answer.headers["connection"] == "close")
      #expect(try client.receiveToEnd() == "")
    }
  }

  @Test("a handler's framing fields are ignored, its line ends harmless, its odd status a 500")
  func hostileResponse() async throws {
    let handler: Handler = { _ in
      let fields = [
        ("Content-Length", "99"), ("Transfer-Encoding", "chunked"), ("Date", "never"), ("X", "a\r\nY: b\n\0c"),
      ]
      return Response(status: 99, headers: Headers(fields), body: Array("body".utf8))
    }
    try await withServer(handler: handler) { running in
      let client = try running.client()
      client.send(get("/"))
      let answer = try client.receive()
      #expect(answer.status == 500 && answer.body == "body")
      #expect(answer.headers["transfer-encoding"] == nil && answer.headers["date"] != "never")
      #expect(answer.headers["x"] == "a  Y: b  c" && answer.headers["y"] == nil)
    }
  }

  @Test("an answer tells the request's name, which never ends its line")
  func requestID() async throws {
    let handler: Handler = { request in
      var response = Response(status: 200, headers: Headers([("a", "1"), ("date", request.path)]), body: [0x78])
      response.requestID = request.path == "/" ? nil : "name\r\ny: b"
      return response
    }
    try await withServer(handler: handler) { running in
      let client = try running.client()
      client.send(get("/named") + get("/"))
      let (named, unnamed) = (try client.receive(), try client.receive())
      #expect(named.headers["x-request-id"] == "name  y: b" && named.headers["y"] == nil)
      #expect(named.headers["a"] == "1" && named.headers["date"] != "/named" && named.body == "x")
      #expect(unnamed.headers["x-request-id"] == nil && unnamed.body == "x")
    }
  }

  @Test("204 and 304 have neither body nor length", arguments: [204, 304])
  func bodiless(_ status: Int) async throws {
    try await withServer(handler: { _ in .text("x", status: status) }) { running in
      let client = try running.client()
      client.send(get("/a") + get("/b"))
      for _ in 0..<2 { #expect(try client.receive().headers["content-length"] == nil) }
    }
  }

  @Test("a handler stays on the loop of its connection, whichever thread resumes it")
  func executor() async throws {
    let foreign = LoopGroup(count: 1)
    foreign.start()
    let handler: Handler = { _ in
      guard let loop = Loop.current else { return .text("nowhere") }
      await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
        foreign.loops[0].execute { continuation.resume() }
      }
      let back = loop.isCurrent
      try? await loop.sleep(for: .microseconds(10))
      async let child = loop.isCurrent
      let inChild = await child
      return .text("\(back) \(loop.isCurrent) \(inChild)")
    }
    try await withServer(loops: 2, handler: handler) { running in
      let client = try running.client()
      client.send(get("/"))
      #expect(try client.receive().body == "true true true")
    }
    try foreign.stop()
  }

  @Test("the request tells who sent it, its host, path and query apart")
  func request() async throws {
    let handler: Handler = { request in
      let peer = request.peer.address
      return .text("\(peer) \(request.host ?? "") \(request.path) \(request.query ?? "-") \(request.isSecure)")
    }
    try await withServer(handler: handler) { running in
      let client = try running.client()
      client.send(get("/p%20q?a=b?c") + get("http://X/r"))
      #expect(try client.receive().body == "127.0.0.1 x /p%20q a=b?c false")
      #expect(try client.receive().body == "127.0.0.1 x /r - false")
    }
  }

  @Test("an observer counts connections and refusals")
  func observer() async throws {
    let counts = Counts()
    try await withServer(observer: counts) { running in
      let client = try running.client()
      client.send(get("/a") + get("/b") + "bad\r\n")
      #expect(try client.receiveToEnd().contains("HTTP/1.1 400 Bad Request\r\n"))
    }
    #expect(counts.seen.withLock { $0 } == ["opened", "refused 400", "closed"])
  }

  final class Counts: HTTPObserver {
    let seen = Locked<[String]>([])
    private func note(_ what: String) { seen.withLock { $0.append(what) } }
    func connectionOpened() { note("opened") }
    func connectionClosed() { note("closed") }
    func connectionTurnedAway() { note("turned away") }
    func connectionCrowdedOut() { note("crowded out") }
    func connectionNotTrusted() { note("not trusted") }
    func connectionEnded(_ why: ConnectionEnd) { note("ended \(why.rawValue)") }
    func proxyHeaderRefused() { note("bad proxy header") }
    func refused(status: Int) { note("refused \(status)") }
  }
}
