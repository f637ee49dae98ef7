import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseServer

/// The inputs of a form, as browsers and password managers read them.
private struct FormFields {
  let codes: [String]
  let secrets: Int
  /// The value of `autocomplete` of each that has one, in the order of the form.
  let filled: [String]

  init(_ form: String) {
    let tags = form.matches(of: /<input\b([^>]*)>/).map { String($0.output.1) }
    codes = tags.filter { $0.contains("class=\"code\"") }
    secrets = tags.count { $0.contains("type=\"password\"") }
    filled = tags.compactMap { FormClient.Form.attribute("autocomplete", of: $0) }
  }
}

@Suite("What the hosted pages hold, and what they cost")
struct PageContentTests {
  // MARK: Fields

  private static let everyType = """
    schema: gatehouse/policy.v1
    tenant: messai
    app: {name: messAI, support_email: help@messai.example, locales: [en, es]}
    identifiers:
      sign_in_with: [email]
      email: {normalize: lowercase}
    password:
      max_length: 128
      rules:
        - {id: min8, min_length: 8}
        - {id: digit, require: digit}
    profile:
      unknown_fields: reject
      fields:
        name: {type: string, required: true, max_length: 50, write: user, visible_to: users}
        phone: {type: phone, required: true, region: US, store: e164, check: length, write: user, visible_to: users}
        site: {type: url, https_only: true, required: true, write: user, visible_to: users}
        birthday: {type: date, required: true, write: user, visible_to: users}
        year: {type: integer, required: true, min: 1, max: 9999, write: user, visible_to: users}
        colour: {type: enum, values: [red, dark_blue], required: true, write: user, visible_to: users}
        news: {type: boolean, required: true, write: user, visible_to: users}
    verification:
      email: {method: link_and_code, link_ttl: 24h, code_ttl: 10m, resend_cooldown: 60s, max_sends_per_day: 10}
    access:
      full: {requires: []}
    providers:
      password: {use: sign_in}
    sessions: {access_token_ttl: 15m, refresh_idle_ttl: 90d, refresh_max_ttl: 365d, reuse_grace: 30s, max_per_user: 20}
    privacy: {account_exists: reveal}

    """

  private func withEveryType(_ body: (ThreeApps) async throws -> Void) async throws {
    let server = try await TestServer.start(policies: ["messai": Self.everyType])
    do {
      try await body(ThreeApps(server))
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  /// The attributes of a page's control.
  private func tag(_ page: FormClient.Page, _ name: String) throws -> String {
    let tags = page.text.matches(of: /<(?:input|select)\b([^>]*)>/).map { String($0.output.1) }
    return try #require(tags.first { FormClient.Form.attribute("name", of: $0) == name }, "\(name): \(page.text)")
  }

  @Test("H16 each type of field has its keyboard, and what browsers and password managers fill in")
  func types() async throws {
    try await withEveryType { apps in
      let page = try await FormClient(apps, .messai).open("sign-up")
      func expect(_ name: String, _ wanted: [String: String]) throws {
        let tag = try tag(page, name)
        for (attribute, value) in wanted {
          #expect(FormClient.Form.attribute(attribute, of: tag) == value, "\(name): \(tag)")
        }
        #expect(FormClient.Form.attribute("id", of: tag) == name, "\(tag)")
        #expect(page.text.contains("for=\"\(name)\""), "\(name) has a label")
      }
      try expect("email", ["type": "email", "inputmode": "email", "autocomplete": "username"])
      try expect("password", ["type": "password", "autocomplete": "new-password"])
      try expect("again", ["type": "password", "autocomplete": "new-password"])
      try expect("profile.name", ["autocomplete": "name"])
      try expect("profile.phone", ["type": "tel", "inputmode": "tel", "autocomplete": "tel"])
      try expect("profile.site", ["type": "url", "inputmode": "url"])
      try expect("profile.birthday", ["type": "date"])
      try expect("profile.year", ["inputmode": "numeric"])
      try expect("profile.news", ["type": "checkbox"])
      try expect("profile.colour", [:])
      #expect(page.text.contains("<select") && page.text.contains("value=\"dark_blue\""))
      let rules = try #require(FormClient.Form.attribute("passwordrules", of: try tag(page, "password")))
      #expect(rules.contains("minlength: 8") && rules.contains("digit"), "\(rules)")
      let order = ["profile.name", "profile.phone", "profile.site", "profile.birthday", "profile.year"]
      let places = order.compactMap { page.text.range(of: "name=\"\($0)\"")?.lowerBound }
      #expect(places.count == order.count && places == places.sorted(), "in the order of the policy")
    }
  }

  @Test("H16 the pages of a password and of a code name their fields for browsers")
  func otherPages() async throws {
    try await ThreeApps.share { apps in
      let browser = FormClient(apps, .messai)
      func filled(_ page: FormClient.Page, _ name: String) throws -> String? {
        FormClient.Form.attribute("autocomplete", of: try tag(page, name))
      }
      let signIn = try await browser.open("sign-in")
      #expect(try filled(signIn, "email")?.hasPrefix("username") == true)
      #expect(try filled(signIn, "password") == "current-password")
      #expect(try await filled(browser.open("forgot"), "email") == "username")
      #expect(try await filled(browser.forget("pat"), "code") == "one-time-code")
      let mail = try await FormClient(apps, .ride).signUp(.ride)
      #expect(try filled(mail, "code") == "one-time-code")
      #expect(FormClient.Form.attribute("inputmode", of: try tag(mail, "code")) == "numeric")
    }
  }

  @Test("H16 each form with a password has the name of its account, and each secret says which it is")
  func autofill() async throws {
    try await PageStage.run { stage in
      var seen = 0
      for place in stage.places {
        let cookies = place.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        let page = try await TestClient("").send("GET", place.address, headers: ["Cookie": cookies])
        for form in page.text.matches(of: /<form\b[\s\S]*?<\/form>/).map({ String($0.output) }) {
          let fields = FormFields(form)
          let what = "\(place.scene.name): \(fields.filled)"
          for code in fields.codes {
            #expect(
              code.contains("autocomplete=\"one-time-code\"") && code.contains("inputmode=\"numeric\""), "\(what)")
          }
          guard fields.secrets > 0 else { continue }
          seen += 1
          #expect(fields.filled.count { $0 == "username" } == 1, "\(what)")
          #expect(
            fields.filled.count { ["current-password", "new-password"].contains($0) } == fields.secrets, "\(what)")
        }
      }
      #expect(seen > 10)
    }
  }

  @Test("H16 every type of field is kept when its form comes back, and stored when it is right")
  func kept() async throws {
    try await withEveryType { apps in
      let browser = FormClient(apps, .messai)
      let typed = [
        "email": "pat@example.com", "password": App.password, "again": App.otherPassword, "profile.name": "Pat \"P\"",
        "profile.phone": "785-555-0123", "profile.site": "https://example.com/?a=1&b=2",
        "profile.birthday": "2001-02-03", "profile.year": "2031", "profile.colour": "dark_blue", "profile.news": "true",
      ]
      let page = try await browser.send("sign-up", typed)
      #expect(page.status == 422)
      let kept = try FormClient.fields(page)
      for (name, value) in typed where !["password", "again"].contains(name) {
        #expect(kept[name] == value, "\(name): \(kept[name] ?? "")")
      }
      _ = try await browser.send(page, ["password": App.password, "again": App.password])
      let session = try await apps.messai.post(
        "/v1/sign-in", #"{"email":"pat@example.com","password":"\#(App.password)"}"#
      ).json
      let profile = session["user"]?["profile"]
      #expect(profile?["name"]?.string == "Pat \"P\"" && profile?["phone"]?.string == "+17855550123", "\(session)")
      #expect(profile?["year"] == .integer(2031) && profile?["news"] == .bool(true), "\(session)")
      #expect(profile?["birthday"]?.string == "2001-02-03" && profile?["colour"]?.string == "dark_blue", "\(session)")
    }
  }

  // MARK: The policy

  @Test("H13 an edit of the policy shows on the next load: name, colour, rules and fields")
  func edits() async throws {
    let text = PolicyText.withoutTests(try TestLists.policy("messai"))
    try await ThreeApps.run(policy: { PolicyText.withoutTests($1) }) { apps in
      let browser = FormClient(apps, .messai)
      let before = try await browser.open("sign-up")
      #expect(before.text.contains("messAI") && !before.text.contains("At least 12 characters"))
      let edited = text.replacing("  name: messAI\n", with: "  name: messAI Pro\n")
        .replacing("#2563EB", with: "#0A6B2D")
        .replacing("{id: min6, min_length: 6}", with: "{id: min12, min_length: 12}")
        .replacing("photoURL: {type: url,", with: "photoURL: {type: url, required: true,")
      _ = try await apps.server.apply(edited, to: "messai", allowsWeaker: true, allowsLockout: true)
      try await apps.reload()
      let after = try await browser.open("sign-up")
      #expect(after.text.contains("Create your messAI Pro account"))
      #expect(after.text.lowercased().contains("#0a6b2d") && !after.text.lowercased().contains("#2563eb"))
      #expect(after.text.contains("At least 12 characters") && after.text.contains("name=\"profile.photoURL\""))
      // A form that was open before is judged by the rules of now.
      let late = try await browser.send(before, App.messai.typed())
      #expect(late.status == 422, "\(late.text)")
    }
  }

  // MARK: The budget

  /// The bytes of a page without the picture of a seed, which grows with the names in it.
  private static func size(_ page: TestClient.Answer) -> Int {
    page.text.replacing(/<svg class="qr"[\s\S]*?<\/svg>/, with: "").utf8.count
  }

  @Test("H14 a page with its style fits into 14 KB in every language")
  func languages() async throws {
    let locales = "locales: [\(Language.allCases.map(\.rawValue).joined(separator: ", "))]"
    try await PageStage.run(policy: { PageScene.policy($0, $1).replacing(/locales: \[[^\]]*\]/, with: locales) }) {
      stage in
      let client = TestClient("")
      var shown = 0
      for place in stage.places {
        let held = place.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        for language in Language.allCases {
          let page = try await client.send(
            "GET", place.address, headers: ["Cookie": held, "Accept-Language": language.rawValue])
          if page.text.contains("<html lang=\"\(language.rawValue)\"") { shown += 1 }
          #expect(
            page.status == 200 && Self.size(page) <= 14 * 1024, "\(place.scene.name) \(language): \(Self.size(page))")
        }
      }
      // A flow that has chosen its language keeps it.
      #expect(shown > stage.places.count * 2, "\(shown)")
    }
  }

  @Test("H14 a page with its style fits into 14 KB, and all that it loads into 30 KB and three requests")
  func budget() async throws {
    try await PageStage.run { stage in
      let client = TestClient("")
      for place in stage.places {
        let held = place.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        let page = try await client.send("GET", place.address, headers: ["Cookie": held])
        #expect(page.status == 200 && Self.size(page) <= 14 * 1024, "\(place.scene.name): \(Self.size(page))")
        var total = page.body.count
        let base = try #require(URL(string: place.address))
        let named = page.text.matches(of: /<(?:script|img|link)\b[^>]*(?:src|href)="([^"]+)"/)
        let parts = named.map { String($0.output.1) }.filter { !$0.hasPrefix("data:") }
        #expect(Set(parts).count <= 2, "\(place.scene.name): \(parts)")
        for part in Set(parts) {
          let url = try #require(URL(string: FormClient.Form.plain(part), relativeTo: base)?.absoluteString)
          let answer = try await client.send("GET", url)
          #expect(answer.status == 200, "\(url)")
          if !url.contains("logo") { total += answer.body.count }
        }
        #expect(total <= 30 * 1024, "\(place.scene.name): \(total)")
      }
      let visit = try Browser(scripts: true).visit(stage.places.prefix(1).map { .open($0.address) })
      #expect(visit.requests.filter { !$0.url.hasPrefix("data:") }.count <= 3, "\(visit.requests.map(\.url))")
    }
  }

  @Test("H15 no page names a file of another server, or a script between its lines")
  func files() async throws {
    try await PageStage.run { stage in
      for place in stage.places {
        let held = place.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        let page = try await TestClient("").send("GET", place.address, headers: ["Cookie": held])
        let named = /<(?:script|img|link|iframe|source|form)\b[^>]*(?:src|href|action)="([^"]*)"/
        for match in page.text.matches(of: named) {
          #expect(!match.output.1.contains("//"), "\(place.scene.name): \(match.output.0)")
        }
        #expect(page.text.firstMatch(of: /<script\b[^>]*>[^<]/) == nil, "\(place.scene.name)")
      }
    }
  }

  @Test("a password that was typed comes back to the switch that shows it, and never with an error")
  func passwords() async throws {
    try await ThreeApps.share { apps in
      let typed = ["email": "pat@example.com", "password": "Typed-Once-2031!"]
      let shown = try await FormClient(apps, .messai).send("sign-in", typed.merging(["show": "1"]) { $1 })
      #expect(shown.status == 200 && shown.text.contains("Typed-Once-2031!"))
      let refused = try await FormClient(apps, .messai).send("sign-in", typed.merging(["shown": "1"]) { $1 })
      #expect(refused.status == 401 && !refused.text.contains("Typed-Once-2031!"))
    }
  }
}
