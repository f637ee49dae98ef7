import Foundation
import GatehouseOutbound
import GatehousePolicy
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@testable import GatehouseIdentity

/// The account has a second factor that no page asks for.
@Suite("A sign-in at the hosted pages that waits for a second proof that no page asks for")
struct PendingPageTests {
  private static let sentence = "This page cannot ask for the second step of this account."

  /// Every account gets a second factor.
  private func enrol(_ apps: ThreeApps) async throws {
    let all = try await apps.server.storage.connect(user: Embedded.superuser)
    do {
      _ = try await all.write(nil, ["UPDATE gatehouse.account SET factors = '{webauthn}'"])
      await all.stop()
    } catch {
      await all.stop()
      throw error
    }
  }

  /// The pending sign-in that the flow of a page holds, as a page finds it.
  private func pending(
    _ page: FormClient.Page, _ browser: FormClient, _ app: App, _ apps: ThreeApps
  ) async throws -> TriedSignIn {
    let call = try await apps.operatorCall(app)
    let cookie = try #require(browser.cookies.first { $0.key.contains("gh.flow") }?.value)
    let token = String(cookie.prefix { $0 != "." })
    let digest = try #require(OpaqueToken.digest(of: token, kind: .flow))
    let flow = try #require(page.text.firstMatch(of: /sign-in\?f=([A-Za-z0-9_-]+)/), "\(page.text)")
    let sealed = try #require(Base64URL.decode(String(flow.output.1)))
    let text = try call.tenant.vault.open(sealed, for: .pageFlow(key: digest)).expose { $0 }
    let challenge = try #require(try JSONParser.parse(text)["challenge"]?["id"]?.string)
    return try await TriedSignIn.find(challenge, call.from(browser: token), apps.server.services)
  }

  private func expectNoForm(_ page: FormClient.Page) {
    #expect(page.status == 401 && page.text.contains(Self.sentence), "\(page.text)")
    #expect(!page.text.contains("<form class=") && !page.text.contains("type=\"password\""), "\(page.text)")
  }

  @Test("after the right password the page says that it cannot go on, and its flow holds the challenge")
  func password() async throws {
    try await ThreeApps.run { apps in
      let app = App.messai
      _ = try await apps.signUp(app)
      try await enrol(apps)
      let browser = FormClient(apps, app)
      let typed = ["email": app.email(), "password": App.password]
      let page = try await browser.send("sign-in", typed)
      expectNoForm(page)
      #expect(!browser.cookies.keys.contains { $0.contains("gh-messai") }, "\(browser.cookies)")
      let tried = try await pending(page, browser, app, apps)
      #expect(tried.asked == [.later("webauthn")])
      // The way on is another sign-in, with its form.
      let again = try await browser.follow(page, link: "sign-in")
      #expect(again.status == 200 && again.text.contains("type=\"password\""))
      let wrong = try await browser.send(again, ["email": app.email(), "password": App.otherPassword])
      #expect(wrong.text.contains("type=\"password\"") && !wrong.text.contains(Self.sentence))
    }
  }

  @Test("a browser that comes back from a provider is told the same, and its own flow holds the challenge")
  func provider() async throws {
    try await PageProviders.run { world in
      let first = FormClient(world.apps, .vibes)
      let new = try await provide(first.open("sign-in"), "google", first, world)
      try #require(new.path == "complete", "\(new.address) \(new.text)")
      try await enrol(world.apps)
      let browser = FormClient(world.apps, .vibes)
      let page = try await provide(browser.open("sign-in"), "google", browser, world)
      expectNoForm(page)
      let tried = try await pending(page, browser, .vibes, world.apps)
      #expect(tried.asked == [.later("webauthn")])
    }
  }

  @Test("a browser that comes back from a provider is asked for the code of an app, and goes on")
  func providerThenCode() async throws {
    try await PageProviders.run(requiresAuthTime: true, policy: PageAuthenticator.policy) { world in
      try await world.peer.authTime(.honest)
      try await world.peer.itIs(world.apps.server.clock.now)
      let owner = FormClient(world.apps, .vibes)
      let new = try await provide(owner.open("sign-in"), "google", owner, world)
      try #require(new.path == "complete", "\(new.address) \(new.text)")
      // The provider let the browser of the new account pass, as it was signed in there: that is no fresh proof.
      let stale = try await owner.send(owner.open("account/factors"), intent: "start")
      try #require(stale.path == "reauthenticate", "\(stale.address) \(stale.text)")
      let back = try await provide(stale, "google", owner, world)
      try #require(back.path == "account/factors", "\(back.address) \(back.text)")
      let authenticator = try await owner.enrol().app
      world.apps.server.clock.advance(seconds: 30)
      try await world.peer.itIs(world.apps.server.clock.now)
      let browser = FormClient(world.apps, .vibes)
      let asked = try await provide(browser.open("sign-in"), "google", browser, world)
      try #require(asked.path == "second-step", "\(asked.address) \(asked.text)")
      #expect(!browser.cookies.keys.contains { $0.contains("gh-vibes") }, "\(browser.cookies)")
      let code = authenticator.code(at: world.apps.server.clock.now)
      let page = try await browser.send(asked, ["code": code], intent: "totp")
      #expect(page.path == "complete" && browser.cookies["gh-vibes"] != nil, "\(page.address) \(page.text)")
    }
  }

  /// Presses a provider's button, allows everything there, and comes back.
  private func provide(
    _ page: FormClient.Page, _ provider: String, _ browser: FormClient, _ world: PageProviders
  ) async throws -> FormClient.Page {
    let away = try await browser.send(page, intent: "provider:" + provider)
    let links = away.text.matches(of: /<a class="button" href="(https:[^"]*)"/)
    let link = try #require(links.first.map { FormClient.Form.plain(String($0.output.1)) }, "\(away.text)")
    let back = try #require(try await world.peer.consent(link))
    let address = String(back.dropFirst(browser.server.count))
    return try await browser.follow(browser.send("GET", address), from: address)
  }
}
