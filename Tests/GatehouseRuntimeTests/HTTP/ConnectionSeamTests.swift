import Glibc
import Testing

@testable import GatehouseRuntime

/// A transport as encryption makes them: the first read waits for a write, and the first write waits for a read.
private final class AwkwardTransport: Transport {
  private let plain: PlainTransport
  private var reads = 0
  private var writes = 0

  private let blocked: Gate

  init(_ descriptor: Int32, blocked: Gate) {
    plain = PlainTransport(descriptor)
    self.blocked = blocked
  }

  var descriptor: Int32 { plain.descriptor }
  var isSecure: Bool { true }
  var hasBufferedInput: Bool { false }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> TransportResult {
    reads += 1
    return reads == 1 ? .blocked(.write) : plain.read(into: buffer)
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> TransportResult {
    writes += 1
    if writes == 1 {
      blocked.open()
      return .blocked(.read)
    }
    // One byte at a time: whatever takes little is asked again.
    return plain.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(1)))
  }

  func finishWriting() { plain.finishWriting() }
  func close(abruptly: Bool) { plain.close(abruptly: abruptly) }
}

@Suite("The connection serves any transport")
struct ConnectionSeamTests {
  @Test("a read that waits for a write and a write that waits for a read come through")
  func crosswise() async throws {
    let handler: Handler = { .text("\($0.isSecure)") }
    try await withServer(handler: handler) { running in
      var ends: [Int32] = [-1, -1]
      #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
      let served = ends[0]
      #expect(fcntl(served, F_SETFL, O_NONBLOCK) == 0)
      let loop = running.loops.loops[0]
      let shard = ServerShard(
        loop: loop, listener: -1, capacity: 1, limits: HTTPLimits(), observer: nil,
        handlers: Handlers(handler: handler))
      let blocked = Gate()
      loop.execute { shard.adopt(AwkwardTransport(served, blocked: blocked), peer: .unix) }
      let client = RawClient(connected: ends[1])
      client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      await blocked.pass()
      // The answer waits for something to read, as it would for a handshake message.
      client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      let first = try client.receive()
      #expect(first.body == "true")
      #expect(try client.receive().headers["connection"] == "close")
      #expect(try client.receiveToEnd() == "")
    }
  }
}

@Suite("The Date field")
struct DateCacheTests {
  @Test(
    "dates are those of RFC 9110",
    arguments: [(784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT")])
  func dates(_ moment: Int, _ text: String) {
    var dates = DateCache()
    #expect(String(decoding: dates.at(moment), as: UTF8.self) == text)
    #expect(String(decoding: dates.at(moment + 1), as: UTF8.self) != text)
  }
}

@Suite("Header fields")
struct HeadersTests {
  @Test("names are found in any case, repeated fields one by one")
  func lookUp() {
    var headers = Headers([("X-One", "1"), ("two", "2"), ("TWO", "3")])
    #expect(headers["x-oNE"] == "1" && headers.single("x-one") == "1")
    #expect(headers.values(of: "Two") == ["2", "3"] && headers["two"] == "2" && headers.single("two") == nil)
    #expect(headers["x-on"] == nil && !headers.contains("x-onee"))
    headers.set("Two", "4")
    #expect(headers.values(of: "two") == ["4"] && headers.count == 2)
    headers.remove("X-ONE")
    #expect(headers.pairs.map(\.name) == ["two"])
  }

  @Test("a request made by hand is like a received one")
  func request() throws {
    let headers = Headers([("Host", "x"), ("A", "b")])
    let request = try #require(Request(method: .get, target: "/a%20b?c", headers: headers))
    #expect(request.path == "/a%20b" && request.query == "c" && request.rawTarget == "/a%20b?c")
    #expect(request.host == "x" && request.headers["a"] == "b")
    for target in ["/a b", "*", "a", ""] { #expect(Request(method: .get, target: target) == nil) }
  }
}
