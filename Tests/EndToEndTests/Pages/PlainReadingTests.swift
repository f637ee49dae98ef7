import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Values on pages as people read them")
struct PlainReadingTests {
  @Test("a telephone number has its national form, on the account and in its input")
  func phone() async throws {
    try await ThreeApps.share { apps in
      let browser = try await apps.pageBrowser(.ride)
      #expect(browser.text.contains("<dd>(785) 555-"), "\(browser.text)")
      try await browser.open("account/profile")
      #expect(browser.value("profile.phoneNumber")?.hasPrefix("(785) 555-") == true)
    }
  }

  @Test("a profile that is sent as it was shown changes nothing")
  func unchanged() async throws {
    try await ThreeApps.share { apps in
      let browser = try await apps.pageBrowser(.ride)
      try await browser.open("account/profile")
      let before = try await apps.rows()
      try await browser.send("account/profile")
      #expect(browser.notice == "Saved.")
      #expect(try await apps.rows() == before)
    }
  }

  @Test("a field that only administrators fill in is left out while it is empty")
  func empty() async throws {
    try await ThreeApps.share { apps in
      let browser = try await apps.pageBrowser(.ride)
      #expect(browser.text.contains("<dt>Role</dt>") && !browser.text.contains("<dt>Chapter</dt>"))
    }
  }

  @Test("a value of a list is in the reader's language", arguments: [("en", "Member"), ("es", "Miembro")])
  func role(_ language: String, _ shown: String) async throws {
    try await ThreeApps.share { apps in
      let browser = try await apps.pageBrowser(.ride, language: language)
      #expect(browser.text.contains("<dd>\(shown)</dd>"), "\(browser.text)")
    }
  }

  @Test(
    "one of few numbers is chosen from a list, by the policy's labels",
    arguments: [("en", "First year"), ("es", "Primero")])
  func year(_ language: String, _ shown: String) async throws {
    try await ThreeApps.share { apps in
      let page = try await FormClient(apps, .ride).open("sign-up?lang=\(language)")
      #expect(page.text.contains("<select id=\"profile.classYear\""))
      #expect(page.text.contains("<option value=\"1\" selected>\(shown)</option>"), "\(page.text)")
    }
  }

  @Test(
    "a policy that asks for a new password once has one field, and takes it",
    arguments: [(App.ride, false), (.messai, true)])
  func once(_ app: App, _ isRepeated: Bool) async throws {
    try await ThreeApps.share { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.open("sign-up")
      #expect(page.text.contains("name=\"again\"") == isRepeated)
      let typed = app.typed().filter { isRepeated || $0.key != "again" }
      #expect(try await browser.send(page, typed).status == 200)
    }
  }

  @Test("the name of a browser on a device is in the reader's language")
  func device() async throws {
    try await ThreeApps.share { apps in
      let browser = try await apps.pageBrowser(.ride, language: "es")
      try await browser.open("account/devices")
      #expect(browser.text.contains(">Safari en iPhone</h2>") && browser.text.contains("Este navegador"))
    }
  }
}
