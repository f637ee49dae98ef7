import Foundation
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

extension ThreeApps {
  /// A browser whose user has an account with a proven address, and is signed in.
  func pageBrowser(_ app: App = .messai, _ local: String = "pat", language: String = "en") async throws -> PageBrowser {
    try #require(try await signUp(app, local).status == 201)
    try await Operator.verify(app, local, self)
    let browser = PageBrowser(app, self, language: language)
    try await browser.signIn(app.email(local))
    try #require(browser.location == "account", "\(browser.location) \(browser.text)")
    return browser
  }
}

@Suite("The pages of an account")
struct AccountPageTests {
  @Test("the account shows the address with its state")
  func address() async throws {
    try await ThreeApps.share { apps async throws in
      let browser = try await apps.pageBrowser()
      #expect(browser.text.contains("<dd>pat@example.com (verified)</dd>"))
    }
  }

  @Test("an address that is not proven is told as that, with the way to prove it")
  func unverified() async throws {
    try await ThreeApps.share { apps async throws in
      _ = try await apps.signUp(.messai)
      let browser = PageBrowser(.messai, apps)
      try await browser.signIn("pat@example.com")
      #expect(browser.text.contains("Not verified yet") && browser.text.contains("href=\"check-mail?"))
    }
  }

  @Test("the account shows the fields that its owner sees, by their names")
  func facts() async throws {
    try await ThreeApps.share { apps async throws in
      let browser = try await apps.pageBrowser()
      #expect(browser.text.contains("<dt>Display name</dt>\n<dd>pat</dd>"))
    }
  }

  @Test("the account has the way back to the app")
  func openApp() async throws {
    try await ThreeApps.share { apps async throws in
      #expect(try await apps.pageBrowser().text.contains("href=\"messai://open\">Open messAI</a>"))
    }
  }

  @Test("the account speaks the language of its reader")
  func spanish() async throws {
    try await ThreeApps.share { apps async throws in
      #expect(try await apps.pageBrowser(.ride, language: "es").heading == "Tu cuenta")
    }
  }

  @Test(
    "without a session a page of the account leads to the sign-in, and the sign-in back to the page",
    arguments: [
      "account", "account/profile", "account/password", "account/email", "account/devices", "account/connections",
      "account/delete", "account/export",
    ])
  func comesBack(path: String) async throws {
    try await ThreeApps.share { apps async throws in
      _ = try await apps.signUp(.messai)
      let browser = PageBrowser(.messai, apps)
      try await browser.open(path)
      #expect(browser.location == "sign-in")
      try await browser.signIn("pat@example.com")
      #expect(browser.location == path && browser.status == 200)
    }
  }

  @Test("a form with the proof of another person's session does nothing")
  func foreignProof() async throws {
    try await ThreeApps.share { apps async throws in
      let (pat, kim) = (try await apps.pageBrowser(), try await apps.pageBrowser(.messai, "kim"))
      try await kim.open("account/profile")
      try await pat.open("account/profile")
      let foreign = try #require(kim.value("csrf"))
      try await pat.send("account/profile", ["csrf": foreign, "profile.displayName": "Mallory"])
      #expect(pat.status == 403)
      try await pat.open("account/profile")
      #expect(pat.value("profile.displayName") == "pat")
    }
  }

  @Test("one button of the account signs out")
  func signOut() async throws {
    try await ThreeApps.share { apps async throws in
      let browser = try await apps.pageBrowser()
      try await browser.send("sign-out")
      #expect(browser.location == "signed-out")
      try await browser.open("account")
      #expect(browser.location == "sign-in")
    }
  }

  // MARK: Profile

  @Test("a change of the profile is saved, and said to be")
  func profile() async throws {
    try await ThreeApps.share { apps async throws in
      let browser = try await apps.pageBrowser()
      try await browser.open("account/profile")
      try await browser.send("account/profile", ["profile.displayName": "Patricia"])
      #expect(browser.notice == "Saved." && browser.value("profile.displayName") == "Patricia")
    }
  }

  @Test("a wrong value is told at its field, and stands in it")
  func wrongValue() async throws {
    try await ThreeApps.share { apps async throws in
      let browser = try await apps.pageBrowser()
      try await browser.open("account/profile")
      try await browser.send("account/profile", ["profile.displayName": "P"])
      #expect(browser.status == 422 && browser.problem(at: "profile.displayName") != nil)
      #expect(browser.value("profile.displayName") == "P")
    }
  }

  @Test("what administrators alone set is text, and no form sets it")
  func fixed() async throws {
    try await ThreeApps.share { apps async throws in
      let browser = try await apps.pageBrowser(.ride)
      try await browser.open("account/profile")
      #expect(browser.text.contains("<dd>Member</dd>") && !browser.asks(for: "profile.role"))
      try await browser.send("account/profile", ["profile.role": "admin"])
      try await browser.open("account")
      #expect(browser.text.contains("<dd>Member</dd>"))
    }
  }

  @Test("a field that a new policy has stands on the page at its next load")
  func newField() async throws {
    try await ThreeApps.run { apps in
      let browser = try await apps.pageBrowser()
      let field = "    nickname: {type: string, max_length: 30, write: user, visible_to: users}\n"
      let text = PolicyText.withoutTests(try TestLists.policy("messai")).replacing(
        "    photoURL: {", with: field + "    photoURL: {")
      _ = try await apps.server.apply(text, to: "messai", allowsWeaker: true)
      try await apps.reload()
      try await browser.open("account/profile")
      #expect(browser.asks(for: "profile.nickname"))
    }
  }

  @Test("a value that a newer rule would refuse hinders no change of another field")
  func oldValue() async throws {
    try await ThreeApps.run { apps in
      let browser = try await apps.pageBrowser()
      let text = PolicyText.withoutTests(try TestLists.policy("messai"))
      _ = try await apps.server.apply(
        text.replacing("      min_length: 2\n", with: "      min_length: 5\n"), to: "messai", allowsWeaker: true)
      try await apps.reload()
      try await browser.open("account/profile")
      try await browser.send("account/profile", ["profile.photoURL": "https://example.com/p.jpg"])
      #expect(browser.notice == "Saved.")
    }
  }

  // MARK: Password

  @Test("a new password is saved; the browser stays signed in, and everything else is signed out")
  func password() async throws {
    try await ThreeApps.share { apps async throws in
      let browser = try await apps.pageBrowser()
      let other = try await apps.signIn(.messai).json
      try await browser.open("account/password")
      try await browser.send(
        "account/password",
        ["current": App.password, "password": App.otherPassword, "again": App.otherPassword])
      #expect(browser.notice?.hasPrefix("Your new password is saved.") == true && browser.location == "account")
      #expect(try await apps.refresh(.messai, other.refreshToken).status == 401)
      #expect(try await apps.signIn(.messai, password: App.otherPassword).status == 200)
    }
  }

  @Test("a wrong current password is told at its field")
  func wrongCurrent() async throws {
    try await ThreeApps.share { apps async throws in
      let browser = try await apps.pageBrowser()
      try await browser.open("account/password")
      try await browser.send(
        "account/password", ["current": "wrong", "password": App.otherPassword, "again": App.otherPassword])
      #expect(browser.status == 401 && browser.problem(at: "current") == "This password is not right.")
    }
  }

  @Test("two new passwords that differ are told at the second one, and cost no attempt")
  func differing() async throws {
    try await ThreeApps.share { apps async throws in
      let browser = try await apps.pageBrowser()
      let hashes = apps.server.hashesDone
      try await browser.open("account/password")
      try await browser.send(
        "account/password", ["current": App.password, "password": App.otherPassword, "again": App.password])
      #expect(browser.status == 422 && browser.problem(at: "again") == "The two passwords are different.")
      #expect(apps.server.hashesDone == hashes)
    }
  }

  @Test("a weak new password is told at its field")
  func weak() async throws {
    try await ThreeApps.share { apps async throws in
      let browser = try await apps.pageBrowser()
      try await browser.open("account/password")
      try await browser.send("account/password", ["current": App.password, "password": "x", "again": "x"])
      #expect(browser.status == 422 && browser.problem(at: "password") != nil)
    }
  }

  @Test("people without a password are mailed a code, with which they set one")
  func firstPassword() async throws {
    try await ThreeApps.run { apps in
      let browser = try await apps.pageBrowser()
      try await Self.dropPasswords(apps)
      try await browser.open("account/password")
      #expect(browser.heading == "Set a password" && !browser.asks(for: "current"))
      apps.server.clock.advance(seconds: 61)
      try await browser.send("account/password", intent: "mail")
      let code = try #require(try await apps.server.latestMail(to: "pat@example.com")?.code)
      try await browser.send("reset", ["code": code])
      try await browser.send("reset", ["password": App.otherPassword, "again": App.otherPassword])
      #expect(try await apps.signIn(.messai, password: App.otherPassword).status == 200, "\(browser.text)")
    }
  }

  static func dropPasswords(_ apps: ThreeApps) async throws {
    try await apps.server.storage.runAsSuperuser(
      script: "DELETE FROM gatehouse.credential; UPDATE gatehouse.account SET password_changed_at = NULL")
  }

  // MARK: Looks

  @Test("a device's name and a field's value are text on every page, whatever stands in them")
  func escaped() async throws {
    try await ThreeApps.share { apps async throws in
      let browser = try await apps.pageBrowser()
      let name = #"{"name":"<b>Phone</b>"}"#
      _ = try await apps.messai.post(
        "/v1/sign-in", #"{"email":"pat@example.com","password":"\#(App.password)","device":\#(name)}"#)
      try await browser.open("account/devices")
      #expect(browser.text.contains("&lt;b&gt;Phone&lt;/b&gt;") && !browser.text.contains("<b>Phone"))
    }
  }
}
