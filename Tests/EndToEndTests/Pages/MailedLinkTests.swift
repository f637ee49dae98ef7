import GatehouseOutbound
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Links that mail programs touched")
struct MailedLinkTests {
  /// Forms that a relay or a mail program gives `?token=TOKEN`.
  private static let queries = [
    "token=TOKEN&utm_source=x&utm_medium=mail", "fbclid=y&token=TOKEN", "mc_eid=1&mc_eid=2&token=TOKEN",
    "a&token=TOKEN",
    "token=TOKEN.", "token=TOKEN%3E", "token=%22TOKEN%22", "token=3DTOKEN", "token=%3D3DTOKEN", "token=TOKEN%20",
    "token=%E2%80%9CTOKEN%E2%80%9D", "x=1&amp;token=TOKEN", "token=TOKEN&x=%zz",
  ]

  @Test("strangers in the query and marks around the token change nothing", arguments: queries)
  func touched(query: String) async throws {
    try await ThreeApps.share { apps in
      _ = try await apps.rider()
      let link = try #require(try await apps.server.latestMail(to: "willie@ksu.edu")?.link)
      let parts = link.split(separator: "?lang=en&token=", maxSplits: 1).map(String.init)
      try #require(parts.count == 2)
      let page = try await LinkPage(opening: parts[0] + "?" + query.replacing("TOKEN", with: parts[1]))
      #expect(try await page.confirm("Wildcat1").status == 200)
    }
  }

  @Test(
    "a token that is given twice, or is cut, is a broken link", arguments: ["token=TOKEN&token=TOKEN", "token=CUT"])
  func broken(query: String) async throws {
    try await ThreeApps.share { apps in
      _ = try await apps.rider()
      let link = try #require(try await apps.server.latestMail(to: "willie@ksu.edu")?.link)
      let parts = link.split(separator: "?lang=en&token=", maxSplits: 1).map(String.init)
      let asked = query.replacing("TOKEN", with: parts[1]).replacing("CUT", with: String(parts[1].dropLast()))
      let client = FormClient(apps, .ride)
      let page = try await client.open("verify-email?" + asked)
      #expect(page.status == 400 && page.text.contains("This link does not work"), "\(page.text)")
    }
  }

  /// The words that undo a change, and texts that do not, by language.
  private static let words = [
    ("en", "UNDO", true), ("en", " undo. ", true), ("en", "", false), ("en", "DESHACER", false), ("en", "on", false),
    ("es", "Deshacer", true), ("es", "UNDO", false),
  ]

  @Test("a change of address is undone by a typed word, not by a button alone", arguments: words)
  func undo(language: String, typed: String, isDone: Bool) async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.movingRider()
      let confirm = try await LinkPage(opening: try await apps.server.latestMail(to: "new@ksu.edu")?.link)
      #expect(try await confirm.confirm("Wildcat1").status == 200)
      let browser = PageBrowser(.ride, apps, language: language)
      let link = try #require(try await apps.server.latestMail(to: "willie@ksu.edu")?.link)
        .replacing("lang=en", with: "lang=\(language)")
      try await browser.open(String(link.split(separator: "/ui/").last ?? ""))
      #expect(browser.status == 200 && browser.asks(for: "word"), "\(browser.text)")
      try await browser.send("undo-email", typed.isEmpty ? [:] : ["word": typed])
      #expect(browser.status == (isDone ? 200 : 422), "\(browser.text)")
      if !isDone { #expect(browser.problem(at: "word") != nil) }
      let old = try await apps.ride.post("/v1/sign-in", #"{"email":"willie@ksu.edu","password":"Wildcat1"}"#)
      #expect(old.status == (isDone ? 200 : 401), "\(old.text)")
    }
  }
}
