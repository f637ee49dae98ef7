import GatehouseTesting
import Testing

@testable import GatehouseRuntime

/// What a stream of bytes amounts to.
struct Verdict: Equatable {
  var requests: [String] = []
  var refused: Int?

  /// Feeds `pieces` one after the other, asking for requests after each.
  init(_ pieces: [ArraySlice<UInt8>], limits: HTTPLimits = HTTPLimits()) {
    var parser = RequestParser(limits: limits)
    for piece in pieces where refused == nil {
      Array(piece).withUnsafeBufferPointer { parser.append($0) }
      asking: while true {
        switch parser.next() {
        case .more: break asking
        case .refused(let status):
          refused = status
          break asking
        case .request(let parsed): requests.append(Self.summary(parsed))
        }
      }
    }
  }

  static func summary(_ parsed: RequestParser.Parsed) -> String {
    let bytes = parsed.head.headers.bytes
    let target = String(decoding: bytes[parsed.head.target.whole], as: UTF8.self)
    let path = String(decoding: bytes[parsed.head.target.path], as: UTF8.self)
    let fields = parsed.head.headers.pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
    return "\(parsed.head.method) \(target) \(path) \(fields) \(parsed.keepsAlive) \(parsed.body)"
  }
}

@Suite("Requests are parsed strictly, however their bytes arrive")
struct RequestParserTests {
  @Test("a malformed request is refused with its status", arguments: MalformedRequest.all)
  func malformed(_ request: MalformedRequest) {
    let verdict = Verdict([request.bytes[...]])
    #expect(verdict.refused == request.status)
    #expect(verdict.requests.isEmpty)
  }

  @Test("a malformed request is refused alike in every split", arguments: MalformedRequest.all)
  func malformedInPieces(_ request: MalformedRequest) {
    let bytes = request.bytes
    let step = bytes.count > 1000 ? 997 : 1
    for cut in stride(from: 0, through: bytes.count, by: step) {
      let verdict = Verdict([bytes[..<cut], bytes[cut...]])
      #expect(verdict.refused == request.status && verdict.requests.isEmpty, "cut at \(cut)")
    }
    let single = Verdict(bytes.indices.map { bytes[$0...$0] })
    #expect(single.refused == request.status && single.requests.isEmpty)
  }

  @Test(
    "a well-formed request is understood",
    arguments: [
      ("GET /a/b?c=d HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a/b?c=d /a/b host=x true []"),
      ("\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", "GET / / host=x true []"),
      ("GET / HTTP/1.0\r\n\r\n", "GET / /  false []"),
      ("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "GET / / connection=Keep-Alive true []"),
      ("GET / HTTP/1.1\r\nHost: x\r\nConnection: a, CLOSE\r\n\r\n", "GET / / host=x|connection=a, CLOSE false []"),
      ("GET /? HTTP/1.1\r\nhost:\t x \t\r\nX-Y:\r\n\r\n", "GET /? / host=x|x-y= true []"),
      ("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "OPTIONS * * host=x true []"),
      ("GET HTTP://X:1/p?q HTTP/1.1\r\nHost: x:1\r\n\r\n", "GET HTTP://X:1/p?q /p host=x:1 true []"),
      ("CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n", "CONNECT x:443 x:443 host=x:443 true []"),
      ("TRACE /%41 HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", "TRACE /%41 /%41 host=[::1]:80 true []"),
      ("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab", "PUT / / host=x|content-length=2 true [97, 98]"),
      ("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", "PUT / / host=x|content-length=0 true []"),
      (
        "M / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n1\r\na\r\n00002\r\nbc\r\n0\r\n\r\n",
        "M / / host=x|transfer-encoding=Chunked true [97, 98, 99]"
      ),
    ])
  func wellFormed(_ text: String, _ summary: String) {
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      let verdict = Verdict([bytes[..<cut], bytes[cut...]])
      #expect(verdict.refused == nil && verdict.requests == [summary], "cut at \(cut)")
    }
  }

  @Test("a head that comes again means the same again, and one that differs in any byte does not")
  func again() {
    let head = "POST /a?b HTTP/1.1\r\nHost: x\r\nX: y\r\nContent-Length: 2\r\n\r\n"
    let summary = "POST /a?b /a host=x|x=y|content-length=2 true "
    let thrice = Array("\(head)ab\(head)cd\(head)ef".utf8)
    for cut in 0...thrice.count {
      let verdict = Verdict([thrice[..<cut], thrice[cut...]])
      #expect(verdict.requests == ["[97, 98]", "[99, 100]", "[101, 102]"].map { summary + $0 }, "cut at \(cut)")
      #expect(verdict.refused == nil)
    }
    // By itself and behind the other one, a head that differs is understood alike.
    let bytes = Array(head.utf8)
    for place in bytes.indices {
      var other = bytes
      other[place] = other[place] == UInt8(ascii: "1") ? UInt8(ascii: "0") : UInt8(ascii: "1")
      other += Array("cd".utf8)
      let (alone, behind) = (Verdict([other[...]]), Verdict([(bytes + Array("ab".utf8) + other)[...]]))
      #expect(
        behind.refused == alone.refused && behind.requests.dropFirst().elementsEqual(alone.requests), "at \(place)")
    }
  }

  @Test("a request exactly at a limit is accepted")
  func atTheLimits() {
    let target = "GET /\(String(repeating: "a", count: 8191)) HTTP/1.1\r\nHost: a\r\n\r\n"
    #expect(Verdict([Array(target.utf8)[...]]).requests.count == 1)
    let fields = "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: b\r\n", count: 63))\r\n"
    #expect(Verdict([Array(fields.utf8)[...]]).requests.count == 1)
    let start = "GET / HTTP/1.1\r\nHost: a\r\nX: "
    let head = start + String(repeating: "a", count: 16_384 - start.utf8.count - 4) + "\r\n\r\n"
    #expect(Verdict([Array(head.utf8)[...]]).requests.count == 1)
    #expect(Verdict([Array(head.replacing("X: ", with: "X: a").utf8)[...]]).refused == 431)
    let body = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 65536\r\n\r\n" + String(repeating: "a", count: 65_536)
    #expect(Verdict([Array(body.utf8)[...]]).requests.count == 1)
  }

  @Test("random requests in a row survive random splits")
  func randomSplits() {
    var random = SeededGenerator()
    for _ in 0..<200 {
      let expected = (0..<Int.random(in: 1...4, using: &random)).map { _ in RandomRequest(using: &random) }
      let bytes = expected.flatMap(\.bytes)
      var pieces: [ArraySlice<UInt8>] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...min(rest.count, 60), using: &random)
        pieces.append(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      let verdict = Verdict(pieces)
      #expect(verdict.refused == nil && verdict.requests == expected.map(\.summary), "seed \(SeededGenerator.seed)")
    }
  }

  @Test("random bytes never crash the parser, and any split of them gives the same verdict")
  func randomBytes() {
    var random = SeededGenerator()
    for _ in 0..<2000 {
      var bytes = RandomRequest(using: &random).bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
        let place = bytes.indices.randomElement(using: &random) ?? 0
        switch Int.random(in: 0...2, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(contentsOf: bytes[place...].prefix(8), at: place)
        }
      }
      let whole = Verdict([bytes[...]])
      let cut = Int.random(in: 0...bytes.count, using: &random)
      #expect(Verdict([bytes[..<cut], bytes[cut...]]) == whole, "seed \(SeededGenerator.seed)")
      #expect(Verdict(bytes.indices.map { bytes[$0...$0] }) == whole, "seed \(SeededGenerator.seed)")
    }
  }

  @Test("100 Continue is due once, and only while the body has not come")
  func expectContinue() {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n"
    #expect(Self.continues(after: head) == [true, false])
    #expect(Self.continues(after: head + "a") == [false, false])
    #expect(Self.continues(after: head.replacing("1.1", with: "1.0")) == [false, false])
    #expect(Self.continues(after: head.replacing("Length: 2", with: "Length: 0")) == [false, false])
    #expect(Self.continues(after: head + "ab" + head, requests: 1) == [true, false])
    #expect(Self.continues(after: head + "ab" + head + "c", requests: 1) == [false, false])
  }

  /// What is due after as many whole requests and what follows them.
  private static func continues(after text: String, requests: Int = 0) -> [Bool] {
    var parser = RequestParser(limits: HTTPLimits())
    Array(text.utf8).withUnsafeBufferPointer { parser.append($0) }
    for _ in 0..<requests { _ = parser.next() }
    _ = parser.next()
    return [parser.takeContinue(), parser.takeContinue()]
  }

  @Test("the byte classes are those of the RFCs")
  func byteClasses() {
    func members(_ set: ByteSet) -> String {
      String(decoding: (UInt8.min...UInt8.max).filter(set.contains), as: UTF8.self)
    }
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", digits = "0123456789"
    #expect(members(.token) == "!#$%&'*+-.\(digits)\(letters)^_`\(letters.lowercased())|~")
    #expect(members(.authority) == "-.\(digits):\(letters)[]_\(letters.lowercased())~")
    #expect(members(.hexadecimal) == "\(digits)ABCDEFabcdef")
    #expect(members(.target).count == 94 - 5 && !members(.target).contains { "\"#<>\\ ".contains($0) })
  }
}

/// A valid request and what the parser should make of it.
struct RandomRequest {
  let bytes: [UInt8]
  let summary: String

  init(using random: inout SeededGenerator) {
    let method = ["GET", "POST", "PURGE", "M-SEARCH"].randomElement(using: &random) ?? ""
    let path = "/" + Self.text("abcXYZ09-._~/:@!$&'()*+,;=|", 0...20, &random)
    let query =
      Bool.random(using: &random) ? "?" + Self.text("abc%41=&/?", 0...2, &random).replacing("%", with: "%2F") : ""
    var fields = [("Host", "h.example:80")]
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      let name = "X" + Self.text("abcDEF09-_~", 0...8, &random)
      fields.append((name, "v" + Self.text("ab \t;,=\"\\", 0...20, &random) + "v"))
    }
    var body: [UInt8] = []
    var encoded: [UInt8] = []
    switch Int.random(in: 0...2, using: &random) {
    case 0:
      body = (0..<Int.random(in: 0...300, using: &random)).map { _ in .random(in: 0...255, using: &random) }
      fields.append(("Content-Length", "\(body.count)"))
      encoded = body
    case 1:
      fields.append(("Transfer-Encoding", "chunked"))
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let chunk = (0..<Int.random(in: 1...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        body += chunk
        encoded += Array("\(String(chunk.count, radix: 16, uppercase: .random(using: &random)))\r\n".utf8) + chunk
        encoded += Array("\r\n".utf8)
      }
      encoded += Array("0\r\n\r\n".utf8)
    default: break
    }
    fields.shuffle(using: &random)
    let head = fields.map { "\($0.0): \($0.1)\r\n" }.joined()
    bytes = Array("\(method) \(path)\(query) HTTP/1.1\r\n\(head)\r\n".utf8) + encoded
    let pairs = fields.map { "\($0.0.lowercased())=\($0.1)" }.joined(separator: "|")
    summary = "\(method) \(path)\(query) \(path) \(pairs) true \(body)"
  }

  private static func text(_ alphabet: String, _ length: ClosedRange<Int>, _ random: inout SeededGenerator) -> String {
    String((0..<Int.random(in: length, using: &random)).compactMap { _ in alphabet.randomElement(using: &random) })
  }
}
