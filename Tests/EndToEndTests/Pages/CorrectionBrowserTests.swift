import Foundation
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseServer

@Suite("What the script adds to a form while it is filled in, in a real browser")
struct CorrectionBrowserTests {
  private func visit(_ app: App, at page: String = "sign-up", width: Int = 390, _ steps: [Browser.Step]...) async throws
    -> Browser.Visit
  {
    let kept = LockBox<Browser.Visit?>(nil)
    try await ThreeApps.share { apps in
      let address = "\(apps.server.url)/t/\(app.rawValue)/ui/\(page)"
      let visit = try Browser(width: width, scripts: true).visit([.open(address)], Array(steps.joined()))
      #expect(visit.faults == [])
      kept.withLock { $0 = visit }
    }
    return try #require(kept.withLock { $0 })
  }

  private func field(_ view: Browser.View, _ name: String) throws -> Browser.Node {
    try #require(view.all("textbox").first { $0.name == name }, "\(name): \(view.text)")
  }

  private static let email = Pick.field("email")
  private static let again = Pick.field("again")

  // MARK: Corrections

  @Test("a field that is wrong says so once it is left, and not while it is typed")
  func left() async throws {
    let visit = try await visit(
      .messai, [.type("pat", into: Self.email), .look, .type("P", into: Pick.field("profile.displayName")), .look])
    #expect(!visit.views[0].html.contains("aria-invalid=\"true\"") && !visit.views[0].html.contains("class=\"error\""))
    let email = try field(visit.views[1], "Email")
    #expect(email.isInvalid && email.description.contains("Enter a valid email address."))
  }

  @Test("a corrected field is right again while it is typed")
  func corrected() async throws {
    let visit = try await visit(
      .messai,
      [
        .type("pat", into: Self.email), .type("P", into: Pick.field("profile.displayName")),
        .type("@example.com", into: Self.email), .look,
      ])
    let email = try field(visit.views[0], "Email")
    #expect(!email.isInvalid && !email.description.contains("Enter a valid"))
  }

  @Test("the summary and the title of a refused form follow the corrections")
  func summary() async throws {
    let name = Pick.field("profile.displayName")
    let visit = try await visit(
      .messai,
      [
        .type("pat@example.com", into: Self.email), .type(App.password, into: Pick.field("password")),
        .type(App.password, into: Self.again), .press(Pick.main), .look, .type("Pat", into: name), .look,
      ])
    #expect(visit.views[0].title.hasPrefix("Error: ") && visit.views[0].has("link", "Display name is required."))
    #expect(!visit.views[1].title.hasPrefix("Error: ") && !visit.views[1].has("link", "Display name is required."))
    #expect(try !field(visit.views[1], "Display name").isInvalid)
  }

  @Test("the domain of an address, a telephone number and a name are checked by their own rules")
  func rules() async throws {
    let visit = try await visit(
      .ride,
      [
        .type("pat@gmail.com", into: Self.email), .type("123", into: Pick.field("profile.phoneNumber")),
        .type(" ", into: Pick.field("profile.name")), .type("x", into: Pick.field("password")), .look,
      ])
    let view = visit.views[0]
    #expect(try field(view, "Email").description.contains("Use your K-State email (ends in @ksu.edu)."))
    #expect(try field(view, "Phone number").description.contains("Phone number must be a 10-digit US number."))
    #expect(try field(view, "Name").isInvalid)
  }

  @Test("the characters of a username are checked, in words")
  func characters() async throws {
    let visit = try await visit(
      .vibes, [.type("pat!", into: Pick.field("profile.username")), .type("x", into: Self.email), .look])
    let told = try field(visit.views[0], "Username").description
    #expect(told.contains("Username: use only letters, numbers, . and _."), "\(told)")
  }

  @Test("a repeated password that differs is told at its own field")
  func differs() async throws {
    let visit = try await visit(
      .messai,
      [
        .type(App.password, into: Pick.field("password")), .type("other", into: Self.again),
        .type("p", into: Self.email), .look,
      ])
    let again = try field(visit.views[0], "Repeat the password")
    #expect(again.isInvalid && again.description.contains("The two passwords are different."))
  }

  @Test("a form with a field that the script refuses is sent to the server, which judges it")
  func judge() async throws {
    let visit = try await visit(.messai, [.type("pat", into: Self.email), .press(Pick.main), .look])
    #expect(visit.views[0].title.hasPrefix("Error: ") && visit.requests.contains { $0.method == "POST" })
  }

  @Test("axe finds nothing on a form whose errors the script told")
  func axe() async throws {
    let visit = try await visit(
      .messai, [.type("pat", into: Self.email), .type("P", into: Pick.field("profile.displayName")), .axe])
    #expect(visit.audits[0].violations == [])
  }

  // MARK: Passwords

  @Test("Caps Lock is told at a password, in words")
  func caps() async throws {
    let visit = try await visit(.messai, at: "sign-in", [.look, .capsLock(Pick.field("password")), .look, .axe])
    #expect(!visit.views[0].text.contains("Caps Lock is on."))
    #expect(visit.views[1].text.contains("Caps Lock is on.") && visit.audits[0].violations == [])
  }

  @Test("a short password is fair at most, however odd it is")
  func meter() async throws {
    let visit = try await visit(
      .messai, [.type("kt49xw", into: Pick.field("password")), .capsLock(Self.email)], pause, [.look])
    let text = visit.views[0].text
    #expect(text.contains("Strength: fair") || text.contains("Strength: weak"), "\(text)")
  }

  /// Steps that take longer than the checklist waits for the next key.
  private var pause: [Browser.Step] { Array(repeating: .picture("pages/meter"), count: 8) }

  @Test("the button in a password's field is 44 pixels wide and high, and has a name")
  func eye() async throws {
    let toggle = "main form .toggle"
    let visit = try await visit(
      .messai, at: "sign-in", [.type("x", into: Pick.field("password")), .key("Tab"), .focus, .touch(toggle), .look])
    let focus = visit.focuses[0]
    #expect(focus.tag == "button" && focus.box.suffix(2) == [44, 44] && focus.isRinged, "\(focus)")
    #expect(visit.views[0].has("button", "Hide password"))
  }

  // MARK: The page

  @Test(
    "the first empty field has the focus on a wide screen, and none on a narrow one",
    arguments: [(1280, "email"), (390, "")])
  func focus(_ width: Int, _ id: String) async throws {
    let visit = try await visit(.messai, at: "sign-in", width: width, [.focus])
    #expect(visit.focuses[0].id == id)
  }

  @Test("a form that is sent without a network stays as it is, and is sent once there is one")
  func offline() async throws {
    let visit = try await visit(
      .messai,
      [
        .type("pat@example.com", into: Self.email), .offline(true), .touch(Pick.main), .look, .axe, .offline(false),
        .press("main .offline button"), .look,
      ])
    let (stayed, sent) = (visit.views[0], visit.views[1])
    #expect(stayed.text.contains("You are offline. What you typed is still here.") && stayed.has("button", "Try again"))
    #expect(try field(stayed, "Email").value == "pat@example.com" && visit.audits[0].violations == [])
    #expect(sent.title.hasPrefix("Error: ") && !sent.text.contains("You are offline."))
  }

  @Test("the switch of the language keeps what was typed, with scripts and without", arguments: [false, true])
  func language(_ scripts: Bool) async throws {
    let visit = try await visit(
      .ride,
      [.scripts(scripts), .type("pat@ksu.edu", into: Self.email), .press("main button[name=lang]"), .look, .axe])
    #expect(visit.views[0].html.contains("<html lang=\"es\"") && visit.views[0].html.contains("value=\"pat@ksu.edu\""))
    #expect(visit.audits[0].violations == [])
  }

  @Test("a tab that waits for a verified address goes on once another tab has verified it")
  func verified() async throws {
    try await ThreeApps.share { apps in
      let client = FormClient(apps, .ride)
      let page = try await client.signUp(.ride)
      try #require(page.path == "check-mail")
      let link = try #require(try await apps.server.latestMail(to: App.ride.email())?.link)
      let address = client.server + page.address
      let visit = try Browser(scripts: true).visit([
        .forget, .hold(client.cookies, at: address), .open(address), .look, .tab(1), .open(link),
        .press("main form button[type=submit]:not([name])"), .look, .tabLeadingOn(0), .look,
      ])
      #expect(visit.views[0].page == "check-mail" && visit.views[1].page == "verify-email")
      #expect(visit.views[2].page != "check-mail", "\(visit.views[2].url)")
    }
  }
}
