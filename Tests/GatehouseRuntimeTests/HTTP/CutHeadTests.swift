import Testing

@testable import GatehouseRuntime

@Suite("What was read of a head that is too large")
struct CutHeadTests {
  private func cut(_ text: String, pieces: Int = 1) -> CutHead {
    var parser = RequestParser(limits: HTTPLimits())
    let bytes = Array(text.utf8)
    let size = max(1, bytes.count / pieces)
    for start in stride(from: 0, to: bytes.count, by: size) {
      bytes[start..<min(start + size, bytes.count)].withUnsafeBufferPointer { parser.append($0) }
      if case .refused(let status) = parser.next() {
        #expect(status == 431)
        break
      }
    }
    return parser.cutHead
  }

  private let start = "GET /t/one/ui/sign-in?a=b HTTP/1.1\r\nHost: a\r\nAccept-Language: es\r\n"

  @Test("T198 the target, the fields and the beginning of the last one are there", arguments: [1, 7, 1_000])
  func value(_ pieces: Int) {
    let head = cut(start + "Cookie: one=1; two=" + String(repeating: "x", count: 20_000), pieces: pieces)
    #expect(head.target == "/t/one/ui/sign-in?a=b" && head.headers["accept-language"] == "es")
    #expect(head.headers["cookie"]?.hasPrefix("one=1; two=xxx") == true)
  }

  @Test("T198 too many fields are cut between two of them")
  func fields() {
    let head = cut(start + "Cookie: one=1\r\n" + String(repeating: "X: b\r\n", count: 80))
    #expect(head.headers["cookie"] == "one=1" && head.headers["x"] == "b")
  }

  @Test("T198 nothing is made up where the cut comes before it", arguments: ["N", "Name"])
  func early(_ name: String) {
    let head = cut(start + String(repeating: name, count: 20_000))
    #expect(head.target == "/t/one/ui/sign-in?a=b" && head.headers.count == 2)
  }

  @Test("T198 nothing is left of a request before it, whatever the bounds are")
  func small() {
    var limits = HTTPLimits()
    limits.headBytes = 60
    var parser = RequestParser(limits: limits)
    for text in ["GET /a/long/target HTTP/1.1\r\nHost: a\r\n\r\n", "GET /" + String(repeating: "x", count: 80)] {
      Array(text.utf8).withUnsafeBufferPointer { parser.append($0) }
      _ = parser.next()
    }
    #expect(parser.cutHead.target.isEmpty && parser.cutHead.headers.count == 0)
  }
}
