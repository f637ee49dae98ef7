import GatehouseIdentity
import GatehouseRuntime
import GatehouseWire

/// Refusals of the HTTP layer before there is a request, as problem documents like every other refusal. There is no
/// language and no caller's own name of the request: its head was not read.
struct HTTPRefusals: Sendable {
  let ids: RequestIDs
  let log: RequestLog

  /// Reasons by the status that the HTTP layer chose.
  static let codes: [Int: ErrorCode] = [
    400: .malformedRequest, 408: .requestTimeout, 413: .payloadTooLarge, 414: .uriTooLong, 417: .expectationFailed,
    431: .headerFieldsTooLarge, 501: .notImplemented, 503: .overloaded, 505: .httpVersionNotSupported,
  ]

  /// The answer. A status that is not in the table is answered as `internal`.
  func response(_ status: Int, _ detail: String?) -> Response {
    let id = ids.fresh()
    let refusal = Refusal(Self.codes[status] ?? .internal, detail: detail)
    var response = ProblemAnswer.answer(refusal, requestID: id, languages: []).response
    response.headers.set("X-Content-Type-Options", "nosniff")
    response.headers.set("Cache-Control", "no-store")
    // GUARD: refusals: of the HTTP layer have a name
    response.requestID = id
    log(
      RequestRecord(
        requestID: id, method: "other", route: RequestRecord.noRoute, status: response.status, code: refusal.code,
        violated: [],
        warned: [], microseconds: 0))
    return response
  }
}
