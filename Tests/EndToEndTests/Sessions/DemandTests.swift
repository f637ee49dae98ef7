import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Demands that concern every app")
struct DemandTests {
  /// Every key and every enumerated word of a document, at any depth.
  private func words(_ value: JSONValue) -> [String] {
    switch value {
    case .object(let object): object.members.flatMap { [$0.key] + words($0.value) }
    case .array(let values): values.flatMap(words)
    case .string(let text): [text]
    default: []
    }
  }

  @Test("T017 nothing asks for a hint or a question that only its owner can answer")
  func hints() throws {
    let words = words(OpenAPI.document("https://auth.example.com"))
    #expect(words.contains("password") && words.count > 500)
    for word in ["hint", "question", "mother", "maiden", "kba", "security_answer"] {
      #expect(words.filter { $0.lowercased().contains(word) } == [], "\(word)")
    }
  }

  /// The page that sets a new password, for a user who just asked for it.
  private func resetPage(_ apps: ThreeApps) async throws -> LinkPage {
    _ = try await apps.signUp(.ride)
    apps.server.clock.advance(seconds: 1)
    _ = try await apps.ride.post("/v1/password-reset", #"{"email":"pat@ksu.edu"}"#)
    return try await LinkPage(opening: try await apps.server.latestMail(to: "pat@ksu.edu")?.link)
  }

  /// DD Ride, whose pages ask for a new password twice.
  private func repeating(_ body: (ThreeApps) async throws -> Void) async throws {
    try await ThreeApps.run(policy: { $1.replacing("  repeat: false", with: "  repeat: true") }, body)
  }

  private func fields(_ page: String) -> [String] {
    page.components(separatedBy: "<input ").dropFirst().map { String($0.prefix { $0 != ">" }) }
  }

  @Test("T019 password managers recognise the password fields, and nothing prevents pasting")
  func forms() async throws {
    try await repeating { apps in
      let page = try await resetPage(apps).page.text
      let fields = fields(page)
      let passwords = fields.filter { $0.contains(#"type="password""#) }
      #expect(passwords.count == 2)
      for field in passwords {
        #expect(field.contains(#"autocomplete="new-password""#) && !field.contains(" maxlength="))
      }
      #expect(fields.contains { $0.contains(#"autocomplete="username""#) })
      for word in ["onpaste", "<script", "autocomplete=\"off\""] { #expect(!page.contains(word), "\(word)") }
    }
  }

  private let typed = "&password=Bobcat99&again=Bobcat98"

  /// The page, where it shows passwords: its two fields, and none that hides what is typed.
  private func shown(_ page: String) -> [String] {
    page.contains(#"type="password""#) ? [] : fields(page).filter { $0.contains(#"class="secret""#) }
  }

  @Test("T019 a user can show the typed password, with what was typed")
  func shown() async throws {
    try await repeating { apps in
      let link = try await resetPage(apps)
      #expect(link.page.text.contains("aria-label=\"Show password\""))
      let open = try await link.press(typed + "&show=1")
      #expect(open.status == 200 && open.text.contains("aria-label=\"Hide password\""))
      let fields = shown(open.text)
      #expect(fields.count == 2)
      for (field, value) in zip(fields, ["Bobcat99", "Bobcat98"]) {
        #expect(field.contains(#"autocomplete="new-password""#) && field.contains(#"spellcheck="false""#))
        #expect(field.contains(#"value="\#(value)""#))
      }
    }
  }

  @Test("T019 what is wrong is said on a page that shows as before, without the passwords")
  func shownWithErrors() async throws {
    try await repeating { apps in
      let link = try await resetPage(apps)
      let differ = try await link.press(typed + "&shown=1")
      #expect(differ.status == 422 && shown(differ.text).count == 2 && !differ.text.contains("Bobcat"))
      #expect(try await link.press("&password=Bobcat99&again=Bobcat99&shown=1").status == 200)
    }
  }

  @Test("T019 passwords that are hidden again are not sent back")
  func hidden() async throws {
    try await repeating { apps in
      let page = try await resetPage(apps).press(typed + "&shown=1&show=0")
      #expect(page.status == 200 && page.text.contains(#"type="password""#) && !page.text.contains("Bobcat"))
    }
  }

  @Test("T084 no answer to a password that a page posts has the browser post it again elsewhere")
  func answered() async throws {
    try await repeating { apps in
      let link = try await resetPage(apps)
      let statuses = [
        try await link.send(typed).status, try await link.send("&password=Bobcat99&again=Bobcat99").status,
        try await link.send("&password=Bobcat99&again=Bobcat99").status,
      ]
      // 303 is a GET; 307 and 308 would be the same POST.
      #expect(statuses == [422, 303, 400])
    }
  }

  @Test(
    "T044 its owner hears of a new password, of a reset, of a new device and of another address",
    arguments: App.allCases)
  func notices(app: App) async throws {
    try await ThreeApps.runWithMail { apps in
      let token = try await apps.signUp(app).json.accessToken
      _ = try await apps.mail(to: app.email())
      let change = #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#
      #expect(try await apps.client(app).post("/v1/me/password", change, token: token).status == 200)
      let changed = try await apps.mail(to: app.email())
      #expect(changed.code == nil && changed.subject.lowercased().contains("password"))
      apps.server.clock.advance(seconds: 60)
      let id = try await apps.client(app).post("/v1/password-reset", #"{"email":"\#(app.email())"}"#).resetID
      let code = try #require(try await apps.mail(to: app.email()).code)
      let reset = #"{"reset_id":"\#(id)","email":"\#(app.email())","code":"\#(code)","password":"\#(App.password)"}"#
      #expect(try await apps.client(app).post("/v1/password-reset/confirm", reset).status == 204)
      #expect(try await apps.mail(to: app.email()).subject == changed.subject)
      let back = try await apps.signIn(app).json.accessToken
      // With the password every device is forgotten: this sign-in is one of a new device.
      let device = try await apps.mail(to: app.email())
      #expect(device.code == nil && device.subject != changed.subject)
      let move = #"{"email":"\#(app.email("moved"))"}"#
      #expect(try await apps.client(app).post("/v1/me/email", move, token: back).status == 202)
      let proof = try #require(try await apps.mail(to: app.email("moved")).code)
      let confirm = #"{"email":"\#(app.email("moved"))","code":"\#(proof)"}"#
      #expect(try await apps.client(app).post("/v1/email-change/confirm", confirm, token: back).status == 200)
      let undo = try await apps.mail(to: app.email())
      #expect(undo.link?.contains("/ui/undo-email?lang=en&token=") == true)
    }
  }

  @Test("T046 each sign-in opens a session of its own, whatever the caller brings along")
  func fixation() async throws {
    try await ThreeApps.share { apps in
      let planted = try await apps.signUp(.ride, "mallory").json
      let id = planted["session"]?["id"]?.string ?? ""
      var seen: Set<String> = [id]
      _ = try await apps.signUp(.ride)
      for _ in 0..<3 {
        let back = try await apps.ride.send(
          "POST", "/v1/sign-in", App.ride.signIn(), token: planted.accessToken,
          headers: [
            "Cookie": "__Host-gh-dd-ride=\(planted.refreshToken); gh-dd-ride=\(planted.refreshToken); session=\(id)"
          ])
        #expect(back.status == 200 && back.headers["set-cookie"] == nil)
        let (inserted, _) = seen.insert(back.json["session"]?["id"]?.string ?? id)
        #expect(inserted)
      }
      // What was planted is what it was: another person's.
      #expect(try await apps.me(.ride, planted.accessToken).json["user"]?["email"] == .string("mallory@ksu.edu"))
    }
  }

  @Test("T048 the server alone says when a session ends: a client's word for it is refused, its clock is not asked")
  func timeouts() async throws {
    try await ThreeApps.run { apps in
      let token = try await apps.rider().refreshToken
      for extra in [#""expires_in":99999999"#, #""expires_at":"2099-01-01T00:00:00Z""#, #""now":0"#] {
        #expect(try await apps.ride.post("/v1/token", #"{"refresh_token":"\#(token)",\#(extra)}"#).status == 400)
      }
      apps.server.clock.advance(seconds: 60 * 86_400 - 1)
      let late = try await apps.refresh(.ride, token)
      #expect(late.status == 200)
      apps.server.clock.advance(seconds: 60 * 86_400)
      let over = try await apps.ride.send(
        "POST", "/v1/token", #"{"refresh_token":"\#(late.json.refreshToken)"}"#,
        headers: ["Date": "Thu, 01 Jan 1970 00:00:00 GMT"])
      #expect(over.code == "refresh_token_invalid")
    }
  }

  @Test("T059 a sensitive request needs a sign-in within five minutes; a refreshed token does not count")
  func recent() async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.rider()
      apps.server.clock.advance(seconds: 301)
      let next = try await apps.refresh(.ride, up.refreshToken).json
      #expect(try Token.claims(of: next.accessToken)["auth_time"] == Token.claims(of: up.accessToken)["auth_time"])
      let move = #"{"email":"new@ksu.edu"}"#
      for token in [up.accessToken, next.accessToken] {
        #expect(try await apps.ride.post("/v1/me/email", move, token: token).code == "reauthentication_required")
        #expect(try await apps.ride.send("DELETE", "/v1/me", "{}", token: token).code == "reauthentication_required")
      }
      let proven = try await apps.ride.post(
        "/v1/reauthenticate", #"{"password":"Wildcat1"}"#, token: next.accessToken)
      #expect(try Token.claims(of: proven.json.accessToken)["amr"] == .array([.string("pwd")]))
      #expect(try await apps.ride.post("/v1/me/email", move, token: proven.json.accessToken).status == 202)
    }
  }

  @Test("T121 each attempt leaves a row: when, who, from where, which request, and what came of it")
  func trail() async throws {
    try await ThreeApps.share { apps in
      let up = try await apps.rider()
      let url = "/v1/sign-in"
      for index in 0..<6 {
        _ = try await apps.ride.send(
          "POST", url, #"{"email":"willie@ksu.edu","password":"wrong"}"#, headers: ["X-Request-Id": "request-\(index)"])
      }
      let call = try await apps.operatorCall(.ride)
      let rows = try await apps.server.services.store.open(call.tenant.id).audit(AuditQuery(), limit: 100)
      let failed = rows.filter { $0.event == .signInFailed }
      #expect(failed.count == 5 && rows.count { $0.event == .signInBlocked } == 1)
      #expect(Set(failed.compactMap(\.requestID)) == Set((0..<5).map { "request-\($0)" }))
      for row in failed {
        #expect(row.user?.text == up.userID && row.address == "127.0.0.1" && row.at == apps.server.clock.now)
        #expect(row.details["reason"] == "credentials" && row.revision == 1 && row.actor == "anonymous")
      }
      let created = try #require(rows.first { $0.event == .sessionCreated })
      #expect(created.session?.text == up["session"]?["id"]?.string && created.actor == "user:\(up.userID)")
    }
  }
}
