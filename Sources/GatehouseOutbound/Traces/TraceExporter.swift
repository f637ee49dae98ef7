package import GatehousePrimitives
package import GatehouseRuntime

/// Sends recorded spans to a collector: OTLP 1 over HTTP with JSON, batch by batch.
package struct TraceExporter: Sendable {
  package struct Settings: Sendable {
    /// The whole address: `https://collector.example/v1/traces`. In clear only on this machine.
    package var endpoint: String
    /// Fields that the collector asks for, such as a key.
    package var headers: [(name: String, value: String)]
    /// The share of traces that are recorded, 0 to 1.
    package var share: Double
    /// `service.name` and `service.version`.
    package var service: String
    package var version: String

    package init(
      endpoint: String, headers: [(name: String, value: String)] = [], share: Double = 1,
      service: String = "gatehouse", version: String = ""
    ) {
      (self.endpoint, self.headers, self.share) = (endpoint, headers, share)
      (self.service, self.version) = (service, version)
    }
  }

  /// The reason why a batch did not arrive.
  package struct Failure: Error, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// Spans of one request: less than the bytes that a request may have.
  private static let batch = 250

  package let tracer: Tracer
  private let settings: Settings
  private let http: OutboundHTTP

  /// Works on `loop`, which MUST run until `close` has returned. The operator named the collector: it may be on this
  /// machine, or in a private network.
  package init(loop: Loop, _ settings: Settings, _ outbound: OutboundHTTP.Settings, _ tracer: Tracer) {
    var everywhere = outbound
    everywhere.addresses = .everywhere
    http = OutboundHTTP(loop: loop, everywhere)
    (self.settings, self.tracer) = (settings, tracer)
  }

  /// Whether a whole batch waits.
  package var isDue: Bool { tracer.counts.waiting >= Self.batch }

  /// Sends one batch. True when more wait. Spans of a batch that did not arrive wait on, as long as the queue has room;
  /// those that the collector calls malformed are dropped.
  package func runOnce() async throws -> Bool {
    let spans = tracer.next(atMost: Self.batch)
    guard !spans.isEmpty else { return false }
    // An export is no part of a trace.
    let response = try await Trace.$current.withValue(nil) { try await send(spans) }
    let isLost = (400..<500).contains(response.status) && ![408, 429].contains(response.status)
    if response.isSuccess || isLost { tracer.settle(spans.count, isExported: response.isSuccess) }
    guard response.isSuccess else {
      throw Failure(description: "the collector answered \(response.status)\(isLost ? ", and the spans are lost" : "")")
    }
    return tracer.counts.waiting > 0
  }

  private func send(_ spans: [FinishedSpan]) async throws -> OutboundResponse {
    let url: OutboundURL
    do { url = try http.url(settings.endpoint) } catch {
      throw Failure(description: "traces.endpoint is no address that can be reached")
    }
    do {
      return try await http.send(
        try OutboundRequest(
          .post, url, purpose: OutboundPurpose(.traces),
          headers: [("content-type", "application/json")] + settings.headers, body: body(spans)))
    } catch {
      throw Failure(description: "the collector was not reached: \(error)")
    }
  }

  /// Gives up what is under way.
  package func close() async { await http.close() }

  /// The body of an `ExportTraceServiceRequest`, in the JSON of OTLP: ids in hexadecimal, enumerations as numbers, and
  /// numbers of 64 bits as text.
  package func body(_ spans: [FinishedSpan]) -> [UInt8] {
    JSONValue.object([
      "resourceSpans": .array([
        .object([
          "resource": .object([
            "attributes": Self.attributes([
              SpanAttribute("service.name", settings.service), SpanAttribute("service.version", settings.version),
            ])
          ]),
          "scopeSpans": .array([
            .object(["scope": .object(["name": .string("gatehouse")]), "spans": .array(spans.map(Self.span))])
          ]),
        ])
      ])
    ]).bytes
  }

  private static func span(_ span: FinishedSpan) -> JSONValue {
    var object: JSONObject = [
      "traceId": .string(span.traceID.text), "spanId": .string(span.spanID.text),
      "name": .string(span.name), "kind": .integer(Int64(span.kind.number)),
      "startTimeUnixNano": .string(String(span.start)), "endTimeUnixNano": .string(String(span.end)),
      "attributes": attributes(span.attributes),
    ]
    if let parent = span.parent { object["parentSpanId"] = .string(parent.text) }
    if let state = span.state?.field { object["traceState"] = .string(state) }
    // STATUS_CODE_ERROR
    if span.isFailure { object["status"] = .object(["code": .integer(2)]) }
    return .object(object)
  }

  private static func attributes(_ attributes: [SpanAttribute]) -> JSONValue {
    .array(
      attributes.map { attribute in
        let value: JSONObject =
          switch attribute.value {
          case .text(let text): ["stringValue": .string(text)]
          case .integer(let number): ["intValue": .string(String(number))]
          }
        return .object(["key": .string(attribute.name), "value": .object(value)])
      })
  }
}
