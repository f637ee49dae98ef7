import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("The pages of development, in a real browser without scripts")
struct DevelopmentBrowserTests {
  struct Screen: CustomTestStringConvertible {
    let width: Int
    let dark: Bool
    var testDescription: String { "\(width)-\(dark ? "dark" : "light")" }

    static let all = [360, 1280].flatMap { width in [false, true].map { Screen(width: width, dark: $0) } }
  }

  private func expectGood(_ visit: Browser.Visit, _ browser: Browser, at url: String) {
    #expect(visit.faults == [])
    for audit in visit.audits { #expect(audit.passes > 0 && audit.violations == []) }
    for fit in visit.fits { #expect(fit.found == []) }
    for request in visit.requests { #expect(request.url.hasPrefix(url + "/"), "nothing comes from elsewhere") }
    for view in visit.views {
      #expect(!view.html.contains("<script") && !view.html.contains(" style="))
      #expect(!view.all("main").isEmpty && !view.all("heading").isEmpty)
      #expect(view.width <= browser.width, "nothing to scroll sideways")
    }
  }

  private func run(_ body: (TestServer) async throws -> Void) async throws {
    let policies = try Dictionary(
      uniqueKeysWithValues: App.allCases.map { ($0.rawValue, try TestLists.policy($0.rawValue)) })
    let server = try await TestServer.start(policies: policies, showsDevelopment: true)
    do {
      for app in App.allCases {
        let file = try Data(contentsOf: URL(filePath: "\(TestLists.root)/policies/logos/\(app.rawValue).svg"))
        _ = try await SetLogo.run(
          .init(tenant: app.rawValue, base64url: Base64URL.encode(Array(file))), server.asOperator)
      }
      try await TenantLoader(server.services).loadAll()
      try await body(server)
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  @Test("the apps, and the mails that were sent here", arguments: Screen.all)
  func pages(_ screen: Screen) async throws {
    try await run { server in
      let browser = Browser(width: screen.width, dark: screen.dark)
      let name = screen.testDescription
      let first = try browser.visit([
        .open(server.url + "/"), .look, .axe, .overflow, .picture("development-apps-\(name)"),
        .press("a[href='/dev/mail']"), .look, .axe, .overflow, .picture("development-no-mail-\(name)"),
      ])
      expectGood(first, browser, at: server.url)
      try #require(first.views.count == 2)
      #expect(first.views[0].has("heading", "Three apps, one server"))
      for app in App.allCases {
        for link in ["Sign up to", "Sign in to", "Account of", "Policy of"] {
          #expect(first.views[0].has("link", "\(link) \(app.name)"))
        }
      }
      #expect(first.views[1].has("heading", "Mail sent here"))

      let ride = TestClient(server.url + "/t/dd-ride")
      for local in ["nova", "willie"] {
        #expect(try await ride.post("/v1/sign-up", App.ride.signUp(local)).status == 201)
        _ = try await server.latestMail(to: "\(local)@ksu.edu")
      }
      let mail = try #require(try await server.latestMail(to: "willie@ksu.edu"))
      let second = try browser.visit([
        .open(server.url + "/dev/mail"), .look, .axe, .overflow, .picture("development-mail-\(name)"),
        .press("details[open] a[href*='verify-email']"), .look,
      ])
      expectGood(second, browser, at: server.url)
      try #require(second.views.count == 2)
      #expect(second.views[0].text.contains(try #require(mail.code)))
      #expect(second.views[0].all("DisclosureTriangle").count == 2)
      #expect(second.views[1].url.hasPrefix(server.url + "/t/dd-ride/ui/verify-email?f="))
    }
  }

  @Test("the keyboard reaches every link of the first page", arguments: [360, 1280])
  func keyboard(_ width: Int) async throws {
    try await run { server in
      let browser = Browser(width: width)
      let steps = (0..<13).flatMap { _ in [Browser.Step.key("Tab"), .look] }
      let visit = try browser.visit([.open(server.url + "/")] + steps)
      #expect(visit.views.compactMap(\.focused?.name).last == "Mail sent here")
      #expect(Set(visit.views.compactMap(\.focused?.name)).count == 13)
    }
  }
}
