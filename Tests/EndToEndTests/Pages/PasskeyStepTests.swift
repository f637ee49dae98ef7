import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Pages that ask a person for a passkey")
struct PasskeyStepTests {
  private let app = App.messai

  /// A person with a passkey, and the page that asks for it in another browser.
  private func waiting(
    _ body: (ThreeApps, FormClient, FormClient.Page, PagePasskey) async throws -> Void
  ) async throws {
    try await PagePasskey.run { apps in
      let owner = FormClient(apps, app)
      _ = try await owner.signUp(app)
      let passkey = try await owner.addPasskey().passkey
      let browser = FormClient(apps, app)
      let page = try await browser.send("sign-in", ["email": app.email(), "password": App.password])
      try #require(page.path == "second-step", "\(page.address) \(page.text)")
      try await body(apps, browser, page, passkey)
    }
  }

  // MARK: The second step

  @Test("the options are on the page, above the codes, and the answer signs in")
  func second() async throws {
    try await waiting { _, browser, page, passkey in
      let button = try #require(page.text.range(of: "Use a passkey"))
      let code = try #require(page.text.range(of: "id=\"code\""))
      #expect(button.lowerBound < code.lowerBound)
      let answer = try passkey.answer(FormClient.options(on: page))
      let done = try await browser.send(page, answer.typed, intent: "passkey")
      #expect(done.path == "account" && browser.cookies["gh-messai"] != nil, "\(done.text)")
    }
  }

  @Test("a refused answer is told, and the page has fresh options; so it has after a wrong code")
  func refused() async throws {
    try await waiting { _, browser, page, passkey in
      let first = try FormClient.options(on: page)
      let forged = try passkey.answer(first, by: TestKeyPair(.es256))
      let again = try await browser.send(page, forged.typed, intent: "passkey")
      #expect(again.status == 401 && again.text.contains("This passkey was not accepted."), "\(again.text)")
      let second = try FormClient.options(on: again)
      #expect(second != first)
      let wrong = try await browser.send(again, ["code": "AAAA-BBBB-CCCC-DDDD"], intent: "recovery_code")
      #expect(wrong.path == "second-step", "\(wrong.text)")
      let third = try FormClient.options(on: wrong)
      let done = try await browser.send(wrong, passkey.answer(third).typed, intent: "passkey")
      #expect(done.path == "account", "\(done.text)")
    }
  }

  @Test("after five refused answers the sign-in begins again")
  func tries() async throws {
    try await waiting { _, browser, page, passkey in
      var page = page
      for _ in 0..<5 where page.path == "second-step" {
        let forged = try passkey.answer(FormClient.options(on: page), by: TestKeyPair(.es256))
        page = try await browser.send(page, forged.typed, intent: "passkey")
      }
      #expect(page.path == "sign-in" && page.text.contains("This took too long"), "\(page.address) \(page.text)")
    }
  }

  @Test("a device can be remembered with a passkey, too")
  func remembered() async throws {
    try await waiting { _, browser, page, passkey in
      #expect(page.text.contains(#"data-fields="remember""#))
      let answer = try passkey.answer(FormClient.options(on: page)).typed.merging(["remember": "true"]) { $1 }
      _ = try await browser.send(page, answer, intent: "passkey")
      _ = try await browser.send("sign-out", [:])
      let again = try await browser.send("sign-in", ["email": app.email(), "password": App.password])
      #expect(again.path == "account", "\(again.address)")
    }
  }

  // MARK: A fresh proof

  /// A person whose proof is old, and the page that asks for a fresh one.
  private func proving(
    _ body: (ThreeApps, FormClient, FormClient.Page, PagePasskey) async throws -> Void
  ) async throws {
    try await PagePasskey.run { apps in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app)
      let passkey = try await browser.addPasskey().passkey
      apps.server.clock.advance(seconds: 301)
      let page = try await browser.open("account/export")
      try #require(page.path == "reauthenticate", "\(page.address)")
      try await body(apps, browser, page, passkey)
    }
  }

  @Test("a passkey is a fresh proof, which leads to what needs it")
  func proof() async throws {
    try await proving { _, browser, page, passkey in
      let answer = try passkey.answer(await browser.options(page))
      let done = try await browser.send(page, answer.typed, intent: "passkey")
      #expect(done.path == "account/export", "\(done.address) \(done.text)")
    }
  }

  @Test("a form without an answer, and one with another key's, prove nothing")
  func noProof() async throws {
    try await proving { _, browser, page, passkey in
      let empty = try await browser.send(page, intent: "passkey")
      #expect(empty.status == 422 && empty.text.contains("The passkey did not work."), "\(empty.text)")
      let forged = try passkey.answer(await browser.options(page), by: TestKeyPair(.es256))
      let refused = try await browser.send(page, forged.typed, intent: "passkey")
      #expect(refused.status == 401 && refused.path == "reauthenticate", "\(refused.text)")
    }
  }

  // MARK: Forms that are sent twice

  /// The form of an answer, sent twice with the cookies of before; the pages that follow.
  private func twice(
    _ page: FormClient.Page, _ typed: [String: String], intent: String = "passkey", by browser: FormClient
  ) async throws -> [FormClient.Page] {
    let address = String(page.address.prefix { $0 != "?" })
    let body = FormClient.encoded(try FormClient.fields(page, typed, intent: intent))
    let cookies = browser.cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
    var pages: [FormClient.Page] = []
    for _ in 0..<2 {
      let answer = try await browser.send("POST", address, body, headers: ["Cookie": cookies])
      pages.append(try await browser.follow(answer, from: address))
    }
    return pages
  }

  @Test("a passkey that is added twice shows the same recovery codes")
  func addedTwice() async throws {
    try await PagePasskey.run { apps in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app)
      let page = try await browser.open("account/factors")
      let options = try await browser.options(page, intent: "add-passkey")
      let (_, answer) = try PagePasskey.made(options, at: browser.server)
      let shown = try await twice(page, answer.typed, intent: "add-passkey", by: browser)
        .map { PageAuthenticator.codes($0.text) }
      #expect(shown[0].count == 10 && shown[0] == shown[1], "\(shown)")
      #expect(try await browser.open("account/factors").text.matches(of: /Passkey<\/h2>/).count == 1)
    }
  }

  @Test("an answer that signs in twice opens one session")
  func signedInTwice() async throws {
    try await waiting { apps, _, _, passkey in
      let browser = FormClient(apps, app)
      let page = try await browser.open("sign-in")
      let answer = try passkey.answer(await browser.options(page))
      for done in try await twice(page, answer.typed, by: browser) {
        #expect(done.path == "account", "\(done.address) \(done.text)")
      }
      let opened = browser.settings.filter { $0.hasPrefix("gh-messai=gh_") }.map { String($0.prefix { $0 != ";" }) }
      #expect(Set(opened).count == 1, "\(opened.count)")
    }
  }

  @Test("an answer of the second step, and one of a fresh proof, lead on twice")
  func steppedTwice() async throws {
    try await waiting { _, browser, page, passkey in
      let answer = try passkey.answer(FormClient.options(on: page))
      for done in try await twice(page, answer.typed, by: browser) { #expect(done.path == "account", "\(done.text)") }
    }
    try await proving { _, browser, page, passkey in
      let answer = try passkey.answer(await browser.options(page))
      for done in try await twice(page, answer.typed, by: browser) {
        #expect(done.path == "account/export", "\(done.address) \(done.text)")
      }
    }
  }
}
