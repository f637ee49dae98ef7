import GatehouseTesting
import Testing

@testable import GatehouseRuntime

/// Says back what it understood.
private let echo: Handler = { request in
  let fields = request.headers.pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
  return .text("\(request.method) \(request.path) \(request.query ?? "-") \(fields) \(request.body.count)")
}

@Suite("HTTP/2 is answered like HTTP/1.1")
struct HTTP2Tests {
  @Test("requests on many streams are answered, each on its own")
  func streams() throws {
    let server = try SteppedServer(handler: echo)
    let client = try HTTP2Client(server)
    client.send((0..<50).map { Frame.get(UInt32($0 * 2 + 1), "/\($0)?q") })
    for index in 0..<50 {
      let answer = client.answer(UInt32(index * 2 + 1))
      #expect(answer.status == 200 && answer.isEnded && answer.reset == nil)
      #expect(answer.text == "GET /\(index) q host=x 0")
      #expect(answer.fields["content-length"] == "\(answer.body.count)")
      #expect(answer.fields["date"]?.hasSuffix(" GMT") == true)
      #expect(answer.fields["content-type"] == "text/plain; charset=utf-8")
    }
    #expect(!client.isEnded && client.goodbye == nil)
  }

  @Test("a request is understood in whatever pieces its bytes come")
  func pieces() throws {
    let server = try SteppedServer(handler: echo)
    let bytes = Frame.greeting + Frame.headers(1, Frame.request("POST", "/a"), end: false).bytes
    let all = bytes + Frame.data(1, [1, 2]).bytes + Frame.data(1, [3], end: true).bytes
    for step in [1, 2, 7, 24, 25, 1000] {
      let client = try HTTP2Client(server, greets: false)
      for start in stride(from: 0, to: all.count, by: step) {
        client.send(bytes: Array(all[start..<min(start + step, all.count)]))
      }
      #expect(client.answer(1).text == "POST /a - host=x 3", "\(step)")
    }
  }

  @Test("an answer tells the request's name, with a body and without")
  func requestID() throws {
    let server = try SteppedServer { request in
      var response: Response = request.path == "/empty" ? .noContent : .text("four")
      response.requestID = request.path == "/unnamed" ? nil : "name\r\nb"
      return response
    }
    let client = try HTTP2Client(server)
    client.send(Frame.get(1, "/full"), Frame.get(3, "/empty"), Frame.get(5, "/unnamed"))
    #expect(client.answer(1).fields["x-request-id"] == "name  b" && client.answer(1).fields["content-length"] == "4")
    #expect(client.answer(3).fields["x-request-id"] == "name  b" && client.answer(3).fields["content-length"] == nil)
    #expect(client.answer(5).fields["x-request-id"] == nil && client.answer(5).fields["content-length"] == "4")
  }

  @Test("HEAD and answers without a body end with their fields")
  func withoutBody() throws {
    let server = try SteppedServer { request in
      switch request.path {
      case "/204": .noContent
      case "/304": Response(status: 304)
      case "/close": Response(status: 200, headers: Headers([("connection", "close"), ("x", "y")]))
      default: .text("four")
      }
    }
    let client = try HTTP2Client(server)
    client.send(Frame.headers(1, Frame.request("HEAD")), Frame.get(3, "/204"), Frame.get(5, "/304"))
    #expect(client.answer(1).fields["content-length"] == "4" && client.answer(1).isEnded)
    #expect(client.count(.data) == 0)
    for stream: UInt32 in [3, 5] {
      #expect(client.answer(stream).isEnded && client.answer(stream).fields["content-length"] == nil)
    }
    client.send(Frame.get(7, "/close"))
    // There is no such field here: the connection says goodbye instead, and ends.
    #expect(client.answer(7).fields["x"] == "y" && client.answer(7).fields["connection"] == nil)
    #expect(client.goodbye == Code.none && client.lastStreams == [7] && client.isEnded)
  }

  @Test("methods and targets reach the handler as in HTTP/1.1")
  func methods() throws {
    let server = try SteppedServer { .text("\($0.method) \($0.rawTarget)") }
    let client = try HTTP2Client(server)
    client.send(Frame.headers(1, Frame.request("OPTIONS", "*")), Frame.headers(3, Frame.request("PURGE", "/%41?")))
    client.send(Frame.headers(5, [(":method", "CONNECT"), (":authority", "x:1")]))
    #expect(client.answer(1).text == "OPTIONS *")
    #expect(client.answer(3).text == "PURGE /%41?")
    #expect(client.answer(5).text == "CONNECT x:1")
  }

  @Test("crumbs of a cookie are one field, a host said twice is there once, whichever way it came")
  func joined() throws {
    let server = try SteppedServer(handler: echo)
    let client = try HTTP2Client(server)
    client.send(Frame.get(1, "/", [("cookie", "a=b"), ("x", "1"), ("cookie", "c=d"), ("cookie", "e=f")]))
    client.send(Frame.get(3, "/", [("host", "X")]))
    client.send(Frame.headers(5, [(":method", "GET"), (":scheme", "http"), (":path", "/"), ("host", "y:1")]))
    #expect(client.answer(1).text == "GET / - host=x|x=1|cookie=a=b; c=d; e=f 0")
    #expect(client.answer(3).text == "GET / - host=x 0")
    #expect(client.answer(5).text == "GET / - host=y:1 0")
  }

  @Test("a body of the largest size is taken, one byte more is answered 413 and its rest is not wanted")
  func bodies() throws {
    let server = try SteppedServer { .text("\($0.body.count)") }
    let client = try HTTP2Client(server)
    func post(_ stream: UInt32, _ size: Int, declared: Bool) {
      let length = declared ? [("content-length", "\(size)")] : []
      client.send(Frame.headers(stream, Frame.request("POST") + length, end: false))
      var rest = size
      while rest > 0, client.answer(stream).status == nil {
        let count = min(rest, 16_384)
        rest -= count
        client.send(Frame.data(stream, [UInt8](repeating: 65, count: count), end: rest == 0))
      }
    }
    post(1, 65_536, declared: true)
    #expect(client.answer(1).text == "65536")
    post(3, 65_537, declared: true)
    #expect(client.answer(3).status == 413 && client.answer(3).isEnded && client.answer(3).reset == Code.none)
    post(5, 65_537, declared: false)
    #expect(client.answer(5).status == 413)
    post(7, 10_000, declared: false)
    #expect(client.answer(7).text == "10000")
  }

  @Test("a client that waits for 100 Continue gets it, and its answer")
  func expectContinue() throws {
    let server = try SteppedServer { .text("\($0.body.count)") }
    let client = try HTTP2Client(server)
    client.send(Frame.headers(1, Frame.request("POST") + [("expect", "100-continue")], end: false))
    #expect(client.answer(1).interim == ["100"] && client.answer(1).status == nil)
    client.send(Frame.data(1, [1], end: true))
    #expect(client.answer(1).status == 200 && client.answer(1).text == "1")
  }

  @Test("a peer that will send no more still gets its answers; what is not whole by then is nothing")
  func halfClosed() throws {
    let gate = Gate()
    let server = try SteppedServer { request in
      if request.path == "/slow" { await gate.pass() }
      return .text(request.path)
    }
    let client = try HTTP2Client(server)
    client.send(Frame.get(1, "/slow"), Frame.headers(3, Frame.request("POST", "/half"), end: false))
    client.finishWriting()
    #expect(!client.isEnded)
    gate.open()
    server.settle()
    #expect(client.answer(1).text == "/slow" && client.answer(3).status == nil && client.isEnded)
    let idle = try HTTP2Client(server)
    idle.send(Frame.headers(1, Frame.request("POST", "/half"), end: false))
    idle.finishWriting()
    #expect(idle.isEnded)
  }

  @Test("without a preface it is HTTP/1.1, whatever it resembles")
  func notHTTP2() throws {
    let server = try SteppedServer(handler: echo)
    for (text, status) in [("POST / HTTP/1.1\r\nHost: x\r\n\r\n", 200), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\rX", 505)] {
      let client = try server.connect()
      for byte in text.utf8 { client.send([byte]) }
      #expect(client.statuses() == [status])
    }
    let stalled = try server.connect()
    stalled.send("PRI * HT")
    server.pass(.seconds(11))
    #expect(stalled.statuses() == [408])
  }
}

/// A head that must be refused, and how.
struct MalformedHead: Sendable, CustomTestStringConvertible {
  let name: String
  let fields: [(String, String)]
  /// Nil where the stream is reset before an answer.
  let status: Int?

  init(_ status: Int?, _ name: String, _ fields: [(String, String)]) {
    self.name = name
    self.fields = fields
    self.status = status
  }

  var testDescription: String { name }

  private static func get(_ fields: (String, String)...) -> [(String, String)] { Frame.request("GET") + fields }
  private static func path(_ path: String, _ method: String = "GET") -> [(String, String)] {
    Frame.request(method, path)
  }
  private static func without(_ name: String) -> [(String, String)] { Frame.request("GET").filter { $0.0 != name } }
  private static func with(_ name: String, _ value: String) -> [(String, String)] {
    Frame.request("GET").map { $0.0 == name ? (name, value) : $0 }
  }

  static let all: [MalformedHead] = pseudo + targets + fields + limits

  private static let pseudo: [MalformedHead] = [
    .init(nil, "no method", without(":method")),
    .init(nil, "no scheme", without(":scheme")),
    .init(nil, "no path", without(":path")),
    .init(nil, "no authority and no host", without(":authority")),
    .init(nil, "an unknown pseudo-field", Frame.request("GET") + [(":x", "y")]),
    .init(nil, "a pseudo-field of answers", Frame.request("GET") + [(":status", "200")]),
    .init(nil, "two methods", Frame.request("GET") + [(":method", "GET")]),
    .init(nil, "two paths", Frame.request("GET") + [(":path", "/")]),
    .init(nil, "two authorities", Frame.request("GET") + [(":authority", "x")]),
    .init(nil, "a pseudo-field after a field", [("a", "b")] + Frame.request("GET")),
    .init(nil, "an empty path", with(":path", "")),
    .init(nil, "a method with a space", with(":method", "GE T")),
    .init(400, "a method of 33 bytes", with(":method", String(repeating: "A", count: 33))),
    .init(400, "another scheme", with(":scheme", "ftp")),
    .init(400, "a list of authorities", with(":authority", "a,b")),
    .init(400, "user information in the authority", with(":authority", "u@x")),
    .init(400, "another host than the authority", get(("host", "y"))),
    .init(nil, "an empty host beside the authority", get(("host", ""))),
    .init(nil, "two hosts without an authority", without(":authority") + [("host", "x"), ("host", "x")]),
    .init(nil, "a path for CONNECT", [(":method", "CONNECT"), (":authority", "x"), (":path", "/")]),
  ]

  private static let targets: [MalformedHead] = [
    .init(nil, "a path without a slash", path("a")),
    .init(nil, "an asterisk for GET", path("*")),
    .init(nil, "a whole URL as the path", path("http://x/")),
    .init(400, "a fragment", path("/a#b")),
    .init(400, "a backslash", path("/a\\b")),
    .init(400, "half an escape", path("/a%2")),
    .init(400, "a broken escape in the query", path("/?a=%zz")),
    .init(414, "a path of 8193 bytes", path("/" + String(repeating: "a", count: 8192))),
  ]

  private static let fields: [MalformedHead] = [
    .init(nil, "connection", get(("connection", "close"))),
    .init(nil, "keep-alive", get(("keep-alive", "x"))),
    .init(nil, "proxy-connection", get(("proxy-connection", "x"))),
    .init(nil, "transfer-encoding", get(("transfer-encoding", "chunked"))),
    .init(nil, "upgrade", get(("upgrade", "h2c"))),
    .init(nil, "te of anything but trailers", get(("te", "gzip"))),
    .init(nil, "an upper-case name", get(("X-a", "b"))),
    .init(400, "a name with a space", get(("a b", "c"))),
    .init(400, "a name with a colon", get(("a:b", "c"))),
    .init(400, "an empty name", get(("", "c"))),
    .init(400, "a line's end in a value", get(("a", "b\r\nc: d"))),
    .init(400, "a bare LF in a value", get(("a", "b\nc"))),
    .init(400, "NUL in a value", get(("a", "b\u{0}c"))),
    .init(400, "DEL in a value", get(("a", "b\u{7f}c"))),
    .init(400, "a space before a value", get(("a", " b"))),
    .init(400, "a tab after a value", get(("a", "b\t"))),
    .init(417, "an unknown expectation", get(("expect", "the-unexpected"))),
    .init(nil, "two lengths", get(("content-length", "0"), ("content-length", "0"))),
    .init(nil, "a list of lengths", get(("content-length", "0, 0"))),
    .init(nil, "a negative length", get(("content-length", "-1"))),
    .init(nil, "a length with a plus", get(("content-length", "+0"))),
    .init(nil, "a hexadecimal length", get(("content-length", "0x0"))),
    .init(nil, "an empty length", get(("content-length", ""))),
    .init(nil, "a length and no body", get(("content-length", "5"))),
    .init(nil, "a length beyond every integer", get(("content-length", "99999999999999999999"))),
  ]

  private static let limits: [MalformedHead] = [
    .init(431, "65 fields", get() + (0..<65).map { _ in ("a", "b") }),
    .init(431, "a field of 16 KiB", get(("a", String(repeating: "b", count: 16_300)))),
  ]
}

@Suite("Malformed requests of HTTP/2")
struct HTTP2MalformedTests {
  @Test("each is refused alone; no handler sees it, and the connection goes on", arguments: MalformedHead.all)
  func refused(_ head: MalformedHead) throws {
    let seen = Locked(0)
    let server = try SteppedServer { request in
      if request.path != "/good" { seen.withLock { $0 += 1 } }
      return .text("good")
    }
    let client = try HTTP2Client(server)
    client.send(blocks(1, head.fields))
    let answer = client.answer(1)
    #expect(answer.status == head.status)
    #expect(head.status == nil ? answer.reset == Code.protocol : answer.isEnded)
    client.send(Frame.get(3, "/good"))
    #expect(client.answer(3).text == "good")
    #expect(seen.withLock { $0 } == 0)
  }

  /// A head in as many frames as it needs.
  private func blocks(_ stream: UInt32, _ fields: [(String, String)]) -> [Frame] {
    var whole = Frame.headers(stream, fields)
    guard whole.payload.count > 16_384 else { return [whole] }
    let rest = Array(whole.payload[16_384...])
    whole.payload.removeSubrange(16_384...)
    whole.flags = Frame.endStream
    return [whole, Frame(kind: .continuation, flags: Frame.endHeaders, stream: stream, payload: rest)]
  }

  @Test(
    "a body that is not as long as it says is never handed on", arguments: [(3, [2]), (3, [4]), (3, [2, 2]), (0, [1])])
  func lengthMismatch(_ declared: Int, _ pieces: [Int]) throws {
    let seen = Locked(0)
    let server = try SteppedServer { _ in
      seen.withLock { $0 += 1 }
      return .noContent
    }
    let client = try HTTP2Client(server)
    client.send(Frame.headers(1, Frame.request("POST") + [("content-length", "\(declared)")], end: false))
    for (index, count) in pieces.enumerated() {
      client.send(Frame.data(1, [UInt8](repeating: 1, count: count), end: index == pieces.count - 1))
    }
    #expect(client.answer(1).reset == Code.protocol && seen.withLock { $0 } == 0)
  }

  @Test("trailers are refused")
  func trailers() throws {
    let server = try SteppedServer { _ in .text("never") }
    let client = try HTTP2Client(server)
    client.send(Frame.headers(1, Frame.request("POST"), end: false), Frame.data(1, [1]))
    client.send(Frame.headers(1, [("x", "y")]))
    #expect(client.answer(1).status == 400)
  }

  @Test(
    "what breaks the protocol ends the connection",
    arguments: [
      Frame(kind: .headers, flags: 5, stream: 2, payload: []).bytes, Frame.data(1, [1]).bytes,
      Frame(kind: .settings, payload: [1]).bytes, Frame(kind: .ping, payload: [1]).bytes,
      Frame(kind: .pushPromise, flags: 4, stream: 1, payload: [0, 0, 0, 2]).bytes, Frame.window(0, 0).bytes,
      Frame(kind: .continuation, flags: 4, stream: 1).bytes, [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1],
      Frame(kind: .headers, flags: 5, stream: 1, payload: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]).bytes,
      Frame.window(0, 0x7FFF_FFFF).bytes, Frame(kind: .settings, payload: [0, 4, 0xFF, 0xFF, 0xFF, 0xFF]).bytes,
    ])
  func broken(_ bytes: [UInt8]) throws {
    let server = try SteppedServer()
    let client = try HTTP2Client(server)
    client.send(bytes: bytes)
    client.send(Frame.get(5))
    #expect(client.goodbye.map { $0 != Code.none } == true)
    #expect(client.isEnded && client.answer(5).status == nil)
  }

  @Test("a preface that something else follows ends the connection")
  func brokenGreeting() throws {
    let server = try SteppedServer()
    let client = try HTTP2Client(server, greets: false)
    client.send(bytes: Frame.preface + Frame.get(1).bytes)
    #expect(client.answer(1).status == nil && client.isEnded)
  }

  @Test("heads are judged as in HTTP/1.1, and mean the same")
  func sameVerdict() {
    var random = SeededGenerator()
    let names = ["host", "cookie", "x", "expect", "content-length", "a-b", "y"]
    let values = ["x", "X", "a=b", "100-continue", "0", "00", "1", "70000", "a b", "", "\u{e9}", "a\u{1}", "\t"]
    for _ in 0..<5000 {
      let method = ["GET", "POST", "G T", "PU\u{7f}"].randomElement(using: &random) ?? ""
      let path = "/" + (["", "a?b", "%41", "%4", "a b", "#", "\u{e9}"].randomElement(using: &random) ?? "")
      let fields = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        (names.randomElement(using: &random) ?? "", values.randomElement(using: &random) ?? "")
      }.filter { $0.1 != "\t" && $0.0 != "cookie" || $0.0 == "cookie" && $0.1 == "a=b" }
      var seen = Set<String>()
      // Crumbs and a host said twice are the two things HTTP/2 forgives.
      let single = fields.filter { !["cookie", "host"].contains($0.0) || seen.insert($0.0).inserted }
        .filter { $0.0 != "host" }
      var head = HTTP2Head(limits: HTTPLimits())
      for (name, value) in Frame.request(method, path) + single {
        Array(name.utf8).withUnsafeBufferPointer { name in
          Array(value.utf8).withUnsafeBufferPointer { head.add(name: name, value: $0) }
        }
      }
      let parsed = head.finish()
      var parser = RequestParser(limits: HTTPLimits())
      let lines = single.map { "\($0.0): \($0.1)\r\n" }.joined()
      let body = String(repeating: "b", count: 1)
      Array("\(method) \(path) HTTP/1.1\r\nhost: x\r\n\(lines)\r\n\(body)".utf8).withUnsafeBufferPointer {
        parser.append($0)
      }
      switch parser.next() {
      case .refused(let status):
        #expect(head.refusal == status, "seed \(SeededGenerator.seed): \(method) \(path) \(single)")
      case .more: Issue.record("seed \(SeededGenerator.seed): \(single)")
      case .request(let one):
        let sorted = one.head.headers.pairs.map { "\($0.name)=\($0.value)" }.sorted()
        #expect(
          parsed?.head.headers.pairs.map { "\($0.name)=\($0.value)" }.sorted() == sorted, "seed \(SeededGenerator.seed)"
        )
        #expect(parsed.map { "\($0.head.method)" } == "\(one.head.method)")
        #expect(
          parsed.map { Array($0.head.headers.bytes[$0.head.target.whole]) }
            == Array(one.head.headers.bytes[one.head.target.whole]))
      }
    }
  }
}
