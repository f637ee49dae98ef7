import GatehouseRuntime

/// The answer of a surface: status, fields, cookies, and where a browser goes next or a body.
struct Answer: Sendable {
  var status: Int
  var headers = Headers()
  var cookies: [SetCookie] = []
  /// Where a browser goes next, by GET.
  var redirect: String?
  var body: Body?
  /// Rules of the policy that failed without blocking, for the record.
  var warned: [String] = []

  struct Body: Sendable {
    var type: String
    var bytes: [UInt8]
  }

  init(status: Int, _ body: Body? = nil) {
    self.status = status
    self.body = body
  }

  /// `application/json`, encoded.
  static func json(_ bytes: [UInt8], status: Int = 200) -> Answer {
    Answer(status: status, Body(type: "application/json", bytes: bytes))
  }

  /// `text/html`, escaped.
  static func html(_ text: String, status: Int = 200) -> Answer {
    Answer(status: status, Body(type: "text/html; charset=utf-8", bytes: Array(text.utf8)))
  }

  /// `application/problem+json` (RFC 9457), encoded.
  static func problem(_ bytes: [UInt8], status: Int) -> Answer {
    Answer(status: status, Body(type: "application/problem+json", bytes: bytes))
  }

  /// 303: a GET follows.
  static func redirect(to location: String, status: Int = 303) -> Answer {
    var answer = Answer(status: status)
    answer.redirect = location
    return answer
  }

  /// The response that is sent.
  var response: Response {
    var response = Response(status: status, headers: headers, body: body?.bytes ?? [])
    if let body { response.headers.set("Content-Type", body.type) }
    if let redirect { response.headers.set("Location", redirect) }
    for cookie in cookies { response.headers.add("Set-Cookie", cookie.field) }
    return response
  }
}

/// A cookie that a browser is told to keep: for this host alone, unreadable for scripts, not sent with a POST from
/// elsewhere.
struct SetCookie: Sendable {
  var name: String
  var value: String
  /// Seconds; 0 removes it. Nil keeps it until the browser ends.
  var age: Int?
  var isSecure: Bool

  /// The field's value (RFC 6265 section 4.1).
  var field: String {
    let life = age.map { "; Max-Age=\($0)" } ?? ""
    return "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")\(life)"
  }

  /// A name of ours. `__Host-` binds a cookie to this host over HTTPS; plain HTTP, which only development speaks, does
  /// not know the prefix.
  static func name(_ name: String, isSecure: Bool) -> String { isSecure ? "__Host-" + name : name }
}
