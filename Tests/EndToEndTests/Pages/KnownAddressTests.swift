import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Addresses that have an account, or are none")
struct KnownAddressTests {
  @Test("a sign-up with an address that has an account leads to its sign-in, with the address")
  func taken() async throws {
    try await ThreeApps.share { apps in
      let app = App.messai
      _ = try await FormClient(apps, app).signUp(app)
      let browser = FormClient(apps, app)
      let told = try await browser.send(browser.open("sign-up"), app.typed())
      #expect(told.status == 409 && told.text.contains(">Sign in as pat@example.com</a>"), "\(told.text)")
      let page = try await browser.follow(told, link: "sign-in")
      #expect(page.path == "sign-in" && page.text.contains("value=\"pat@example.com\""), "\(page.text)")
    }
  }

  @Test("the sign-up page of a signed-in browser says so, as the sign-in page does", arguments: ["sign-in", "sign-up"])
  func signedIn(_ path: String) async throws {
    try await ThreeApps.share { apps in
      let browser = FormClient(apps, .messai)
      _ = try await browser.signUp(.messai)
      let page = try await browser.open(path)
      #expect(page.text.contains("You are signed in as pat@example.com."), "\(page.text)")
      let other = try await browser.send(page, intent: "other")
      #expect(other.path == path && other.text.contains("name=\"password\""), "\(other.text)")
    }
  }

  @Test("after a deletion the page says that the account is deleted, and not that its owner is signed out")
  func deleted() async throws {
    try await ThreeApps.share { apps in
      let browser = FormClient(apps, .messai)
      _ = try await browser.signUp(.messai)
      let done = try await browser.send("account/delete", ["password": App.password])
      #expect(done.path == "signed-out" && done.text.contains("<h1>Your account is deleted</h1>"), "\(done.text)")
      #expect(!done.text.contains("signed out<") && done.text.components(separatedBy: "is deleted").count == 3)
    }
  }

  @Test("the page of a new address shows the domains that the app takes, as sign-up does")
  func domain() async throws {
    try await ThreeApps.share { apps in
      let browser = FormClient(apps, .ride)
      _ = try await browser.signUp(.ride)
      let page = try await browser.open("account/email")
      #expect(page.text.contains("id=\"email-hint\">Use your K-State email (ends in @ksu.edu)."), "\(page.text)")
    }
  }

  @Test(
    "a text that is no address is told as such, and not as a wrong domain",
    arguments: ["en": "Enter a valid email address.", "es": "Escribe un correo electrónico válido."])
  func noAddress(_ language: String, _ sentence: String) async throws {
    try await ThreeApps.share { apps in
      let member = FormClient(apps, .ride, headers: ["Accept-Language": language])
      _ = try await member.signUp(.ride)
      let newcomer = FormClient(apps, .ride, headers: ["Accept-Language": language])
      for (browser, path) in [(member, "account/email"), (newcomer, "sign-up")] {
        let told = try await browser.send(path, ["email": "nonsense"])
        #expect(told.text.contains("id=\"email-error\">\(sentence)</p>"), "\(path) \(told.text)")
      }
    }
  }
}
