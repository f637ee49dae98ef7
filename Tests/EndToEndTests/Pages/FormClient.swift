import Foundation
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// A browser without a window, for what needs no real one: it keeps cookies, follows redirects of this server, and
/// fills in the forms that a page has, whatever else they carry.
final class FormClient: Sendable {
  /// One page as it was shown.
  struct Page: Sendable {
    let answer: TestClient.Answer
    /// Its address, without the server.
    let address: String
    /// Where the browser was sent that is not this server; nil where it was not.
    let outside: String?

    var status: Int { answer.status }
    var text: String { answer.text }
    /// The path below `/ui/`.
    var path: String {
      guard let start = address.range(of: "/ui/")?.upperBound else { return address }
      return String(address[start...].prefix { $0 != "?" })
    }
    /// The parameters of the address outside.
    var handed: [String: String] {
      let items = outside.flatMap { URLComponents(string: $0)?.queryItems } ?? []
      return Dictionary(items.map { ($0.name, $0.value ?? "") }) { one, _ in one }
    }
  }

  /// `http://127.0.0.1:PORT`.
  let server: String
  /// `/t/NAME`.
  private let root: String
  /// The time of the server.
  let now: @Sendable () -> Date
  /// The newest mail to an address.
  private let mail: @Sendable (String) async throws -> StoredMail?
  /// What it says that its pages come from.
  private let origin: String
  private let client = TestClient("")
  private let jar = LockBox<[String: String]>([:])
  private let kept = LockBox<[String]>([])
  /// Headers of every request.
  let headers: [String: String]

  init(_ server: TestServer, _ tenant: String, origin: String? = nil, headers: [String: String] = [:]) {
    self.server = server.url
    now = { server.clock.now }
    mail = { try await server.latestMail(to: $0) }
    root = "/t/" + tenant
    self.origin = origin ?? server.url
    self.headers = headers
  }

  convenience init(_ apps: ThreeApps, _ app: App, origin: String? = nil, headers: [String: String] = [:]) {
    self.init(apps.server, app.rawValue, origin: origin, headers: headers)
  }

  // MARK: Cookies

  var cookies: [String: String] { jar.withLock { $0 } }
  /// Every `Set-Cookie` that came.
  var settings: [String] { kept.withLock { $0 } }
  func set(_ name: String, _ value: String) { jar.withLock { $0[name] = value } }
  func forget() { jar.withLock { $0 = [:] } }

  private func keep(_ answer: TestClient.Answer) {
    // Foundation joins fields of the same name with commas; no value of ours has one.
    let field = answer.headers["set-cookie"] ?? ""
    for match in field.matches(of: /([^=;,\s]+)=([^;,]*)((?:;\s*[A-Za-z-]+(?:=[^;,]*)?)*)/) {
      let (name, value) = (String(match.output.1), String(match.output.2))
      kept.withLock { $0.append(String(match.output.0)) }
      let isGone = value.isEmpty || match.output.3.contains("Max-Age=0")
      jar.withLock { $0[name] = isGone ? nil : value }
    }
  }

  // MARK: Requests

  /// One request, without following where it leads. `address` begins with `/t/`.
  func send(
    _ method: String, _ address: String, _ body: String? = nil, headers more: [String: String] = [:]
  ) async throws -> TestClient.Answer {
    var fields = headers.merging(more) { $1 }
    let held = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    if !held.isEmpty, fields["Cookie"] == nil { fields["Cookie"] = held.joined(separator: "; ") }
    if method == "POST", fields["Content-Type"] == nil {
      fields["Content-Type"] = "application/x-www-form-urlencoded"
    }
    if method == "POST", fields["Origin"] == nil { fields["Origin"] = origin }
    // An empty field stands for none.
    let answer = try await client.send(
      method, server + address, body, headers: fields.filter { !$0.value.isEmpty })
    keep(answer)
    return answer
  }

  /// A page, below `/ui/`, with its query; redirects are followed.
  func open(_ page: String) async throws -> Page {
    let address = address(of: page)
    return try await follow(send("GET", address), from: address)
  }

  /// The page to which the link of the newest mail to an address leads.
  func openLink(to address: String) async throws -> Page {
    let link = try #require(try await mail(address)?.link, "no link to \(address)")
    return try await open(String(link[try #require(link.range(of: "/ui/")).upperBound...]))
  }

  /// The code of the newest mail to an address.
  func code(to address: String) async throws -> String {
    try #require(try await mail(address)?.code, "no code to \(address)")
  }

  /// The address of a page, without the server.
  func address(of page: String) -> String { "\(root)/ui/\(page)" }

  /// Follows an answer to the page where it ends.
  func follow(_ first: TestClient.Answer, from address: String) async throws -> Page {
    var (answer, address) = (first, address)
    for _ in 0..<10 {
      guard let location = answer.headers["location"] else {
        return Page(answer: answer, address: address, outside: nil)
      }
      guard let next = local(location, from: address) else {
        return Page(answer: answer, address: address, outside: location)
      }
      address = next
      answer = try await send("GET", address)
    }
    throw Lost(address: address)
  }

  private struct Lost: Error { let address: String }

  /// An address of this server, without the server; nil where it is another's.
  private func local(_ location: String, from address: String) -> String? {
    guard let base = URL(string: server + address), let url = URL(string: location, relativeTo: base)?.absoluteString,
      url.hasPrefix(server + "/")
    else { return nil }
    return String(url.dropFirst(server.count))
  }

  // MARK: Forms

  /// The fields with which a form of the page would be sent: what it carries, and what was typed.
  static func fields(_ page: Page, _ typed: [String: String] = [:], intent: String? = nil) throws -> [String: String] {
    try form(of: page, intent).values.merging(typed) { $1 }
  }

  private static func form(of page: Page, _ intent: String?) throws -> Form {
    let forms = Form.all(page.text)
    return try #require(forms.first { $0.values["do"] == intent }, "no form \(intent ?? "") in \(page.text)")
  }

  /// Sends a form of a page, the main one unless `intent` names another. Redirects are followed.
  func send(_ page: Page, _ typed: [String: String] = [:], intent: String? = nil) async throws -> Page {
    let form = try Self.form(of: page, intent)
    let address = try #require(local(form.action, from: page.address))
    let answer = try await send("POST", address, Self.encoded(form.values.merging(typed) { $1 }))
    return try await follow(answer, from: address)
  }

  /// Sends a form as it stands, to its own address; the answer, without following it.
  func send(_ form: Form, of page: Page) async throws -> TestClient.Answer {
    let address = try #require(local(form.action, from: page.address))
    return try await send("POST", address, Self.encoded(form.values))
  }

  /// Opens a page and sends its main form.
  func send(_ page: String, _ typed: [String: String]) async throws -> Page {
    try await send(open(page), typed)
  }

  /// Opens what a link of the page, chosen by a part of its address, leads to.
  func follow(_ page: Page, link part: String) async throws -> Page {
    let links = page.text.matches(of: /<a [^>]*href="([^"]*)"/).map { Form.plain(String($0.output.1)) }
    let link = try #require(links.first { $0.contains(part) }, "no link \(part): \(links)")
    let address = try #require(local(link, from: page.address))
    return try await follow(send("GET", address), from: address)
  }

  static func encoded(_ fields: [String: String]) -> String {
    func escaped(_ text: String) -> String {
      text.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: safe)) ?? ""
    }
    return fields.sorted { $0.key < $1.key }.map { "\(escaped($0.key))=\(escaped($0.value))" }.joined(separator: "&")
  }

  private static let safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"

  /// A form as HTML has it.
  struct Form {
    let action: String
    /// Hidden values, and what its fields hold already.
    let values: [String: String]

    static func all(_ html: String) -> [Form] {
      html.matches(of: /<form\b([^>]*)>([\s\S]*?)<\/form>/).map { match in
        Form(action: attribute("action", of: String(match.output.1)) ?? "", values: values(String(match.output.2)))
      }
    }

    private static func values(_ html: String) -> [String: String] {
      var values: [String: String] = [:]
      for match in html.matches(of: /<input\b([^>]*)>/) {
        let tag = String(match.output.1)
        guard let name = attribute("name", of: tag) else { continue }
        if attribute("type", of: tag) == "checkbox", !tag.contains(" checked") { continue }
        values[name] = attribute("value", of: tag) ?? ""
      }
      for match in html.matches(of: /<select\b([^>]*)>([\s\S]*?)<\/select>/) {
        guard let name = attribute("name", of: String(match.output.1)) else { continue }
        let options = String(match.output.2).matches(of: /<option\b([^>]*)>/).map { String($0.output.1) }
        let chosen = options.first { $0.contains(" selected") } ?? options.first
        values[name] = chosen.flatMap { attribute("value", of: $0) } ?? ""
      }
      return values
    }

    /// An attribute of a tag; nil where it has none.
    static func attribute(_ name: String, of tag: String) -> String? {
      guard let start = tag.range(of: " \(name)=\"")?.upperBound else { return nil }
      return plain(String(tag[start...].prefix { $0 != "\"" }))
    }

    /// Text without the references of HTML.
    static func plain(_ text: String) -> String {
      text.replacing("&quot;", with: "\"").replacing("&#34;", with: "\"").replacing("&#39;", with: "'")
        .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }
  }
}
