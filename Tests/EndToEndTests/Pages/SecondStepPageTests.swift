import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The page that asks for a second factor")
struct SecondStepPageTests {
  private let app = App.messai
  private static let over = "This took too long, or there were too many wrong codes. Sign in again."

  /// A person with an authenticator app, half a minute after it was added.
  private func member(_ apps: ThreeApps) async throws -> PageAuthenticator {
    let browser = try await apps.pageBrowser()
    let authenticator = try await browser.enrol(apps)
    apps.server.clock.advance(seconds: 30)
    return authenticator
  }

  /// A browser in which that person has typed the password.
  private func waiting(_ apps: ThreeApps) async throws -> PageBrowser {
    let browser = PageBrowser(app, apps)
    try await browser.signIn(app.email())
    try #require(browser.location == "second-step", "\(browser.location) \(browser.text)")
    return browser
  }

  private func run(_ body: (ThreeApps, PageAuthenticator) async throws -> Void) async throws {
    try await PageAuthenticator.run { apps in try await body(apps, member(apps)) }
  }

  @Test("the code of the app signs in")
  func code() async throws {
    try await run { apps, authenticator in
      let browser = try await waiting(apps)
      #expect(browser.cookies["gh-messai"] == nil)
      try await browser.send("second-step", ["code": authenticator.code(at: apps.server.clock.now)], intent: "totp")
      #expect(browser.location == "account" && browser.cookies["gh-messai"] != nil, "\(browser.text)")
    }
  }

  @Test("the way goes on to the app that began it")
  func target() async throws {
    try await PageAuthenticator.run({ $0.withWeb($1) }) { apps in
      let authenticator = try await member(apps)
      let browser = FormClient(apps, app)
      let typed = ["email": app.email(), "password": App.password]
      let asked = try await browser.send(browser.open(Opening.page(app.web)), typed)
      try #require(asked.path == "second-step", "\(asked.address)")
      let done = try await browser.send(
        asked, ["code": authenticator.code(at: apps.server.clock.now)], intent: "totp")
      #expect(done.handed["state"] == Opening.state && done.handed["code"] != nil, "\(done.address) \(done.text)")
    }
  }

  @Test("a wrong code is told at its field, and another one may follow")
  func wrong() async throws {
    try await run { apps, authenticator in
      let browser = try await waiting(apps)
      let now = apps.server.clock.now
      try await browser.send("second-step", ["code": authenticator.wrong(at: now)], intent: "totp")
      #expect(browser.status == 400 && browser.problem(at: "code") == "That code is not right. Each code works once.")
      try await browser.send("second-step", ["code": authenticator.code(at: now)], intent: "totp")
      #expect(browser.location == "account", "\(browser.text)")
    }
  }

  @Test("a text that is no code is no try")
  func noCode() async throws {
    try await run { apps, authenticator in
      let browser = try await waiting(apps)
      for text in ["", "12345", "none", "1234567", " ", "x"] {
        try await browser.send("second-step", ["code": text], intent: "totp")
        #expect(browser.status == 422 && browser.problem(at: "code") != nil, "\(text)")
      }
      try await browser.send("second-step", ["code": authenticator.code(at: apps.server.clock.now)], intent: "totp")
      #expect(browser.location == "account", "\(browser.text)")
    }
  }

  @Test("after five wrong codes the sign-in begins again, and its page says why")
  func tries() async throws {
    try await run { apps, authenticator in
      let browser = try await waiting(apps)
      for _ in 0..<6 where browser.location == "second-step" {
        let code = authenticator.wrong(at: apps.server.clock.now)
        try await browser.send("second-step", ["code": code], intent: "totp")
      }
      #expect(browser.location == "sign-in" && browser.text.contains(Self.over), "\(browser.text)")
    }
  }

  @Test("after five minutes the code comes too late, and the sign-in page says so")
  func late() async throws {
    try await run { apps, authenticator in
      let browser = try await waiting(apps)
      apps.server.clock.advance(seconds: 301)
      try await browser.send("second-step", ["code": authenticator.code(at: apps.server.clock.now)], intent: "totp")
      #expect(browser.location == "sign-in" && browser.text.contains(Self.over), "\(browser.text)")
      #expect(browser.cookies["gh-messai"] == nil && browser.asks(for: "password"))
    }
  }

  @Test("a page that is loaded again after five minutes leads to the sign-in page, which says why")
  func reloaded() async throws {
    try await run { apps, _ in
      let browser = FormClient(apps, app)
      let asked = try await browser.send("sign-in", ["email": app.email(), "password": App.password])
      apps.server.clock.advance(seconds: 301)
      let page = try await browser.follow(browser.send("GET", asked.address), from: asked.address)
      #expect(page.path == "sign-in" && page.text.contains(Self.over), "\(page.address)")
    }
  }

  @Test("beyond the tries of an account the page says when the next one may come")
  func limited() async throws {
    try await run { apps, authenticator in
      var browser = try await waiting(apps)
      for _ in 0..<20 where browser.status != 429 {
        if browser.location != "second-step" { browser = try await waiting(apps) }
        let code = authenticator.wrong(at: apps.server.clock.now)
        try await browser.send("second-step", ["code": code], intent: "totp")
      }
      #expect(browser.status == 429 && browser.text.contains("Try again in"), "\(browser.status) \(browser.text)")
    }
  }

  @Test("a recovery code signs in as well, in any spelling, once, and leads to the second factors")
  func recovery() async throws {
    try await PageAuthenticator.run { apps in
      let owner = try await apps.pageBrowser()
      _ = try await owner.enrol(apps)
      let code = try #require(PageAuthenticator.codes(owner.text).first, "\(owner.text)")
      let typed = ["code": code.lowercased().replacing("-", with: " ")]
      for (place, status) in [("account/factors", 200), ("second-step", 400)] {
        let browser = try await waiting(apps)
        try await browser.send("second-step", ["other-factor": "1"], intent: "totp")
        #expect(browser.text.contains("Use the authenticator app instead"))
        try await browser.send("second-step", typed, intent: "recovery_code")
        #expect(browser.location == place && browser.status == status, "\(browser.text)")
      }
    }
  }

  @Test("a recovery code that comes back with an error is in nothing that is kept")
  func recoveryIsSecret() async throws {
    try await run { apps, _ in
      let browser = try await waiting(apps)
      try await browser.send("second-step", ["other-factor": "1"], intent: "totp")
      try await browser.send("second-step", ["code": "almost a code"], intent: "recovery_code")
      #expect(browser.text.contains("almost a code") && browser.headers["cache-control"] == "no-store")
    }
  }

  // MARK: The device

  @Test("a device that was to be remembered is asked for no second factor again, and any other one is")
  func remembered() async throws {
    try await run { apps, authenticator in
      let browser = try await waiting(apps)
      #expect(browser.text.contains("Do not ask again on this device for 30 days"), "\(browser.text)")
      let code = authenticator.code(at: apps.server.clock.now)
      try await browser.send("second-step", ["code": code, "remember": "true"], intent: "totp")
      try await browser.open("sign-out")
      try await browser.send("sign-out")
      try await browser.signIn(app.email())
      #expect(browser.location == "account", "\(browser.text)")
      _ = try await waiting(apps)
    }
  }

  @Test("on a remembered device an app that asks for a fresh sign-in gets one by a code")
  func prompted() async throws {
    try await PageAuthenticator.run({ $0.withWeb($1) }) { apps in
      let authenticator = try await member(apps)
      let browser = FormClient(apps, app)
      let typed = ["email": app.email(), "password": App.password]
      let asked = try await browser.send("sign-in", typed)
      let code = authenticator.code(at: apps.server.clock.now)
      _ = try await browser.send(asked, ["code": code, "remember": "true"], intent: "totp")
      let proof = try await browser.send(browser.open(Opening.page(app.web, ["prompt": "login"])), typed)
      try #require(proof.path == "reauthenticate", "\(proof.address) \(proof.text)")
      apps.server.clock.advance(seconds: 30)
      let other = authenticator.code(at: apps.server.clock.now)
      let done = try await browser.send(proof, ["code": other], intent: "totp")
      #expect(done.handed["code"] != nil, "\(done.address) \(done.text)")
    }
  }

  @Test("a device that was not to be remembered is asked again")
  func unticked() async throws {
    try await run { apps, authenticator in
      let browser = try await waiting(apps)
      try await browser.send("second-step", ["code": authenticator.code(at: apps.server.clock.now)], intent: "totp")
      try await browser.open("sign-out")
      try await browser.send("sign-out")
      try await browser.signIn(app.email())
      #expect(browser.location == "second-step")
    }
  }

  @Test("where the policy remembers no device there is no box")
  func noBox() async throws {
    try await PageAuthenticator.run({ $1.replacing(", remember_device: 30d", with: "") }) { apps in
      _ = try await member(apps)
      #expect(try await !waiting(apps).text.contains("type=\"checkbox\""))
    }
  }

  @Test("a shared computer is not remembered, and the session goes with the browser")
  func shared() async throws {
    let offered = { (app: App, text: String) in
      text.replacing("\nsessions: {", with: "\nsessions: {page_shared_computer: true, ")
    }
    try await PageAuthenticator.run(offered) { apps in
      let authenticator = try await member(apps)
      let browser = FormClient(apps, app)
      let asked = try await browser.send(
        "sign-in", ["email": app.email(), "password": App.password, "shared": "true"])
      #expect(asked.path == "second-step" && !asked.text.contains("type=\"checkbox\""), "\(asked.text)")
      let code = authenticator.code(at: apps.server.clock.now)
      #expect(try await browser.send(asked, ["code": code, "remember": "true"], intent: "totp").path == "account")
      let cookie = try #require(browser.settings.last { $0.hasPrefix("gh-messai=gh_") })
      #expect(!cookie.contains("Max-Age"), "\(cookie)")
      _ = try await browser.send("sign-out", [:])
      let again = try await browser.send("sign-in", ["email": app.email(), "password": App.password])
      #expect(again.path == "second-step", "\(again.address)")
    }
  }

  // MARK: Nothing before the first proof

  @Test("without a first proof the page leads to the sign-in page, opened or sent")
  func stranger() async throws {
    try await run { apps, authenticator in
      let browser = PageBrowser(app, apps)
      try await browser.open("second-step")
      #expect(browser.location == "sign-in")
      let own = try #require(browser.forms(nil).first)
      let code = authenticator.code(at: apps.server.clock.now)
      try await browser.post("second-step", own.merging(["do": "totp", "code": code]) { $1 })
      #expect(browser.location == "sign-in" && browser.cookies["gh-messai"] == nil, "\(browser.text)")
    }
  }

  @Test("a wrong password is answered alike, with a second factor and without")
  func wrongPassword() async throws {
    try await run { apps, _ in
      _ = try await apps.signUp(app, "kim")
      var told: [String?] = []
      for local in ["pat", "kim"] {
        let browser = PageBrowser(app, apps)
        try await browser.signIn(app.email(local), App.otherPassword)
        #expect(browser.location == "sign-in")
        told.append(browser.text.firstMatch(of: /<div class="trouble"[\s\S]*?<\/div>/).map { String($0.output) })
      }
      #expect(told[0] != nil && told[0] == told[1], "\(told)")
    }
  }

  @Test("the way back leads to another sign-in")
  func other() async throws {
    try await run { apps, _ in
      let browser = FormClient(apps, app)
      let asked = try await browser.send("sign-in", ["email": app.email(), "password": App.password])
      let again = try await browser.follow(asked, link: "sign-in?")
      #expect(again.path == "sign-in" && again.text.contains("type=\"password\""))
    }
  }
}
