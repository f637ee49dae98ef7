import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A passkey after a sign-in with a password, in a real browser with an authenticator")
struct PasskeyOfferBrowserTests {
  private let app = App.messai

  private func run(
    use: String = "sign_in", _ body: (ThreeApps, FormClient) async throws -> Void
  ) async throws {
    try await PagePasskey.run(use: use, more: ", upgrade: {from: 2026-01-01}") { apps in
      let client = FormClient(apps, app)
      _ = try await client.signUp(app)
      try await body(apps, client)
    }
  }

  private static let account = "main p.me"
  private static let add = Pick.intent("add-passkey")
  private static let later = Pick.intent("later")
  /// What the page says that its browser can.
  private static let ability = "document.querySelector('input[name=upgrade]').value"

  /// A browser that says that it makes passkeys by itself, or that it does not.
  private static func able(_ isAble: Bool) -> Browser.Step {
    .inject("PublicKeyCredential.getClientCapabilities = async () => ({ conditionalCreate: \(isAble) });")
  }

  /// The browser's manager of passwords, which this browser has not, in the place of its own: it asks no one, and so
  /// verifies no one.
  private static let manager = Browser.Step.inject(
    """
    const create = navigator.credentials.create.bind(navigator.credentials);
    navigator.credentials.create = ({ mediation, signal, publicKey }) => {
      if (mediation !== "conditional") return Promise.reject(new Error("asked"));
      const authenticatorSelection = { ...publicKey.authenticatorSelection, userVerification: "discouraged" };
      return create({ signal, publicKey: { ...publicKey, authenticatorSelection } });
    };
    """)

  /// One that never answers, and a browser for which time passes fast.
  private static let deaf = Browser.Step.inject(
    """
    navigator.credentials.create = () => new Promise(() => {});
    const later = setTimeout;
    window.setTimeout = (act, time, ...values) => later(act, time / 20, ...values);
    """)

  /// The address and the password are typed at the sign-in page.
  private func typing(_ client: FormClient) -> [Browser.Step] {
    [
      .open(client.server + client.address(of: "sign-in")), .type(app.email(), into: Pick.field("email")),
      .type(App.password, into: Pick.field("password")),
    ]
  }

  private func signingOut(_ client: FormClient) -> [Browser.Step] {
    [.open(client.server + client.address(of: "sign-out")), .press(Pick.main)]
  }

  @Test("a browser that can makes the passkey by itself, and the way goes on without a press")
  func silent() async throws {
    try await run { _, client in
      let visit = try Browser(scripts: true).visit(
        [.authenticator(verifies: false), Self.able(true), Self.manager], typing(client),
        [.touch(Pick.main), .await(Self.account), .look, .passkeys],
        [.open(client.server + client.address(of: "account/factors")), .look])
      #expect(visit.faults == [] && visit.passkeys == [[app.email()]], "\(visit.faults)")
      #expect(visit.views[0].page == "account" && visit.views[0].text.contains("Your passkey is added."))
      #expect(visit.views[1].has("heading", "Passkey"), "\(visit.views[1].text)")
    }
  }

  @Test("where the browser's own manager makes none, the way goes on in silence")
  func refused() async throws {
    try await run { _, client in
      let visit = try Browser(scripts: true).visit(
        [.authenticator(verifies: true)], typing(client),
        [
          .ask("document.querySelector('input[name=upgrade]').value"), .touch(Pick.main), .await(Self.account), .look,
          .passkeys,
        ])
      #expect(visit.answers == ["silent"], "this browser says that it can")
      #expect(visit.faults == [] && visit.passkeys == [[]] && visit.views[0].page == "account")
      #expect(visit.views[0].all("alert").isEmpty, "\(visit.views[0].text)")
    }
  }

  @Test("a manager that never answers holds no one up")
  func deaf() async throws {
    try await run { _, client in
      let visit = try Browser(scripts: true).visit(
        [.authenticator(verifies: true), Self.able(true), Self.deaf], typing(client),
        [.touch(Pick.main), .await(Self.account), .look])
      #expect(visit.views[0].page == "account" && visit.views[0].all("alert").isEmpty, "\(visit.views[0].text)")
    }
  }

  @Test("a browser that can not shows the offer, on a phone as well, and the way goes on after it")
  func offered() async throws {
    try await run { _, client in
      let visit = try Browser(width: 390, height: 844, scripts: true).visit(
        [.authenticator(verifies: true), Self.able(false)], typing(client),
        [.press(Pick.main), .look, .axe, .overflow, .picture("passkeys/offer"), .press(Self.add), .look],
        [.press(Pick.intent("kept")), .look, .passkeys])
      #expect(visit.faults == [] && visit.audits[0].violations == [] && visit.fits[0].found == [])
      let (offer, codes, done) = (visit.views[0], visit.views[1], visit.views[2])
      #expect(offer.page == "add-passkey" && offer.has("heading", "Sign in faster next time"), "\(offer.text)")
      #expect(offer.has("button", "Add a passkey") && offer.has("button", "Not now"))
      #expect(codes.has("heading", "Keep your recovery codes"), "\(codes.text)")
      #expect(done.page == "account" && visit.passkeys == [[app.email()]])
    }
  }

  @Test("a passkey that would be asked for after a password is offered, though the browser makes some by itself")
  func secondFactor() async throws {
    try await run(use: "sign_in, second_factor") { _, client in
      let visit = try Browser(scripts: true).visit(
        [.authenticator(verifies: true), Self.able(true)], typing(client), [.press(Pick.main), .look, .passkeys])
      #expect(visit.views[0].has("heading", "Sign in faster next time") && visit.passkeys == [[]])
    }
  }

  @Test("Not now is asked once a month")
  func notNow() async throws {
    try await run { _, client in
      let visit = try Browser(scripts: true).visit(
        [.authenticator(verifies: true), Self.able(false)], typing(client),
        [.press(Pick.main), .look, .press(Self.later), .look],
        signingOut(client), typing(client), [.press(Pick.main), .look])
      #expect(visit.views.map(\.page) == ["add-passkey", "account", "account"])
    }
  }

  @Test("a browser without scripts goes on at once")
  func plain() async throws {
    try await run { _, client in
      let visit = try Browser().visit(typing(client), [.press(Pick.main), .look])
      #expect(visit.views[0].page == "account", "\(visit.views[0].text)")
    }
  }

  @Test("the page has its way on where its script does not come")
  func blocked() async throws {
    try await run { _, client in
      let visit = try Browser(scripts: true).visit(
        [.authenticator(verifies: true), Self.able(true), Self.manager], typing(client),
        [.ask(Self.ability), .scripts(false)],
        [.press(Pick.main), .look, .axe, .press(Self.later), .look])
      #expect(visit.answers == ["silent"] && visit.audits[0].violations == [])
      #expect(visit.views[0].has("heading", "One moment") && visit.views[0].has("button", "Continue"))
      #expect(visit.views[1].page == "account", "\(visit.views[1].text)")
    }
  }
}
