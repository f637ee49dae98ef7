import Foundation
import GatehouseServerTesting
import GatehouseTesting

/// A `FormClient` that is at one page at a time, as people are. How pages look and read is seen by `Browser`.
final class PageBrowser {
  private let client: FormClient
  private var page: FormClient.Page?

  /// - Parameters:
  ///   - tenant: its name.
  ///   - language: what the browser prefers.
  ///   - userAgent: what it calls itself.
  init(_ tenant: String, _ server: TestServer, language: String = "en", userAgent: String = PageBrowser.iPhone) {
    client = FormClient(server, tenant, headers: ["Accept-Language": language, "User-Agent": userAgent])
  }

  convenience init(_ app: App, _ apps: ThreeApps, language: String = "en", userAgent: String = PageBrowser.iPhone) {
    self.init(app.rawValue, apps.server, language: language, userAgent: userAgent)
  }

  static let iPhone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 "
    + "Mobile/15E148 Safari/604.1"

  // MARK: The page that is shown

  var status: Int { page?.status ?? 0 }
  var text: String { page?.text ?? "" }
  var headers: [String: String] { page?.answer.headers ?? [:] }
  var body: TestClient.Answer? { page?.answer }
  /// The path below `/ui/`, without the name of the flow.
  var location: String { page?.path ?? "" }
  /// Where a page sent the browser that is no page of this server, such as an app's own scheme.
  var left: String? { page?.outside }
  var cookies: [String: String] { client.cookies }
  /// `http://127.0.0.1:PORT`, as forms name their site.
  var origin: String { client.server }

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
    return FormClient.Form.plain(String(text[begin..<stop]))
  }

  // MARK: What people do

  /// Opens a page, `account/profile`, as by a bookmark, and goes where it leads.
  func open(_ path: String) async throws { page = try await client.open(path) }

  /// Sends a form of the page to a page. `typed` comes to what stands in it; `intent` says which form it is.
  func send(_ path: String, _ typed: [String: String] = [:], intent: String? = nil) async throws {
    var values = form(intent, typed)
    values.merge(typed) { $1 }
    if let intent { values["do"] = intent }
    try await post(path, values)
  }

  /// Sends these values and nothing else.
  func post(_ path: String, _ values: [String: String]) async throws {
    let address = client.address(of: path)
    page = try await client.follow(client.send("POST", address, FormClient.encoded(values)), from: address)
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
    FormClient.Form.all(text).map(\.values).filter { $0["do"] == intent }
  }

  /// Of several forms with one intent, the one that has what was chosen.
  private func form(_ intent: String?, _ typed: [String: String]) -> [String: String] {
    let all = forms(intent)
    let chosen = all.first { form in typed.contains { form[$0.key] == $0.value } }
    return chosen ?? all.first ?? [:]
  }
}
