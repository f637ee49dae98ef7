import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A fresh proof by a person with a second factor, at the hosted pages")
struct FactorProofPageTests {
  private let app = App.messai

  /// A signed-in person with an authenticator app, five minutes after it was added.
  private func run(
    _ body: (ThreeApps, PageBrowser, PageAuthenticator, _ codes: [String]) async throws -> Void
  ) async throws {
    try await PageAuthenticator.run { apps in
      let browser = try await apps.pageBrowser()
      let authenticator = try await browser.enrol(apps)
      let codes = PageAuthenticator.codes(browser.text)
      try await browser.send("account/factors", intent: "kept")
      apps.server.clock.advance(seconds: 301)
      try await body(apps, browser, authenticator, codes)
    }
  }

  @Test("only a code is asked for, and the code is a proof")
  func code() async throws {
    try await run { apps, browser, authenticator, _ in
      try await browser.open("account/export")
      #expect(browser.location == "reauthenticate" && !browser.asks(for: "password"))
      #expect(browser.forms("mail").isEmpty && !browser.text.contains("Forgot"), "\(browser.text)")
      let code = authenticator.code(at: apps.server.clock.now)
      try await browser.send("reauthenticate", ["code": code], intent: "totp")
      #expect(browser.location == "account/export", "\(browser.text)")
    }
  }

  @Test("a recovery code is a proof as well")
  func recovery() async throws {
    try await run { _, browser, _, codes in
      try await browser.open("account/export")
      try await browser.send("reauthenticate", ["other-factor": "1"], intent: "totp")
      try await browser.send("reauthenticate", ["code": try #require(codes.first)], intent: "recovery_code")
      #expect(browser.location == "account/export", "\(browser.text)")
    }
  }

  @Test("a wrong code is told at its field")
  func wrong() async throws {
    try await run { apps, browser, authenticator, _ in
      try await browser.open("account/export")
      let code = authenticator.wrong(at: apps.server.clock.now)
      try await browser.send("reauthenticate", ["code": code], intent: "totp")
      #expect(browser.location == "reauthenticate" && browser.problem(at: "code") != nil)
    }
  }

  @Test("the right password is no proof, in a form of before either")
  func password() async throws {
    try await run { _, browser, _, _ in
      try await browser.open("account/export")
      try await browser.send("reauthenticate", ["password": App.password])
      #expect(browser.location == "reauthenticate")
      try await browser.open("account/export")
      #expect(browser.location == "reauthenticate")
    }
  }

  @Test("the password is changed behind a code, and by the current password still")
  func changePassword() async throws {
    try await run { apps, browser, authenticator, _ in
      try await browser.open("account/password")
      #expect(!browser.asks(for: "current"))
      try await browser.send("account/password", intent: "prove")
      let code = authenticator.code(at: apps.server.clock.now)
      try await browser.send("reauthenticate", ["code": code], intent: "totp")
      try #require(browser.location == "account/password" && browser.asks(for: "current"), "\(browser.text)")
      let typed = ["current": App.password, "password": App.otherPassword, "again": App.otherPassword]
      try await browser.send("account/password", typed)
      #expect(browser.notice?.hasPrefix("Your new password is saved.") == true, "\(browser.text)")
    }
  }

  @Test("a form of before changes no password without a code")
  func oldForm() async throws {
    try await PageAuthenticator.run { apps in
      let browser = try await apps.pageBrowser()
      _ = try await browser.enrol(apps)
      try await browser.open("account/password")
      apps.server.clock.advance(seconds: 301)
      let typed = ["current": App.password, "password": App.otherPassword, "again": App.otherPassword]
      try await browser.send("account/password", typed)
      #expect(browser.location == "reauthenticate")
    }
  }

  @Test("the address is changed behind a code, and the password is not asked for")
  func changeEmail() async throws {
    try await run { apps, browser, authenticator, _ in
      try await browser.open("account/email")
      #expect(!browser.asks(for: "password") && !browser.asks(for: "email"))
      try await browser.send("account/email", intent: "prove")
      let code = authenticator.code(at: apps.server.clock.now)
      try await browser.send("reauthenticate", ["code": code], intent: "totp")
      try await browser.send("account/email", ["email": "new@example.com"])
      #expect(browser.asks(for: "code") && browser.text.contains("new@example.com"), "\(browser.text)")
    }
  }

  @Test("a form of before moves the account nowhere without a code")
  func oldEmailForm() async throws {
    try await PageAuthenticator.run { apps in
      let browser = try await apps.pageBrowser()
      _ = try await browser.enrol(apps)
      try await browser.open("account/email")
      apps.server.clock.advance(seconds: 301)
      try await browser.send("account/email", ["email": "new@example.com", "password": App.password])
      #expect(browser.location == "reauthenticate")
      #expect(try await apps.server.mailCount(to: "new@example.com") == 0)
    }
  }

  @Test("the account is deleted behind a code, and the password is not asked for")
  func delete() async throws {
    try await run { apps, browser, authenticator, _ in
      try await browser.open("account/delete")
      #expect(!browser.asks(for: "password"))
      try await browser.send("account/delete", intent: "prove")
      let code = authenticator.code(at: apps.server.clock.now)
      try await browser.send("reauthenticate", ["code": code], intent: "totp")
      try await browser.send("account/delete")
      #expect(browser.heading == "Your account is deleted", "\(browser.text)")
    }
  }

  @Test("a proof in the session of a remembered device raises it: its cookie is another one")
  func raised() async throws {
    try await run { apps, _, authenticator, _ in
      let browser = PageBrowser(app, apps)
      try await browser.signIn(app.email())
      let code = authenticator.code(at: apps.server.clock.now)
      try await browser.send("second-step", ["code": code, "remember": "true"], intent: "totp")
      try await browser.open("sign-out")
      try await browser.send("sign-out")
      try await browser.signIn(app.email())
      let before = try #require(browser.cookies["gh-messai"], "\(browser.location)")
      try await browser.open("account/export")
      try #require(browser.location == "reauthenticate", "a remembered device is no fresh proof")
      apps.server.clock.advance(seconds: 30)
      let other = authenticator.code(at: apps.server.clock.now)
      try await browser.send("reauthenticate", ["code": other], intent: "totp")
      #expect(browser.location == "account/export", "\(browser.text)")
      #expect(browser.cookies["gh-messai"] != nil && browser.cookies["gh-messai"] != before)
    }
  }
}
