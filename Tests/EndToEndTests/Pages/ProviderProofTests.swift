import GatehouseIdentity
import GatehouseOutbound
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A fresh proof by a provider, at the hosted pages")
struct ProviderProofTests {
  /// Presses a provider's button, allows everything there, and comes back; the page where that ends.
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

  /// Somebody who came by Google, five minutes later.
  private func member(_ world: PageProviders) async throws -> FormClient {
    let browser = FormClient(world.apps, .vibes)
    let page = try await provide(browser.open("sign-in"), "google", browser, world)
    try #require(page.path == "complete", "\(page.address) \(page.text)")
    world.apps.server.clock.advance(seconds: 301)
    try await world.peer.itIs(world.apps.server.clock.now)
    return browser
  }

  /// vibes with a provider that can be asked for a new sign-in, and says the truth.
  private func honest(_ body: (PageProviders) async throws -> Void) async throws {
    try await PageProviders.run(requiresAuthTime: true) { world in
      try await world.peer.authTime(.honest)
      try await body(world)
    }
  }

  @Test("a user without a password proves who they are at their provider, and goes on where they were")
  func proof() async throws {
    try await honest { world in
      let browser = try await member(world)
      let asked = try await browser.send(browser.open("account/delete"), intent: "prove")
      try #require(asked.path == "reauthenticate", "\(asked.address)")
      let back = try await provide(asked, "google", browser, world)
      #expect(back.path == "account/delete", "\(back.address) \(back.text)")
      let done = try await browser.send(back)
      #expect(done.path == "signed-out", "\(done.address) \(done.text)")
    }
  }

  @Test("another account of the provider is no proof, and signs nobody in")
  func another() async throws {
    try await honest { world in
      let browser = try await member(world)
      let asked = try await browser.send(browser.open("account/delete"), intent: "prove")
      try await world.peer.signIn([
        "sub": "sister", "email": "sister@gmail.com", "email_verified": true, "name": "Sister",
      ])
      let back = try await provide(asked, "google", browser, world)
      #expect(back.path == "reauthenticate" && back.text.contains("did not confirm who you are"), "\(back.text)")
      #expect(try await browser.open("account").text.contains("nova@gmail.com"))
    }
  }

  @Test("another account is told apart from its owner's where it is of the same app, too")
  func known() async throws {
    try await honest { world in
      try await world.peer.signIn([
        "sub": "sister", "email": "sister@gmail.com", "email_verified": true, "name": "Sister",
      ])
      let sister = FormClient(world.apps, .vibes)
      _ = try await provide(sister.open("sign-in"), "google", sister, world)
      try await world.peer.signIn([
        "sub": "listener", "email": "nova@gmail.com", "email_verified": true, "name": "Nova",
      ])
      let browser = try await member(world)
      let asked = try await browser.send(browser.open("account/delete"), intent: "prove")
      try await world.peer.signIn(["sub": "sister", "email": "sister@gmail.com", "email_verified": true])
      #expect(try await provide(asked, "google", browser, world).path == "reauthenticate")
      #expect(try await browser.open("account").text.contains("nova@gmail.com"))
    }
  }

  @Test("T193 a provider that does not sign its user in anew proves no presence, whatever it says of when it did")
  func lies() async throws {
    for lie in [.none, .always(-400), .always(400), .text("now")] as [IdentityProviderPeer.AuthTime] {
      try await honest { world in
        let browser = try await member(world)
        try await world.peer.authTime(lie)
        let asked = try await browser.send(browser.open("account/delete"), intent: "prove")
        let back = try await provide(asked, "google", browser, world)
        #expect(back.path == "reauthenticate" && back.text.contains("did not confirm who you are"), "\(back.text)")
      }
    }
  }

  // MARK: By mail

  private func code(_ world: PageProviders) async throws -> String {
    try #require(try await world.apps.server.latestMail(to: "nova@gmail.com")?.code)
  }

  @Test("T192 T194 at a provider that cannot be asked anew a mailed code is the proof, and leads back")
  func byMail() async throws {
    try await PageProviders.run { world in
      let browser = FormClient(world.apps, .vibes)
      _ = try await provide(browser.open("sign-in"), "google", browser, world)
      let asked = try await browser.send(browser.open("account/delete"), intent: "prove")
      try #require(asked.path == "reauthenticate" && !asked.text.contains("provider:google"), "\(asked.text)")
      let waits = try await browser.send(asked, intent: "mail")
      try #require(waits.path == "reauthenticate" && waits.text.contains("nova@gmail.com"), "\(waits.text)")
      let wrong = try await browser.send(waits, ["code": "000000"], intent: "code")
      #expect(wrong.status == 400 && wrong.path == "reauthenticate")
      let back = try await browser.send(wrong, ["code": code(world)], intent: "code")
      try #require(back.path == "account/delete", "\(back.address) \(back.text)")
      #expect(try await browser.send(back).path == "signed-out")
    }
  }

  @Test("T194 after five wrong codes the page offers another one")
  func usedUp() async throws {
    try await PageProviders.run { world in
      let browser = FormClient(world.apps, .vibes)
      _ = try await provide(browser.open("sign-in"), "google", browser, world)
      var page = try await browser.send(browser.open("account/delete"), intent: "prove")
      page = try await browser.send(page, intent: "mail")
      for _ in 0..<5 { page = try await browser.send(page, ["code": "000000"], intent: "code") }
      #expect(page.text.contains("Send a new code") && !page.text.contains("name=\"code\""), "\(page.text)")
      world.apps.server.clock.advance(seconds: 61)
      let again = try await browser.send(page, intent: "mail")
      #expect(try await browser.send(again, ["code": code(world)], intent: "code").path == "account/delete")
    }
  }

  // MARK: For an app

  private static func opening() -> String { Opening.page(App.vibes.scheme, ["prompt": "login"]) }

  @Test(
    "T195 an app that asks for a fresh sign-in gets none of a browser that is signed in at the provider: a code first")
  func promptedInSilence() async throws {
    try await PageProviders.run { world in
      _ = try await member(world)
      let browser = FormClient(world.apps, .vibes)
      let back = try await provide(browser.open(Self.opening()), "google", browser, world)
      try #require(back.path == "reauthenticate", "\(back.address) \(back.text)")
      #expect(try await browser.open("continue").outside == nil)
      let waits = try await browser.send(back, intent: "mail")
      let next = try await browser.send(waits, ["code": code(world)], intent: "code")
      #expect(next.path != "reauthenticate" && next.path != "sign-in", "\(next.address) \(next.text)")
    }
  }

  @Test("T195 a provider that signs its user in anew is asked to, and the app goes on")
  func promptedAnew() async throws {
    try await honest { world in
      _ = try await member(world)
      let browser = FormClient(world.apps, .vibes)
      let back = try await provide(browser.open(Self.opening()), "google", browser, world)
      #expect(back.path != "reauthenticate" && back.path != "sign-in", "\(back.address) \(back.text)")
    }
  }

  @Test("a service that becomes a way in is connected behind a fresh proof, which the page asks for itself")
  func connect() async throws {
    try await PageProviders.run { world in
      let browser = FormClient(world.apps, .vibes)
      _ = try await browser.signUp(.vibes)
      world.apps.server.clock.advance(seconds: 301)
      let asked = try await browser.send(browser.open("connect/google"))
      #expect(asked.path == "reauthenticate", "\(asked.address) \(asked.text)")
      let back = try await browser.send(asked, ["password": App.password])
      #expect(back.path == "connect/google", "\(back.address)")
    }
  }

  @Test("a person may leave a page that asks for a service which no browser can connect")
  func stuck() async throws {
    try await ThreeApps.share { apps in
      let browser = FormClient(apps, .vibes)
      _ = try await browser.signUp(.vibes)
      let page = try await browser.open("connect/spotify")
      try #require(page.path == "connect/spotify", "\(page.address)")
      #expect(try await browser.follow(page, link: "sign-out").path == "sign-out")
    }
  }
}
