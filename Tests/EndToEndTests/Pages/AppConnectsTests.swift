import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("An account at a service that only the app can connect")
struct AppConnectsTests {
  private let app = App.vibes

  @Test("the app gets its code, with limited access and the step that is left to it")
  func code() async throws {
    try await ThreeApps.run(policy: { $0.withWeb($1) }) { apps in
      let browser = FormClient(apps, app)
      let left = try await browser.signUp(app, to: app.web)
      let code = try #require(left.handed["code"], "\(left.address) \(left.text)")
      let session = try await apps.vibes.post(
        "/v1/token", #"{"code":"\#(code)","code_verifier":"\#(Opening.verifier)"}"#)
      #expect(session.status == 200 && session.json["access"] == .string("limited"), "\(session.text)")
      #expect(session.json["next"] == .array([.string("link:spotify")]), "\(session.text)")
    }
  }

  @Test("an app with a scheme of its own is opened by a click, with a code")
  func scheme() async throws {
    try await ThreeApps.share { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.signUp(app)
      #expect(page.path == "continue", "\(page.address) \(page.text)")
      #expect(try await browser.send(page).handed["code"] != nil)
    }
  }

  @Test("the page of the service leads an app's user on, and tells every other one to connect it in the app")
  func page() async throws {
    try await ThreeApps.share { apps in
      let browser = FormClient(apps, app)
      let begun = try await browser.signUp(app)
      let flow = try #require(begun.address.firstMatch(of: /[?&]f=([^&]+)/)).output.1
      #expect(try await browser.open("connect/spotify?f=\(flow)").path == "continue")
      let alone = try await browser.open("connect/spotify")
      #expect(alone.path == "connect/spotify" && alone.text.contains("Open the app and connect it there."))
    }
  }

  @Test("without an app the way ends at the account")
  func account() async throws {
    try await ThreeApps.share { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.send(browser.open("sign-up"), app.typed("alone"))
      #expect(page.path == "account", "\(page.address) \(page.text)")
    }
  }
}
