import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// Taps that wait for no answer send the same bytes with the same cookies.
@Suite("Forms of second factors that are sent twice")
struct FactorRepeatTests {
  private let app = App.messai

  /// A form of a page as it is sent, each time with the cookies of before.
  private struct Sending {
    let address: String
    let body: String
    let cookies: [String: String]

    init(
      _ page: FormClient.Page, _ typed: [String: String] = [:], intent: String, by browser: FormClient
    ) throws {
      address = String(page.address.prefix { $0 != "?" })
      body = FormClient.encoded(try FormClient.fields(page, typed, intent: intent))
      cookies = browser.cookies
    }

    func answer(to browser: FormClient, session: String? = nil) async throws -> FormClient.Page {
      let held = cookies.map { "\($0.key)=\($0.key == "gh-messai" ? session ?? $0.value : $0.value)" }
      let answer = try await browser.send(
        "POST", address, body, headers: ["Cookie": held.sorted().joined(separator: "; ")])
      return try await browser.follow(answer, from: address)
    }
  }

  /// A signed-in person with the form for the first code of an app.
  private func adding(
    _ body: (ThreeApps, FormClient, Sending) async throws -> Void
  ) async throws {
    try await PageAuthenticator.run { apps in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app, "owner")
      let page = try await browser.send(browser.open("account/factors"), intent: "start")
      let code = try PageAuthenticator(page.text).code(at: apps.server.clock.now)
      try await body(apps, browser, Sending(page, ["code": code], intent: "confirm", by: browser))
    }
  }

  /// The page that asks a person with an app for its code, in another browser.
  private func asked(_ apps: ThreeApps) async throws -> (FormClient, FormClient.Page, PageAuthenticator) {
    let owner = FormClient(apps, app)
    _ = try await owner.signUp(app, "owner")
    let authenticator = try await owner.enrol().app
    apps.server.clock.advance(seconds: 30)
    let browser = FormClient(apps, app)
    let page = try await browser.send("sign-in", ["email": app.email("owner"), "password": App.password])
    try #require(page.path == "second-step", "\(page.address)")
    return (browser, page, authenticator)
  }

  @Test("the first code of an app shows the same recovery codes, and the browser stays signed in")
  func confirm() async throws {
    try await adding { _, browser, sending in
      let first = PageAuthenticator.codes(try await sending.answer(to: browser).text)
      let second = try await sending.answer(to: browser)
      #expect(first.count == 10 && PageAuthenticator.codes(second.text) == first, "\(second.text)")
      let list = try await browser.send(second, intent: "kept")
      #expect(list.path == "account/factors" && list.text.contains("You have 10 recovery codes left."), "\(list.text)")
    }
  }

  @Test("two first codes at once show the same recovery codes")
  func confirmAtOnce() async throws {
    try await adding { _, browser, sending in
      async let one = sending.answer(to: browser)
      async let other = sending.answer(to: browser)
      let shown = try await [one, other].map { PageAuthenticator.codes($0.text) }
      #expect(shown[0].count == 10 && shown[0] == shown[1], "\(shown)")
    }
  }

  @Test("the same bytes with the cookie of another session show nothing")
  func otherCookie() async throws {
    try await adding { _, browser, sending in
      _ = try await sending.answer(to: browser)
      let page = try await sending.answer(to: browser, session: "gh_ps_of_another_browser")
      #expect(page.path == "sign-in" && PageAuthenticator.codes(page.text).isEmpty, "\(page.text)")
      #expect(browser.cookies["gh-messai"] == nil)
    }
  }

  @Test("once the session has ended the same bytes show nothing")
  func signedOut() async throws {
    try await adding { _, browser, sending in
      _ = try await sending.answer(to: browser)
      _ = try await browser.send("sign-out", [:])
      let page = try await sending.answer(to: browser)
      #expect(page.path == "sign-in" && PageAuthenticator.codes(page.text).isEmpty, "\(page.text)")
      #expect(browser.cookies["gh-messai"] == nil)
    }
  }

  @Test("the code of the second step opens one session")
  func secondStep() async throws {
    try await PageAuthenticator.run { apps in
      let (browser, page, authenticator) = try await asked(apps)
      let code = authenticator.code(at: apps.server.clock.now)
      let sending = try Sending(page, ["code": code], intent: "totp", by: browser)
      for _ in 0..<2 {
        let done = try await sending.answer(to: browser)
        #expect(done.path == "account", "\(done.address) \(done.text)")
      }
      let opened = browser.settings.filter { $0.hasPrefix("gh-messai=gh_") }.map { String($0.prefix { $0 != ";" }) }
      #expect(Set(opened).count == 1, "\(opened.count)")
    }
  }

  @Test("a proof that raises the session leads on, and the browser stays signed in")
  func reauthenticate() async throws {
    try await PageAuthenticator.run { apps in
      let (browser, page, authenticator) = try await asked(apps)
      let code = authenticator.code(at: apps.server.clock.now)
      _ = try await browser.send(page, ["code": code, "remember": "true"], intent: "totp")
      _ = try await browser.send("sign-out", [:])
      _ = try await browser.send("sign-in", ["email": app.email("owner"), "password": App.password])
      let proof = try await browser.open("account/export")
      try #require(proof.path == "reauthenticate", "a remembered device is no fresh proof")
      apps.server.clock.advance(seconds: 30)
      let other = authenticator.code(at: apps.server.clock.now)
      let sending = try Sending(proof, ["code": other], intent: "totp", by: browser)
      for _ in 0..<2 {
        let done = try await sending.answer(to: browser)
        #expect(done.path == "account/export", "\(done.address) \(done.text)")
      }
    }
  }

  @Test("a sign-up that comes again after its session was raised signs no one out")
  func signUp() async throws {
    try await PageAuthenticator.run { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.open("sign-up")
      let body = FormClient.encoded(try FormClient.fields(page, app.typed()))
      let address = String(page.address.prefix { $0 != "?" })
      _ = try await browser.send("POST", address, body)
      _ = try await browser.enrol()
      #expect(try await browser.send("POST", address, body).status == 303)
      let account = try await browser.open("account")
      #expect(account.path == "account", "\(account.address)")
    }
  }

  @Test("new recovery codes are made once")
  func codes() async throws {
    try await adding { _, browser, sending in
      let list = try await browser.send(sending.answer(to: browser), intent: "kept")
      let again = try Sending(list, intent: "codes", by: browser)
      let first = PageAuthenticator.codes(try await again.answer(to: browser).text)
      let second = PageAuthenticator.codes(try await again.answer(to: browser).text)
      #expect(first.count == 10 && first == second)
    }
  }

  @Test("a factor is removed once, and the second one is told so as well")
  func removed() async throws {
    try await adding { _, browser, sending in
      let list = try await browser.send(sending.answer(to: browser), intent: "kept")
      let question = try await browser.send(list, intent: "remove")
      let removing = try Sending(question, intent: "removed", by: browser)
      for _ in 0..<2 {
        let page = try await removing.answer(to: browser)
        #expect(page.status == 200 && page.text.contains("The authenticator app is removed."), "\(page.text)")
      }
    }
  }
}
