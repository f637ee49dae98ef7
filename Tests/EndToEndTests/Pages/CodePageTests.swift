import Foundation
import GatehouseOutbound
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Pages that wait for a mailed code")
struct CodePageTests {
  private let app = App.messai
  private static let wrong = "That is not the code we sent. Check the newest email."
  private static let usedUp = "Too many wrong tries. That code no longer works. Send a new one."
  private static let expired = "That code has expired. Send a new one."

  /// The answer of a page about a code, without the address that it was mailed to.
  private struct Seen: Equatable, CustomStringConvertible {
    let status: Int
    let path: String
    let said: [String]
    let asks: Bool
    let offers: Bool

    init(_ page: FormClient.Page, _ local: String) {
      status = page.status
      path = page.path
      let main = page.text.firstMatch(of: /<main[^>]*>([\s\S]*)<\/main>/).map { String($0.output.1) } ?? page.text
      said = main.matches(of: /<(?:p|li)\b[^>]*>([\s\S]*?)<\/(?:p|li)>/).map { match in
        let text = String(match.output.1).replacing(/<[^>]*>/, with: "").replacing(local, with: "PERSON")
        return text.replacing(/[0-9]{2}:[0-9]{2}/, with: "TIME")
      }
      asks = page.text.contains("name=\"code\"")
      offers = FormClient.Form.all(page.text).contains { $0.values["do"] == "again" }
    }

    var description: String { "\(status) \(path) \(said) \(asks) \(offers)" }
    func says(_ sentence: String) -> Bool { said.contains { $0.contains(sentence) } }
  }

  /// The app with an account of pat, and none of sam.
  private func settled(_ body: (ThreeApps) async throws -> Void) async throws {
    try await ThreeApps.run { apps in
      #expect(try await apps.signUp(app).status == 201)
      apps.server.clock.advance(seconds: 61)
      try await body(apps)
    }
  }

  private func hiding(_ body: (ThreeApps) async throws -> Void) async throws {
    try await ThreeApps.run(policy: { PolicyText.hiding(PolicyText.withoutTests($1)) }, body)
  }

  /// Six digits that are not those of the newest mail to an address, if it got one.
  private func wrong(_ local: String, _ apps: ThreeApps) async throws -> String {
    try await apps.server.latestMail(to: app.email(local))?.code.map(other) ?? "000000"
  }

  /// Six digits that are not these.
  private func other(_ code: String) -> String { code == "000000" ? "000001" : "000000" }

  // MARK: Codes that work no more

  @Test("after five wrong tries the page says that the code is dead, and a new one works")
  func usedUp() async throws {
    try await settled { apps in
      let browser = FormClient(apps, app)
      var page = try await browser.forget("pat")
      let code = try await browser.code(to: app.email())
      for _ in 0..<4 {
        page = try await browser.send(page, ["code": other(code)])
        #expect(Seen(page, "pat").says(Self.wrong) && Seen(page, "pat").asks, "\(Seen(page, "pat"))")
      }
      page = try await browser.send(page, ["code": other(code)])
      let dead = Seen(page, "pat")
      #expect(dead.status == 400 && dead.says(Self.usedUp) && !dead.asks && dead.offers, "\(dead)")
      apps.server.clock.advance(seconds: 61)
      page = try await browser.send(page, intent: "again")
      #expect(Seen(page, "pat").says("New code sent.") && Seen(page, "pat").asks, "\(Seen(page, "pat"))")
      page = try await browser.send(page, ["code": browser.code(to: app.email())])
      #expect(page.text.contains("name=\"password\""), "\(page.text)")
    }
  }

  @Test("an address without an account is told the same, at every step")
  func blind() async throws {
    try await settled { apps in
      var seen: [[Seen]] = []
      for name in ["pat", "sam"] {
        let browser = FormClient(apps, app)
        var page = try await browser.forget(name)
        var steps = [Seen(page, name)]
        for _ in 0..<6 {
          guard Seen(page, name).asks else { break }
          page = try await browser.send(page, ["code": wrong(name, apps)])
          steps.append(Seen(page, name))
        }
        apps.server.clock.advance(seconds: 61)
        page = try await browser.send(page, intent: "again")
        steps.append(Seen(page, name))
        apps.server.clock.advance(seconds: 600)
        steps.append(Seen(try await browser.open(String(page.address.split(separator: "/ui/").last ?? "")), name))
        seen.append(steps)
      }
      #expect(seen[0] == seen[1], "\(seen)")
      #expect(seen[0].count == 8 && seen[0][5].says(Self.usedUp) && seen[0][7].says(Self.expired), "\(seen[0])")
    }
  }

  @Test("a page whose code has expired says so when it is loaded, and when the code is typed")
  func expired() async throws {
    try await settled { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.forget("pat")
      let code = try await browser.code(to: app.email())
      apps.server.clock.advance(seconds: 601)
      let typed = Seen(try await browser.send(page, ["code": code]), "pat")
      #expect(typed.status == 400 && typed.says(Self.expired) && !typed.asks && typed.offers, "\(typed)")
    }
  }

  @Test("tries in another tab count: the right code is told as dead, and not as wrong", arguments: ["pat", "sam"])
  func tabs(_ name: String) async throws {
    try await settled { apps in
      let browser = FormClient(apps, app)
      let first = try await browser.forget(name)
      let code = try await name == "pat" ? browser.code(to: app.email()) : "123456"
      var page = first
      for _ in 0..<5 where Seen(page, name).asks { page = try await browser.send(page, ["code": other(code)]) }
      let late = Seen(try await browser.send(first, ["code": code]), name)
      #expect(late.says(Self.usedUp), "\(late)")
    }
  }

  @Test("where accounts are hidden, a change to a taken address is told as one to a free address, in two tabs")
  func hiddenChange() async throws {
    try await hiding { apps in
      let browser = FormClient(apps, app)
      _ = try await browser.send(browser.signUp(app), ["code": browser.code(to: app.email())])
      let kim = FormClient(apps, app)
      _ = try await kim.send(kim.signUp(app, "kim"), ["code": kim.code(to: app.email("kim"))])
      var seen: [[Seen]] = []
      for name in ["kim", "sam"] {
        let first = try await browser.send("account/email", ["email": app.email(name)])
        try #require(first.path == "account/email" && first.text.contains("name=\"code\""), "\(first.text)")
        var steps: [Seen] = []
        for _ in 0..<2 {
          var page = first
          for _ in 0..<3 {
            page = try await browser.send(page, ["code": wrong(name, apps)], intent: "confirm")
            steps.append(Seen(page, name))
          }
        }
        seen.append(steps)
      }
      #expect(seen[0] == seen[1], "\(seen)")
    }
  }

  @Test("a sign-in after the code of the sign-up has expired says so, and offers another one")
  func lateSignIn() async throws {
    try await ThreeApps.run { apps in
      #expect(try await apps.signUp(.ride).status == 201)
      try await apps.server.deliverMail()
      apps.server.clock.advance(seconds: 720)
      let browser = FormClient(apps, .ride)
      let typed = ["email": App.ride.email(), "password": App.password]
      let page = try await browser.send("sign-in", typed)
      let seen = Seen(page, "pat")
      #expect(seen.path == "check-mail" && seen.says(Self.expired) && !seen.asks && seen.offers, "\(seen)")
      let mailed = try await browser.send(page, intent: "again")
      let done = try await browser.send(mailed, ["code": browser.code(to: App.ride.email())])
      #expect(done.path == "account", "\(done.address)")
    }
  }

  @Test("of an account's own code a used-up one is told as such")
  func ownUsedUp() async throws {
    try await ThreeApps.run { apps in
      let browser = FormClient(apps, .ride)
      var page = try await browser.signUp(.ride)
      let code = try await browser.code(to: App.ride.email())
      for _ in 0..<5 { page = try await browser.send(page, ["code": other(code)]) }
      #expect(Seen(page, "pat").says(Self.usedUp) && !Seen(page, "pat").asks, "\(Seen(page, "pat"))")
    }
  }

  // MARK: Mails that were sent

  @Test("the page says when the mail was sent")
  func moment() async throws {
    try await ThreeApps.run { apps in
      let page = try await FormClient(apps, .ride).signUp(.ride)
      let sent = page.text.firstMatch(of: /at <time class="clock" datetime="([^"]+)">([0-9:]+)&?[^<]*UTC<\/time>/)
      let found = try #require(sent, "\(page.text)")
      #expect(found.output.1.dropFirst(11).hasPrefix(found.output.2))
    }
  }

  @Test("a request that its pause swallowed is told as such, for every address", arguments: ["pat", "sam"])
  func swallowed(_ name: String) async throws {
    try await settled { apps in
      #expect(try await FormClient(apps, app).forget(name).path == "reset")
      apps.server.clock.advance(seconds: 20)
      let again = try await FormClient(apps, app).forget(name)
      #expect(again.status == 429 && again.path == "forgot" && again.answer.headers["retry-after"] == "40")
      #expect(
        again.text.contains("An email is on its way since") && again.text.contains("ask for another in 40 seconds."),
        "\(again.text)")
    }
  }

  @Test("asked for twice in one flow, one mail is sent, the page keeps its code and counts the seconds")
  func twice() async throws {
    try await settled { apps in
      let browser = FormClient(apps, app)
      let first = try await browser.forget("pat")
      apps.server.clock.advance(seconds: 20)
      let form = try await browser.follow(first, link: "forgot")
      let again = try await browser.send(form, ["email": app.email()])
      #expect(again.path == "reset" && again.text.contains("data-seconds=\"40\""), "\(again.text)")
      let right = try await browser.send(again, ["code": browser.code(to: app.email())])
      #expect(right.text.contains("name=\"password\""), "\(right.text)")
      #expect(try await apps.server.mailCount(to: app.email()) == 2, "one of the sign-up and one of the reset")
    }
  }

  @Test("a pause that no mail began is none: a request beyond the budget leaves the next one free")
  func refused() async throws {
    let tight = { (_: App, text: String) in
      PolicyText.limits("mail_per_tenant: 1/1m", in: PolicyText.withoutTests(text))
    }
    try await ThreeApps.run(policy: tight) { apps in
      #expect(try await apps.signUp(app).status == 201)
      #expect(try await FormClient(apps, app).forget("pat").status == 429)
      apps.server.clock.advance(seconds: 61)
      #expect(try await FormClient(apps, app).forget("pat").path == "reset")
      apps.server.clock.advance(seconds: 30)
      let second = try await FormClient(apps, app).forget("kim")
      #expect(!second.text.contains("on its way since"), "\(second.text)")
      apps.server.clock.advance(seconds: 31)
      #expect(try await FormClient(apps, app).forget("kim").path == "reset")
    }
  }

  @Test("of a mail with a link alone no page says that it sent a code")
  func linkAlone() async throws {
    let link = { (_: App, text: String) in
      PolicyText.withoutTests(text).replacing("method: link_and_code", with: "method: link")
    }
    try await ThreeApps.run(policy: link) { apps in
      let page = try await FormClient(apps, .ride).signUp(.ride)
      #expect(page.text.contains("We sent a link to pat@ksu.edu at") && !page.text.contains("name=\"code\""))
    }
  }

  // MARK: A forgotten password

  @Test("a reset asks for three values, loads four pages, and ends signed in")
  func reset() async throws {
    try await settled { apps in
      let browser = FormClient(apps, app)
      let code = try await browser.open("forgot")
      let sent = try await browser.send(code, ["email": app.email()])
      #expect(sent.path == "reset" && sent.text.contains("name=\"code\"") && !sent.text.contains("password\""))
      let wrong = try await browser.send(sent, ["code": "000 00"])
      #expect(wrong.status == 400 && !wrong.text.contains("type=\"password\""), "\(wrong.text)")
      let right = try await browser.send(wrong, ["code": browser.code(to: app.email())])
      #expect(right.path == "reset" && !right.text.contains("name=\"code\""))
      let done = try await browser.send(right, ["password": App.otherPassword, "again": App.otherPassword])
      #expect(done.path == "account" && done.text.contains(app.email()), "\(done.address)")
      #expect(try await apps.signIn(app).status == 401)
    }
  }

  @Test("a password that the policy refuses costs no try at the code")
  func weak() async throws {
    try await settled { apps in
      let browser = FormClient(apps, app)
      var page = try await browser.send(browser.forget("pat"), ["code": browser.code(to: app.email())])
      for _ in 0..<6 {
        page = try await browser.send(page, ["password": "x", "again": "x"])
        #expect(page.status == 422 && page.text.contains("id=\"password-error\""), "\(page.text)")
      }
      page = try await browser.send(page, ["password": App.otherPassword, "again": App.otherPassword])
      #expect(page.path == "account", "\(page.text)")
    }
  }

  @Test("another address can be typed at once, in the pause of the first")
  func otherAddress() async throws {
    try await settled { apps in
      let browser = FormClient(apps, app)
      let form = try await browser.follow(browser.forget("pta"), link: "forgot")
      let page = try await browser.send(form, ["email": app.email()])
      let right = try await browser.send(page, ["code": browser.code(to: app.email())])
      #expect(right.text.contains("name=\"password\""), "\(right.text)")
    }
  }

  @Test("a code is used once: after it the new password stands")
  func once() async throws {
    try await settled { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.send(browser.forget("pat"), ["code": browser.code(to: app.email())])
      let typed = ["password": App.otherPassword, "again": App.otherPassword]
      _ = try await browser.send(page, typed)
      let second = try await browser.send(page, ["password": App.password, "again": App.password])
      #expect(second.status >= 400, "\(second.address)")
      #expect(try await apps.signIn(app, password: App.otherPassword).status == 200)
    }
  }

  // MARK: A sign-up where accounts are hidden

  @Test("the right code opens the session of the browser that signed up")
  func hiddenSignUp() async throws {
    try await hiding { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.signUp(app)
      try #require(page.path == "check-mail", "\(page.text)")
      let done = try await browser.send(page, ["code": browser.code(to: app.email())])
      #expect(done.path == "continue", "\(done.address) \(done.text)")
      #expect(try await browser.open("account").text.contains(app.email()))
      #expect(try await apps.signIn(app).status == 200)
    }
  }

  @Test("another code for a sign-up that waits takes its place in the page, and completes it")
  func hiddenAgain() async throws {
    try await hiding { apps in
      let browser = FormClient(apps, app)
      var page = try await browser.signUp(app)
      let first = try await browser.code(to: app.email())
      apps.server.clock.advance(seconds: 61)
      page = try await browser.send(page, intent: "again")
      let second = try await browser.code(to: app.email())
      #expect(page.path == "check-mail" && page.text.contains("New code sent."), "\(page.text)")
      if first != second { page = try await browser.send(page, ["code": first]) }
      let done = try await browser.send(page, ["code": second])
      #expect(done.path == "continue", "\(done.address) \(done.text)")
    }
  }

  @Test("a taken address is told as a free one, at every step of its sign-up")
  func hiddenTaken() async throws {
    try await hiding { apps in
      let owner = FormClient(apps, app)
      _ = try await owner.send(owner.signUp(app, "kim"), ["code": owner.code(to: app.email("kim"))])
      apps.server.clock.advance(seconds: 61)
      var seen: [[Seen]] = []
      for name in ["kim", "sam"] {
        let browser = FormClient(apps, app)
        var page = try await browser.signUp(app, name)
        var steps = [Seen(page, name)]
        apps.server.clock.advance(seconds: 61)
        for _ in 0..<2 {
          page = try await browser.send(page, intent: "again")
          steps.append(Seen(page, name))
        }
        for _ in 0..<5 {
          page = try await browser.send(page, ["code": wrong(name, apps)])
          steps.append(Seen(page, name))
        }
        seen.append(steps)
      }
      #expect(seen[0] == seen[1], "\(seen)")
      #expect(seen[0][1].says("New code sent.") && seen[0][2].status == 429, "\(seen[0])")
      #expect(seen[0][7].says(Self.usedUp), "\(seen[0])")
    }
  }

  @Test("a second sign-up in the pause of the first is told that a mail is on its way")
  func hiddenTwice() async throws {
    try await hiding { apps in
      #expect(try await FormClient(apps, app).signUp(app).path == "check-mail")
      let again = try await FormClient(apps, app).signUp(app)
      #expect(again.path == "sign-up" && again.text.contains("An email is on its way since"), "\(again.text)")
    }
  }
}
