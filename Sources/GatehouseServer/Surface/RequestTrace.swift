import GatehousePrimitives
import GatehouseRuntime

/// A request in its trace: the one that its caller names, or one that begins here.
struct RequestTrace: Sendable {
  private let context: TraceContext
  /// Nil where the trace is not recorded.
  private let span: TraceSpan?

  /// Nil where the caller names no trace, and none is recorded.
  init?(_ request: Request, _ tracer: Tracer?, _ proxies: ProxyTrust) {
    let parent = request.headers.single("traceparent").flatMap(TraceParent.init)
    // Without a well-formed place the state of the trace says nothing.
    let state = parent.flatMap { _ in TraceState(request.headers.values(of: "tracestate")) }
    guard let tracer else {
      guard let parent else { return nil }
      // This server adds no span: a request further on names the caller's.
      (context, span) = (TraceContext(parent, state: state), nil)
      return
    }
    (context, span) = tracer.request(parent, state, isTrusted: proxies.trusts(request.peer))
  }

  var place: TraceParent? { context.parent }

  /// Runs the work of the request within the trace.
  func run<Value>(_ work: () async -> Value) async -> Value {
    await Trace.$current.withValue(context) { await work() }
  }

  /// Ends the span. The route is a template, and the tenant is named as operators name it: nothing of a person.
  func end(_ record: RequestRecord) {
    guard let span else { return }
    var attributes = [
      SpanAttribute("http.request.method", record.method == "other" ? "_OTHER" : record.method),
      SpanAttribute("http.route", record.route), SpanAttribute("http.response.status_code", record.status),
    ]
    if let tenant = record.tenant { attributes.append(SpanAttribute("gatehouse.tenant", tenant)) }
    span.end(
      "\(record.method == "other" ? "HTTP" : record.method) \(record.route)", attributes,
      error: record.status >= 500 ? String(record.status) : nil)
  }
}
