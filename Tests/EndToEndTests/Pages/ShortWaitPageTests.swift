import GatehouseIdentity
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The wait after wrong passwords, on a page")
struct ShortWaitPageTests {
  private let app = App.messai

  /// A user whose password was mistyped five times in a row, each time at a new visit.
  private func mistyped(_ apps: ThreeApps) async throws -> (FormClient, FormClient.Page) {
    #expect(try await apps.signUp(app).status == 201)
    let browser = FormClient(apps, app)
    var page = try await browser.open("sign-in")
    for _ in 0..<5 { page = try await wrong(page, browser) }
    return (browser, page)
  }

  private func wrong(_ page: FormClient.Page, _ browser: FormClient) async throws -> FormClient.Page {
    let told = try await browser.send(page, ["email": app.email(), "password": "not the one"])
    try #require(told.status == 401, "\(told.status) \(told.text)")
    return told
  }

  @Test("a wait of a second is served: the right password opens the account")
  func served() async throws {
    try await ThreeApps.run { apps in
      let (browser, page) = try await mistyped(apps)
      async let answer = browser.send(page, ["email": app.email(), "password": App.password])
      #expect(try await eventually { apps.server.services.waits.count == 1 })
      apps.server.clock.advance(seconds: 1)
      let done = try await answer
      #expect(done.path == "account", "\(done.address) \(done.text)")
    }
  }

  @Test("a longer wait is told at once, with the time and the way to another password")
  func told() async throws {
    try await ThreeApps.run { apps in
      let (browser, first) = try await mistyped(apps)
      var page = first
      for seconds in [1, 2] {
        apps.server.clock.advance(seconds: Double(seconds))
        page = try await wrong(page, browser)
      }
      let told = try await browser.send(page, ["email": app.email(), "password": App.password])
      #expect(told.status == 429 && told.answer.headers["retry-after"] == "4", "\(told.status)")
      #expect(told.text.contains("Too many attempts. Wait 4 seconds or reset your password."), "\(told.text)")
      #expect(told.text.contains("data-seconds=\"4\"") && told.text.contains("Wait # seconds or reset"))
      #expect(try await browser.follow(told, link: "forgot").text.contains("value=\"\(app.email())\""))
    }
  }
}
