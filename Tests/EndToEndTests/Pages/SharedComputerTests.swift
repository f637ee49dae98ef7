import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A sign-in at a computer that others use, too")
struct SharedComputerTests {
  private let app = App.messai

  /// A browser that signed in, with the box ticked or not, and what its session's cookie says.
  private func run(_ isTicked: Bool, _ body: (FormClient, String, ThreeApps) async throws -> Void) async throws {
    let offered = { (app: App, text: String) in
      text.replacing("\nsessions: {", with: "\nsessions: {page_shared_computer: true, ")
    }
    try await ThreeApps.run(policy: offered) { apps in
      #expect(try await apps.signUp(app).status == 201)
      let browser = FormClient(apps, app)
      let page = try await browser.open("sign-in")
      try #require(page.text.contains("This is a shared computer"), "\(page.text)")
      let typed = ["email": app.email(), "password": App.password].merging(isTicked ? ["shared": "true"] : [:]) { $1 }
      #expect(try await browser.send(page, typed).path == "account")
      let cookie = try #require(browser.settings.last { $0.hasPrefix("gh-messai=gh_") }, "\(browser.settings)")
      try await body(browser, cookie, apps)
    }
  }

  @Test("the cookie goes with the browser, and the session ends within the hour")
  func shared() async throws {
    try await run(true) { browser, cookie, apps async throws in
      #expect(!cookie.contains("Max-Age"), "\(cookie)")
      apps.server.clock.advance(seconds: 3_599)
      #expect(try await browser.open("account").path == "account")
      apps.server.clock.advance(seconds: 1)
      #expect(try await browser.open("account").path == "sign-in")
    }
  }

  @Test("without the tick the cookie and the session stay")
  func own() async throws {
    try await run(false) { browser, cookie, apps async throws in
      #expect(cookie.contains("; Max-Age="), "\(cookie)")
      apps.server.clock.advance(seconds: 3_601)
      #expect(try await browser.open("account").path == "account")
    }
  }

  @Test("where the policy does not offer it there is no box, and a form that has it opens a session as ever")
  func off() async throws {
    try await ThreeApps.share { apps in
      #expect(try await apps.signUp(app).status == 201)
      let browser = FormClient(apps, app)
      let page = try await browser.open("sign-in")
      #expect(!page.text.contains("shared"))
      _ = try await browser.send(page, ["email": app.email(), "password": App.password, "shared": "true"])
      let cookie = try #require(browser.settings.last { $0.hasPrefix("gh-messai=gh_") })
      #expect(cookie.contains("; Max-Age="), "\(cookie)")
    }
  }
}
