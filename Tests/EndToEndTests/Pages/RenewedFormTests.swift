import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Forms of a tab whose browser signed in again, or lost its cookies, in another one")
struct RenewedFormTests {
  private let app = App.messai
  private let told = "Something changed in this browser since you opened this page."

  /// A page of the account in one tab, before another tab of the same browser signs in anew.
  private func stale(_ path: String, _ apps: ThreeApps) async throws -> (FormClient, FormClient.Page) {
    let browser = FormClient(apps, app)
    _ = try await browser.signUp(app)
    let page = try await browser.open(path)
    let other = try await browser.send(browser.open("sign-in"), intent: "other")
    let back = try await browser.send(other, ["email": app.email(), "password": App.password])
    try #require(back.path == "account", "\(back.address)")
    return (browser, page)
  }

  @Test("sign-out of an older tab is asked again with a fresh proof, and signs out then")
  func signOut() async throws {
    try await ThreeApps.share { apps in
      let (browser, page) = try await stale("account", apps)
      let asked = try await browser.send(page)
      #expect(asked.path == "sign-out" && asked.text.contains("Sign out of messAI?"), "\(asked.text)")
      #expect(asked.status == 403 && asked.text.contains(told))
      #expect(try await browser.send(asked).path == "signed-out")
      #expect(try await browser.open("account").path == "sign-in")
    }
  }

  @Test("a form of an older tab comes back with what was typed, and is saved when it is sent again")
  func profile() async throws {
    try await ThreeApps.share { apps in
      let (browser, page) = try await stale("account/profile", apps)
      let asked = try await browser.send(page, ["profile.displayName": "Typed Before"])
      #expect(asked.status == 403 && asked.text.contains(told), "\(asked.text)")
      #expect(asked.text.contains("value=\"Typed Before\""))
      #expect(try await browser.send(asked).text.contains("Saved."))
    }
  }

  @Test("a password in a form of an older tab does not come back")
  func password() async throws {
    try await ThreeApps.share { apps in
      let (browser, page) = try await stale("account/password", apps)
      let typed = ["current": App.password, "password": App.otherPassword, "again": App.otherPassword]
      let asked = try await browser.send(page, typed)
      #expect(asked.status == 403 && asked.text.contains(told), "\(asked.text)")
      for secret in typed.values { #expect(!asked.text.contains(secret)) }
      #expect(try await apps.signIn(app).status == 200)
    }
  }

  @Test("a form of this origin that no page of ours made is refused, and shows nothing of itself")
  func forged() async throws {
    try await ThreeApps.share { apps in
      let (browser, _) = try await stale("account", apps)
      for fields in [["csrf": "x"], ["csrf": "x", "f": "x", "b": "x"]] {
        let typed = fields.merging(["profile.displayName": "Mallory"]) { $1 }
        let answer = try await browser.send(
          "POST", browser.address(of: "account/profile"), FormClient.encoded(typed))
        #expect(answer.status == 403 && answer.text.contains("This form could not be sent"), "\(answer.text)")
        #expect(!answer.text.contains("Mallory"))
      }
    }
  }

  @Test("the form of an older tab is refused where another site sends it", arguments: ["Origin", "Sec-Fetch-Site"])
  func elsewhere(_ field: String) async throws {
    try await ThreeApps.share { apps in
      let (browser, page) = try await stale("account/profile", apps)
      let fields = try FormClient.fields(page, ["profile.displayName": "Mallory"])
      let headers =
        field == "Origin" ? ["Origin": "https://evil.example"] : ["Origin": "", "Sec-Fetch-Site": "cross-site"]
      let answer = try await browser.send(
        "POST", browser.address(of: "account/profile"), FormClient.encoded(fields), headers: headers)
      #expect(answer.status == 403 && answer.text.contains("This form could not be sent"), "\(answer.text)")
      #expect(!answer.text.contains("Mallory"))
    }
  }

  @Test("tabs that a browser opens at once each go on to their app, whichever of their cookies stays")
  func atOnce() async throws {
    try await ThreeApps.run(policy: { $0.withWeb($1) }) { apps in
      let browser = FormClient(apps, app)
      var tabs: [FormClient.Page] = []
      for tab in 0..<6 {
        // None of these requests brings the cookie that another one was answered with.
        browser.forget()
        let link = Opening.page(app.web, ["screen": "sign-up"]).replacing(Opening.state, with: "tab-\(tab)")
        tabs.append(try await browser.open(link))
      }
      let asked = try await browser.send(tabs[0], app.typed("first"))
      #expect(asked.status == 403 && asked.text.contains(told) && !asked.text.contains("too long"), "\(asked.text)")
      #expect(asked.text.contains(app.email("first")))
      let done = try await browser.send(asked, app.typed("first"))
      #expect(done.handed["state"] == "tab-0", "\(done.address) \(done.text)")
    }
  }
}
