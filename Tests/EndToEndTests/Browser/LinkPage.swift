import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// The page behind a mail's link, over plain HTTP: the one redirect is followed, the one cookie kept, the one button
/// pressed. How it looks and reads is seen by `Browser`.
struct LinkPage {
  private let client = TestClient("")
  private let address: String
  /// The address of the page with its flow.
  private let shown: String
  let cookie: String
  /// How the server set the one cookie.
  let setCookie: String
  /// The page with the button.
  let page: TestClient.Answer

  /// Opens the link as it stands in the mail.
  init(opening link: String?) async throws {
    let link = try #require(link)
    let first = try await client.get(link)
    #expect(first.status == 303)
    address = String(link.prefix { $0 != "?" })
    setCookie = try #require(first.headers["set-cookie"])
    cookie = String(try #require(setCookie.split(separator: ";").first))
    shown = Self.folder(address) + (try #require(first.headers["location"]))
    page = try await client.send("GET", shown, headers: ["Cookie": cookie])
    #expect(page.status == 200)
  }

  private static func folder(_ address: String) -> String {
    String(address.prefix { $0 != "?" }.reversed().drop { $0 != "/" }.reversed())
  }

  /// A hidden value of the page's forms.
  static func hidden(_ name: String, of text: String) throws -> String {
    let start = try #require(text.range(of: #"name="\#(name)" value=""#)).upperBound
    return String(text[start...].prefix { $0 != "\"" })
  }

  /// What each form of a page carries to say that it was made for its browser and its link.
  static func proofs(of text: String) throws -> String {
    try "csrf=\(hidden("csrf", of: text))&f=\(hidden("f", of: text))"
  }

  /// Loads the page again.
  func reload() async throws -> TestClient.Answer {
    try await client.send("GET", shown, headers: ["Cookie": cookie])
  }

  /// Presses the button, with what was typed before, and goes where the answer leads.
  func press(_ typed: String = "") async throws -> TestClient.Answer {
    let answer = try await send(typed)
    guard answer.status == 303 else { return answer }
    let next = try #require(answer.headers["location"])
    return try await client.send("GET", Self.folder(address) + next, headers: ["Cookie": cookie])
  }

  /// Presses the button, and goes nowhere.
  func send(_ typed: String = "") async throws -> TestClient.Answer {
    try await client.send(
      "POST", address, try Self.proofs(of: page.text) + typed,
      headers: [
        "Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin",
      ])
  }

  /// Types the account's password and presses the button.
  func confirm(_ password: String = App.password) async throws -> TestClient.Answer {
    try await press("&password=\(password.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")")
  }

  /// Types a new password into both fields and presses the button.
  func setPassword(_ password: String) async throws -> TestClient.Answer {
    let typed = password.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return try await press("&password=\(typed)&again=\(typed)")
  }
}
