import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// A tenant moved from one domain to another one. The browser asks at the former domain which pages may use its
/// passkeys (WebAuthn Level 3 section 5.11), and the server answers there.
@Suite("Passkeys of a former domain in a browser")
struct RelatedOriginBrowserTests {
  private static let (former, today, stranger) = (PasskeyScene.host, "login.other.example", "login.stranger.example")

  /// The page asks for a passkey of the former domain: `answered`, or the name of the error.
  private static let asking = Browser.Step.ask(
    """
    navigator.credentials.get({ publicKey: { rpId: "\(former)", challenge: new Uint8Array(32) } })
      .then(() => "answered", ({ name }) => name)
    """)

  /// Pat's passkey is of the former domain, which leads to the server still. The browser's authenticator holds it.
  private func visit(_ steps: [Browser.Step]) async throws -> Browser.Visit {
    var found: Browser.Visit?
    try await PasskeyScene.run("{use: [sign_in]}", mfa: nil, isSecure: true) { keys in
      let key = try await keys.enrol { $0.origin = "https://\(Self.former)" }
      try await keys.scene.apps.own(Self.today, of: FactorScene.app.rawValue)
      try await keys.serve(
        "{use: [sign_in], rp_id: \(Self.today), rp_id_from: {id: \(Self.former), until: 2099-01-01}}", mfa: nil)
      let port = try #require(URL(string: keys.scene.apps.server.url)?.port)
      var browser = Browser(scripts: true)
      browser.front = ([Self.former, Self.today, Self.stranger], port)
      found = try browser.visit([.authenticator(verifies: true), .credential(key.passkey)], steps)
    }
    return try #require(found)
  }

  private static func page(_ host: String) -> Browser.Step { .open("https://\(host)/ui/sign-in") }

  @Test("a passkey of the former domain signs in at the page of today's")
  func signsIn() async throws {
    let visit = try await visit([
      Self.page(Self.today), .look, .press("form[data-former] button[type=submit]"), .look,
    ])
    #expect(visit.views[0].has("button", "Use a passkey from \(Self.former)"), "\(visit.views[0].text)")
    #expect(visit.views[1].page == "account", "\(visit.views[1].url) \(visit.views[1].text)")
  }

  @Test("the former domain names today's host to the browser, and no other one", arguments: [today, stranger])
  func asked(_ host: String) async throws {
    let visit = try await visit([Self.page(host), Self.asking])
    #expect(visit.answers == [host == Self.today ? "answered" : "SecurityError"])
  }
}
