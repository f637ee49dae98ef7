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

  /// The page that says so to a person whose browser sends too much to the pages of a tenant. It takes cookies of ours
  /// away, so that the browser is well again when the page is loaded the next time. Nil for any other path.
  func page(_ head: CutHead, isSecure: Bool) -> Response? {
    let path = head.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
    guard let segments = PathTemplate.segments(of: String(path)) else { return nil }
    let isOfTenant = segments.count > 2 && segments[0].elementsEqual("t".utf8)
    // GUARD: refusals: a page's own
    guard (isOfTenant ? segments[2] : segments.first)?.elementsEqual("ui".utf8) == true else { return nil }
    let tenant = isOfTenant ? TenantName(String(decoding: segments[1], as: UTF8.self)) : nil
    let languages = head.headers["accept-language"].map(Languages.parse) ?? []
    let id = ids.fresh()
    let code = ErrorCode.headerFieldsTooLarge
    var answer = PageDocument.refusal(code, languages, reference: id)
    answer.cookies = HostCookies(head.headers, isSecure: isSecure).removals(tenant)
    return note(answer, code, id)
  }

  /// The answer. A status that is not in the table is answered as `internal`.
  func response(_ status: Int, _ detail: String?) -> Response {
    let id = ids.fresh()
    let refusal = Refusal(Self.codes[status] ?? .internal, detail: detail)
    return note(ProblemAnswer.answer(refusal, requestID: id, languages: []), refusal.code, id)
  }

  private func note(_ answer: Answer, _ code: ErrorCode, _ id: String) -> Response {
    var response = answer.response
    response.headers.set("X-Content-Type-Options", "nosniff")
    response.headers.set("Cache-Control", "no-store")
    // GUARD: refusals: of the HTTP layer have a name
    response.requestID = id
    log(
      RequestRecord(
        requestID: id, method: "other", route: RequestRecord.noRoute, status: response.status, code: code,
        violated: [],
        warned: [], microseconds: 0))
    return response
  }
}
