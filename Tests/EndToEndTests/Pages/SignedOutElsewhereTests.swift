import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseServer

@Suite("A browser whose session ended elsewhere")
struct SignedOutElsewhereTests {
  private let app = App.messai
  private let told = "You were signed out. Sign in again."

  /// A browser at a page, whose session ends meanwhile.
  private func ended(
    at path: String, _ apps: ThreeApps
  ) async throws -> (FormClient, FormClient.Page) {
    let browser = FormClient(apps, app)
    _ = try await browser.signUp(app)
    let page = try await browser.open(path)
    try await apps.server.storage.runAsSuperuser(
      script: "UPDATE gatehouse.session SET ended_at = created_at, end_reason = 'revoked'")
    return (browser, page)
  }

  private func signIn(_ page: FormClient.Page, _ browser: FormClient) async throws -> FormClient.Page {
    try await browser.send(page, ["email": app.email(), "password": App.password])
  }

  @Test("a page of the account says why it asks for a sign-in, and is back after it")
  func opened() async throws {
    try await ThreeApps.run { apps in
      let (browser, _) = try await ended(at: "account", apps)
      let page = try await browser.open("account/devices")
      #expect(page.path == "sign-in" && page.text.contains(told), "\(page.text)")
      #expect(try await signIn(page, browser).path == "account/devices")
    }
  }

  @Test("the sign-in page says so as well, once")
  func signInPage() async throws {
    try await ThreeApps.run { apps in
      let (browser, _) = try await ended(at: "account", apps)
      #expect(try await browser.open("sign-in").text.contains(told))
      #expect(try await browser.open("sign-in").text.contains(told) == false)
    }
  }

  @Test("a browser that was never signed in is told nothing", arguments: ["account", "sign-in"])
  func never(_ path: String) async throws {
    try await ThreeApps.share { apps async throws in
      #expect(try await FormClient(apps, app).open(path).text.contains(told) == false)
    }
  }

  @Test("what was typed into a form is there after the sign-in, and is saved when it is sent again")
  func draft() async throws {
    try await ThreeApps.run { apps in
      let (browser, page) = try await ended(at: "account/profile", apps)
      let asked = try await browser.send(page, ["profile.displayName": "Typed Before"])
      #expect(asked.path == "sign-in" && asked.text.contains(told), "\(asked.text)")
      let back = try await signIn(asked, browser)
      #expect(back.path == "account/profile" && back.text.contains("value=\"Typed Before\""), "\(back.text)")
      #expect(try await browser.send(back).text.contains("Saved."))
      #expect(try await browser.open("account").text.contains("Typed Before"))
    }
  }

  @Test("what was typed is there once, and not at a later visit to the page")
  func once() async throws {
    try await ThreeApps.run { apps in
      let (browser, page) = try await ended(at: "account/profile", apps)
      let back = try await signIn(browser.send(page, ["profile.displayName": "Typed Before"]), browser)
      let account = try await browser.follow(back, link: "account?")
      let later = try await browser.follow(account, link: "account/profile")
      #expect(later.text.contains("Typed Before") == false, "\(later.text)")
    }
  }

  @Test("a text that is too long for an address is dropped, and the way goes on")
  func long() async throws {
    try await ThreeApps.run { apps in
      let (browser, page) = try await ended(at: "account/profile", apps)
      let asked = try await browser.send(page, ["profile.displayName": String(repeating: "a", count: 4_000)])
      let flow = try #require(asked.address.firstMatch(of: /[?&]f=([^&]+)/)).output.1
      #expect(flow.utf8.count <= Flow.largest, "\(flow.utf8.count)")
      #expect(try await signIn(asked, browser).path == "account/profile")
    }
  }

  @Test("passwords are not there after the sign-in")
  func secrets() async throws {
    try await ThreeApps.run { apps in
      let (browser, page) = try await ended(at: "account/password", apps)
      let typed = ["current": App.password, "password": App.otherPassword, "again": App.otherPassword]
      let back = try await signIn(browser.send(page, typed), browser)
      for secret in typed.values { #expect(!back.text.contains(secret)) }
    }
  }
}
