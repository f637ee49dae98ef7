import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseServer

@Suite("A sign-up with a passkey at the pages")
struct PasskeySignUpPageTests {
  private let app = App.messai

  /// A tenant where passkeys make accounts, whose addresses have to be proven.
  private func run(
    hides: Bool = false, change: (String) -> String = { $0 }, _ body: (ThreeApps) async throws -> Void
  ) async throws {
    func changed(_ text: String) -> String {
      let strict = text.replacing("full: {requires: []}", with: "full: {requires: [email_verified]}")
      return change(hides ? strict.replacing("account_exists: reveal", with: "account_exists: hide") : strict)
    }
    try await PagePasskey.run(use: "sign_in, sign_up", change: changed, body)
  }

  private func typed(_ local: String = "pat") -> [String: String] {
    ["email": app.email(local), "profile.displayName": local]
  }

  /// Makes a passkey and sends the form with it; the passkey, and the page that follows.
  private func signUp(
    _ typed: [String: String], at page: FormClient.Page, by browser: FormClient
  ) async throws -> (passkey: PagePasskey, answer: PagePasskey.Answer, page: FormClient.Page) {
    let (passkey, answer) = try PagePasskey.made(try await browser.options(page), at: browser.server)
    let sent = typed.merging(answer.typed) { $1 }
    return (passkey, answer, try await browser.send(page, sent, intent: "passkey"))
  }

  @Test("the passkey stands in for the password, and the mailed code proves the address", arguments: [false, true])
  func verified(_ hides: Bool) async throws {
    try await run(hides: hides) { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.open(Opening.page(app.scheme, ["screen": "sign-up"]))
      #expect(page.text.contains("Create your account with a passkey") && page.text.contains(#"id="password""#))
      let (passkey, _, waiting) = try await signUp(typed(), at: page, by: browser)
      try #require(waiting.path == "check-mail", "\(waiting.status) \(waiting.text)")
      let done = try await browser.send(waiting, ["code": browser.code(to: app.email())])
      #expect(done.path == "continue", "\(done.text)")
      let other = FormClient(apps, app)
      let entry = try await other.open("sign-in")
      let used = try passkey.answer(await other.options(entry))
      #expect(try await other.send(entry, used.typed, intent: "passkey").path == "account")
    }
  }

  @Test("the form without a field of its own takes those of the form with a password, and none of its secrets")
  func borrowed() async throws {
    try await run { apps in
      let page = try await FormClient(apps, app).open("sign-up")
      #expect(page.text.contains(#"data-fields="email profile.displayName""#), "\(page.text)")
    }
  }

  @Test("a refused field is told beside it, and the passkey that was made is sent again with another value")
  func kept() async throws {
    try await run { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.open("sign-up")
      let wrong = typed().merging(["email": "no address"]) { $1 }
      let (passkey, answer, refused) = try await signUp(wrong, at: page, by: browser)
      #expect(refused.status == 422 && refused.text.contains(#"id="email-error""#), "\(refused.text)")
      let form = try FormClient.fields(refused, intent: "passkey")
      #expect(form["challenge"] == answer.challenge && form["passkey"] == answer.json)
      #expect(refused.text.contains(" data-kept "))
      #expect(try FormClient.fields(refused)["profile.displayName"] == "pat", "what was typed stays")
      let waiting = try await browser.send(refused, typed(), intent: "passkey")
      #expect(waiting.path == "check-mail", "\(waiting.text)")
      _ = try await browser.send(waiting, ["code": browser.code(to: app.email())])
      let other = FormClient(apps, app)
      let entry = try await other.open("sign-in")
      let used = try passkey.answer(await other.options(entry))
      #expect(try await other.send(entry, used.typed, intent: "passkey").path == "account")
    }
  }

  @Test("an address that has an account leads to its sign-in, where the tenant reveals that")
  func known() async throws {
    try await run { apps in
      _ = try await FormClient(apps, app).signUp(app)
      let browser = FormClient(apps, app)
      let (_, _, page) = try await signUp(typed(), at: browser.open("sign-up"), by: browser)
      #expect(page.status == 409 && page.text.contains("sign-in?f="), "\(page.text)")
    }
  }

  @Test("a passkey that is refused is not kept, and one that came too late is told so")
  func refused() async throws {
    try await run { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.open("sign-up")
      let (_, forged) = try PagePasskey.made(try await browser.options(page), at: "https://evil.example")
      let again = try await browser.send(page, typed().merging(forged.typed) { $1 }, intent: "passkey")
      #expect(again.status == 401 && !again.text.contains("data-kept"), "\(again.text)")
      let (_, late) = try PagePasskey.made(try await browser.options(again), at: browser.server)
      apps.server.clock.advance(seconds: 601)
      let over = try await browser.send(again, typed().merging(late.typed) { $1 }, intent: "passkey")
      #expect(over.text.contains("This took too long.") && !over.text.contains("data-kept"), "\(over.text)")
    }
  }

  @Test("a form that is sent twice makes one account", arguments: [false, true])
  func twice(_ hides: Bool) async throws {
    try await run(hides: hides) { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.open("sign-up")
      let (_, answer) = try PagePasskey.made(try await browser.options(page), at: browser.server)
      let fields = try FormClient.fields(page, typed().merging(answer.typed) { $1 }, intent: "passkey")
      let address = String(page.address.prefix { $0 != "?" })
      let cookies = browser.cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
      for _ in 0..<2 {
        let sent = try await browser.send("POST", address, FormClient.encoded(fields), headers: ["Cookie": cookies])
        let next = try await browser.follow(sent, from: address)
        #expect(next.path == "check-mail", "\(next.status) \(next.text)")
      }
    }
  }

  @Test("a policy without passwords has the passkey's form alone, with its fields, and a way to it from the sign-in")
  func alone() async throws {
    func withoutPasswords(_ text: String) -> String {
      let google = "  google: {use: sign_in, client_id: messai-web, audiences: [messai-web], existing_email: refuse}\n"
      return text.replacing("  password: {use: sign_in}\n", with: google)
    }
    try await run(change: withoutPasswords) { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.follow(browser.open("sign-in"), link: "sign-up?f=")
      #expect(!page.text.contains("type=\"password\"") && page.text.contains(#"id="email""#), "\(page.text)")
      #expect(page.text.contains("Google") && page.text.contains("data-without-passkeys"))
      let (_, _, waiting) = try await signUp(typed(), at: page, by: browser)
      #expect(waiting.path == "check-mail", "\(waiting.status) \(waiting.text)")
    }
  }

  @Test("where no passkey makes an account, the page has none, and nothing that is sent makes one")
  func off() async throws {
    try await PagePasskey.run { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.open("sign-up")
      #expect(!page.text.contains("data-passkey"))
      var fields = try FormClient.fields(page, typed())
      fields["do"] = "passkey"
      fields["options"] = "1"
      let answer = try await browser.send("POST", String(page.address.prefix { $0 != "?" }), FormClient.encoded(fields))
      #expect(answer.status == 404, "\(answer.status)")
    }
  }
}
