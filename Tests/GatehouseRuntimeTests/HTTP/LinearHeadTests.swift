import GatehouseTesting
import Testing

@testable import GatehouseRuntime

/// A head costs as many comparisons as it has fields, and has no more of them than the limit.
@Suite("Comparisons of names: heads and cookies", .enabled(if: Comparisons.areNoted))
struct LinearHeadTests {
  private static let limits = HTTPLimits()
  /// What the server looks up in a head.
  private static let asked = [
    "host", "authorization", "content-type", "origin", "sec-fetch-site", "accept-language", "user-agent",
    "x-request-id",
    "idempotency-key", "if-none-match",
  ]

  private static func lookUp(_ headers: Headers) {
    for name in asked { _ = (headers.single(name), headers[name], headers.contains(name)) }
    _ = Cookies(headers.values(of: "cookie"))["session"]
  }

  private static func parse(_ fields: Int) throws -> Headers? {
    let lines = (1..<fields).map { "X-Name-\($0): v\r\n" }.joined()
    var parser = RequestParser(limits: limits)
    Array("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n".utf8).withUnsafeBufferPointer { parser.append($0) }
    guard case .request(let request) = parser.next() else { return nil }
    return request.head.headers
  }

  @Test("T125 an HTTP/1.1 head is read and asked with comparisons in proportion to its fields, which are at most 64")
  func http1() throws {
    func count(_ fields: Int) throws -> Int {
      try Comparisons.count { Self.lookUp(try #require(try Self.parse(fields))) }
    }
    let (once, fourTimes) = (try count(16), try count(64))
    #expect(Comparisons.areLinear(once, fourTimes), "\(once), \(fourTimes)")
    #expect(try Self.parse(65) == nil, "beyond the limit")
  }

  private static func head(_ fields: Int) -> HTTP2Head.Parsed? {
    var head = HTTP2Head(limits: limits)
    let pairs =
      [(":method", "GET"), (":path", "/"), (":scheme", "https"), (":authority", "a")]
      + (0..<fields).map { ("x-name-\($0)", "v") }
    for (name, value) in pairs {
      Array(name.utf8).withUnsafeBufferPointer { name in
        Array(value.utf8).withUnsafeBufferPointer { head.add(name: name, value: $0) }
      }
    }
    return head.finish()
  }

  @Test("T125 an HTTP/2 head is read and asked with comparisons in proportion to its fields, which are at most 64")
  func http2() throws {
    func count(_ fields: Int) throws -> Int {
      try Comparisons.count { Self.lookUp(try #require(Self.head(fields)).head.headers) }
    }
    let (once, fourTimes) = (try count(16), try count(64))
    #expect(Comparisons.areLinear(once, fourTimes), "\(once), \(fourTimes)")
    #expect(Self.head(65) == nil, "beyond the limit")
  }

  @Test("T125 a cookie is found with comparisons in proportion to the cookies, in one field and in several")
  func cookies() {
    func count(_ cookies: Int, fields: Int) -> Int {
      let line = (0..<cookies).map { "n\($0)=v" }.joined(separator: "; ")
      let brought = Cookies(Array(repeating: line, count: fields))
      return Comparisons.count { #expect(brought["n\(cookies - 1)"] == "v") }
    }
    #expect(Comparisons.areLinear(count(500, fields: 1), count(2000, fields: 1)))
    #expect(Comparisons.areLinear(count(50, fields: 10), count(50, fields: 40)))
  }
}
