import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The page that asks for a better password after a sign-in")
struct AdvicePageTests {
  private static let weak = "kt49xw"

  /// A messAI user whose password breaks the rules that bind from March on, on the way back to the app.
  private func browser(_ apps: ThreeApps, language: String = "en") async throws -> PageBrowser {
    try #require(try await apps.signUp(.messai, password: Self.weak).status == 201)
    let browser = PageBrowser(.messai, apps, language: language)
    try await browser.open(Opening.page(App.messai.scheme))
    try await browser.signIn(App.messai.email(), Self.weak)
    return browser
  }

  @Test(
    "a password that breaks dated rules leads to their page, with the day in the reader's language",
    arguments: [
      ("en", "From March 1, 2027, passwords for messAI need:"),
      ("es", "Desde el 1 de marzo de 2027, las contraseñas de messAI necesitan:"),
    ])
  func dated(_ language: String, _ lead: String) async throws {
    try await ThreeApps.run(policy: Self.bilingual) { apps in
      let browser = try await browser(apps, language: language)
      #expect(browser.location == "advice" && browser.text.contains("<p>\(lead)</p>"), "\(browser.text)")
    }
  }

  /// messAI in two languages.
  @Sendable private static func bilingual(_ app: App, _ text: String) -> String {
    text.replacing("locales: [en]", with: "locales: [en, es]")
  }

  @Test("the page lists what binds from that day, and nothing that binds today")
  func listed() async throws {
    try await ThreeApps.share { apps in
      let browser = try await browser(apps)
      #expect(browser.text.contains("<li>At least 8 characters</li>"))
      #expect(!browser.text.contains("At least 6 characters"))
    }
  }

  @Test("a person who answers Not now goes on to the app")
  func later() async throws {
    try await ThreeApps.share { apps in
      let browser = try await browser(apps)
      try await browser.send("advice", intent: "later")
      #expect(browser.location == "continue", "\(browser.text)")
    }
  }

  @Test("the next sign-in asks again")
  func again() async throws {
    try await ThreeApps.share { apps in
      let first = try await browser(apps)
      try await first.send("advice", intent: "later")
      let second = PageBrowser(.messai, apps)
      try await second.signIn(App.messai.email(), Self.weak)
      #expect(second.location == "advice")
    }
  }

  @Test("a changed password ends the question, and leads on to the app")
  func changed() async throws {
    try await ThreeApps.share { apps in
      let browser = try await browser(apps)
      try await browser.open("account/password?f=" + (browser.value("f", intent: "later") ?? ""))
      try await browser.send(
        "account/password", ["current": Self.weak, "password": App.otherPassword, "again": App.otherPassword])
      #expect(browser.location == "continue", "\(browser.text)")
    }
  }

  @Test("the page of the new password has the way on without one")
  func wayOn() async throws {
    try await ThreeApps.share { apps in
      let browser = try await browser(apps)
      try await browser.open("account/password?f=" + (browser.value("f", intent: "later") ?? ""))
      try await browser.send("account/password", intent: "later")
      #expect(browser.location == "continue", "\(browser.text)")
    }
  }

  @Test("a password that keeps every rule leads on at once")
  func good() async throws {
    try await ThreeApps.share { apps in
      try #require(try await apps.signUp(.messai, password: "Quilted-Harbour-2031!").status == 201)
      let browser = PageBrowser(.messai, apps)
      try await browser.signIn(App.messai.email(), "Quilted-Harbour-2031!")
      #expect(browser.location == "account", "\(browser.text)")
    }
  }

  @Test("a rule that warns without a day is measured, and asks for nothing")
  func measured() async throws {
    func policy(_ app: App, _ text: String) -> String {
      PolicyText.withoutTests(text).replacing(", enforce_from: 2027-03-01", with: "")
    }
    try await ThreeApps.run(policy: policy) { apps in
      let browser = try await browser(apps)
      #expect(browser.location == "continue", "\(browser.text)")
    }
  }

  @Test("a rule that binds and prompts is told as one of now")
  func prompted() async throws {
    func policy(_ app: App, _ text: String) -> String {
      PolicyText.withoutTests(text)
    }
    try await ThreeApps.run(policy: policy) { apps in
      try #require(try await apps.signUp(.messai, password: Self.weak).status == 201)
      let text = policy(.messai, try TestLists.policy("messai"))
        .replacing(", enforce: warn, enforce_from: 2027-03-01", with: "")
      _ = try await apps.server.apply(text, to: "messai", allowsLockout: true)
      try await apps.reload()
      let browser = PageBrowser(.messai, apps)
      try await browser.signIn(App.messai.email(), Self.weak)
      #expect(browser.text.contains("<p>Passwords for messAI now need:</p>"), "\(browser.text)")
    }
  }

  @Test("a sign-up says what binds from a day on")
  func hint() async throws {
    try await ThreeApps.share { apps in
      let page = try await FormClient(apps, .messai).open("sign-up")
      #expect(page.text.contains("From March 1, 2027, also:\n<ul><li>At least 8 characters</li>"), "\(page.text)")
    }
  }

  @Test("of two bounds of one kind the stricter one of today is listed alone")
  func strictest() async throws {
    try await ThreeApps.run(policy: { PolicyText.withoutTests($1) }) { apps in
      let text = PolicyText.withoutTests(try TestLists.policy("messai"))
        .replacing(", enforce: warn, enforce_from: 2027-03-01", with: "")
      _ = try await apps.server.apply(text, to: "messai", allowsLockout: true)
      try await apps.reload()
      let page = try await FormClient(apps, .messai).open("sign-up")
      #expect(page.text.contains("At least 8 characters") && !page.text.contains("At least 6 characters"))
    }
  }
}
