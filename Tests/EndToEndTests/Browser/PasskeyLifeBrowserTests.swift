import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Passkeys that make accounts, and those that are gone, in a real browser with an authenticator")
struct PasskeyLifeBrowserTests {
  private let app = App.messai

  /// The page's calls of signals, in a list of the page, and then those of the browser.
  private static let spy = Browser.Step.inject(
    """
    window.signals = [];
    for (const name of Object.getOwnPropertyNames(PublicKeyCredential).filter((one) => one.startsWith("signal"))) {
      const own = PublicKeyCredential[name];
      PublicKeyCredential[name] = (values) => {
        window.signals.push({ signal: name, ...values });
        return own.call(PublicKeyCredential, values);
      };
    }
    """)
  private static let signals = Browser.Step.ask("JSON.stringify(window.signals)")

  private func page(_ client: FormClient, _ path: String) -> Browser.Step {
    .open(client.server + client.address(of: path))
  }

  /// A signed-in person adds a passkey, in a browser with an authenticator.
  private func adding(_ client: FormClient) -> [Browser.Step] {
    [
      .authenticator(verifies: true), .hold(client.cookies, at: client.server + client.address(of: "account")),
      page(client, "account/factors"), .press(Pick.intent("add-passkey")), .press(Pick.intent("kept")),
    ]
  }

  // MARK: Signals

  @Test("signals are sent with the ids and the name of the account, and none that deletes what is unknown")
  func spied() async throws {
    try await PagePasskey.run { apps in
      let client = FormClient(apps, app)
      _ = try await client.signUp(app)
      let visit = try Browser(scripts: true).visit(
        [Self.spy], adding(client), [Self.signals])
      let text = try #require(visit.answers.first)
      let told = try #require(try JSONParser.parse(Array(text.utf8)).array, "\(text)")
      try #require(told.map { $0["signal"]?.string } == ["signalAllAcceptedCredentials", "signalCurrentUserDetails"])
      let (accepted, details) = (told[0], told[1])
      #expect(accepted["rpId"]?.string == "localhost" && accepted["allAcceptedCredentialIds"]?.array?.count == 1)
      #expect(details["name"]?.string == app.email() && details["displayName"] == details["name"], "\(text)")
      #expect(details["rpId"] == accepted["rpId"] && details["userId"] == accepted["userId"], "\(text)")
    }
  }

  @Test("a removed passkey goes from the authenticator")
  func removed() async throws {
    try await PagePasskey.run { apps in
      let client = FormClient(apps, app)
      _ = try await client.signUp(app)
      let visit = try Browser(scripts: true).visit(
        adding(client),
        [.holds([app.email()]), .press(Pick.intent("remove")), .press(Pick.intent("removed")), .holds([]), .look])
      #expect(visit.faults == [] && visit.views[0].text.contains("The passkey is removed."), "\(visit.faults)")
    }
  }

  @Test("a passkey with a former name of the account gets that of today")
  func renamed() async throws {
    let former = """
      (async () => {
        const known = JSON.parse(document.querySelector("[data-signal]").dataset.signal);
        const [name, displayName] = ["former@example.com", "former@example.com"];
        await PublicKeyCredential.signalCurrentUserDetails({ ...known, name, displayName });
      })()
      """
    try await PagePasskey.run { apps in
      let client = FormClient(apps, app)
      _ = try await client.signUp(app)
      let visit = try Browser(scripts: true).visit(
        adding(client),
        [
          .ask(former), .holds(["former@example.com"]), page(client, "account/factors"), .holds([app.email()]), .look,
        ])
      #expect(visit.faults == [] && visit.views[0].page == "account/factors", "\(visit.views[0].url)")
    }
  }

  // MARK: Sign-up

  @Test("a passkey makes an account, whose address the mailed code proves", arguments: [1280, 390])
  func signUp(_ width: Int) async throws {
    func strict(_ text: String) -> String {
      text.replacing("full: {requires: []}", with: "full: {requires: [email_verified]}")
    }
    try await PagePasskey.run(use: "sign_in, sign_up", change: strict) { apps in
      let client = FormClient(apps, app)
      let button = Pick.intent("passkey")
      let filled: [Browser.Step] = [
        .type(app.email(), into: Pick.field("email")), .type("Pat", into: Pick.field("profile.displayName")),
      ]
      let visit = try Browser(width: width, scripts: true).visit(
        [.authenticator(verifies: true), page(client, "sign-up"), .look, .axe, .overflow],
        [.picture("passkeys/sign-up-\(width)"), .type("no address", into: Pick.field("email")), .press(button)],
        [.look, .axe, .passkeys, .ask("document.getElementById('email').value = ''")],
        filled, [.press(button), .look, .passkeys])
      #expect(visit.faults == [] && visit.audits.allSatisfy { $0.violations == [] }, "\(visit.audits)")
      #expect(visit.fits[0].found == [] && visit.views[0].has("button", "Create your account with a passkey"))
      #expect(visit.views[1].page == "sign-up" && visit.views[1].title.hasPrefix("Error: "), "\(visit.views[1].text)")
      #expect(visit.passkeys.map(\.count) == [1, 1], "the passkey that was made is sent again")
      #expect(visit.views[2].page == "check-mail", "\(visit.views[2].text)")
      let code = try await client.code(to: app.email())
      #expect(code.count == 6)
    }
  }

  @Test("a page without scripts has no button for it, and the form with a password")
  func plain() async throws {
    try await PagePasskey.run(use: "sign_in, sign_up") { apps in
      let visit = try Browser().visit([page(FormClient(apps, app), "sign-up"), .look, .axe])
      #expect(!visit.views[0].has("button", "Create your account with a passkey"))
      #expect(visit.views[0].has("button", "Create account") && visit.audits[0].violations == [])
    }
  }
}
