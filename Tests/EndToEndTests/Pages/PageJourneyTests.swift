import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Journeys through the hosted pages, in a real browser")
struct PageJourneyTests {
  private func root(_ apps: ThreeApps, _ app: App) -> String { "\(apps.server.url)/t/\(app.rawValue)/ui/" }

  private func type(_ fields: [String: String]) -> [Browser.Step] {
    fields.sorted { $0.key < $1.key }.map { .type($0.value, into: Pick.field($0.key)) }
  }

  private func expectQuiet(_ visit: Browser.Visit, _ apps: ThreeApps) {
    #expect(visit.faults == [])
    for request in visit.requests where !request.url.hasPrefix("data:") {
      #expect(request.url.hasPrefix(apps.server.url + "/t/"), "H15")
    }
  }

  // MARK: By keyboard

  /// Tab to a field, and type into it.
  private func byKeyboard(_ fields: [(String, String)]) -> [Browser.Step] {
    fields.flatMap { [.tabTo(Pick.field($0.0)), .write($0.1)] as [Browser.Step] }
  }

  @Test(
    "H03 the keyboard is enough from the first page to the app; the focus is seen and never covered",
    arguments: [1280, 360])
  func keyboard(_ width: Int) async throws {
    try await ThreeApps.share { apps in
      let app = App.messai
      let fields = [
        ("email", app.email()), ("profile.displayName", "Pat"), ("password", App.password), ("again", App.password),
      ]
      let visit = try Browser(width: width, height: 700).visit(
        [.open(root(apps, app) + Opening.page(app.scheme)), .tabTo(Pick.link("sign-up?")), .activate("Enter"), .look],
        // Nothing was typed: the summary leads to the field.
        [.tabTo(Pick.main), .activate("Space"), .look, .focus, .tabTo("main a[href^='#']"), .key("Tab"), .focus],
        byKeyboard(fields), [.activate("Enter"), .look, .tabTo(Pick.main)],
        [.key("Shift+Tab"), .focus])
      try #require(visit.views.count == 3)
      #expect(visit.views[0].page == "sign-up")
      #expect(visit.views[1].title.hasPrefix("Error: ") && visit.focuses[0].text.contains("There is a problem"))
      #expect(visit.views[2].page == "continue", "\(visit.views[2].url) \(visit.views[2].text)")
      for walk in visit.walks { #expect(walk.faults == []) }
      expectQuiet(visit, apps)
    }
  }

  @Test("H03 the keyboard is enough for the pages of a forgotten password")
  func forgotten() async throws {
    try await ThreeApps.share { apps in
      let visit = try Browser(width: 360, height: 640).visit(
        [.open(root(apps, .messai) + "sign-in"), .tabTo(Pick.link("forgot?")), .activate("Enter")],
        byKeyboard([("email", App.messai.email())]), [.activate("Enter"), .look],
        byKeyboard([("code", "000000")]), [.activate("Enter"), .look])
      try #require(visit.views.count == 2)
      #expect(visit.views.map(\.page) == ["reset", "reset"])
      #expect(visit.views[1].title.hasPrefix("Error: "))
      for walk in visit.walks { #expect(walk.faults == []) }
    }
  }

  // MARK: To be heard

  @Test("H04 each field is read out with its name, its rules and what is wrong with it", arguments: App.allCases)
  func tree(_ app: App) async throws {
    try await ThreeApps.share { apps in
      let again: [Browser.Step] = app == .ride ? [] : [.type("x", into: Pick.field("again"))]
      let visit = try Browser(width: 390).visit(
        [.open(root(apps, app) + "sign-up"), .look, .type("x", into: Pick.field("password"))], again,
        [.press(Pick.main), .look])
      try #require(visit.views.count == 2)
      let (first, refused) = (visit.views[0], visit.views[1])
      for node in first.all("textbox") { #expect(!node.name.isEmpty && !node.isInvalid, "\(node)") }
      #expect(first.has("heading", "Create your \(app.name) account") && first.has("button", "Create account"))
      let password = try #require(first.all("textbox").first { $0.name == "Password" })
      #expect(password.description.contains("At least") && password.isRequired, "\(password)")
      let names = first.all("textbox").map(\.name)
      #expect(Set(names).count == names.count, "no two fields have one name: \(names)")
      // The form that came back.
      let invalid = refused.all("textbox").filter(\.isInvalid)
      #expect(invalid.count >= 2)
      for node in invalid { #expect(!node.description.isEmpty, "\(node.name) says what is wrong") }
      let alert = try #require(refused.all("alert").first)
      #expect(alert.isFocused || refused.focused != nil, "the summary has the focus")
      let said = refused.all("link").filter { link in invalid.contains { $0.description.contains(link.name) } }
      #expect(said.count >= invalid.count, "each line of the summary leads to its field")
      for match in refused.html.matches(of: /href="#([^"]+)"/) {
        #expect(refused.html.contains("id=\"\(match.output.1)\""), "\(match.output.1)")
      }
    }
  }

  // MARK: The three apps

  @Test("H05 messAI: from the app's link to the app's address, and signed in there", arguments: [false, true])
  func messai(_ scripts: Bool) async throws {
    try await ThreeApps.share { apps in
      let app = App.messai
      let visit = try Browser(width: 390, scripts: scripts).visit(
        [.open(root(apps, app) + Opening.page(app.scheme)), .look, .press(Pick.link("sign-up?"))],
        type(app.typed()), [.press(Pick.main), .look, .picture("journeys/messai"), .leave(Pick.main)])
      #expect(visit.views[0].has("heading", "Sign in to messAI"))
      #expect(!visit.views[0].url.contains("continue") && !visit.views[0].url.contains(Opening.state))
      #expect(visit.views[1].has("button", "Open messAI"))
      let back = try #require(visit.locations.last { $0.hasPrefix(app.scheme + "?") }, "\(visit.locations)")
      let items = URLComponents(string: back)?.queryItems ?? []
      let code = items.first { $0.name == "code" }?.value ?? ""
      let session = try await apps.messai.post(
        "/v1/token", #"{"code":"\#(code)","code_verifier":"\#(Opening.verifier)"}"#)
      #expect(session.status == 200, "\(session.text)")
      #expect(try await apps.me(app, session.json.accessToken).json["user"]?["email"]?.string == app.email())
    }
  }

  @Test("H05 DD Ride: verified in another tab, the page that waits goes on")
  func otherTab() async throws {
    try await ThreeApps.run { apps in
      let app = App.ride
      let client = FormClient(apps, app)
      let page = try await client.signUp(app)
      try #require(page.path == "check-mail", "\(page.text)")
      let link = try #require(try await apps.server.latestMail(to: app.email())?.link)
      let address = apps.server.url + page.address
      let asks: [Browser.Step] = [
        .hold(client.cookies, at: address), .open(address), .look, .press(Pick.intent("verified")), .look,
      ]
      let early = try Browser(width: 390).visit(asks, [.tab(1), .open(link), .look])
      try #require(early.views.count == 3)
      #expect(early.views[0].text.contains(app.email()))
      #expect(early.views[1].page == "check-mail" && early.views[1].title.hasPrefix("Error: "), "not yet")
      #expect(early.views[2].page == "verify-email", "opening it has verified nothing")
      #expect(try await LinkPage(opening: link).confirm().status < 400)
      let late = try Browser(width: 390).visit([.hold(client.cookies, at: address), .open(address), .look])
      #expect(late.views[0].page == "continue", "\(late.views[0].url) \(late.views[0].text)")
    }
  }

  @Test("H05 DD Ride: a code, a second mail when its time has come, and a wrong code")
  func resend() async throws {
    try await ThreeApps.run { apps in
      let app = App.ride
      let client = FormClient(apps, app)
      var page = try await client.signUp(app)
      #expect(page.text.contains("You can ask for a new code in"))
      try await apps.server.deliverMail()
      apps.server.clock.advance(seconds: 61)
      page = try await client.open("check-mail?\(page.address.split(separator: "?").last ?? "")")
      page = try await client.send(page, intent: "again")
      #expect(page.path == "check-mail" && page.text.contains("You can ask for a new code in"), "\(page.text)")
      #expect(try await apps.server.mailCount(to: app.email()) == 2)
      let wrong = try await client.send(page, ["code": "000000"])
      #expect(wrong.path == "check-mail" && wrong.status == 400, "\(wrong.status)")
      #expect(wrong.text.contains("That is not the code we sent. Check the newest email."), "\(wrong.text)")
      let code = try #require(try await apps.server.latestMail(to: app.email())?.code)
      let spaced = "\(code.prefix(3)) \(code.suffix(3))"
      let done = try await client.send(wrong, ["code": spaced])
      #expect(done.path == "continue", "\(done.text)")
    }
  }

  @Test("H05 DD Ride: after a wrong address the person signs out and begins anew")
  func wrongAddress() async throws {
    try await ThreeApps.run { apps in
      let app = App.ride
      let client = FormClient(apps, app)
      let page = try await client.signUp(app, "wrong")
      let out = try await client.send(page, intent: "sign-out")
      #expect(out.path == "sign-in", "\(out.address)")
      let form = try await client.follow(out, link: "sign-up?")
      let again = try await client.send(form, app.typed("right"))
      #expect(again.path == "check-mail" && again.text.contains("right@ksu.edu"))
    }
  }

  @Test("H05 DD Ride: after a wrong address the person proves another one instead")
  func otherAddress() async throws {
    try await ThreeApps.run { apps in
      let app = App.ride
      let client = FormClient(apps, app)
      let form = try await client.follow(client.signUp(app, "wrong"), link: "account/email")
      let page = try await client.send(form, ["email": app.email("right")])
      #expect(page.path == "account/email" && page.text.contains("right@ksu.edu"), "\(page.text)")
      let code = try #require(try await apps.server.latestMail(to: app.email("right"))?.code)
      let done = try await client.send(page, ["code": code], intent: "confirm")
      #expect(done.path == "continue", "\(done.text)")
    }
  }

  @Test("H05 messAI: a password that was forgotten, with the code of the mail")
  func newPassword() async throws {
    try await ThreeApps.run { apps in
      let app = App.messai
      #expect(try await apps.signUp(app).status == 201)
      apps.server.clock.advance(seconds: 61)
      let client = FormClient(apps, app)
      let form = try await client.send(client.forget("pat"), ["code": client.code(to: app.email())])
      let done = try await client.send(form, ["password": App.otherPassword, "again": App.otherPassword])
      #expect(done.path == "account" && done.text.contains("Your new password is saved"), "\(done.text)")
      #expect(try await apps.signIn(app, password: App.otherPassword).status == 200)
    }
  }

  // MARK: vibes

  @Test("H05 vibes: Spotify refused, told on the page, then allowed")
  func spotify() async throws {
    try await PageProviders.run { world in
      let (apps, app) = (world.apps, App.vibes)
      let client = FormClient(apps, app)
      let page = try await client.signUp(app)
      try #require(page.path == "connect/spotify", "\(page.address) \(page.text)")
      let address = apps.server.url + page.address
      func connect() throws -> Browser.View {
        let visit = try Browser(width: 390, isTrusting: true).visit([
          .hold(client.cookies, at: address), .open(address), .press(Pick.main), .look,
        ])
        return visit.views[0]
      }
      try await world.peer.denies(true)
      let refused = try connect()
      #expect(refused.page == "connect/spotify" && refused.title.hasPrefix("Error: "), "\(refused.url) \(refused.text)")
      try await world.peer.denies(false)
      try await world.peer.allow(["user-read-email"])
      let partly = try connect()
      #expect(partly.page == "connect/spotify" && partly.title.hasPrefix("Error: "), "\(partly.url) \(partly.text)")
      try await world.peer.allow(nil)
      let done = try connect()
      #expect(done.page == "continue", "\(done.url) \(done.text)")
    }
  }

  @Test("H05 vibes: in with Google, then a username, then Spotify, then the app", arguments: [false, true])
  func google(_ scripts: Bool) async throws {
    try await PageProviders.run { world in
      let app = App.vibes
      let visit = try Browser(width: 390, scripts: scripts, isTrusting: true).visit([
        .open(root(world.apps, app) + Opening.page(app.scheme)), .press(Pick.intent("provider:google")), .look,
        .type("n", into: Pick.field("profile.username")), .press(Pick.main), .look,
        .type("ova1", into: Pick.field("profile.username")), .press(Pick.main), .look, .picture("journeys/vibes"),
        .press(Pick.main), .look, .leave(Pick.main),
      ])
      try #require(visit.views.count == 4)
      #expect(visit.views[0].page == "complete" && visit.views[0].has("heading", "Choose a username"))
      #expect(visit.views[1].page == "complete" && visit.views[1].title.hasPrefix("Error: "))
      #expect(visit.views[1].all("textbox").contains { $0.isInvalid && !$0.description.isEmpty })
      #expect(visit.views[2].page == "connect/spotify" && visit.views[3].page == "continue")
      #expect(visit.locations.contains { $0.hasPrefix(app.scheme + "?code=") }, "\(visit.locations)")
    }
  }

  // MARK: Without the script

  @Test("H18 the form works where the script does not load")
  func blocked() async throws {
    try await ThreeApps.share { apps in
      let app = App.messai
      let visit = try Browser(width: 390, scripts: true).visit(
        [.block(["*.js", "*.js?*"]), .open(root(apps, app) + Opening.page(app.scheme, ["screen": "sign-up"]))],
        type(app.typed()), [.press("main form button[name=show]"), .look, .overflow],
        [.press(Pick.main), .look])
      try #require(visit.views.count == 2)
      #expect(visit.views[0].page == "sign-up" && !visit.views[0].title.hasPrefix("Error: "))
      #expect(visit.views[0].html.contains(App.password), "the person asked to see it")
      #expect(visit.views[1].page == "continue", "\(visit.views[1].url) \(visit.views[1].text)")
      #expect(visit.fits[0].found == [])
      let others = visit.faults.filter { !$0.contains("ERR_BLOCKED_BY_CLIENT") }
      #expect(others == [])
    }
  }
}
