import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A flow that the pages carry")
struct SealedFlowTests {
  private let app = App.messai

  private func flow(_ page: FormClient.Page) throws -> String {
    String(try #require(page.address.firstMatch(of: /[?&]f=([^&]+)/)).output.1)
  }

  private func web(_ body: (ThreeApps) async throws -> Void) async throws {
    try await ThreeApps.run(policy: { $0.withWeb($1) }, body)
  }

  @Test("T197 another browser's flow in a link leads no person to its app")
  func otherBrowser() async throws {
    try await web { apps in
      let begun = try await FormClient(apps, app).open(Opening.page(app.web, ["screen": "sign-up"]))
      let victim = FormClient(apps, app)
      _ = try await victim.open("sign-in")
      let page = try await victim.open("sign-up?f=\(flow(begun))")
      let done = try await victim.send(page, app.typed())
      #expect(done.outside == nil && done.path == "account", "\(done.outside ?? done.address)")
    }
  }

  @Test("T197 a flow that leaked with an address opens nothing without its cookie")
  func leaked() async throws {
    try await web { apps in
      let begun = try await FormClient(apps, app).open(Opening.page(app.web, ["login_hint": "secret@example.com"]))
      try #require(begun.text.contains("secret@example.com"))
      let page = try await FormClient(apps, app).open("sign-in?f=\(flow(begun))")
      #expect(page.status == 200 && !page.text.contains("secret@example.com"))
    }
  }

  @Test("T197 a flow of one tenant opens at no other one in the same browser")
  func otherTenant() async throws {
    try await web { apps in
      let here = FormClient(apps, app)
      let begun = try await here.open(Opening.page(app.web, ["login_hint": "secret@example.com"]))
      let there = FormClient(apps, .vibes)
      for (name, value) in here.cookies { there.set(name, value) }
      let page = try await there.open("sign-in?f=\(flow(begun))")
      #expect(page.status == 200 && !page.text.contains("secret@example.com"))
    }
  }

  @Test("T197 a form with another browser's flow and proof does nothing")
  func otherForm() async throws {
    try await web { apps in
      let foreign = try await FormClient(apps, app).open(Opening.page(app.web, ["screen": "sign-up"]))
      let fields = try FormClient.fields(foreign, app.typed())
      let victim = FormClient(apps, app)
      _ = try await victim.open("sign-in")
      let answer = try await victim.send("POST", "/t/messai/ui/sign-up", FormClient.encoded(fields))
      #expect(answer.status == 403)
      #expect(try await apps.signIn(app).status == 401)
    }
  }

  @Test("T197 a flow of the day before is told kindly, and gives no code")
  func over() async throws {
    try await web { apps in
      let browser = FormClient(apps, app)
      let begun = try await browser.open(Opening.page(app.web, ["screen": "sign-up"]))
      apps.server.clock.advance(seconds: 86_400)
      let page = try await browser.open("sign-up?f=\(flow(begun))")
      #expect(page.text.contains("begin again in the app"), "\(page.text)")
      let done = try await browser.send(page, app.typed())
      #expect(done.outside == nil && done.path == "account", "\(done.outside ?? done.address)")
    }
  }

  @Test("T197 an hour after it was shown, a page that is loaded again goes on to the app")
  func later() async throws {
    try await web { apps in
      let browser = FormClient(apps, app)
      let begun = try await browser.open(Opening.page(app.web, ["screen": "sign-up"]))
      apps.server.clock.advance(seconds: 3_600)
      let page = try await browser.open("sign-up?f=\(flow(begun))")
      #expect(try await browser.send(page, app.typed()).handed["state"] == Opening.state)
    }
  }

  @Test("T197 every tab goes its own way, however many there are")
  func tabs() async throws {
    try await web { apps in
      let browser = FormClient(apps, app)
      var tabs: [FormClient.Page] = []
      for tab in 0..<6 {
        let link = Opening.page(app.web, ["screen": "sign-up"]).replacing(Opening.state, with: "tab-\(tab)")
        tabs.append(try await browser.open(link))
      }
      for (index, page) in tabs.enumerated() {
        let done = try await browser.send(page, app.typed("tab\(index)"))
        #expect(done.handed["state"] == "tab-\(index)", "\(done.address)")
      }
    }
  }

  @Test("T197 the address to which an account was to move is hidden from a person who signs in after its owner")
  func mover() async throws {
    try await web { apps in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app, "owner")
      let waits = try await browser.send("account/email", ["email": "hidden@example.com"])
      try #require(waits.text.contains("hidden@example.com"), "\(waits.text)")
      _ = try await browser.send("sign-out", [:])
      _ = try await browser.signUp(app, "next")
      let page = try await browser.open("account/email?f=\(flow(waits))")
      #expect(page.path == "account/email" && !page.text.contains("hidden@example.com"), "\(page.text)")
    }
  }

  @Test("T132 T197 the link of a mail, opened beside the page that waits, goes on to the app")
  func mailed() async throws {
    try await web { apps in
      let app = App.ride
      let browser = FormClient(apps, app)
      let waits = try await browser.signUp(app, to: app.web)
      try #require(waits.path == "check-mail", "\(waits.address)")
      let link = try #require(try await apps.server.latestMail(to: app.email())?.link)
      let query = String(link[try #require(link.range(of: "/ui/")).upperBound...])
      let told = try await browser.send(browser.open(query))
      let page = try await browser.follow(told, link: "sign-in")
      let done = try await browser.send(page, intent: "proceed")
      #expect(done.handed["state"] == Opening.state, "\(done.address) \(done.text)")
    }
  }

  @Test("T197 a page is no longer than a browser's first answer takes, with the flow in every link and form")
  func size() async throws {
    try await web { apps in
      let page = try await FormClient(apps, app).open(
        Opening.page(app.web, ["login_hint": "somebody.with.a.name@example.com"])
          .replacing(Opening.state, with: String(repeating: "s", count: 64)))
      #expect(page.text.utf8.count < 14_000, "\(page.text.utf8.count)")
    }
  }
}
