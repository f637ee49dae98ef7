import GatehousePrimitives
import GatehouseTesting
import Testing

@Suite("The place of a request in a trace")
struct TraceParentTests {
  private static let good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

  @Test("a field of version 00 is read and written as it came")
  func roundTrip() throws {
    let place = try #require(TraceParent(Self.good))
    #expect(place.field == Self.good && place.isSampled)
    #expect(place.traceID.text == "0af7651916cd43dd8448eb211c80319c" && place.spanID.text == "b7ad6b7169203331")
    let other = try #require(TraceParent("00-0000000000000000000000000000000a-0000000000000001-00"))
    #expect(other.field == "00-0000000000000000000000000000000a-0000000000000001-00" && !other.isSampled)
  }

  @Test(
    "of a later version the known parts are read, and of the flags the known one is handed on",
    arguments: [
      "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-comes-later",
      "fe-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-ff-",
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-ff",
    ])
  func later(_ field: String) { #expect(TraceParent(field)?.field == Self.good) }

  @Test(
    "a malformed field counts as if there were none",
    arguments: [
      "", "00", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-",
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
      "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01.more",
      "00-00000000000000000000000000000000-b7ad6b7169203331-01",
      "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
      "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0g",
      "0x-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      "00-0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331-01",
      " 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      "00-0af7651916cd43dd8448eb211c80319é-b7ad6b7169203331-01",
    ])
  func malformed(_ field: String) { #expect(TraceParent(field) == nil) }

  /// The grammar of the document once more, as a pattern.
  private func isGood(_ field: String) throws -> Bool {
    let pattern = /([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?/
    guard let match = try pattern.wholeMatch(in: field) else { return false }
    return match.1 != "ff" && (match.1 != "00" || match.5 == nil) && match.2.contains { $0 != "0" }
      && match.3.contains { $0 != "0" }
  }

  @Test("any change of a good field is read where the grammar has it, and nowhere else")
  func property() throws {
    var random = SeededGenerator()
    var read = 0
    for _ in 0..<20_000 {
      var bytes = Array(Self.good.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        let byte = "0123456789abcdefABG-f0 .".utf8.randomElement(using: &random) ?? 0x30
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes.insert(byte, at: index)
        case 1: bytes.remove(at: index)
        case 2: bytes.append(byte)
        default: bytes[index] = byte
        }
      }
      let field = String(decoding: bytes, as: UTF8.self)
      let place = TraceParent(field)
      #expect(try (place != nil) == isGood(field), "\(field)")
      if let place {
        read += 1
        #expect(TraceParent(place.field) == place)
      }
    }
    #expect(read > 1000)
  }
}

@Suite("The state of a trace")
struct TraceStateTests {
  @Test("members of all fields are handed on in their order, without the blanks around them")
  func order() {
    #expect(TraceState(["rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"])?.field == "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE")
    #expect(TraceState(["a=1 , \tb=2", "", " ,c=3,"])?.field == "a=1,b=2,c=3")
    #expect(TraceState(["0tenant@sys=x y", "a_-*/9= !+<>~"])?.field == "0tenant@sys=x y,a_-*/9= !+<>~")
  }

  @Test(
    "one malformed member spoils the whole",
    arguments: [
      "a", "=1", "a=", "A=1", "0a=1", "a b=1", "a=1=2", "a=\u{7F}", "a=é", "a=1,a=2", "@s=1", "t@=1", "t@0s=1",
      "t@s@s=1", "a= ", "a.b=1",
    ])
  func malformed(_ field: String) {
    #expect(TraceState([field]) == nil)
    #expect(TraceState(["good=1", field]) == nil)
  }

  @Test("no field and no member are no state")
  func none() {
    #expect(TraceState([]) == nil)
    #expect(TraceState([" ", ",,\t,"]) == nil)
  }

  @Test("keys, values and the number of members are bounded")
  func bounds() {
    func text(_ count: Int) -> String { String(repeating: "k", count: count) }
    #expect(TraceState(["\(text(256))=1"]) != nil && TraceState(["\(text(257))=1"]) == nil)
    #expect(TraceState(["\(text(241))@\(text(14))=1"]) != nil)
    #expect(TraceState(["\(text(242))@s=1"]) == nil && TraceState(["t@\(text(15))=1"]) == nil)
    #expect(TraceState(["k=\(text(256))"]) != nil && TraceState(["k=\(text(257))"]) == nil)
    let members = (0..<33).map { "k\($0)=1" }
    #expect(TraceState([members.dropLast().joined(separator: ",")]) != nil)
    #expect(TraceState([members.joined(separator: ",")]) == nil)
  }

  @Test("of more than 512 bytes long members are left out first, and then the last ones")
  func shortened() {
    let long = "long=" + String(repeating: "x", count: 200)
    let short = (0..<40).map { "k\($0)=123456789012" }
    #expect(TraceState([([long] + short.prefix(10)).joined(separator: ",")])?.field?.hasPrefix("long=") == true)
    let field = TraceState([([long] + short.prefix(31)).joined(separator: ",")])?.field ?? ""
    #expect(field.utf8.count <= 512 && field.utf8.count > 490 && field.hasPrefix("k0=") && !field.contains("k30="))
    let alone = (0..<3).map { "m\($0)=" + String(repeating: "x", count: 250) }.joined(separator: ",")
    #expect(
      TraceState([alone])?.field == "m0=" + String(repeating: "x", count: 250) + ",m1="
        + String(repeating: "x", count: 250))
  }
}

@Suite("The recording of traces")
struct TracerTests {
  private func tracer(_ share: Double, capacity: Int = 100) -> Tracer { Tracer(share: share, capacity: capacity) { 1 } }

  private func parent(sampled: Bool) -> TraceParent? {
    TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-\(sampled ? "01" : "00")")
  }

  @Test("a trusted caller decides whether its trace is recorded, and a stranger does not", arguments: [true, false])
  func trust(sampled: Bool) {
    let all = tracer(1), none = tracer(0)
    #expect((all.request(parent(sampled: sampled), nil, isTrusted: true).span != nil) == sampled)
    #expect((none.request(parent(sampled: sampled), nil, isTrusted: true).span != nil) == sampled)
    #expect(all.request(parent(sampled: sampled), nil, isTrusted: false).span != nil)
    #expect(none.request(parent(sampled: sampled), nil, isTrusted: false).span == nil)
    #expect(all.request(nil, nil, isTrusted: true).span != nil && none.request(nil, nil, isTrusted: true).span == nil)
  }

  @Test("a request stands below its caller, in its trace, and hands its own place on")
  func place() throws {
    let given = try #require(parent(sampled: false))
    let place = try #require(tracer(1).request(given, nil, isTrusted: false).context.parent)
    #expect(place.traceID == given.traceID && place.spanID != given.spanID && place.isSampled)
    let unrecorded = try #require(tracer(0).request(given, nil, isTrusted: false).context.parent)
    #expect(unrecorded.traceID == given.traceID && !unrecorded.isSampled)
  }

  @Test("spans below a request are recorded with it; those of a job where a message leaves")
  func below() {
    let tracer = tracer(1)
    let request = tracer.request(nil, nil, isTrusted: false)
    Trace.$current.withValue(request.context) { Trace.begin(.statement)?.end("SELECT account") }
    request.span?.end("GET /")
    let spans = tracer.next(atMost: 9)
    #expect(spans.map(\.name) == ["SELECT account", "GET /"])
    #expect(spans.first?.parent == spans.last?.spanID && spans.last?.parent == nil)
    Trace.$current.withValue(tracer.job) {
      #expect(Trace.begin(.statement) == nil && Trace.begin(.work) == nil && Trace.begin(.message) != nil)
    }
    #expect(Trace.begin(.message) == nil)
    Trace.$current.withValue(self.tracer(0).request(nil, nil, isTrusted: false).context) {
      #expect(Trace.begin(.statement) == nil)
    }
  }

  @Test("a full queue drops the newest spans and counts them")
  func bounded() {
    let tracer = tracer(1, capacity: 2)
    for name in ["a", "b", "c"] { tracer.request(nil, nil, isTrusted: false).span?.end(name) }
    #expect(tracer.counts == Tracer.Counts(exported: 0, dropped: 1, waiting: 2))
    #expect(tracer.next(atMost: 1).map(\.name) == ["a"])
    tracer.settle(1, isExported: true)
    #expect(tracer.next(atMost: 9).map(\.name) == ["b"])
    tracer.settle(1, isExported: false)
    #expect(tracer.counts == Tracer.Counts(exported: 1, dropped: 2, waiting: 0))
  }
}
