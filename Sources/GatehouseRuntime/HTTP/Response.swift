/// Answers one request. Runs on the connection's loop; for HEAD it answers as for GET (the body is measured, not sent).
package typealias Handler = @Sendable (Request) async -> Response

/// Answers a request in the turn in which it came, without a task of its own; nil: the handler is to answer it. Runs on
/// the connection's loop and never waits.
package typealias ImmediateHandler = @Sendable (Request) -> Response?

/// The answer to what the HTTP layer refuses by itself, before there is a whole request: the status (400, 408, 413,
/// 414, 417, 431, 501, 503 or 505), and what the peer can do about it where that is known. Runs on the connection's
/// loop and never waits.
package typealias RefusalRenderer = @Sendable (_ status: Int, _ detail: String?) -> Response

/// The part that was read of a head that is larger than the server takes.
package struct CutHead: Sendable {
  /// The target as it came; empty where it was not read.
  package let target: String
  /// The fields that were read. The last value may be a part of what was sent.
  package let headers: Headers

  package init(target: String, headers: Headers) {
    self.target = target
    self.headers = headers
  }
}

/// The answer (431) to a head that is too large; nil: `RefusalRenderer` words it. Runs on the connection's loop and
/// never waits.
package typealias TooLargeRenderer = @Sendable (CutHead) -> Response?

/// The handlers of the requests of one loop: `immediately` is asked first; a request that it does not answer goes to
/// `handler`. `refusal` words the refusals of the HTTP layer, after `tooLarge` has left them to it.
package struct Handlers: Sendable {
  package let immediately: ImmediateHandler
  package let refusal: RefusalRenderer
  package let tooLarge: TooLargeRenderer
  package let handler: Handler

  package init(
    immediately: @escaping ImmediateHandler = { _ in nil }, refusal: @escaping RefusalRenderer = Response.refusal,
    tooLarge: @escaping TooLargeRenderer = { _ in nil }, handler: @escaping Handler
  ) {
    self.immediately = immediately
    self.refusal = refusal
    self.tooLarge = tooLarge
    self.handler = handler
  }
}

/// One answer. `Content-Length`, `Date` and `Connection` are the server's business: what is set here for them is
/// ignored, but for `Connection: close`, which closes the connection after this answer.
package struct Response: Sendable {
  /// 200 to 599; anything else is sent as 500.
  package var status: Int
  package var headers: Headers
  package var body: [UInt8]
  /// The name of the request that is answered, sent as `X-Request-Id`. It is no field among the others, so that answers
  /// that differ in nothing else share those.
  package var requestID: String?

  package init(status: Int, headers: Headers = Headers(), body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An answer whose body has the given media type.
  package init(status: Int, contentType: String, body: [UInt8]) {
    self.init(status: status, body: body)
    headers.add("content-type", contentType)
  }

  /// `application/json`, already encoded.
  package static func json(_ body: [UInt8], status: Int = 200) -> Response {
    Response(status: status, contentType: "application/json", body: body)
  }

  /// `text/html`, already escaped.
  package static func html(_ body: String, status: Int = 200) -> Response {
    Response(status: status, contentType: "text/html; charset=utf-8", body: Array(body.utf8))
  }

  /// `text/plain`.
  package static func text(_ body: String, status: Int = 200) -> Response {
    Response(status: status, contentType: "text/plain; charset=utf-8", body: Array(body.utf8))
  }

  /// 204, without a body.
  package static var noContent: Response { Response(status: 204) }

  /// 303 (a GET follows) unless another status is given.
  package static func redirect(to location: String, status: Int = 303) -> Response {
    Response(status: status, headers: Headers([("location", location)]))
  }

  /// The refusal of a server that words none: the status alone, never stored.
  package static func refusal(_ status: Int, _ detail: String?) -> Response {
    var response = detail.map { text("\($0)\n", status: status) } ?? Response(status: status)
    response.headers.add("cache-control", "no-store")
    if status == 503 { response.headers.add("retry-after", "1") }
    return response
  }
}
