import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("The pages behind the links of mails, in a real browser without scripts")
struct BrowserTests {
  /// The link of the newest mail, as one of a mail in this language: apps ask for those of these tests in English.
  private func link(_ apps: ThreeApps, to address: String, in language: String = "en") async throws -> String {
    try #require(try await apps.server.latestMail(to: address)?.link).replacing("lang=en", with: "lang=\(language)")
  }

  /// The button of a form, and not the switch beside its passwords.
  private static let button = "form button[type=submit]:not([name])"

  /// What holds for every page that was looked at.
  private func expectGood(_ visit: Browser.Visit, _ browser: Browser, _ apps: ThreeApps) {
    // Chromium notes every answer of 400 and above as a resource that failed; our refusals have such answers.
    #expect(visit.complaints.filter { !$0.hasPrefix("Failed to load resource: the server responded with") } == [])
    for request in visit.requests {
      #expect(request.url.hasPrefix(apps.server.url + "/t/"), "nothing comes from elsewhere")
      #expect(!request.referer.contains("token"), "T038")
    }
    for view in visit.views {
      #expect(!view.url.contains("token"), "T038 the token left the address bar")
      #expect(!view.html.contains("<script") && !view.html.contains(" style=") && !view.html.contains(" onclick"))
      #expect(view.html.contains("<html lang=\"\(browser.language)\">"))
      #expect(view.all("heading").count { $0.name == view.all("heading").last?.name } == 1)
      #expect(!view.all("main").isEmpty)
      for node in view.all("textbox") { #expect(!node.name.isEmpty, "every field has a label") }
      #expect(view.width <= browser.width, "nothing to scroll sideways")
    }
  }

  @Test("T037 opening a link verifies nothing, however often; the button does", arguments: [1280, 390])
  func verify(_ width: Int) async throws {
    try await ThreeApps.share { apps in
      let rider = try await apps.rider()
      let link = try await link(apps, to: "willie@ksu.edu")
      let browser = Browser(width: width)
      // A scanner opens the link before the person does, and leaves.
      let scanner = try browser.visit([.open(link), .look, .open(link)])
      expectGood(scanner, browser, apps)
      #expect(try await apps.ride.get("/v1/me", token: rider.accessToken).json["access"] == .string("limited"))
      let visit = try browser.visit([
        .open(link), .picture("verify-\(width)"), .look, .type("Wildcat1", into: "#password"), .press(Self.button),
        .picture("verified-\(width)"), .look,
      ])
      expectGood(visit, browser, apps)
      #expect(visit.views.count == 2)
      let (form, done) = (visit.views[0], visit.views[1])
      #expect(form.has("heading", "Verify your email") && form.has("button", "Verify my email"))
      #expect(form.text.contains("willie@ksu.edu"))
      #expect(done.has("heading", "Email verified") && !done.has("button", "Verify my email"))
      #expect(try await apps.ride.get("/v1/me", token: rider.accessToken).json["access"] == .string("full"))
      let again = try browser.visit([.open(link), .picture("used-\(width)"), .look])
      expectGood(again, browser, apps)
      #expect(again.views[0].title.hasPrefix("Error: This link was already used"))
    }
  }

  @Test(
    "a new password: what is wrong is said at the top and at its field, and the keyboard is enough",
    arguments: [("en", 1280, false), ("es", 390, true)])
  func reset(_ language: String, _ width: Int, _ dark: Bool) async throws {
    try await ThreeApps.run(policy: { $1.replacing("repeat: false", with: "repeat: true") }) { apps in
      _ = try await apps.rider()
      apps.server.clock.advance(seconds: 61)
      _ = try await apps.ride.post("/v1/password-reset", #"{"email":"willie@ksu.edu"}"#)
      let link = try await link(apps, to: "willie@ksu.edu", in: language)
      let browser = Browser(width: width, dark: dark, language: language)
      let visit = try browser.visit([
        .open(link), .look, .picture("reset-\(language)-\(width)"), .press("button[name=show]"),
        .type("Bobcat99", into: "#password"), .type("Bobcat98", into: "#again"), .press(Self.button), .look,
        .picture("reset-differ-\(language)-\(width)"),
        .type("bob", into: "#password"), .type("bob", into: "#again"), .press(Self.button), .look,
        .picture("reset-weak-\(language)-\(width)"),
        .type("Bobcat99", into: "#password"), .key("Tab"), .type("Bobcat99", into: "#again"), .key("Enter"), .look,
        .picture("reset-done-\(language)-\(width)"),
      ])
      expectGood(visit, browser, apps)
      try #require(visit.views.count == 4)
      let isEnglish = language == "en"
      let names =
        isEnglish ? ["New password", "Repeat the password"] : ["Contraseña nueva", "Repite la contraseña"]
      let form = visit.views[0]
      for name in names { #expect(form.all("textbox").contains { $0.name == name && $0.isRequired }) }
      // The rules are read out with the field.
      #expect(
        form.all("textbox").first { $0.name == names[0] }?.description
          .contains(isEnglish ? "At least 8 characters" : "8") == true)
      let differ = visit.views[1]
      #expect(differ.title.hasPrefix("Error: ") && !differ.all("alert").isEmpty)
      #expect(differ.focused?.role == "alert", "what is wrong is read first")
      #expect(differ.all("textbox").contains { $0.name == names[1] && $0.isInvalid })
      #expect(!differ.html.contains("Bobcat9"), "a password is never sent back")
      let weak = visit.views[2]
      #expect(weak.focused?.role == "alert")
      #expect(weak.all("textbox").contains { $0.name == names[0] && $0.isInvalid })
      #expect(!weak.all("link").isEmpty, "the summary leads to the field")
      #expect(visit.views[3].has("heading", isEnglish ? "Password saved" : "Contraseña guardada"))
      #expect(
        try await apps.ride.post("/v1/sign-in", #"{"email":"willie@ksu.edu","password":"Bobcat99"}"#).status == 200)
    }
  }

  @Test(
    "T131 of a sign-up that waits the page shows what was typed, and takes another password",
    arguments: [("en", 1280), ("es", 390)])
  func signUp(_ language: String, _ width: Int) async throws {
    try await ThreeApps.run(policy: { PolicyText.hiding(PolicyText.withoutTests($1)) }) { apps in
      _ = try await apps.rider()
      let browser = Browser(width: width, language: language)
      let visit = try browser.visit([
        .open(try await link(apps, to: "willie@ksu.edu", in: language)), .look,
        .picture("sign-up-\(language)-\(width)"),
        .type("Wrong1234", into: "#password"), .key("Enter"), .look, .picture("sign-up-wrong-\(language)-\(width)"),
        .type("Bobcat99", into: "#new_password"), .key("Enter"), .look,
        .picture("sign-up-done-\(language)-\(width)"),
      ])
      expectGood(visit, browser, apps)
      try #require(visit.views.count == 3)
      #expect(visit.views[0].text.contains("Willie W") && visit.views[0].text.contains("(785) 555-0123"))
      #expect(!visit.views[0].text.contains("member"), "no user typed what administrators write")
      #expect(visit.views[1].all("textbox").contains { $0.isInvalid })
      #expect(visit.views[2].has("heading", language == "en" ? "Email verified" : "Correo verificado"))
      #expect(
        try await apps.ride.post("/v1/sign-in", #"{"email":"willie@ksu.edu","password":"Bobcat99"}"#).status == 200)
    }
  }

  @Test("a new address is confirmed, and the old one takes it back", arguments: [("en", 1280), ("es", 390)])
  func change(_ language: String, _ width: Int) async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.movingRider()
      let browser = Browser(width: width, language: language)
      let confirm = try browser.visit([
        .open(try await link(apps, to: "new@ksu.edu", in: language)), .look, .picture("confirm-\(language)-\(width)"),
        .type("Wildcat1", into: "#password"), .press(Self.button), .look, .picture("confirmed-\(language)-\(width)"),
      ])
      expectGood(confirm, browser, apps)
      #expect(confirm.views.first?.text.contains("new@ksu.edu") == true)
      #expect(
        try await apps.ride.post("/v1/sign-in", #"{"email":"new@ksu.edu","password":"Wildcat1"}"#).status == 200)
      let undo = try browser.visit([
        .open(try await link(apps, to: "willie@ksu.edu", in: language)), .look, .picture("undo-\(language)-\(width)"),
        .type(language == "en" ? "undo" : "Deshacer", into: "#word"), .press(Self.button), .look,
        .picture("undone-\(language)-\(width)"),
      ])
      expectGood(undo, browser, apps)
      #expect(undo.views.last?.has("heading", language == "en" ? "Change undone" : "Cambio deshecho") == true)
      #expect(
        try await apps.ride.post("/v1/sign-in", #"{"email":"willie@ksu.edu","password":"Wildcat1"}"#).status == 200)
    }
  }

  @Test("a link that is broken, old or missing says what to do", arguments: ["en", "es"])
  func dead(_ language: String) async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.rider()
      let link = try await link(apps, to: "willie@ksu.edu", in: language)
      let browser = Browser(width: 390, dark: true, language: language)
      let page = apps.server.url + "/t/dd-ride/ui/verify-email"
      apps.server.clock.advance(seconds: 25 * 3600)
      let visit = try browser.visit([
        .open(page), .look, .picture("no-link-\(language)"), .open(link), .look, .picture("expired-\(language)"),
        .open(page + "?token=nonsense"), .look, .picture("invalid-\(language)"),
        .open(apps.server.url + "/t/dd-ride/ui/nowhere"), .look, .picture("nowhere-\(language)"),
      ])
      expectGood(visit, browser, apps)
      let titles = visit.views.map { $0.all("heading").first?.name ?? "" }
      #expect(
        titles
          == (language == "en"
            ? [
              "This page needs a link", "This link has expired", "This link does not work", "There is no such page",
            ]
            : [
              "Esta página necesita un enlace", "Este enlace ha caducado", "Este enlace no funciona",
              "Esta página no existe",
            ]))
    }
  }

  @Test(
    "the logo stands before the app's name and is the icon, in light and dark; its drawing is opened without complaint",
    arguments: [("messai", 1280, false), ("dd-ride", 390, true), ("vibes", 1280, true), ("dd-ride", 1280, false)])
  func logo(_ tenant: String, _ width: Int, _ dark: Bool) async throws {
    try await ThreeApps.share { apps in
      let page = apps.server.url + "/t/\(tenant)/ui/verify-email"
      let browser = Browser(width: width, dark: dark)
      let before = try browser.visit([.open(page), .look, .picture("letter-\(tenant)-\(width)-\(dark)")])
      expectGood(before, browser, apps)
      #expect(before.requests.map(\.url) == [page])
      let logo = try await SetLogo.run(
        .init(tenant: tenant, base64url: Base64URL.encode(LogoTests.file(tenant))), apps.asOperator)
      try await apps.reload()
      let visit = try browser.visit([
        .open(page), .look, .picture("logo-\(tenant)-\(width)-\(dark)"), .open(logo.url),
      ])
      expectGood(visit, browser, apps)
      #expect(visit.complaints == [])
      #expect(Set(visit.requests.map(\.url)) == [page, logo.url])
      #expect(visit.views.first?.html.contains("<link rel=\"icon\" href=\"../ui/assets/logo.") == true)
      #expect(visit.views.first?.all("image").isEmpty == true, "the name beside it says the same")
    }
  }

  @Test("the browser does complain where there is something to complain about")
  func negativeControl() throws {
    let page = "data:text/html,<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"
    let visit = try Browser().visit([.open(page + "<style>p{color:red}</style><p>text</p>"), .look])
    #expect(visit.complaints.contains { $0.contains("Content Security Policy") })
    #expect(visit.views.first?.text == "text")
    #expect(throws: Browser.Failed.self) { try Browser().visit([.open(page), .press("button")]) }
  }
}
