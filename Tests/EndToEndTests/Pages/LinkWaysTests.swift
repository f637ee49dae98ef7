import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Where the pages of mailed links lead on")
struct LinkWaysTests {
  /// The addresses of the ways on from a page, without their flows.
  private func ways(_ page: FormClient.Page) -> [String] {
    page.text.matches(of: /<(?:li|p)><a (?:class="button" )?href="([^"?#]+)\?f=/).map { String($0.output.1) }
  }

  /// The one way that looks like a button.
  private func button(_ page: FormClient.Page) -> String? {
    page.text.firstMatch(of: /<a class="button" href="([^"?#]+)/).map { String($0.output.1) }
  }

  /// A DD Ride user who signed up in the app, and a browser elsewhere.
  private func rider(_ apps: ThreeApps, language: String = "en") async throws -> FormClient {
    _ = try await FormClient(apps, .ride, headers: ["Accept-Language": language]).signUp(.ride)
    return FormClient(apps, .ride)
  }

  @Test("a link that did its work leads to sign-in, beside the app")
  func done() async throws {
    try await ThreeApps.share { apps in
      let browser = try await rider(apps)
      let page = try await browser.send(browser.openLink(to: App.ride.email()), ["password": App.password])
      #expect(page.text.contains("Email verified") && page.text.contains("ddride://open"), "\(page.text)")
      #expect(ways(page) == ["sign-in"] && button(page) == "ddride://open", "\(page.text)")
    }
  }

  @Test("an address that was taken back leads to a new password first")
  func undone() async throws {
    try await ThreeApps.share { apps in
      let page = try await FormClient(apps, .ride).open("undo-email?done=1")
      #expect(page.text.contains("Change undone") && ways(page) == ["forgot", "sign-in"], "\(page.text)")
      #expect(button(page) == "forgot" && page.text.contains("ddride://open"), "\(page.text)")
    }
  }

  @Test("a page that asks for a password leads to a new one")
  func forgotten() async throws {
    try await ThreeApps.share { apps in
      let browser = try await rider(apps)
      let page = try await browser.openLink(to: App.ride.email())
      #expect(page.text.contains("Verify your email") && ways(page).contains("forgot"), "\(page.text)")
    }
  }

  @Test("a link that was used leads to another one and to sign-in")
  func used() async throws {
    try await ThreeApps.share { apps in
      let browser = try await rider(apps)
      _ = try await browser.send(browser.openLink(to: App.ride.email()), ["password": App.password])
      let page = try await browser.openLink(to: App.ride.email())
      #expect(page.text.contains("This link was already used"), "\(page.text)")
      #expect(ways(page) == ["check-mail", "sign-in"] && button(page) == "ddride://open", "\(page.text)")
    }
  }

  @Test("a link whose time is over leads to another one: to the account's mail, once its owner is in")
  func expired() async throws {
    try await ThreeApps.run { apps in
      let browser = try await rider(apps)
      _ = try await browser.openLink(to: App.ride.email())
      apps.server.clock.advance(seconds: 86_401)
      let page = try await browser.openLink(to: App.ride.email())
      #expect(page.text.contains("This link has expired") && button(page) == "check-mail", "\(page.text)")
      let asked = try await browser.follow(page, link: "check-mail")
      let back = try await browser.send(asked, ["email": App.ride.email(), "password": App.password])
      #expect(back.path == "check-mail" && back.text.contains("Send a new code"), "\(back.text)")
    }
  }

  @Test(
    "a broken link of each kind leads to the page that mails another one",
    arguments: [
      "verify-email": "check-mail", "reset-password": "forgot", "confirm-email": "account/email",
      "undo-email": "forgot",
    ])
  func broken(_ page: String, _ again: String) async throws {
    try await ThreeApps.share { apps in
      for query in ["?token=nonsense", ""] {
        let shown = try await FormClient(apps, .ride).open(page + query)
        #expect(ways(shown) == [again, "sign-in"], "\(shown.text)")
      }
    }
  }

  @Test("the page of a link speaks the language of its mail, and offers the others")
  func language() async throws {
    try await ThreeApps.share { apps in
      let browser = try await rider(apps, language: "es")
      let page = try await browser.openLink(to: App.ride.email())
      #expect(
        page.text.contains("<html lang=\"es\">") && page.text.contains("value=\"en\" lang=\"en\""), "\(page.text)")
      let done = try await browser.send(page, ["password": App.password])
      #expect(done.text.contains("Correo verificado"), "\(done.text)")
    }
  }

  @Test("a page that is not there blames no mail", arguments: ["/t/messia/ui/sign-in", "/t/messai/ui/nothing"])
  func nothing(_ address: String) async throws {
    try await ThreeApps.share { apps in
      let page = try await FormClient(apps, .messai, headers: ["Accept": "text/html"]).send("GET", address)
      #expect(page.status == 404 && !page.text.contains("in your mail"), "\(page.text)")
    }
  }
}
