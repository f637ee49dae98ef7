import GatehouseIdentity
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Ways through the hosted pages that people take by mistake, or on purpose")
struct SecondLookTests {
  private let app = App.messai

  /// The name of the flow of a page.
  private func flow(_ page: FormClient.Page) throws -> String {
    String(try #require(page.address.firstMatch(of: /[?&]f=([^&]+)/)).output.1)
  }

  // MARK: The app

  @Test(
    "an app that asks for a fresh sign-in gets no code without one, whatever address is typed",
    arguments: ["continue", "check-mail", "complete", "account"])
  func prompt(_ page: String) async throws {
    try await ThreeApps.run(policy: { $0.withWeb($1) }) { apps in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app, to: app.web)
      let asked = try await browser.open(Opening.page(app.web, ["prompt": "login"]))
      try #require(asked.path == "sign-in" && asked.text.contains("name=\"password\""), "\(asked.text)")
      let moved = try await browser.open("\(page)?f=\(flow(asked))")
      #expect(moved.outside == nil && moved.path != "continue", "\(moved.address)")
      #expect(try await browser.send(asked, ["do": "proceed"]).outside == nil)
    }
  }

  @Test("a fresh sign-in leads an app on that asked for one")
  func prompted() async throws {
    try await ThreeApps.run(policy: { $0.withWeb($1) }) { apps in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app, to: app.web)
      let asked = try await browser.open(Opening.page(app.web, ["prompt": "login"]))
      let done = try await browser.send(asked, ["email": app.email(), "password": App.password])
      #expect(done.handed["code"] != nil, "\(done.address) \(done.text)")
    }
  }

  @Test("an app that was not opened at the first press is opened at the second")
  func pressedAgain() async throws {
    try await ThreeApps.share { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.signUp(app)
      try #require(page.path == "continue", "\(page.address)")
      let codes = [try await browser.send(page).handed["code"], try await browser.send(page).handed["code"]]
      #expect(codes.allSatisfy { $0 != nil } && codes[0] != codes[1])
    }
  }

  @Test(
    "every page lets its forms lead back to the app that began",
    arguments: ["account/profile", "account/devices", "account/connections", "account/export", "sign-out"])
  func targets(_ page: String) async throws {
    try await ThreeApps.share { apps in
      let browser = FormClient(apps, app)
      let begun = try await browser.signUp(app)
      let shown = try await browser.open("\(page)?f=\(flow(begun))")
      let policy = shown.answer.headers["content-security-policy"] ?? ""
      #expect(policy.contains("form-action 'self' messai:;"), "\(policy)")
    }
  }

  @Test("an address that is taken out of the policy gets no code, wherever the browser was on its way")
  func unlisted() async throws {
    try await ThreeApps.run(policy: { $0.withWeb($1) }) { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.open(Opening.page(app.web, ["screen": "sign-up"]))
      let text = PolicyText.withoutTests(try TestLists.policy("messai"))
      _ = try await apps.server.apply(text, to: "messai", allowsWeaker: true)
      try await apps.reload()
      let done = try await browser.send(page, app.typed())
      #expect(done.outside == nil && done.path == "account", "\(done.outside ?? done.address)")
    }
  }

  // MARK: Addresses

  @Test("a service that does not exist has no page, and leaves the browser's flows alone")
  func noService() async throws {
    try await ThreeApps.share { apps in
      let browser = FormClient(apps, .vibes)
      _ = try await browser.open(Opening.page(App.vibes.scheme))
      let before = browser.cookies
      for name in ["nothing", String(repeating: "a", count: 3_000)] {
        #expect(try await browser.open("connect/" + name).status == 404)
      }
      #expect(browser.cookies == before)
    }
  }

  @Test("a mail is waited for at its own address, whoever tries to sign in meanwhile")
  func waiting() async throws {
    let hiding = { (app: App, text: String) in
      app.withWeb(text).replacing("account_exists: reveal", with: "account_exists: hide")
    }
    try await ThreeApps.run(policy: hiding) { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.signUp(app, "new")
      try #require(page.path == "check-mail" && page.text.contains("new@example.com"), "\(page.address)")
      let name = try flow(page)
      let refused = try await browser.send(
        browser.open("sign-in?f=\(name)"), ["email": "old@example.com", "password": "wrong"])
      try #require(refused.status == 401)
      #expect(try await browser.open("check-mail?f=\(name)").text.contains("new@example.com"))
    }
  }

  @Test("\"Not now\" skips a service, and nothing else that is missing")
  func notNow() async throws {
    let optional = { (app: App, text: String) in
      app.withWeb(text).replacing("\"linked:spotify\"]", with: "email_verified]")
    }
    try await ThreeApps.run(policy: optional) { apps in
      let browser = FormClient(apps, .vibes)
      let page = try await browser.signUp(.vibes, to: App.vibes.web)
      try #require(page.path == "check-mail", "\(page.address) \(page.text)")
      let offered = try await browser.open("connect/spotify?f=\(flow(page))")
      let after = try await browser.send(offered, intent: "later")
      #expect(after.outside == nil && after.path == "check-mail", "\(after.outside ?? after.address)")
    }
  }

  // MARK: Twice

  /// A user of messAI at a page of the account.
  private func member(_ apps: ThreeApps, at page: String) async throws -> (FormClient, FormClient.Page) {
    let browser = FormClient(apps, app)
    _ = try await browser.signUp(app)
    return (browser, try await browser.open(page))
  }

  @Test("H10 a password that is changed by a form that comes twice is changed once, and both are told so")
  func passwordTwice() async throws {
    try await ThreeApps.share { apps in
      let (browser, page) = try await member(apps, at: "account/password")
      let typed = ["current": App.password, "password": App.otherPassword, "again": App.otherPassword]
      for _ in 0..<2 {
        let done = try await browser.send(page, typed)
        #expect(done.path == "account" && done.text.contains("Your new password is saved."), "\(done.text)")
      }
      #expect(try await apps.signIn(app, password: App.otherPassword).status == 200)
    }
  }

  @Test("H10 a change of address that is asked for by a form that comes twice is mailed once, and both wait for it")
  func addressTwice() async throws {
    try await ThreeApps.share { apps in
      let (browser, page) = try await member(apps, at: "account/email")
      for _ in 0..<2 {
        let done = try await browser.send(page, ["email": "new@example.com"])
        #expect(done.status == 200 && done.text.contains("name=\"code\""), "\(done.text)")
      }
      #expect(try await apps.server.mailCount(to: "new@example.com") == 1)
    }
  }

  @Test("H10 a second press of sign-out meets the end of the first")
  func signOutTwice() async throws {
    try await ThreeApps.share { apps in
      let (browser, page) = try await member(apps, at: "sign-out")
      let held = browser.cookies
      _ = try await browser.send(page)
      for (name, value) in held { browser.set(name, value) }
      #expect(try await browser.send(page).path == "signed-out")
    }
  }

  @Test("every form of every page is taken where the page sends it")
  func everyForm() async throws {
    try await ThreeApps.run { apps in
      for (index, page) in [
        "account", "account/profile", "account/email", "account/devices", "reauthenticate", "sign-in",
        "sign-up", "forgot", "continue", "connect/spotify", "sign-out", "account/delete",
      ].enumerated() {
        let browser = FormClient(apps, .vibes)
        _ = try await browser.signUp(.vibes, "member\(index)")
        apps.server.clock.advance(seconds: 301)
        let shown = try await browser.open(page)
        for form in FormClient.Form.all(shown.text) {
          let answer = try await browser.send(form, of: shown)
          #expect(!answer.text.contains("This form could not be sent"), "\(page) \(form)")
        }
      }
    }
  }
}
