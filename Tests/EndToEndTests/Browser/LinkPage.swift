import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// The page behind a mail's link, over plain HTTP: the one redirect is followed, the one cookie kept, the one button
/// pressed. How it looks and reads is seen by `Browser`.
struct LinkPage {
  private let client = TestClient("")
  private let address: String
  private let cookie: String
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
    page = try await client.send("GET", address, headers: ["Cookie": cookie])
    #expect(page.status == 200)
  }

  /// Follows a link of the page that leads to the page itself.
  func follow(_ query: String) async throws -> TestClient.Answer {
    try await client.send("GET", address + query, headers: ["Cookie": cookie])
  }

  /// Presses the button, with what was typed before, and goes where the answer leads.
  func press(_ typed: String = "") async throws -> TestClient.Answer {
    let answer = try await send(typed)
    guard answer.status == 303 else { return answer }
    let next = try #require(answer.headers["location"])
    let folder = String(address.prefix(through: try #require(address.lastIndex(of: "/"))))
    return try await client.send("GET", folder + next, headers: ["Cookie": cookie])
  }

  /// Presses the button, and goes nowhere.
  func send(_ typed: String = "") async throws -> TestClient.Answer {
    let start = try #require(page.text.range(of: #"name="csrf" value=""#)).upperBound
    let proof = page.text[start...].prefix { $0 != "\"" }
    return try await client.send(
      "POST", address, "csrf=\(proof)\(typed)",
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
