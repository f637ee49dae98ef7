import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// A browser without scripts at the hosted pages of one app, over plain HTTP: it keeps cookies, follows redirects, and
/// sends forms with everything that stands in them. How pages look and read is seen by `Browser`.
final class PageBrowser {
  private let client = TestClient("")
  /// `http://127.0.0.1:PORT`, as forms name their site.
  let origin: String
  /// The address below which the pages are.
  private let root: String
  private let fields: [String: String]
  private(set) var cookies: [String: String] = [:]
  /// The address of the page that is shown.
  private var address = ""
  private var answer: TestClient.Answer?
  /// Where a page sent the browser that is no page of this server, such as an app's own scheme.
  private(set) var left: String?

  /// - Parameters:
  ///   - tenant: its name.
  ///   - language: what the browser prefers.
  ///   - userAgent: what it calls itself.
  init(_ tenant: String, _ server: TestServer, language: String = "en", userAgent: String = PageBrowser.iPhone) {
    origin = server.url
    root = "\(server.url)/t/\(tenant)/ui/"
    fields = ["Accept-Language": language, "User-Agent": userAgent]
  }

  convenience init(_ app: App, _ apps: ThreeApps, language: String = "en", userAgent: String = PageBrowser.iPhone) {
    self.init(app.rawValue, apps.server, language: language, userAgent: userAgent)
  }

  static let iPhone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 "
    + "Mobile/15E148 Safari/604.1"

  // MARK: The page that is shown

  var status: Int { answer?.status ?? 0 }
  var text: String { answer?.text ?? "" }
  var headers: [String: String] { answer?.headers ?? [:] }
  var body: TestClient.Answer? { answer }

  /// The path below `/ui/`, without the name of the flow.
  var location: String {
    let path = address.hasPrefix(root) ? String(address.dropFirst(root.count)) : address
    return String(path.prefix { $0 != "?" })
  }

  var heading: String { between("<h1>", "</h1>") ?? "" }
  /// What the page tells before anything else, and is no error.
  var notice: String? { between("<p class=\"notice\" role=\"status\">", "</p>") }
  /// What is wrong with a field, beside it.
  func problem(at field: String) -> String? { between("id=\"\(field)-error\">", "</p>") }
  /// Whether the page has an input of this name that people see.
  func asks(for field: String) -> Bool { text.contains(" id=\"\(field)\" name=\"\(field)\"") }

  private func between(_ start: String, _ end: String) -> String? {
    guard let begin = text.range(of: start)?.upperBound,
      let stop = text.range(of: end, range: begin..<text.endIndex)?.lowerBound
    else { return nil }
    return Self.plain(String(text[begin..<stop]))
  }

  // MARK: What people do

  /// Opens a page, `account/profile`, as by a bookmark, and goes where it leads.
  func open(_ path: String) async throws { try await go("GET", root + path, nil) }

  /// Sends a form of the page to a page. `typed` comes to what stands in it; `intent` says which form it is.
  func send(_ path: String, _ typed: [String: String] = [:], intent: String? = nil) async throws {
    var values = form(intent, typed)
    values.merge(typed) { $1 }
    if let intent { values["do"] = intent }
    try await post(path, values)
  }

  /// Sends these values and nothing else.
  func post(_ path: String, _ values: [String: String]) async throws {
    let body = values.sorted { $0.key < $1.key }.map { "\(Self.encoded($0.key))=\(Self.encoded($0.value))" }
    try await go("POST", root + path, body.joined(separator: "&"))
  }

  /// Types an address and a password at the sign-in page.
  func signIn(_ email: String, _ password: String = App.password) async throws {
    if location != "sign-in" { try await open("sign-in") }
    try await send("sign-in", ["email": email, "password": password])
  }

  // MARK: Forms

  /// A value that the page's form carries, or that was typed into it.
  func value(_ name: String, intent: String? = nil) -> String? { form(intent, [:])[name] }

  /// The values of each form of this intent.
  func forms(_ intent: String?) -> [[String: String]] {
    text.components(separatedBy: "<form ").dropFirst().map { rest in
      Self.values(rest.components(separatedBy: "</form>")[0])
    }.filter { $0["do"] == intent }
  }

  /// Of several forms with one intent, the one that has what was chosen.
  private func form(_ intent: String?, _ typed: [String: String]) -> [String: String] {
    let all = forms(intent)
    let chosen = all.first { form in typed.contains { form[$0.key] == $0.value } }
    return chosen ?? all.first ?? [:]
  }

  private static func values(_ form: String) -> [String: String] {
    var values: [String: String] = [:]
    for tag in form.components(separatedBy: "<input ").dropFirst().map({ $0.components(separatedBy: ">")[0] }) {
      guard let name = attribute("name", in: tag) else { continue }
      if attribute("type", in: tag) == "checkbox", !tag.contains(" checked") { continue }
      values[name] = attribute("value", in: tag) ?? ""
    }
    for list in form.components(separatedBy: "<select ").dropFirst() {
      let options = list.components(separatedBy: "</select>")[0].components(separatedBy: "<option ").dropFirst()
      guard let name = attribute("name", in: list),
        let chosen = options.first(where: { $0.contains(" selected>") })
          ?? options.first
      else { continue }
      values[name] = attribute("value", in: chosen) ?? ""
    }
    return values
  }

  private static func attribute(_ name: String, in tag: String) -> String? {
    let text = " " + tag
    guard let start = text.range(of: " \(name)=\"")?.upperBound else { return nil }
    return plain(String(text[start...].prefix { $0 != "\"" }))
  }

  private static func plain(_ html: String) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(html) {
      $0.replacingOccurrences(of: $1.0, with: $1.1)
    }
  }

  private static let safe = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: safe) ?? ""
  }

  // MARK: Requests

  private func go(_ method: String, _ start: String, _ form: String?) async throws {
    (left, address) = (nil, start)
    var answer = try await request(method, start, form)
    for _ in 0..<8 where answer.status == 303 {
      let location = try #require(answer.headers["location"])
      let target = try #require(URL(string: location, relativeTo: URL(string: address))?.absoluteString)
      guard target.hasPrefix(origin + "/") else {
        left = target
        break
      }
      address = target
      answer = try await request("GET", target, nil)
    }
    self.answer = answer
  }

  private func request(_ method: String, _ address: String, _ form: String?) async throws -> TestClient.Answer {
    var headers = fields
    if !cookies.isEmpty {
      headers["Cookie"] = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    }
    if form != nil {
      headers["Content-Type"] = "application/x-www-form-urlencoded"
      headers["Origin"] = origin
    }
    let answer = try await client.send(method, address, form, headers: headers)
    // Foundation joins fields of one name; none of these cookies has a comma.
    for field in answer.headers["set-cookie"]?.components(separatedBy: ",") ?? [] { keep(field) }
    return answer
  }

  private func keep(_ field: String) {
    let parts = field.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    guard let pair = parts.first, let end = pair.firstIndex(of: "=") else { return }
    let name = String(pair[..<end])
    cookies[name] = parts.contains("Max-Age=0") ? nil : String(pair[pair.index(after: end)...])
  }
}
