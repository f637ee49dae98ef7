import Foundation
import GatehousePrimitives
import GatehouseRuntime
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// A collector of traces: it keeps the bodies of OTLP requests.
private struct Collector {
  let url: String
  private let received: LockBox<[(headers: Headers, body: JSONValue)]>

  /// Runs a test with a collector that answers with this status.
  static func run(status: Int = 200, _ body: (Collector) async throws -> Void) async throws {
    let received = LockBox<[(headers: Headers, body: JSONValue)]>([])
    let loops = LoopGroup(count: 1)
    var limits = HTTPLimits()
    limits.bodyBytes = 1 << 20
    let server = try HTTPServer(loops: loops, address: .tcp(host: "127.0.0.1", port: 0), limits: limits) { request in
      if let json = try? JSONParser.parse(request.body) { received.withLock { $0.append((request.headers, json)) } }
      return Response(status: status)
    }
    loops.start()
    guard case .tcp(_, let port) = server.address else { throw CocoaError(.featureUnsupported) }
    do {
      try await body(Collector(url: "http://127.0.0.1:\(port)/v1/traces", received: received))
    } catch {
      _ = await server.drain(within: .zero)
      try loops.stop()
      throw error
    }
    _ = await server.drain(within: .zero)
    try loops.stop()
  }

  var requests: [(headers: Headers, body: JSONValue)] { received.withLock { $0 } }

  /// All spans so far.
  var spans: [JSONValue] {
    requests.flatMap { request in
      (request.body["resourceSpans"]?.array ?? []).flatMap { $0["scopeSpans"]?.array ?? [] }
        .flatMap { $0["spans"]?.array ?? [] }
    }
  }
}

extension JSONValue {
  /// The attributes of a span or a resource, as text.
  fileprivate var attributes: [String: String] {
    var found: [String: String] = [:]
    for attribute in self["attributes"]?.array ?? [] {
      guard let key = attribute["key"]?.string else { continue }
      found[key] = attribute["value"]?["stringValue"]?.string ?? attribute["value"]?["intValue"]?.string
    }
    return found
  }
}

@Suite("Traces")
struct TracesTests {
  private static let trace = "0af7651916cd43dd8448eb211c80319c"
  private static let parent = "00-\(trace)-b7ad6b7169203331-01"
  private static let path = "/t/dd-ride/v1/sign-up"
  private static let person =
    #"{"email":"canary@ksu.edu","password":"Wildcat1","profile":{"name":"Canary","phoneNumber":"(785) 555-0123"}}"#

  @Test("a request, its statements, its hash and its mail arrive at the collector, without a word of the person")
  func exported() async throws {
    try await Collector.run { collector in
      let environment = [
        "GATEHOUSE_TRACES_ENDPOINT": collector.url, "GATEHOUSE_TRACES_HEADERS": "api-key=s3cret,x-other=two words",
        "GATEHOUSE_TRACES_SERVICE_NAME": "gate",
      ]
      try await ServedApp.run(environment: environment) { server, _, app in
        let answer = try await TestClient(app.url).send(
          "POST", Self.path, Self.person, headers: ["traceparent": Self.parent, "tracestate": "rojo=1"])
        #expect(answer.status == 201)
        func spans(named name: String) -> [JSONValue] { collector.spans.filter { $0["name"]?.string == name } }
        let route = "POST /v1/sign-up"
        let hasArrived = try await eventually { !spans(named: route).isEmpty && !spans(named: "mail").isEmpty }
        #expect(hasArrived, "\(collector.spans.compactMap { $0["name"]?.string })")
        let request = try #require(spans(named: route).first)
        #expect(request["traceId"] == .string(Self.trace) && request["parentSpanId"] == .string("b7ad6b7169203331"))
        #expect(request["traceState"] == .string("rojo=1") && request["kind"] == .integer(2))
        #expect(
          request.attributes == [
            "http.request.method": "POST", "http.route": "/v1/sign-up", "http.response.status_code": "201",
            "gatehouse.tenant": "dd-ride",
          ])
        let start = try #require(request["startTimeUnixNano"]?.string.flatMap(UInt64.init))
        let end = try #require(request["endTimeUnixNano"]?.string.flatMap(UInt64.init))
        #expect(end > start)
        let below = collector.spans.filter { $0["parentSpanId"] == request["spanId"] }
        #expect(below.contains { $0["name"]?.string == "password.hash" })
        let statements = below.filter { $0.attributes["db.system.name"] == "postgresql" }
        #expect(statements.contains { $0.attributes["db.query.summary"]?.contains("INSERT account") == true })
        #expect(below.allSatisfy { $0["traceId"] == .string(Self.trace) })
        // A job sends the mail, in the trace of the request.
        let mail = try #require(spans(named: "mail").first)
        #expect(mail["traceId"] == .string(Self.trace) && mail["parentSpanId"] == request["spanId"])
        #expect(mail.attributes == ["gatehouse.tenant": "dd-ride"])

        let sent = try #require(collector.requests.first)
        #expect(sent.headers.single("api-key") == "s3cret" && sent.headers.single("x-other") == "two words")
        #expect(sent.headers.single("content-type") == "application/json")
        #expect(sent.headers.single("traceparent") == nil)
        let resource = sent.body["resourceSpans"]?.array?.first?["resource"]
        #expect(resource?.attributes["service.name"] == "gate")
        let all = collector.requests.map { String(decoding: $0.body.bytes, as: UTF8.self) }.joined()
        for word in ["anary", "ksu.edu", "Wildcat", "5550123"] { #expect(!all.contains(word), "\(word)") }
        let line = try JSONParser.parse(Array(try await server.line(with: Self.trace).utf8))
        #expect(line["trace_id"] == .string(Self.trace) && line["span_id"] == request["spanId"])
        let figures = try await TestClient(app.operations).get("/metrics").text
        #expect(figures.contains("gatehouse_trace_spans_dropped_total 0"))
      }
    }
  }

  @Test("without a collector the line of a request still has the caller's trace, and none where it is malformed")
  func line() async throws {
    try await ServedApp.run { server, _, app in
      let client = TestClient(app.url)
      _ = try await client.send("GET", "/nothing", nil, headers: ["traceparent": Self.parent])
      let line = try JSONParser.parse(Array(try await server.line(with: Self.trace).utf8))
      #expect(line["trace_id"] == .string(Self.trace) && line["span_id"] == .string("b7ad6b7169203331"))
      _ = try await client.send(
        "GET", "/nothing", nil, headers: ["traceparent": "00-1-2-3", "X-Request-Id": "malformed"])
      let other = try JSONParser.parse(Array(try await server.line(with: "malformed").utf8))
      #expect(other["trace_id"] == nil && other["span_id"] == nil)
    }
  }

  @Test("a collector that refuses slows no request: the log says so once, and the spans wait")
  func refused() async throws {
    try await Collector.run(status: 503) { collector in
      try await ServedApp.run(environment: ["GATEHOUSE_TRACES_ENDPOINT": collector.url]) { server, _, app in
        let client = TestClient(app.url)
        _ = try await client.get("/nothing")
        let line = try await server.line(with: "traces.not_exported")
        #expect(line.contains("the collector answered 503"))
        #expect(try await client.get("/nothing").status == 404)
        let tries = collector.requests.count
        _ = try await eventually { collector.requests.count > tries }
        #expect(server.lines.filter { $0.contains("traces.not_exported") }.count == 1)
        let figures = try await TestClient(app.operations).get("/metrics").text
        #expect(figures.contains("gatehouse_trace_spans_exported_total 0"))
      }
    }
  }

  @Test(
    "settings that are of no use are refused",
    arguments: [
      (["GATEHOUSE_TRACES_ENDPOINT": "http://collector.example/v1/traces"], "traces.endpoint"),
      (["GATEHOUSE_TRACES_HEADERS": "key=1"], "traces.headers"),
      (["GATEHOUSE_TRACES_ENDPOINT": "https://c.example/", "GATEHOUSE_TRACES_SAMPLE": "2"], "traces.sample"),
      (["GATEHOUSE_TRACES_ENDPOINT": "https://c.example/", "GATEHOUSE_TRACES_HEADERS": "key"], "traces.headers"),
    ])
  func settings(_ environment: [String: String], _ setting: String) throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let outcome = try Binary.run(["config", "check", "--dev"], in: directory, environment: environment)
    #expect(outcome.exit != 0 && outcome.errors.contains(setting), "\(outcome.errors)")
  }
}
