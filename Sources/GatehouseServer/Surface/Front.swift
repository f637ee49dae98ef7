import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime

/// The work of a listener around every request: the fields that all answers carry, and the record.
struct Front: Sendable {
  let log: RequestLog
  let metrics: Metrics
  /// The value of `Strict-Transport-Security` (RFC 6797): browsers that came here once never ask without encryption
  /// again. Nil where browsers are not told.
  let strictTransport: String?
  /// Whether records have the client's address.
  var namesClients = false
  /// Records the traces of requests; nil where none is recorded.
  var tracer: Tracer?

  /// The request in its trace; nil for one that belongs to none.
  func trace(_ request: Request, _ proxies: ProxyTrust) -> RequestTrace? { RequestTrace(request, tracer, proxies) }

  /// The answer with the fields that all answers carry.
  func response(_ answer: Answer, _ exchange: Exchange) -> Response {
    var response = answer.response
    response.headers.set("X-Content-Type-Options", "nosniff")
    if let strictTransport { response.headers.set("Strict-Transport-Security", strictTransport) }
    if !response.headers.contains("cache-control") { response.headers.set("Cache-Control", "no-store") }
    if answer.status == 405, let allowed = exchange.allowed { response.headers.set("Allow", allowed) }
    response.requestID = exchange.id
    return response
  }

  /// Counts the request and writes its record.
  func note(_ exchange: Exchange, status: Int, in tally: RequestTally? = nil) {
    var record = exchange.record
    record.status = status
    record.tenant = exchange.tenant?.name.description
    record.microseconds = exchange.clock.elapsed
    // GUARD: canaries: the log of requests
    record.note = status >= 500 ? record.note : nil
    note(record, in: tally)
    exchange.trace?.end(record)
  }

  /// Counts and writes a record that is complete.
  func note(_ record: RequestRecord, in tally: RequestTally?) {
    if let tally { metrics.count(record, in: tally) } else { metrics.count(record) }
    log(record)
  }
}
