import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@testable import GatehouseServer

@Suite("What holds for every row of the hosted pages")
struct PageRowTests {
  /// The rows, with a provider in the place of `{provider}`.
  private static let rows = PageTable.all.map { $0.path.replacing("{provider}", with: "spotify") }

  /// vibes has every row: passwords, and a provider to connect.
  private let app = App.vibes

  /// A browser that is signed in, and one that is not; each has a flow.
  private func browsers(_ apps: ThreeApps) async throws -> [FormClient] {
    let stranger = FormClient(apps, app)
    _ = try await stranger.open("sign-in")
    let member = FormClient(apps, app)
    _ = try await member.signUp(app)
    return [stranger, member]
  }

  @Test("H06 T037 opening a page writes nothing, signed in or not")
  func opening() async throws {
    try await ThreeApps.share { apps in
      for browser in try await browsers(apps) {
        let before = try await apps.rows()
        for row in Self.rows {
          _ = try await browser.open(row)
          _ = try await browser.send("HEAD", "/t/\(app.rawValue)/ui/\(row)")
        }
        #expect(try await apps.rows() == before)
      }
    }
  }

  @Test("H06 T038 T116 every page forbids what it does not need, and hands its address to no other site")
  func headers() async throws {
    try await ThreeApps.share { apps in
      for browser in try await browsers(apps) {
        for row in Self.rows {
          let page = try await browser.open(row)
          let policy = page.answer.headers["content-security-policy"] ?? ""
          for part in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"] {
            #expect(policy.contains(part), "\(row): \(policy)")
          }
          #expect(!policy.contains("unsafe-") && !policy.contains("*"), "\(row): \(policy)")
          #expect(page.answer.headers["x-content-type-options"] == "nosniff", "\(row)")
          #expect(page.answer.headers["x-frame-options"] == "DENY", "\(row)")
          #expect(page.answer.headers["cross-origin-opener-policy"] == "same-origin", "\(row)")
          #expect(page.answer.headers["cache-control"]?.contains("no-store") == true, "\(row)")
          let referrer = page.answer.headers["referrer-policy"] ?? ""
          #expect(["same-origin", "no-referrer"].contains(referrer), "\(row): \(referrer)")
          #expect(page.text.firstMatch(of: /<[^>]* (on[a-z]+|style)=/) == nil, "\(row)")
          // Without a relying party no script of a page may use passkeys.
          let permission = page.text.contains("<script") ? PasskeyScript.permission(isUsed: false) : nil
          #expect(page.answer.headers["permissions-policy"] == permission, "\(row)")
        }
      }
    }
  }

  @Test("H06 T117 a form from elsewhere, of another browser or without its proof does nothing")
  func forged() async throws {
    try await ThreeApps.share { apps in
      let all = try await browsers(apps)
      let other = FormClient(apps, app)
      let foreign = try FormClient.fields(try await other.open("sign-up"))
      for browser in all {
        let before = try await apps.rows()
        for row in Self.rows {
          let address = "/t/\(app.rawValue)/ui/\(row)"
          let page = try await browser.open(row)
          let own = FormClient.Form.all(page.text).first { $0.values["do"] == nil }?.values ?? foreign
          let body = FormClient.encoded(own)
          let attempts: [(String, String, [String: String])] = [
            ("another origin", body, ["Origin": "https://evil.example"]),
            ("an origin that begins alike", body, ["Origin": browser.server + "9"]),
            ("no origin, another site", body, ["Origin": "", "Sec-Fetch-Site": "cross-site"]),
            ("no origin, no site", body, ["Origin": ""]),
            ("null", body, ["Origin": "null"]),
          ]
          for (what, text, headers) in attempts {
            let answer = try await browser.send("POST", address, text, headers: headers)
            #expect(answer.status == 403 && answer.headers["location"] == nil, "\(row): \(what) \(answer.status)")
          }
          for (what, csrf) in [("none", ""), ("wrong", "wrong"), ("another browser's", foreign["csrf"] ?? "")] {
            let text = FormClient.encoded(own.merging(["csrf": csrf]) { $1 })
            let answer = try await browser.send("POST", address, text)
            // A browser that is not signed in is sent to sign in, and one for which nothing is there to where it was.
            let isSentAway = answer.status == 303 && answer.headers["location"]?.contains("://") == false
            #expect(answer.status == 403 || isSentAway, "\(row): proof \(what) \(answer.status)")
          }
          let bare = try await FormClient(apps, app).send("POST", address, body)
          #expect(bare.status == 403 || bare.status == 303, "\(row): without cookies \(bare.status)")
          #expect(bare.headers["location"]?.contains("://") != true, "\(row)")
        }
        let after = try await apps.rows()
        for table in ["account", "session", "one_time_code", "outbox"] {
          #expect(after[table] == before[table], "\(table)")
        }
      }
    }
  }

  @Test("H06 T117 a form in JSON, or with a field twice, is none")
  func shapes() async throws {
    try await ThreeApps.share { apps in
      let browser = try #require(try await browsers(apps).last)
      for row in Self.rows {
        let address = "/t/\(app.rawValue)/ui/\(row)"
        let json = try await browser.send("POST", address, "{}", headers: ["Content-Type": "application/json"])
        #expect(json.status == 415, "\(row)")
        let twice = try await browser.send("POST", address, "csrf=a&csrf=b")
        #expect(twice.status == 400, "\(row) \(twice.status)")
      }
    }
  }

  @Test("H06 T039 nothing that a request says about hosts gets into a page")
  func hosts() async throws {
    try await ThreeApps.share { apps in
      let client = NamedClient(server: apps.server, host: "evil.example")
      for row in Self.rows {
        let answer = try client.send(
          "GET", "/t/\(app.rawValue)/ui/\(row)",
          fields: [
            "X-Forwarded-Host: evil.example", "Forwarded: host=evil.example", "X-Forwarded-Proto: gopher",
            "X-Original-URL: https://evil.example/",
          ])
        #expect(!(answer.head + answer.body).contains("evil.example"), "\(row)")
      }
    }
  }

  @Test("H06 T019 nothing prevents pasting, and password managers know every field of a password")
  func pasting() async throws {
    try await ThreeApps.share { apps in
      for browser in try await browsers(apps) {
        for row in Self.rows {
          let page = try await browser.open(row)
          for match in page.text.matches(of: /<input\b([^>]*)>/) {
            let tag = String(match.output.1)
            let filled = FormClient.Form.attribute("autocomplete", of: tag)
            #expect(filled != "off" && !tag.contains(" maxlength=") && !tag.contains("placeholder"), "\(row): \(tag)")
            guard FormClient.Form.attribute("type", of: tag) == "password" else { continue }
            #expect(["current-password", "new-password"].contains(filled), "\(row): \(tag)")
          }
        }
      }
    }
  }

  @Test("H06 T046 each sign-in opens a session of its own, whatever cookie the browser brings along")
  func fixation() async throws {
    try await ThreeApps.share { apps in
      let app = App.messai
      let victim = FormClient(apps, app)
      let name = "gh-\(app.rawValue)"
      victim.set(name, "gh_ps_" + String(repeating: "A", count: 43))
      _ = try await victim.signUp(app)
      let first = try #require(victim.cookies[name])
      #expect(first != "gh_ps_" + String(repeating: "A", count: 43))
      // Another account in the same browser: the session before it is over.
      let page = try await victim.send(victim.open(Opening.page(app.scheme)), intent: "other")
      #expect(victim.cookies[name] == nil)
      _ = try await victim.send(page, ["email": app.email(), "password": App.password])
      let second = try #require(victim.cookies[name])
      #expect(second != first)
      let thief = FormClient(apps, app)
      thief.set(name, first)
      #expect(try await thief.open("sign-out").path == "sign-in", "the first session is over")
    }
  }

  @Test("H06 T046 a disabled account is signed in at no page, even where a session was left alive")
  func disabled() async throws {
    try await ThreeApps.share { apps in
      let browser = FormClient(apps, .messai)
      _ = try await browser.signUp(.messai)
      #expect(try await browser.open("sign-out").path == "sign-out")
      try await apps.server.storage.runAsSuperuser(script: "UPDATE gatehouse.account SET disabled_at = now()")
      #expect(try await browser.open("sign-out").path == "sign-in")
    }
  }

  @Test("T171 H06 a door that demands an attested app is closed to browsers, and open where none is demanded")
  func attested() async throws {
    try await AttestedApps.run { apps in
      for page in ["/ui/sign-in", "/ui/sign-up"] {
        let closed = try await apps.north.get(page)
        #expect(closed.status == 403 && !closed.text.contains("<form"), "\(page) \(closed.status)")
        #expect(try await apps.open.get(page).status == 200, "\(page)")
      }
    }
  }

  @Test("T171 H06 where a door demands an attested app, no browser is sent to a provider, by whom a new user may come")
  func attestedProvider() async throws {
    try await AttestedApps.run { apps in
      for (tenant, status) in [("sign-ups", 403), ("open", 404)] {
        let browser = PageBrowser(tenant, apps.server)
        try await browser.open("sign-in")
        let form = ["csrf": browser.value("csrf") ?? "", "f": browser.value("f") ?? "", "do": "provider:google"]
        try await browser.post("sign-in", form)
        #expect(browser.status == status, "\(tenant) \(browser.text)")
      }
    }
  }

  @Test("T171 H06 where sign-in demands an attested app, the pages hand no sign-in to an app")
  func attestedCode() async throws {
    try await AttestedApps.run { apps in
      for (tenant, leaves) in [("sign-ins", false), ("open", true)] {
        let browser = PageBrowser(tenant, apps.server)
        // The sign-in page is closed: an app may open another one.
        let start = Opening.page("https://app.example.com/back").replacing("sign-in?", with: "sign-up?")
        try await browser.open(start)
        try await browser.send(
          "sign-up", ["email": "pat@example.com", "password": App.password, "again": App.password])
        #expect((browser.left != nil) == leaves, "\(tenant) \(browser.status) \(browser.text)")
      }
    }
  }

  @Test("T171 H06 where sign-in demands an attested app, a new password opens no session in a browser")
  func attestedReset() async throws {
    try await AttestedApps.run { apps in
      for (tenant, opens) in [("sign-ins", false), ("open", true)] {
        let typed = ["password": App.password, "again": App.password]
        let first = PageBrowser(tenant, apps.server)
        try await first.open("sign-up")
        try await first.send("sign-up", typed.merging(["email": "pat@example.com"]) { $1 })
        apps.server.clock.advance(seconds: 61)
        let browser = PageBrowser(tenant, apps.server)
        try await browser.open("forgot")
        try await browser.send("forgot", ["email": "pat@example.com"])
        let code = try #require(try await apps.server.latestMail(to: "pat@example.com")?.code)
        try await browser.send("reset", ["code": code])
        try await browser.send("reset", ["password": App.otherPassword, "again": App.otherPassword])
        #expect(browser.cookies.keys.contains { $0.contains("gh-") } == opens, "\(tenant) \(browser.text)")
        #expect(browser.status == 200, "\(tenant) \(browser.status)")
        apps.server.clock.advance(seconds: 61)
      }
    }
  }

  @Test("T047 H06 cookies are for this host alone, unreadable for scripts, and no page or address holds a token")
  func cookies() async throws {
    let server = try await TestServer.start(
      policies: ["messai": App.messai.withWeb(try TestLists.policy("messai"))], isSecure: true)
    do {
      let apps = ThreeApps(server)
      let app = App.messai
      let origin = try #require(URL(string: server.services.publicURL))
      let browser = FormClient(apps, app, origin: "\(origin.scheme ?? "")://\(origin.authority)")
      let page = try await browser.signUp(app)
      #expect(page.path == "continue", "\(page.status) \(page.text)")
      #expect(!browser.settings.isEmpty)
      for setting in browser.settings {
        #expect(setting.hasPrefix("__Host-gh"), "\(setting)")
        for attribute in ["Path=/", "HttpOnly", "SameSite=Lax", "Secure"] {
          #expect(setting.contains("; " + attribute), "\(setting)")
        }
        #expect(!setting.contains("Domain="))
      }
      for word in ["eyJhbGciOi", "gh_rt_", "gh_ps_"] { #expect(!page.text.contains(word), "\(word)") }
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }
}

extension URL {
  /// Host and port, as an origin has them.
  fileprivate var authority: String { (host ?? "") + (port.map { ":\($0)" } ?? "") }
}
