import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Back, again, twice and without cookies")
struct FormRepeatTests {
  private let app = App.messai

  private func root(_ apps: ThreeApps) -> String { apps.server.url + "/t/\(app.rawValue)/ui/" }

  private func type(_ local: String) -> [Browser.Step] {
    app.typed(local).sorted { $0.key < $1.key }.map { .type($0.value, into: Pick.field($0.key)) }
  }

  private func accounts(_ apps: ThreeApps, _ locals: [String]) async throws -> [Bool] {
    var found: [Bool] = []
    for local in locals { found.append(try await apps.signIn(app, local).status == 200) }
    return found
  }

  @Test("H10 a form that is sent twice makes one account, and both senders are signed in")
  func twice() async throws {
    try await ThreeApps.share { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.open(Opening.page(app.scheme, ["screen": "sign-up"]))
      let body = FormClient.encoded(try FormClient.fields(page, app.typed()))
      let address = String(page.address.prefix { $0 != "?" })
      async let one = browser.send("POST", address, body)
      async let other = browser.send("POST", address, body)
      let answers = try await [one, other]
      #expect(answers.map(\.status) == [303, 303], "\(answers.map(\.text))")
      #expect(answers.allSatisfy { $0.headers["location"]?.hasPrefix("continue") == true })
      let later = try await browser.send("POST", address, body)
      #expect(later.status == 303, "\(later.text)")
      #expect(try await browser.open("sign-out").path == "sign-out", "the browser is signed in")
    }
  }

  @Test("H10 after an error the way back shows what was typed, and reloading does nothing twice")
  func backAndReload() async throws {
    try await ThreeApps.share { apps in
      let visit = try Browser().visit(
        [.open(root(apps) + "sign-up"), .type("pat@example.com", into: Pick.field("email")), .press(Pick.main), .look],
        [.reload, .look, .press(Pick.link("sign-in?")), .back, .look],
        [.open(root(apps) + Opening.page(app.scheme, ["screen": "sign-up"]))], type("pat"),
        [.press(Pick.main), .look, .reload, .look, .back, .look])
      try #require(visit.views.count == 6)
      for view in visit.views.prefix(3) {
        #expect(view.page == "sign-up" && view.title.hasPrefix("Error: "), "\(view.url) \(view.title)")
        #expect(view.html.contains("pat@example.com"))
      }
      #expect(visit.views[3].page == "continue" && visit.views[4].page == "continue")
      #expect(!visit.views[5].url.hasPrefix("chrome-error"), "the way back shows a page")
      #expect(try await accounts(apps, ["pat"]) == [true])
    }
  }

  @Test("H10 a button that is pressed twice makes one account")
  func doubleClick() async throws {
    try await ThreeApps.share { apps in
      let visit = try Browser().visit(
        [.open(root(apps) + Opening.page(app.scheme, ["screen": "sign-up"]))], type("pat"),
        [.pressOften(Pick.main, 2), .look])
      #expect(visit.views[0].page == "continue", "\(visit.views[0].url) \(visit.views[0].text)")
      #expect(try await accounts(apps, ["pat"]) == [true])
    }
  }

  @Test("H10 two tabs go their own ways")
  func tabs() async throws {
    try await ThreeApps.run(policy: { $0.withWeb($1) }) { apps in
      let start = root(apps) + Opening.page(app.scheme, ["screen": "sign-up"])
      let forgot: [Browser.Step] = [
        .tab(1), .open(root(apps) + "forgot"), .type("two@example.com", into: Pick.field("email")),
        .press(Pick.main), .look,
      ]
      let visit = try Browser().visit(
        [.open(start)], type("pat"), forgot, [.tab(0), .press(Pick.main), .look, .tab(1), .reload, .look])
      try #require(visit.views.count == 3)
      #expect(visit.views[0].page == "reset" && visit.views[0].text.contains("two@example.com"))
      #expect(visit.views[1].page == "continue", "\(visit.views[1].url)")
      #expect(!visit.views[2].title.hasPrefix("Error: "))
      #expect(try await accounts(apps, ["pat"]) == [true])
    }
  }

  @Test("H10 a browser that lost its cookies, or keeps none, is told so, and what was typed is there")
  func cookies() async throws {
    try await ThreeApps.share { apps in
      let steps: [Browser.Step] = [
        .open(root(apps) + "sign-up"), .type("pat@example.com", into: Pick.field("email")),
        .type("Pat", into: Pick.field("profile.displayName")),
      ]
      let lost = try Browser().visit(steps, [.forget, .press(Pick.main), .look])
      let none = try Browser(cookies: false).visit(steps, [.press(Pick.main), .look, .press(Pick.main), .look])
      // The cookies of a tab of yesterday are over. They are blocked where they are missing again.
      for (view, told) in [
        (lost.views[0], "Something changed in this browser"), (none.views[0], "Something changed in this browser"),
        (none.views[1], "Your browser blocks cookies"),
      ] {
        #expect(view.page == "sign-up" && view.title.hasPrefix("Error: "))
        #expect(view.text.contains(told), "\(view.text)")
        #expect(view.html.contains("pat@example.com") && view.html.contains("value=\"Pat\""))
      }
    }
  }

  @Test("H10 a page that was open too long loses nothing but passwords, and works when it is sent again")
  func old() async throws {
    try await ThreeApps.run { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.open(Opening.page(app.scheme, ["screen": "sign-up"]))
      apps.server.clock.advance(seconds: 901)
      let told = try await browser.send(page, app.typed())
      #expect(told.status == 403 && told.text.contains("This form has expired"), "\(told.text)")
      #expect(told.text.contains(app.email()) && !told.text.contains(App.password))
      let done = try await browser.send(told, app.typed())
      #expect(done.path == "continue", "\(done.text)")
    }
  }
}
