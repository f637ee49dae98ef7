import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("The page of an account's second factors")
struct FactorsPageTests {
  private let app = App.messai

  private func run(_ body: (ThreeApps, PageBrowser) async throws -> Void) async throws {
    try await PageAuthenticator.run { apps in try await body(apps, apps.pageBrowser()) }
  }

  // MARK: Adding

  @Test("an authenticator app is added by its first code, and the recovery codes are shown")
  func add() async throws {
    try await run { apps, browser in
      try await browser.open("account/factors")
      #expect(browser.text.contains("You have no authenticator app yet."), "\(browser.text)")
      try await browser.send("account/factors", ["factor_name": "My phone"], intent: "start")
      #expect(browser.text.contains("<svg class=\"qr\"") && browser.text.contains("href=\"otpauth://totp/"))
      let authenticator = try PageAuthenticator(browser.text)
      let code = authenticator.code(at: apps.server.clock.now)
      try await browser.send("account/factors", ["code": code], intent: "confirm")
      #expect(browser.status == 200 && Set(PageAuthenticator.codes(browser.text)).count == 10, "\(browser.text)")
      #expect(browser.notice == "Your authenticator app is added.")
      try await browser.send("account/factors", intent: "kept")
      #expect(browser.text.contains("My phone</h2>") && browser.text.contains("You have 10 recovery codes left."))
    }
  }

  // MARK: A demand

  /// A person signs in by the pages, on the way to the app, under a demand for second factors from this day on.
  private func underDemand(
    _ stage: String, typing more: [String: String] = [:],
    _ body: (ThreeApps, FormClient, FormClient.Page) async throws -> Void
  ) async throws {
    let demand = "factors: [totp], grace: 14d, required_if: [{id: all\(stage)}]"
    func own(_ app: App, _ text: String) -> String {
      guard app == self.app else { return text }
      return text.replacing("factors: [totp]", with: demand)
        .replacing("\nsessions: {", with: "\nsessions: {page_shared_computer: true, ")
    }
    try await PageAuthenticator.run(own) { apps in
      _ = try await FormClient(apps, app).signUp(app)
      let browser = FormClient(apps, app)
      let entry = try await browser.open(Opening.page(app.scheme))
      let typed = ["email": app.email(), "password": App.password].merging(more) { $1 }
      try await body(apps, browser, browser.send(entry, typed))
    }
  }

  @Test("a person who will need a second factor is told the day at a sign-in, and may go on")
  func told() async throws {
    try await underDemand(", enforce: warn, enforce_from: 2099-03-01") { _, browser, page in
      #expect(page.path == "account/factors" && page.text.contains("From March 1, 2099 you need two-step sign-in."))
      let next = try await browser.send(page, intent: "proceed")
      #expect(next.path == "continue", "\(next.text)")
    }
  }

  @Test("in the grace of a demand the day is that of its end")
  func inGrace() async throws {
    try await underDemand("") { apps, _, page in
      let due = apps.server.clock.now.addingTimeInterval(14 * 86_400)
      let day = Timestamp(due).description.prefix(10).split(separator: "-").compactMap { Int($0) }
      let isTold = page.text.contains(" \(day[2]), \(day[0]) you need two-step sign-in.")
      #expect(page.path == "account/factors" && isTold, "\(page.text)")
    }
  }

  @Test("a shared computer is no place to add one, and the way goes on")
  func shared() async throws {
    try await underDemand(", enforce: warn, enforce_from: 2099-03-01", typing: ["shared": "true"]) { _, _, page in
      #expect(page.path == "continue", "\(page.text)")
    }
  }

  @Test("a person who adds it on the way goes on to the app")
  func addedOnTheWay() async throws {
    try await underDemand(", enforce: warn, enforce_from: 2099-03-01") { apps, browser, page in
      let adding = try await browser.send(page, intent: "start")
      let code = try PageAuthenticator(adding.text).code(at: apps.server.clock.now)
      let codes = try await browser.send(adding, ["code": code], intent: "confirm")
      #expect(PageAuthenticator.codes(codes.text).count == 10, "\(codes.text)")
      let next = try await browser.send(codes, intent: "kept")
      #expect(next.path == "continue", "\(next.text)")
    }
  }

  // MARK: Codes

  @Test("after a wrong code the same key is shown, and its code is taken")
  func wrong() async throws {
    try await run { apps, browser in
      try await browser.open("account/factors")
      try await browser.send("account/factors", intent: "start")
      let first = try PageAuthenticator(browser.text)
      let now = apps.server.clock.now
      try await browser.send("account/factors", ["code": first.wrong(at: now)], intent: "confirm")
      #expect(browser.status == 400 && browser.problem(at: "code") != nil)
      let second = try PageAuthenticator(browser.text)
      #expect(second.code(at: now) == first.code(at: now))
      try await browser.send("account/factors", ["code": first.code(at: now)], intent: "confirm")
      #expect(PageAuthenticator.codes(browser.text).count == 10, "\(browser.text)")
    }
  }

  @Test("ten minutes later the page shows the key no more")
  func reloaded() async throws {
    try await run { apps, _ in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app, "owner")
      let adding = try await browser.send(browser.open("account/factors"), intent: "start")
      _ = try PageAuthenticator(adding.text)
      apps.server.clock.advance(seconds: 600)
      let page = try await browser.follow(browser.send("GET", adding.address), from: adding.address)
      #expect(page.path == "account/factors" && !page.text.contains("class=\"key\""), "\(page.text)")
    }
  }

  @Test("ten minutes later the code of the key adds nothing, and the page says why")
  func late() async throws {
    try await run { apps, browser in
      try await browser.open("account/factors")
      try await browser.send("account/factors", intent: "start")
      let authenticator = try PageAuthenticator(browser.text)
      apps.server.clock.advance(seconds: 600)
      let code = authenticator.code(at: apps.server.clock.now)
      try await browser.send("account/factors", ["code": code], intent: "confirm")
      #expect(browser.text.contains("This took too long. Begin again."), "\(browser.text)")
      #expect(browser.forms("start").count == 1 && !browser.text.contains("class=\"key\""))
    }
  }

  @Test("the key is hidden from a person who signs in after its owner")
  func otherPerson() async throws {
    try await run { apps, _ in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app, "owner")
      let adding = try await browser.send(browser.open("account/factors"), intent: "start")
      _ = try PageAuthenticator(adding.text)
      let flow = String(try #require(adding.address.firstMatch(of: /[?&]f=([^&]+)/)).output.1)
      _ = try await browser.send("sign-out", [:])
      _ = try await browser.signUp(app, "next")
      let page = try await browser.open("account/factors?f=\(flow)")
      #expect(page.path == "account/factors" && !page.text.contains("class=\"key\""), "\(page.text)")
    }
  }

  @Test("the key is given up by a button")
  func givenUp() async throws {
    try await run { apps, _ in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app, "owner")
      let adding = try await browser.send(browser.open("account/factors"), intent: "start")
      let list = try await browser.send(adding, intent: "cancel")
      #expect(list.path == "account/factors" && !list.text.contains("class=\"key\""), "\(list.text)")
    }
  }

  @Test("the first code raises the session: its cookie is another one, and the one before opens nothing")
  func raised() async throws {
    try await run { apps, browser in
      let before = try #require(browser.cookies["gh-messai"])
      _ = try await browser.enrol(apps)
      #expect(browser.cookies["gh-messai"] != nil && browser.cookies["gh-messai"] != before)
      let thief = FormClient(apps, app)
      thief.set("gh-messai", before)
      #expect(try await thief.open("account").path == "sign-in")
      try await browser.open("account")
      #expect(browser.location == "account")
    }
  }

  @Test("at a shared computer the raised session goes with the browser, too, in any tab", arguments: [true, false])
  func shared(_ isShared: Bool) async throws {
    let offered = { (app: App, text: String) in
      text.replacing("\nsessions: {", with: "\nsessions: {page_shared_computer: true, ")
    }
    try await PageAuthenticator.run(offered) { apps in
      _ = try await apps.signUp(app)
      let browser = FormClient(apps, app)
      let typed = ["email": app.email(), "password": App.password].merging(isShared ? ["shared": "true"] : [:]) { $1 }
      _ = try await browser.send("sign-in", typed)
      // Opened by its address, the page has a flow of its own.
      _ = try await browser.enrol()
      let cookie = try #require(browser.settings.last { $0.hasPrefix("gh-messai=gh_") })
      #expect(cookie.contains("Max-Age") != isShared, "\(cookie)")
    }
  }

  @Test("after five minutes an app is added behind a fresh proof, which leads back with what was typed")
  func addNeedsProof() async throws {
    try await run { apps, browser in
      try await browser.open("account/factors")
      apps.server.clock.advance(seconds: 301)
      try await browser.send("account/factors", ["factor_name": "My phone"], intent: "start")
      try #require(browser.location == "reauthenticate")
      try await browser.send("reauthenticate", ["password": App.password])
      #expect(browser.location == "account/factors")
      #expect(browser.value("factor_name", intent: "start") == "My phone", "\(browser.text)")
    }
  }

  @Test("the codes are in nothing that is kept, and no way leads back to them")
  func codesOnce() async throws {
    try await run { apps, browser in
      _ = try await browser.enrol(apps)
      #expect(browser.headers["cache-control"] == "no-store" && !browser.text.contains("hreflang="))
      let codes = PageAuthenticator.codes(browser.text)
      try await browser.open("account/factors")
      #expect(!codes.isEmpty && codes.allSatisfy { !browser.text.contains($0) })
    }
  }

  @Test("once the codes are kept the way goes on to the app that began it")
  func onward() async throws {
    try await PageAuthenticator.run { apps in
      let browser = FormClient(apps, app)
      let asked = try await browser.signUp(app)
      let flow = String(try #require(asked.address.firstMatch(of: /[?&]f=([^&]+)/)).output.1)
      let adding = try await browser.send(browser.open("account/factors?f=\(flow)"), intent: "start")
      let code = try PageAuthenticator(adding.text).code(at: apps.server.clock.now)
      let codes = try await browser.send(adding, ["code": code], intent: "confirm")
      #expect(try await browser.send(codes, intent: "kept").path == "continue")
    }
  }

  // MARK: The list

  @Test("a factor gets another name")
  func rename() async throws {
    try await run { apps, browser in
      _ = try await browser.enrol(apps, named: "My phone")
      try await browser.open("account/factors")
      try await browser.send("account/factors", intent: "rename")
      #expect(browser.value("factor_name", intent: "named") == "My phone")
      try await browser.send("account/factors", ["factor_name": "The <old> one"], intent: "named")
      #expect(browser.notice == "Saved." && browser.text.contains("The &lt;old&gt; one</h2>"), "\(browser.text)")
    }
  }

  @Test("apps without a name are told apart, in the list and in the question")
  func unnamed() async throws {
    try await run { apps, browser in
      _ = try await browser.enrol(apps)
      try await browser.open("account/factors")
      _ = try await browser.enrol(apps)
      let labels = browser.text.matches(of: /<form\b[^>]* aria-label="(Remove: [^"]*)"/).map { String($0.output.1) }
      #expect(labels == ["Remove: Authenticator app", "Remove: Authenticator app (2)"], "\(browser.text)")
      let second = try #require(browser.forms("remove").last?["factor"])
      try await browser.send("account/factors", ["factor": second], intent: "remove")
      #expect(browser.heading == "Remove Authenticator app (2)?")
    }
  }

  @Test("a factor is removed after a question, and the password alone signs in again")
  func remove() async throws {
    try await run { apps, browser in
      _ = try await browser.enrol(apps, named: "My phone")
      try await browser.open("account/factors")
      try await browser.send("account/factors", intent: "remove")
      #expect(browser.heading == "Remove My phone?" && browser.text.contains("Signing in asks for no code then"))
      try await browser.send("account/factors", intent: "removed")
      #expect(browser.notice == "The authenticator app is removed." && browser.forms("remove").isEmpty)
      let other = PageBrowser(app, apps)
      try await other.signIn(app.email())
      #expect(other.location == "account", "\(other.text)")
    }
  }

  @Test("after five minutes a factor is removed behind a code, which leads back to the question")
  func removeNeedsProof() async throws {
    try await run { apps, browser in
      let authenticator = try await browser.enrol(apps, named: "My phone")
      apps.server.clock.advance(seconds: 301)
      try await browser.open("account/factors")
      try await browser.send("account/factors", intent: "remove")
      try await browser.send("account/factors", intent: "removed")
      try #require(browser.location == "reauthenticate")
      let code = authenticator.code(at: apps.server.clock.now)
      try await browser.send("reauthenticate", ["code": code], intent: "totp")
      #expect(browser.location == "account/factors" && browser.heading == "Remove My phone?", "\(browser.text)")
    }
  }

  @Test("a question about a factor that is gone is not asked")
  func gone() async throws {
    try await run { apps, browser in
      _ = try await browser.enrol(apps)
      try await browser.open("account/factors")
      try await browser.send("account/factors", ["factor": "0"], intent: "remove")
      #expect(browser.heading == "Two-step sign-in")
    }
  }

  @Test("new recovery codes take the place of the ones before")
  func newCodes() async throws {
    try await run { apps, browser in
      _ = try await browser.enrol(apps)
      let before = Set(PageAuthenticator.codes(browser.text))
      try await browser.send("account/factors", intent: "kept")
      try await browser.send("account/factors", intent: "codes")
      let after = Set(PageAuthenticator.codes(browser.text))
      #expect(after.count == 10 && after.isDisjoint(with: before))
      #expect(browser.text.contains("Your former recovery codes no longer work."))
    }
  }

  @Test("few recovery codes are told", arguments: [(6, false), (7, true)])
  func few(_ used: Int, _ isTold: Bool) async throws {
    try await run { apps, browser in
      _ = try await browser.enrol(apps)
      try await apps.server.storage.runAsSuperuser(
        script: """
          UPDATE gatehouse.recovery_code SET used_at = now()
          WHERE mac IN (SELECT mac FROM gatehouse.recovery_code LIMIT \(used))
          """)
      try await browser.open("account/factors")
      #expect(browser.text.contains("You have \(10 - used) recovery codes left."), "\(browser.text)")
      #expect(browser.text.contains("Make new ones now") == isTold)
    }
  }

  @Test("the account leads to it where the policy has second factors")
  func row() async throws {
    try await run { apps, browser in
      try await browser.open("account")
      #expect(browser.text.contains(">Two-step sign-in</a>"))
      let other = FormClient(apps, .vibes)
      _ = try await other.signUp(.vibes)
      #expect(try await !other.open("account").text.contains(">Two-step sign-in</a>"))
    }
  }

  @Test("an account that may not do everything yet has it as well")
  func limitedAccount() async throws {
    try await ThreeApps.run { apps in
      let browser = FormClient(apps, .ride)
      let page = try await browser.signUp(.ride)
      try #require(page.path == "check-mail", "\(page.address)")
      #expect(try await PageAuthenticator.codes(browser.enrol().page.text).count == 10)
    }
  }
}
