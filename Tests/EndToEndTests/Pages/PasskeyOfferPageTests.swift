import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A passkey after a sign-in with a password at the pages")
struct PasskeyOfferPageTests {
  private let app = App.messai
  private static let from = ", upgrade: {from: 2026-01-01}"

  /// People with a password and no passkey, of a policy that offers one; with `use: [sign_in]` without a question.
  private func run(
    use: String = "sign_in", more: String = from, change: (String) -> String = { $0 },
    _ body: (ThreeApps) async throws -> Void
  ) async throws {
    try await PagePasskey.run(verification: "required", use: use, more: more, change: change) { apps in
      _ = try await FormClient(apps, app).signUp(app)
      try await body(apps)
    }
  }

  /// The page after a sign-in, in a browser whose script said what it can.
  private func signIn(
    _ ability: String? = "offer", at page: String = "sign-in", by browser: FormClient, _ more: [String: String] = [:]
  ) async throws -> FormClient.Page {
    let typed = ["email": app.email(), "password": App.password].merging(more) { $1 }
    let said = ability.map { ["upgrade": $0] } ?? [:]
    return try await browser.send(browser.open(page), typed.merging(said) { $1 })
  }

  /// The answer of a browser that made a passkey for this page.
  private func made(
    _ page: FormClient.Page, by browser: FormClient, silently: Bool = false, at origin: String? = nil
  ) async throws -> (passkey: PagePasskey, typed: [String: String]) {
    let options = try await browser.options(page, intent: "add-passkey")
    let (passkey, answer) = try PagePasskey.made(options, at: origin ?? browser.server) { parts in
      if silently { parts.flags &= ~(TestPasskey.present | TestPasskey.verified) }
    }
    return (passkey, answer.typed)
  }

  private func hasPasskey(_ browser: FormClient) async throws -> Bool {
    try await browser.open("account/factors").text.contains("Passkey</h2>")
  }

  // MARK: The offer

  @Test("the offer adds a passkey, and the way goes on to the app", arguments: ["sign_in", "sign_in, second_factor"])
  func added(_ use: String) async throws {
    try await run(use: use) { apps in
      let browser = FormClient(apps, app)
      let page = try await signIn(at: Opening.page(app.scheme), by: browser)
      #expect(page.path == "add-passkey" && page.text.contains("<h1>Sign in faster next time</h1>"), "\(page.text)")
      #expect(page.text.contains("Add a passkey") && page.text.contains("Not now"))
      let (passkey, typed) = try await made(page, by: browser)
      let codes = try await browser.send(page, typed, intent: "add-passkey")
      #expect(PageAuthenticator.codes(codes.text).count == 10, "\(codes.text)")
      #expect(try await browser.send(codes, intent: "kept").path == "continue")
      let other = FormClient(apps, app)
      let entry = try await other.open("sign-in")
      let answer = try passkey.answer(await other.options(entry))
      #expect(try await other.send(entry, answer.typed, intent: "passkey").path == "account")
    }
  }

  @Test("Not now goes on to the app, and this browser is asked no more for a month, while another one is")
  func notNow() async throws {
    try await run { apps in
      let browser = FormClient(apps, app)
      let page = try await signIn(at: Opening.page(app.scheme), by: browser)
      #expect(try await browser.send(page, intent: "later").path == "continue")
      let cookie = try #require(browser.settings.last { $0.hasPrefix("gh.messai.offer=") }, "\(browser.settings)")
      #expect(cookie.contains("Max-Age=2592000") && cookie.contains("HttpOnly"), "\(cookie)")
      _ = try await browser.send("sign-out", [:])
      #expect(try await signIn(by: browser).path == "account")
      #expect(try await signIn(by: FormClient(apps, app)).path == "add-passkey")
    }
  }

  @Test("a page of the offer that is opened again still has it")
  func reloaded() async throws {
    try await run { apps in
      let browser = FormClient(apps, app)
      let page = try await signIn(by: browser)
      let address = String(try #require(page.address.range(of: "/ui/").map { page.address[$0.upperBound...] }))
      #expect(try await browser.open(address).text.contains("Sign in faster next time"))
    }
  }

  @Test("a browser that runs no scripts goes on at once", arguments: [nil, "", "no", "later"])
  func plain(_ ability: String?) async throws {
    try await run { apps in
      let browser = FormClient(apps, app)
      let entry = try await browser.open("sign-in")
      #expect(entry.text.contains(#"name="upgrade" value="no""#), "\(entry.text)")
      #expect(try await signIn(ability, by: browser).path == "account")
    }
  }

  @Test("no user is asked before the first day, nor one with a passkey")
  func notDue() async throws {
    try await run(more: ", upgrade: {from: 2099-01-01}") { apps in
      let page = try await signIn(by: FormClient(apps, app))
      #expect(page.path == "account")
    }
    try await run { apps in
      let browser = FormClient(apps, app)
      _ = try await signIn(nil, by: browser)
      _ = try await browser.addPasskey()
      #expect(try await signIn(by: FormClient(apps, app)).path == "account")
    }
  }

  @Test("no passkey is made at a shared computer", arguments: ["offer", "silent"])
  func shared(_ ability: String) async throws {
    let offered = { (text: String) in
      text.replacing("\nsessions: {", with: "\nsessions: {page_shared_computer: true, ")
    }
    try await run(change: offered) { apps in
      let shared = try await signIn(ability, by: FormClient(apps, app), ["shared": "true"])
      #expect(shared.path == "account", "\(shared.text)")
      #expect(try await signIn(ability, by: FormClient(apps, app)).path == "add-passkey")
    }
  }

  @Test("a page that was open until its proof is old goes on, and adds nothing")
  func old() async throws {
    try await run { apps in
      let browser = FormClient(apps, app)
      let page = try await signIn(by: browser)
      let typed = try await made(page, by: browser).typed
      apps.server.clock.advance(seconds: 301)
      #expect(try await browser.ask(page, intent: "add-passkey").headers["content-type"] != "application/json")
      #expect(try await browser.send(page, typed, intent: "add-passkey").path == "account")
      #expect(try await !hasPasskey(browser))
    }
  }

  @Test("a refused passkey is told, and another one may follow")
  func refused() async throws {
    try await run { apps in
      let browser = FormClient(apps, app)
      let page = try await signIn(by: browser)
      let forged = try await made(page, by: browser, at: "https://evil.example").typed
      let again = try await browser.send(page, forged, intent: "add-passkey")
      #expect(again.status == 401 && again.text.contains("This passkey was not accepted."), "\(again.text)")
      let typed = try await made(again, by: browser).typed
      #expect(try await PageAuthenticator.codes(browser.send(again, typed, intent: "add-passkey").text).count == 10)
    }
  }

  @Test("a passkey that is added twice shows the same recovery codes")
  func twice() async throws {
    try await run { apps in
      let browser = FormClient(apps, app)
      let page = try await signIn(by: browser)
      let typed = try await made(page, by: browser).typed
      let body = FormClient.encoded(try FormClient.fields(page, typed, intent: "add-passkey"))
      let address = String(page.address.prefix { $0 != "?" })
      let cookies = browser.cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
      var shown: [[String]] = []
      for _ in 0..<2 {
        let answer = try await browser.send("POST", address, body, headers: ["Cookie": cookies])
        shown.append(PageAuthenticator.codes(try await browser.follow(answer, from: address).text))
      }
      #expect(shown[0].count == 10 && shown[0] == shown[1], "\(shown)")
    }
  }

  @Test("after a second step the offer follows as well")
  func secondStep() async throws {
    try await run { apps in
      let owner = FormClient(apps, app)
      _ = try await signIn(nil, by: owner)
      let authenticator = try await owner.enrol().app
      apps.server.clock.advance(seconds: 30)
      let browser = FormClient(apps, app)
      let step = try await signIn(by: browser)
      try #require(step.path == "second-step", "\(step.address)")
      let code = authenticator.code(at: apps.server.clock.now)
      #expect(try await browser.send(step, ["code": code], intent: "totp").path == "add-passkey")
    }
  }

  // MARK: Without a question

  @Test("a browser that can makes the passkey by itself, no one is asked, and the next page says that it is there")
  func silent() async throws {
    try await run { apps in
      let browser = FormClient(apps, app)
      let page = try await signIn("silent", by: browser)
      #expect(page.path == "add-passkey" && page.text.contains(" data-silent ") && page.text.contains("Continue"))
      let (passkey, typed) = try await made(page, by: browser, silently: true)
      let done = try await browser.send(page, typed, intent: "add-passkey")
      #expect(done.path == "account" && done.text.contains("Your passkey is added."), "\(done.text)")
      #expect(browser.settings.allSatisfy { !$0.hasPrefix("gh.messai.offer=") })
      let factors = try await browser.open("account/factors")
      #expect(factors.text.contains("You have no recovery codes left."), "\(factors.text)")
      let other = FormClient(apps, app)
      let entry = try await other.open("sign-in")
      let answer = try passkey.answer(await other.options(entry))
      #expect(try await other.send(entry, answer.typed, intent: "passkey").path == "account")
    }
  }

  @Test("a passkey that no one was asked for is refused where the person asked for one")
  func notSilently() async throws {
    try await run(use: "sign_in, second_factor") { apps in
      let browser = FormClient(apps, app)
      let page = try await signIn(by: browser)
      let typed = try await made(page, by: browser, silently: true).typed
      let again = try await browser.send(page, typed, intent: "add-passkey")
      #expect(again.status == 401 && again.path == "add-passkey", "\(again.text)")
    }
  }

  @Test("what fails without a question is told to no one, and the next sign-in tries again")
  func silentFailure() async throws {
    try await run { apps in
      for typed in [["passkey": "{"], nil] {
        let browser = FormClient(apps, app)
        let page = try await signIn("silent", by: browser)
        try #require(page.path == "add-passkey")
        let answer =
          if let typed { typed } else { try await made(page, by: browser, at: "https://evil.example").typed }
        let done = try await browser.send(page, answer, intent: "add-passkey")
        #expect(done.path == "account" && done.status == 200 && !done.text.contains("role=\"alert\""), "\(done.text)")
        #expect(try await !hasPasskey(browser))
        _ = try await browser.send("sign-out", [:])
        #expect(try await signIn("silent", by: browser).path == "add-passkey")
      }
    }
  }

  @Test("a passkey that would be asked for after a password is made by no browser by itself")
  func secondFactor() async throws {
    try await run(use: "sign_in, second_factor") { apps in
      let page = try await signIn("silent", by: FormClient(apps, app))
      #expect(page.text.contains("Sign in faster next time") && !page.text.contains("data-silent"), "\(page.text)")
    }
  }
}
