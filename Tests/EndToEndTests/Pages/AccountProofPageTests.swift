import Foundation
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Pages of an account for what needs a proof: its address, its sessions, its services, its data, its end")
struct AccountProofPageTests {
  // MARK: Address

  @Test("the code that was mailed to the new address moves the account to it, on the same page")
  func email() async throws {
    try await ThreeApps.share { apps in
      let browser = try await apps.pageBrowser()
      try await browser.open("account/email")
      try await browser.send("account/email", ["email": "new@example.com"])
      let code = try #require(try await apps.server.latestMail(to: "new@example.com")?.code, "\(browser.text)")
      try await browser.send("account/email", ["code": code], intent: "confirm")
      #expect(browser.notice == "Your email is changed." && browser.text.contains("new@example.com (verified)"))
    }
  }

  @Test("a wrong code is told at its field, and the page goes on waiting")
  func wrongCode() async throws {
    try await ThreeApps.share { apps in
      let browser = try await apps.pageBrowser()
      try await browser.open("account/email")
      try await browser.send("account/email", ["email": "new@example.com"])
      try await browser.send("account/email", ["code": "000 000"], intent: "confirm")
      #expect(browser.status == 400 && browser.problem(at: "code") != nil && browser.asks(for: "code"))
    }
  }

  @Test("another address is asked for where the first was mistyped")
  func otherAddress() async throws {
    try await ThreeApps.share { apps in
      let browser = try await apps.pageBrowser()
      try await browser.open("account/email")
      try await browser.send("account/email", ["email": "nwe@example.com"])
      try await browser.send("account/email", intent: "other")
      #expect(browser.asks(for: "email") && !browser.asks(for: "code"))
    }
  }

  @Test("another code is mailed once its time has come, and the form for it waits for the script until then")
  func anotherCode() async throws {
    try await ThreeApps.run { apps in
      let browser = try await apps.pageBrowser()
      try await browser.open("account/email")
      try await browser.send("account/email", ["email": "new@example.com"])
      #expect(browser.text.contains("data-many=\"You can ask for a new code in # seconds.\""), "\(browser.text)")
      #expect(browser.text.contains("class=\"plain\" novalidate hidden>"), "\(browser.text)")
      try await apps.server.deliverMail()
      apps.server.clock.advance(seconds: 61)
      try await browser.send("account/email", intent: "again")
      #expect(try await apps.server.mailCount(to: "new@example.com") == 2)
    }
  }

  @Test("another code needs a fresh proof, which leads back to the code")
  func anotherCodeNeedsProof() async throws {
    try await ThreeApps.run { apps in
      let browser = try await apps.pageBrowser()
      try await browser.open("account/email")
      try await browser.send("account/email", ["email": "new@example.com"])
      apps.server.clock.advance(seconds: 301)
      try await browser.send("account/email", intent: "again")
      #expect(browser.location == "reauthenticate" && browser.text.contains("href=\"account?f="), "\(browser.text)")
      try await browser.send("reauthenticate", ["password": App.password])
      #expect(browser.location == "account/email" && browser.asks(for: "code"), "\(browser.text)")
      #expect(try await apps.server.mailCount(to: "new@example.com") == 1)
    }
  }

  @Test("a signed-in person who forgot the password comes to the page of the code")
  func forgotten() async throws {
    try await ThreeApps.run { apps in
      let browser = try await apps.pageBrowser()
      try await browser.open("forgot")
      #expect(browser.value("email") == "pat@example.com")
      try await browser.send("forgot", ["email": "pat@example.com"])
      #expect(browser.location == "reset" && browser.asks(for: "code"), "\(browser.location)")
    }
  }

  @Test("an address that is taken is told at its field")
  func taken() async throws {
    try await ThreeApps.share { apps in
      _ = try await apps.signUp(.messai, "kim")
      let browser = try await apps.pageBrowser()
      try await browser.open("account/email")
      try await browser.send("account/email", ["email": "kim@example.com"])
      #expect(browser.status == 409 && browser.problem(at: "email") == "This email is already registered.")
    }
  }

  @Test("after five minutes the page asks for the password, and mails nothing without it")
  func emailNeedsProof() async throws {
    try await ThreeApps.run { apps in
      let browser = try await apps.pageBrowser()
      apps.server.clock.advance(seconds: 301)
      try await browser.open("account/email")
      #expect(browser.asks(for: "password"))
      try await browser.send("account/email", ["email": "new@example.com"])
      #expect(browser.status == 403 && browser.problem(at: "password") != nil)
      #expect(try await apps.server.mailCount(to: "new@example.com") == 0)
    }
  }

  // MARK: Devices

  @Test("a device is told by its name, this browser as this")
  func devices() async throws {
    let noon = try #require(ISO8601DateFormatter().date(from: "2026-11-25T12:34:00Z"))
    try await ThreeApps.run(at: noon) { apps in
      let browser = try await apps.pageBrowser()
      try await browser.open("account/devices")
      #expect(
        browser.text.contains("</svg>Safari on iPhone</h2>\n<p>This browser</p>"), "\(browser.text)")
    }
  }

  @Test("another device is told with its last use, beside the way to a new password")
  func otherDevice() async throws {
    try await ThreeApps.share { apps in
      let browser = try await apps.pageBrowser()
      _ = try await apps.signIn(.messai)
      try await browser.open("account/devices")
      #expect(browser.text.contains("Last used: <time datetime=\""), "\(browser.text)")
      #expect(
        browser.text.contains("href=\"password?f=") || browser.text.contains("account/password"), "\(browser.text)")
    }
  }

  @Test("another device is signed out, and this browser is not")
  func endSession() async throws {
    try await ThreeApps.share { apps in
      let browser = try await apps.pageBrowser()
      let other = try await apps.signIn(.messai).json
      let id = try #require(other["session"]?["id"]?.string)
      try await browser.open("account/devices")
      try await browser.send("account/devices", ["session": id], intent: "end")
      #expect(browser.notice == "That device is signed out." && browser.location == "account/devices")
      #expect(try await apps.refresh(.messai, other.refreshToken).status == 401)
    }
  }

  @Test("a session of another person is none to end")
  func foreignSession() async throws {
    try await ThreeApps.share { apps in
      let kim = try await apps.signUp(.messai, "kim").json
      let browser = try await apps.pageBrowser()
      try await browser.open("account/devices")
      let id = try #require(kim["session"]?["id"]?.string)
      try await browser.send("account/devices", ["session": id], intent: "end")
      #expect(browser.status == 404)
      #expect(try await apps.refresh(.messai, kim.refreshToken).status == 200)
    }
  }

  @Test("everywhere else is signed out at once")
  func others() async throws {
    try await ThreeApps.share { apps in
      let browser = try await apps.pageBrowser()
      let other = try await apps.signIn(.messai).json
      try await browser.open("account/devices")
      try await browser.send("account/devices", intent: "others")
      #expect(browser.forms("end").isEmpty && browser.location == "account/devices")
      #expect(try await apps.refresh(.messai, other.refreshToken).status == 401)
    }
  }

  // MARK: Services

  private static let password = "correct horse battery 7"

  @Test("a service is disconnected")
  func disconnect() async throws {
    try await LinkedApp.run { app in
      _ = try await app.linked()
      let browser = PageBrowser("vibes", app.server)
      try await browser.signIn("willie@example.com", Self.password)
      try await browser.open("account/connections")
      #expect(browser.text.contains("Connected since "))
      try await browser.send("account/connections", ["provider": "spotify"], intent: "disconnect")
      #expect(browser.notice == "The account is disconnected." && browser.text.contains("Not connected."))
    }
  }

  @Test("after five minutes a service is disconnected behind a fresh proof, which leads back")
  func disconnectNeedsProof() async throws {
    try await LinkedApp.run { app in
      _ = try await app.linked()
      let browser = PageBrowser("vibes", app.server)
      try await browser.signIn("willie@example.com", Self.password)
      app.server.clock.advance(seconds: 301)
      try await browser.open("account/connections")
      try await browser.send("account/connections", ["provider": "spotify"], intent: "disconnect")
      #expect(browser.location == "reauthenticate")
      try await browser.send("reauthenticate", ["password": Self.password])
      #expect(browser.location == "account/connections" && browser.text.contains("Connected since "))
    }
  }

  // MARK: Data

  @Test("all data comes as a file")
  func export() async throws {
    try await ThreeApps.share { apps in
      let browser = try await apps.pageBrowser()
      try await browser.open("account/export")
      try await browser.send("account/export")
      #expect(browser.headers["content-disposition"] == "attachment; filename=\"messai-account.json\"")
      #expect(browser.body?.json["user"]?["email"] == .string("pat@example.com"))
    }
  }

  @Test("after five minutes the data is behind a fresh proof, which leads back")
  func exportNeedsProof() async throws {
    try await ThreeApps.run { apps in
      let browser = try await apps.pageBrowser()
      try await browser.open("account/export")
      apps.server.clock.advance(seconds: 301)
      try await browser.send("account/export")
      #expect(browser.location == "reauthenticate")
      try await browser.send("reauthenticate", ["password": App.password])
      #expect(browser.location == "account/export")
    }
  }

  // MARK: End

  @Test("the right password deletes the account, and the browser is signed out")
  func delete() async throws {
    try await ThreeApps.share { apps in
      let browser = try await apps.pageBrowser()
      try await browser.open("account/delete")
      #expect(
        browser.text.contains("This deletes the account pat@example.com and everything in it. It cannot be undone."))
      try await browser.send("account/delete", ["password": App.password])
      #expect(browser.location == "signed-out" && browser.heading == "Your account is deleted")
      #expect(browser.cookies["gh-messai"] == nil)
      #expect(try await apps.signIn(.messai).status == 401)
    }
  }

  @Test("a wrong password deletes nothing, and is told at its field")
  func deleteWithWrongPassword() async throws {
    try await ThreeApps.share { apps in
      let browser = try await apps.pageBrowser()
      try await browser.open("account/delete")
      try await browser.send("account/delete", ["password": "wrong"])
      #expect(browser.status == 401 && browser.problem(at: "password") == "This password is not right.")
      #expect(try await apps.signIn(.messai).status == 200)
    }
  }

  @Test("a sign-in of just now is no password: nothing typed deletes nothing, and is no attempt")
  func deleteWithNothingTyped() async throws {
    try await ThreeApps.share { apps in
      let browser = try await apps.pageBrowser()
      let hashes = apps.server.hashesDone
      try await browser.open("account/delete")
      try await browser.send("account/delete")
      #expect(browser.status == 403 && browser.problem(at: "password") != nil)
      #expect(apps.server.hashesDone == hashes)
    }
  }

  @Test("without a password a sign-in of just now deletes the account")
  func deleteWithoutPassword() async throws {
    try await ThreeApps.run { apps in
      let browser = try await apps.pageBrowser()
      try await AccountPageTests.dropPasswords(apps)
      try await browser.open("account/delete")
      #expect(!browser.asks(for: "password"))
      try await browser.send("account/delete")
      #expect(browser.heading == "Your account is deleted", "\(browser.text)")
    }
  }

  @Test("without a password an old sign-in deletes nothing: a fresh proof comes first")
  func deleteWithoutPasswordNeedsProof() async throws {
    try await ThreeApps.run { apps in
      let browser = try await apps.pageBrowser()
      try await AccountPageTests.dropPasswords(apps)
      try await browser.open("account/delete")
      apps.server.clock.advance(seconds: 301)
      try await browser.send("account/delete")
      #expect(browser.location == "reauthenticate")
    }
  }
}
