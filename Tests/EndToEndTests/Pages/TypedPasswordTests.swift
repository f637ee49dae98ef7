import GatehouseOutbound
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Answers that hold a typed password")
struct TypedPasswordTests {
  private static let typed = "Typed-Once-2031!"

  /// Pages of a signed-in person and of a stranger, whose forms have passwords.
  private static let pages = [
    "sign-in", "sign-up", "reset", "reauthenticate", "account/password", "account/email", "account/delete",
  ]

  /// A browser at a page, in a flow that leads there.
  private func open(_ page: String, _ apps: ThreeApps) async throws -> (FormClient, FormClient.Page) {
    let browser = FormClient(apps, .messai)
    if page == "reset" {
      #expect(try await apps.signUp(.messai).status == 201)
      apps.server.clock.advance(seconds: 61)
      return (browser, try await browser.send(browser.forget("pat"), ["code": browser.code(to: App.messai.email())]))
    }
    if page.contains("/") || page == "reauthenticate" {
      _ = try await browser.signUp(.messai, "pat\(abs(page.hashValue))")
      apps.server.clock.advance(seconds: 301)
    }
    return (browser, try await browser.open(page))
  }

  private func passwords(_ page: FormClient.Page) -> [String: String] {
    let names = page.text.matches(of: /<input\b([^>]*)>/).map { String($0.output.1) }
      .filter { $0.contains("type=\"password\"") || $0.contains("class=\"secret\"") }
      .compactMap { FormClient.Form.attribute("name", of: $0) }
    return Dictionary(names.map { ($0, Self.typed) }) { one, _ in one }
  }

  @Test("T199 a form that comes back with its password is stored nowhere", arguments: pages)
  func shown(_ name: String) async throws {
    try await ThreeApps.run { apps in
      let (browser, page) = try await open(name, apps)
      let fields = passwords(page)
      try #require(!fields.isEmpty, "\(page.address) \(page.text)")
      let answer = try await browser.send(page, fields.merging(["show": "1"]) { $1 })
      try #require(answer.text.contains(Self.typed), "\(answer.text)")
      #expect(answer.answer.headers["cache-control"] == "no-store")
    }
  }

  @Test("T199 a refused form, which holds none, may be gone back to", arguments: pages)
  func refused(_ name: String) async throws {
    try await ThreeApps.run { apps in
      let (browser, page) = try await open(name, apps)
      let answer = try await browser.send(page, passwords(page).merging(["again": "other"]) { $1 })
      try #require(answer.status >= 400 && !answer.text.contains(Self.typed), "\(answer.status) \(answer.text)")
      #expect(answer.answer.headers["cache-control"] == "no-cache, private")
    }
  }

  @Test("T199 so is the page of a mailed link", arguments: [("&show=1", "no-store"), ("", "no-cache, private")])
  func link(_ more: String, _ expected: String) async throws {
    try await ThreeApps.share { apps in
      _ = try await apps.rider()
      let page = try await LinkPage(opening: apps.server.latestMail(to: "willie@ksu.edu")?.link)
      let answer = try await page.send("&password=Typed-Once-2031%21" + more)
      #expect(answer.headers["cache-control"] == expected, "\(answer.status) \(answer.text)")
    }
  }
}
