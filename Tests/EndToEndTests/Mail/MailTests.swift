import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("What each app mails, over a mail server of another make")
struct MailTests {
  @Test("the code of the sign-up mail proves the address", arguments: App.allCases)
  func verifyByCode(app: App) async throws {
    try await ThreeApps.runWithMail { apps in
      let up = try await apps.signUp(app)
      #expect(up.status == 201 && up.json.next == app.standing.new)
      let delivery = try await apps.delivery(to: app.email())
      #expect(delivery.from == "no-reply@auth.example.com" && delivery.to == [app.email()])
      let mail = delivery.read
      #expect(mail.defects.isEmpty)
      #expect(mail.subject == "\(mail.code ?? "") is your \(app.name) code")
      #expect(mail.header("From")?.hasPrefix("\(app.name) <") == true)
      let code = try #require(mail.code)
      #expect(mail.html.contains(code) && mail.link != nil)
      let confirmed = try await apps.client(app).post(
        "/v1/email-verification/confirm", #"{"email":"\#(app.email())","code":"\#(code)"}"#,
        token: up.json.accessToken)
      #expect(confirmed.status == 200 && confirmed.json["email_verified"] == .bool(true))
      let me = try await apps.me(app, up.json.accessToken).json
      #expect(me["user"]?["email_verified"] == .bool(true) && me.next == app.standing.verified)
    }
  }

  @Test("so does its link, and the app that asks again sees it", arguments: App.allCases)
  func verifyByLink(app: App) async throws {
    try await ThreeApps.runWithMail { apps in
      let up = try await apps.signUp(app).json
      let mail = try await apps.mail(to: app.email())
      let browser = try await LinkPage(opening: mail.link)
      #expect(try await apps.me(app, up.accessToken).json["user"]?["email_verified"] == .bool(false))
      #expect(try await browser.confirm().status == 200)
      let me = try await apps.me(app, up.accessToken).json
      #expect(me["user"]?["email_verified"] == .bool(true) && me.next == app.standing.verified)
      // Link and code are one: used together.
      let code = try #require(mail.code)
      let again = try await apps.client(app).post(
        "/v1/email-verification/confirm", #"{"email":"\#(app.email())","code":"\#(code)"}"#, token: up.accessToken)
      #expect(again.code == "code_used")
    }
  }

  @Test("a forgotten password is replaced by code or by link, and its owner is told", arguments: App.allCases)
  func reset(app: App) async throws {
    try await ThreeApps.runWithMail { apps in
      let up = try await apps.signUp(app).json
      _ = try await apps.mail(to: app.email())
      let client = apps.client(app)
      let ask = #"{"email":"\#(app.email())"}"#
      let id = try await client.post("/v1/password-reset", ask).resetID
      let mail = try await apps.mail(to: app.email())
      #expect(mail.subject == "\(mail.code ?? "") is your \(app.name) code" && mail.defects.isEmpty)
      let body = """
        {"reset_id":"\(id)","email":"\(app.email())","code":"\(try #require(mail.code))","password":"\(App.otherPassword)"}
        """
      #expect(try await client.post("/v1/password-reset/confirm", body).status == 204)
      #expect(try await apps.mail(to: app.email()).subject == "Your \(app.name) password was changed")
      #expect(try await apps.refresh(app, up.refreshToken).code == "session_revoked")
      #expect(try await apps.signIn(app).code == "invalid_credentials")
      #expect(try await apps.signIn(app, password: App.otherPassword).status == 200)
      #expect(try await apps.mail(to: app.email()).subject == "New sign-in to your \(app.name) account")

      apps.server.clock.advance(seconds: 60)
      #expect(try await client.post("/v1/password-reset", ask).status == 202)
      let browser = try await LinkPage(opening: try await apps.mail(to: app.email()).link)
      #expect(try await browser.setPassword(App.password).status == 200)
      #expect(try await apps.signIn(app, password: App.otherPassword).code == "invalid_credentials")
      // The mail was read: that proves the address as well.
      let back = try await apps.signIn(app)
      #expect(back.status == 200 && back.json["user"]?["email_verified"] == .bool(true))
    }
  }

  @Test(
    "T042 a new address is confirmed from its own mail, and the old one's mail takes it back", arguments: App.allCases)
  func changeEmail(app: App) async throws {
    try await ThreeApps.runWithMail { apps in
      let up = try await apps.signUp(app).json
      _ = try await apps.mail(to: app.email())
      try await Operator.verify(app, "pat", apps)
      let client = apps.client(app)
      let asked = try await client.post("/v1/me/email", #"{"email":"\#(app.email("new"))"}"#, token: up.accessToken)
      #expect(asked.status == 202)
      // Nothing changes before the new address answers.
      #expect(try await apps.me(app, up.accessToken).json["user"]?["email"] == .string(app.email()))
      let mail = try await apps.mail(to: app.email("new"))
      #expect(mail.subject == "\(mail.code ?? "") is your \(app.name) code" && mail.defects.isEmpty)
      let confirmed = try await client.post(
        "/v1/email-change/confirm", #"{"email":"\#(app.email("new"))","code":"\#(try #require(mail.code))"}"#,
        token: up.accessToken)
      #expect(confirmed.json["user"]?["email"] == .string(app.email("new")))
      #expect(try await apps.signIn(app).code == "invalid_credentials")

      let notice = try await apps.mail(to: app.email())
      #expect(notice.subject == "The email address of your \(app.name) account is changing")
      #expect(notice.code == nil && notice.text.contains(app.email("new")))
      #expect(try await LinkPage(opening: notice.link).press("&word=UNDO").status == 200)
      #expect(try await apps.me(app, up.accessToken).code == "session_revoked")
      #expect(try await apps.signIn(app, "new").code == "invalid_credentials")
      #expect(try await apps.signIn(app).json.userID == up.userID)
    }
  }

  @Test(
    "who was made by an operator gets in through the invitation's mail, and in no other way", arguments: App.allCases)
  func invitation(app: App) async throws {
    try await ThreeApps.runWithMail { apps in
      let profile: [String: FieldValue] =
        switch app {
        case .messai: ["displayName": .string("Pat")]
        case .ride: ["name": .string("Pat"), "phoneNumber": .string("785 555 0123"), "role": .string("admin")]
        case .vibes: ["username": .string("pat")]
        }
      let made = try await Operator.create(app.email(), profile, in: app.rawValue, apps.server)
      #expect(try await apps.signIn(app).code == "invalid_credentials")
      #expect(try await apps.signIn(app, password: "").code == "invalid_credentials")
      let mail = try await apps.mail(to: app.email())
      #expect(mail.subject == "Your \(app.name) account is ready" && mail.code == nil && mail.defects.isEmpty)
      let browser = try await LinkPage(opening: mail.link)
      #expect(try await browser.setPassword("kat").status == 422)
      #expect(try await browser.setPassword(App.password).status == 200)
      let back = try await apps.signIn(app)
      #expect(back.status == 200 && back.json.userID == made && back.json.next == app.standing.verified)
    }
  }
}
