import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A form that comes back in another language")
struct LanguageFormTests {
  private static let typed = [
    "email": "pat@ksu.edu", "profile.name": "Pat", "password": "Typed-Once-2031!", "lang": "es",
  ]

  private func switched(_ apps: ThreeApps, _ language: String = "es") async throws -> FormClient.Page {
    try await FormClient(apps, .ride).send("sign-up", Self.typed.merging(["lang": language]) { $1 })
  }

  @Test("it speaks the language, and its status is that of a page")
  func speaks() async throws {
    try await ThreeApps.share { apps in
      let page = try await switched(apps)
      #expect(page.status == 200 && page.text.contains("<html lang=\"es\""))
    }
  }

  @Test("what was typed is there, but for passwords")
  func keeps() async throws {
    try await ThreeApps.share { apps in
      let page = try await switched(apps)
      #expect(page.text.contains("pat@ksu.edu") && page.text.contains("value=\"Pat\""))
      #expect(!page.text.contains("Typed-Once-2031!"))
    }
  }

  @Test("nothing is wrong with it yet, and no account is made")
  func nothing() async throws {
    try await ThreeApps.share { apps in
      let before = try await apps.rows()
      let page = try await switched(apps)
      #expect(!page.text.contains("aria-invalid=\"true\"") && !page.text.contains("class=\"trouble\""))
      #expect(try await apps.rows() == before)
    }
  }

  @Test("the pages that follow speak it too")
  func follows() async throws {
    try await ThreeApps.share { apps in
      let browser = FormClient(apps, .ride)
      let page = try await browser.send("sign-up", Self.typed)
      let next = try await browser.follow(page, link: "sign-in")
      #expect(next.text.contains("<html lang=\"es\""))
    }
  }

  @Test("a language that the app does not speak changes nothing")
  func unknown() async throws {
    try await ThreeApps.share { apps in
      let page = try await switched(apps, "de")
      #expect(page.status == 200 && page.text.contains("<html lang=\"en\""))
    }
  }
}
