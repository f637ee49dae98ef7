import Foundation
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseServer

@Suite("What the pages tell of passkeys that are there, and of those that are gone")
struct PasskeyLifePageTests {
  private let app = App.messai

  /// What a page tells a passkey manager; nil where it tells nothing.
  private func signal(_ page: FormClient.Page) throws -> JSONValue? {
    guard let found = page.text.firstMatch(of: /<script [^>]*data-signal="([^"]*)"/) else { return nil }
    return try JSONParser.parse(Array(FormClient.Form.plain(String(found.output.1)).utf8))
  }

  private func accepted(_ signal: JSONValue?) -> [String]? {
    signal?["allAcceptedCredentialIds"]?.array?.compactMap(\.string)
  }

  // MARK: Signals

  @Test("the page after a sign-in tells the account's passkeys and name, and the next one nothing")
  func afterSignIn() async throws {
    try await PagePasskey.run { apps in
      let owner = FormClient(apps, app)
      _ = try await owner.signUp(app)
      let passkey = try await owner.addPasskey().passkey
      let browser = FormClient(apps, app)
      let page = try await browser.open("sign-in")
      let done = try await browser.send(page, passkey.answer(browser.options(page)).typed, intent: "passkey")
      let told = try #require(try signal(done), "\(done.text)")
      #expect(accepted(told) == [Base64URL.encode(passkey.passkey.id)])
      #expect(told["rpId"]?.string == "localhost" && told["name"]?.string == app.email())
      #expect(told["userId"]?.string == Base64URL.encode(passkey.passkey.userHandle))
      #expect(try await signal(browser.open("account")) == nil)
    }
  }

  @Test("the page of factors tells them each time, without those that were removed")
  func factors() async throws {
    try await PagePasskey.run { apps in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app)
      let first = try await browser.addPasskey().passkey
      _ = try await browser.addPasskey()
      let list = try await browser.open("account/factors")
      #expect(try accepted(signal(list))?.count == 2)
      let question = try await browser.send(list, intent: "remove")
      let left = try await browser.send(question, intent: "removed")
      let told = try #require(accepted(try signal(left)), "\(left.text)")
      #expect(told.count == 1 && !told.contains(Base64URL.encode(first.passkey.id)))
    }
  }

  @Test("a change of the address tells the new one")
  func address() async throws {
    try await PagePasskey.run { apps in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app)
      _ = try await browser.addPasskey()
      let code = try await browser.send(browser.open("account/email"), ["email": "moved@example.com"])
      let done = try await browser.send(
        code, ["code": browser.code(to: "moved@example.com")], intent: "confirm")
      #expect(try signal(done)?["name"]?.string == "moved@example.com", "\(done.address) \(done.text)")
    }
  }

  @Test("a stranger is told nothing, and no script says that a passkey is unknown, which would delete it")
  func nothing() async throws {
    try await PagePasskey.run { apps in
      for page in ["sign-in", "sign-up", "forgot"] {
        let opened = try await FormClient(apps, app).open(page)
        #expect(try signal(opened) == nil, "\(page)")
      }
    }
    let script = String(decoding: PasskeyScript.file.bytes, as: UTF8.self)
    #expect(script.contains("signalAllAcceptedCredentials") && script.contains("signalCurrentUserDetails"))
    #expect(!script.contains("signalUnknownCredential"))
  }

  @Test("a tenant without a relying party tells nothing")
  func elsewhere() async throws {
    try await PagePasskey.run(isLocal: false) { apps in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app)
      #expect(try await signal(browser.open("account/factors")) == nil)
    }
  }

  // MARK: The list

  @Test("the list says where copies of a passkey are")
  func copies() async throws {
    try await PagePasskey.run { apps in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app)
      _ = try await browser.addPasskey(named: "Here")
      _ = try await browser.addPasskey(named: "Everywhere") {
        $0.flags |= TestPasskey.eligible | TestPasskey.backedUp
      }
      let list = try await browser.open("account/factors").text
      let (here, everywhere) = (list.firstRange(of: "Here</h2>"), list.firstRange(of: "Everywhere</h2>"))
      let (one, all) = (list.firstRange(of: "On one device only."), list.firstRange(of: "Synced between devices."))
      let places = try [here, one, everywhere, all].map { try #require($0, "\(list)").lowerBound }
      #expect(places == places.sorted(), "\(list)")
    }
  }

  @Test("a removal asks whether the device is there still, and the mail tells a loss", arguments: [false, true])
  func lost(_ isLost: Bool) async throws {
    try await PagePasskey.run { apps in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app)
      // An address that is not proven gets one notice.
      let waiting = try await browser.open("check-mail")
      _ = try await browser.send(waiting, ["code": browser.code(to: app.email())])
      _ = try await browser.addPasskey(named: "Grey laptop")
      // Of two mails of one moment neither is the newest.
      _ = try await apps.server.latestMail(to: app.email())
      apps.server.clock.advance(seconds: 1)
      let question = try await browser.send(browser.open("account/factors"), intent: "remove")
      let buttons = ["Remove: I still have it", "Remove: I no longer have it"]
      #expect(buttons.allSatisfy(question.text.contains), "\(question.text)")
      let list = try await browser.send(question, intent: isLost ? "lost" : "removed")
      #expect(list.text.contains("The passkey is removed.") && !list.text.contains("Grey laptop"), "\(list.text)")
      let mail = try #require(try await apps.server.latestMail(to: app.email()))
      #expect(mail.subject.contains("lost") == isLost, "\(mail.subject)")
    }
  }

  // MARK: A lost phone

  @Test("a recovery code leads to the second factors, with the way on to the app")
  func recovered() async throws {
    try await PageAuthenticator.run { apps in
      let owner = FormClient(apps, app)
      _ = try await owner.signUp(app)
      let shown = try await owner.enrol().page.text
      let code = try #require(PageAuthenticator.codes(shown).first)
      let browser = FormClient(apps, app)
      let entry = try await browser.open(Opening.page(app.scheme))
      let step = try await browser.send(entry, ["email": app.email(), "password": App.password])
      let other = try await browser.send(step, ["other-factor": "1"], intent: "totp")
      let factors = try await browser.send(other, ["code": code], intent: "recovery_code")
      #expect(factors.path == "account/factors" && factors.text.contains("You signed in with a recovery code."))
      let question = try await browser.send(factors, intent: "remove")
      let list = try await browser.send(question, intent: "lost")
      #expect(list.path == "account/factors" && list.text.contains("The authenticator app is removed."), "\(list.text)")
      #expect(try await browser.send(list, intent: "proceed").path == "continue")
    }
  }

  // MARK: Another domain

  @Test("the passkeys of the domain before have a button of their own until their last day")
  func former() async throws {
    let more = ", rp_id: messai.example, rp_id_from: {id: old.example, until: 2099-01-01}"
    try await PagePasskey.run(more: more) { apps in
      let page = try await FormClient(apps, app).open("sign-in").text
      let own = try #require(page.firstRange(of: "Sign in with a passkey"), "\(page)")
      let other = try #require(page.firstRange(of: "Use a passkey from old.example"), "\(page)")
      #expect(own.lowerBound < other.lowerBound)
      #expect(page.matches(of: /data-former\b/).count == 1)
    }
    try await PagePasskey.run(more: more.replacing("2099", with: "2020")) { apps in
      let page = try await FormClient(apps, app).open("sign-in").text
      #expect(page.contains("Sign in with a passkey") && !page.contains("old.example"), "\(page)")
    }
  }
}
