import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// The pages behind the links of mails. Opening one changes nothing, for scanners open links too: the first GET moves the
/// token from the address bar into a cookie, the next shows a button, and only the button's POST acts.
struct Pages: Sendable {
  let services: Services
  let isSecure: Bool

  /// The page's part of the route, for logs.
  static func template(_ segment: ArraySlice<UInt8>?) -> String {
    segment.flatMap { LinkPage(rawValue: String(decoding: $0, as: UTF8.self)) }?.rawValue ?? "(none)"
  }

  func answer(_ request: Request, _ path: [ArraySlice<UInt8>], _ call: Call) async throws -> Response {
    guard path.count == 1, let page = LinkPage(rawValue: String(decoding: path[0], as: UTF8.self)) else {
      throw Refusal(.notFound)
    }
    let cookie = FlowCookie(tenant: call.tenant.name, page: page, isSecure: isSecure)
    switch request.method {
    case .get, .head: return try open(page, cookie, request, call)
    case .post: return try await act(page, cookie, request, call)
    default: throw Refusal(.methodNotAllowed, note: "GET, HEAD, POST")
    }
  }

  private func open(_ page: LinkPage, _ cookie: FlowCookie, _ request: Request, _ call: Call) throws -> Response {
    if let query = request.query, !query.isEmpty {
      guard let object = try? FormParser.parse(Array(query.utf8)).object, object.members.count == 1,
        let token = object["token"]?.string, FlowCookie.mayHold(token)
      else { return show(page, call, trouble: nil, form: nil, status: 400) }
      var response = Response.redirect(to: page.rawValue)
      response.headers.add("Set-Cookie", cookie.setting(token))
      response.headers.set("Referrer-Policy", "no-referrer")
      return response
    }
    guard let token = cookie.value(request) else { return show(page, call, trouble: nil, form: nil) }
    return show(page, call, trouble: nil, form: token)
  }

  private func act(_ page: LinkPage, _ cookie: FlowCookie, _ request: Request, _ call: Call) async throws -> Response {
    guard request.headers.single("content-type")?.hasPrefix("application/x-www-form-urlencoded") == true else {
      throw Refusal(.unsupportedMediaType)
    }
    guard let form = try? FormParser.parse(request.body).object else { throw Refusal(.malformedRequest) }
    guard isFromHere(request, call), let token = cookie.value(request), let sent = form["csrf"]?.string,
      ConstantTime.equal(Array(sent.utf8), Array(FlowCookie.proof(token).utf8))
    else { throw Refusal(.forbidden) }
    let isSpanish = call.language == "es"
    do {
      if page == .resetPassword {
        guard let password = form["password"]?.string, form["again"]?.string == password else {
          return show(page, call, trouble: [PageTexts.differ(spanish: isSpanish)], form: token, status: 422)
        }
        let input = ConfirmPasswordResetEndpoint.Input(token: token, password: password)
        _ = try await ResetPassword.confirm(input, call, services)
      } else {
        try await redeem(page, token, call)
      }
    } catch let refusal as Refusal where refusal.code == .validationFailed {
      let messages = refusal.violations.map { $0.message.text(in: call.languages + [call.language]) ?? $0.rule }
      return show(page, call, trouble: messages, form: token, status: 422)
    } catch let refusal as Refusal where refusal.code.status < 500 {
      let entry = refusal.code.entry
      var response = show(page, call, trouble: [isSpanish ? entry.es : entry.en], form: nil, status: entry.status)
      response.headers.add("Set-Cookie", cookie.clearing)
      return response
    }
    let texts = PageTexts.of(page, spanish: isSpanish)
    var response = frame(call).response(texts.title, "<p role=\"status\">\(texts.done)</p>")
    response.headers.add("Set-Cookie", cookie.clearing)
    return response
  }

  private func redeem(_ page: LinkPage, _ token: String, _ call: Call) async throws {
    switch page {
    case .verifyEmail: _ = try await VerifyEmail.confirm(.init(token: token), call, services)
    case .confirmEmail: _ = try await ChangeEmail.confirm(.init(token: token), call, services)
    case .undoEmail: _ = try await ChangeEmail.undo(.init(token: token), call, services)
    case .resetPassword: break
    }
  }

  /// Browsers say where a form comes from; what they say must be this very site.
  private func isFromHere(_ request: Request, _ call: Call) -> Bool {
    if let site = request.headers.single("sec-fetch-site"), site != "same-origin" { return false }
    guard let origin = request.headers.single("origin"), origin != "null" else { return true }
    return call.tenant.issuer.hasPrefix(origin + "/")
  }

  private func frame(_ call: Call) -> PageFrame {
    PageFrame(tenant: call.tenant, language: call.language)
  }

  /// The page with its button when there is a token to act on; without one, the way to a new link.
  private func show(_ page: LinkPage, _ call: Call, trouble: [String]?, form token: String?, status: Int = 200)
    -> Response
  {
    let isSpanish = call.language == "es"
    let texts = PageTexts.of(page, spanish: isSpanish)
    var parts: [HTML] = []
    if let trouble {
      parts.append("<div class=\"trouble\" role=\"alert\">\(HTML(trouble.map { "<p>\($0)</p>" }))</div>")
    }
    guard let token else {
      parts.append("<p>\(PageTexts.noLink(spanish: isSpanish))</p>")
      return frame(call).response(texts.title, HTML(parts), status: status)
    }
    parts.append("<p>\(texts.lead)</p>")
    parts.append(
      """
      <form method="post" action="\(page.rawValue)">
      <input type="hidden" name="csrf" value="\(FlowCookie.proof(token))">
      \(page == .resetPassword ? passwordFields(call, spanish: isSpanish) : "")
      <button type="submit">\(texts.button)</button>
      </form>
      """)
    return frame(call).response(texts.title, HTML(parts), status: status)
  }

  private func passwordFields(_ call: Call, spanish: Bool) -> HTML {
    let policy = call.policy
    let rules = policy.publicRules(at: call.now).filter { $0.pointer == Pointer.password && $0.enforce == .enforce }
    let texts = rules.filter { $0.kind != "required" }.map {
      $0.message.text(in: call.languages + [call.language]) ?? $0.id
    }
    return """
      <ul id="rules">\(HTML(texts.map { "<li>\($0)</li>" }))</ul>
      <label for="password">\(PageTexts.newPassword(spanish: spanish))</label>
      <input id="password" name="password" type="password" autocomplete="new-password" required aria-describedby="rules" passwordrules="\(policy.passwordRules(at: call.now))">
      <label for="again">\(PageTexts.repeated(spanish: spanish))</label>
      <input id="again" name="again" type="password" autocomplete="new-password" required>
      """
  }
}

/// The cookie that carries a link's token from the first GET to the POST: unreadable for scripts, never sent from
/// elsewhere with a POST, gone after a quarter of an hour.
struct FlowCookie {
  let tenant: TenantName
  let page: LinkPage
  let isSecure: Bool

  /// `__Host-` binds it to this host over HTTPS; plain HTTP, which only development speaks, does not know the prefix.
  private var name: String { "\(isSecure ? "__Host-" : "")gh-\(tenant)-\(page.rawValue)" }
  private var attributes: String { "; Path=/; HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")" }

  func setting(_ token: String) -> String { "\(name)=\(token)\(attributes); Max-Age=900" }
  var clearing: String { "\(name)=\(attributes); Max-Age=0" }

  /// Only what a token of ours consists of.
  static func mayHold(_ token: String) -> Bool {
    (1...128).contains(token.utf8.count)
      && token.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
          || byte == 0x5F
      }
  }

  func value(_ request: Request) -> String? {
    for field in request.headers.values(of: "cookie") {
      for pair in field.split(separator: ";") {
        let pair = pair.drop { $0 == " " }
        guard pair.hasPrefix(name + "=") else { continue }
        let value = String(pair.dropFirst(name.count + 1))
        return FlowCookie.mayHold(value) ? value : nil
      }
    }
    return nil
  }

  /// The form's proof that it was made for the holder of the cookie.
  static func proof(_ token: String) -> String { Base64URL.encode(SHA256.digest("form " + token)) }
}
