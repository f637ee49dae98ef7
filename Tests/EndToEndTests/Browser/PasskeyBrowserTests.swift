import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Passkeys on the pages, in a real browser with an authenticator")
struct PasskeyBrowserTests {
  private let app = App.messai

  /// The steps of a signed-in person who adds a passkey, in a browser with an authenticator.
  private func adding(_ client: FormClient, verifies: Bool = true) -> [Browser.Step] {
    let page = client.server + client.address(of: "account/factors")
    return [
      .authenticator(verifies: verifies), .hold(client.cookies, at: page), .open(page),
      .type("My laptop", into: Pick.field("passkey_name")),
    ]
  }

  private static let add = Pick.intent("add-passkey")
  private static let use = Pick.intent("passkey")
  /// The sentence of the script in the form of a passkey.
  private static let told = "main form[data-passkey] p[role=alert]"

  /// The sign-in page is opened while no one is at the authenticator: the request that waits there for a choice would
  /// be answered at once.
  private func atSignIn(_ client: FormClient) -> [Browser.Step] {
    [.forget, .present(false), .open(client.server + client.address(of: "sign-in"))]
  }

  private func run(
    verification: String = "preferred", _ body: (ThreeApps, FormClient) async throws -> Void
  ) async throws {
    try await PagePasskey.run(verification: verification) { apps in
      let client = FormClient(apps, app)
      _ = try await client.signUp(app)
      try await body(apps, client)
    }
  }

  @Test("a passkey is added, and signs in by its button", arguments: ["preferred", "required"])
  func signIn(_ verification: String) async throws {
    try await run(verification: verification) { _, client in
      let visit = try Browser(scripts: true).visit(
        adding(client), [.look, .axe, .picture("passkeys/add"), .press(Self.add), .look],
        [.press(Pick.intent("kept")), .look, .axe, .picture("passkeys/list")], atSignIn(client),
        [.look, .axe, .picture("passkeys/sign-in"), .present(true), .press(Self.use), .look])
      #expect(visit.faults == [] && visit.audits.allSatisfy { $0.violations == [] }, "\(visit.audits)")
      try #require(visit.views.count == 5)
      let (form, codes, list, entry, done) = (
        visit.views[0], visit.views[1], visit.views[2], visit.views[3], visit.views[4]
      )
      #expect(form.has("button", "Add a passkey") && form.has("button", "Add an authenticator app"))
      #expect(codes.has("heading", "Keep your recovery codes"), "\(codes.text)")
      #expect(list.text.contains("My laptop") && list.text.contains("Added on"), "\(list.text)")
      #expect(entry.page == "sign-in" && entry.has("button", "Sign in with a passkey"), "\(entry.text)")
      #expect(done.page == "account", "\(done.url) \(done.text)")
    }
  }

  @Test("a passkey that the browser offers in the field of the address signs in, without a button")
  func offered() async throws {
    try await run { _, client in
      // An authenticator with a person at it answers at once.
      let visit = try Browser(scripts: true).visit(
        adding(client), [.press(Self.add), .forget],
        [.open(client.server + client.address(of: "sign-in")), .await("main p.me"), .look])
      #expect(visit.faults == [] && visit.views[0].page == "account", "\(visit.views[0].url)")
    }
  }

  @Test("a passkey is the second step after a password")
  func second() async throws {
    try await run { _, client in
      let visit = try Browser(scripts: true).visit(
        adding(client), [.press(Self.add)], atSignIn(client),
        password, [.look, .axe, .picture("passkeys/second-step"), .present(true), .press(Self.use), .look])
      #expect(visit.faults == [] && visit.audits[0].violations == [])
      #expect(visit.views[0].page == "second-step" && visit.views[0].has("button", "Use a passkey"))
      #expect(visit.views[1].page == "account", "\(visit.views[1].url) \(visit.views[1].text)")
    }
  }

  /// Types the address and the password at the sign-in page.
  private var password: [Browser.Step] {
    [
      .type(app.email(), into: Pick.field("email")), .type(App.password, into: Pick.field("password")),
      .press(Pick.main),
    ]
  }

  @Test("the box of the codes counts for a passkey, and on a remembered device a passkey is a fresh proof")
  func remembered() async throws {
    try await run { _, client in
      let root = client.server + client.address(of: "")
      let visit = try Browser(scripts: true).visit(
        adding(client), [.press(Self.add)], atSignIn(client), password,
        [.touch("main form [name=remember]"), .present(true), .press(Self.use), .look],
        [.open(root + "sign-out"), .press(Pick.main), .present(false), .open(root + "sign-in")], password,
        [.look, .open(root + "account/export"), .look, .axe, .present(true), .press(Self.use), .look])
      #expect(visit.faults == [] && visit.audits[0].violations == [])
      #expect(visit.views.map(\.page) == ["account", "account", "reauthenticate", "account/export"])
    }
  }

  @Test("an authenticator that verifies no one adds nothing where the policy demands it, and what was typed stays")
  func unverified() async throws {
    try await run(verification: "required") { _, client in
      let visit = try Browser(scripts: true).visit(
        adding(client, verifies: false), [.touch(Self.add), .await(Self.told), .look, .axe])
      let view = visit.views[0]
      #expect(view.page == "account/factors" && view.text.contains("The passkey was not used."), "\(view.text)")
      #expect(view.all("textbox").contains { $0.value == "My laptop" } && visit.audits[0].violations == [])
    }
  }

  @Test("a second passkey of one authenticator is not made, and the page says so")
  func known() async throws {
    try await run { _, client in
      let visit = try Browser(scripts: true).visit(
        adding(client),
        [
          .press(Self.add), .press(Pick.intent("kept")), .touch(Self.add), .await(Self.told), .look,
        ])
      #expect(visit.views[0].text.contains("This device already has a passkey"), "\(visit.views[0].text)")
    }
  }

  @Test("a page without scripts has no button for passkeys, and everything else")
  func plain() async throws {
    try await run { _, client in
      let page = client.server + client.address(of: "account/factors")
      let visit = try Browser().visit(
        [.hold(client.cookies, at: page), .open(page), .look, .axe, .forget],
        [.open(client.server + client.address(of: "sign-in")), .look, .axe])
      #expect(!visit.views[0].has("button", "Add a passkey"))
      #expect(visit.views[0].has("button", "Add an authenticator app"))
      #expect(!visit.views[1].has("button", "Sign in with a passkey") && visit.views[1].has("button", "Sign in"))
      #expect(visit.audits.allSatisfy { $0.violations == [] })
    }
  }
}
