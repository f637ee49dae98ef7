import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("No client learns who has an account (account_exists: hide)")
struct HiddenAccountTests {
  /// The three apps as they are, but for this one word of their policies.
  private func run(_ body: (ThreeApps) async throws -> Void) async throws {
    try await ThreeApps.runWithMail(policy: { PolicyText.hiding($1) }, body)
  }

  /// Signs a user up and completes it by the mail's code.
  private func join(_ apps: ThreeApps, _ app: App, _ local: String = "pat") async throws {
    let up = try await apps.signUp(app, local)
    #expect(up.status == 202)
    let code = try #require(try await apps.mail(to: app.email(local)).code)
    let body = #"{"sign_up_id":"\#(up.signUpID)","email":"\#(app.email(local))","code":"\#(code)"}"#
    #expect(try await apps.client(app).post("/v1/email-verification/confirm", body).status == 200)
    apps.server.clock.advance(seconds: 60)
  }

  @Test("a sign-up answers nothing but what to do next; its mail completes it", arguments: App.allCases)
  func signUp(app: App) async throws {
    try await run { apps in
      let up = try await apps.signUp(app)
      let words = #""requirements":[{"need":"verify_email","message":"Please verify your email address"}]"#
      #expect(up.status == 202 && up.text == #"{"next":["verify_email"],\#(words),"sign_up_id":"\#(up.signUpID)"}"#)
      #expect(up.headers["set-cookie"] == nil)
      #expect(try await apps.signIn(app).code == "invalid_credentials")
      let mail = try await apps.mail(to: app.email())
      #expect(mail.subject == "\(mail.code ?? "") is your \(app.name) code" && mail.defects.isEmpty)
      let page = try await LinkPage(opening: mail.link)
      #expect(try await apps.signIn(app).code == "invalid_credentials")  // looking completes nothing
      #expect(try await page.confirm().status == 200)
      let back = try await apps.signIn(app)
      #expect(back.status == 200 && back.json["user"]?["email_verified"] == .bool(true))
      #expect(back.json.next == app.standing.verified)
      let again = try await apps.client(app).post(
        "/v1/email-verification/confirm",
        #"{"sign_up_id":"\#(up.signUpID)","email":"\#(app.email())","code":"\#(try #require(mail.code))"}"#)
      #expect(again.code == "code_used")
    }
  }

  @Test(
    "T028 a taken address gets the answer of a free one, to the byte and at the same cost; its owner gets a mail",
    arguments: App.allCases)
  func taken(app: App) async throws {
    try await run { apps in
      try await join(apps, app)
      let start = apps.server.hashesDone
      func signUp(_ local: String, _ name: String) async throws -> TestClient.Answer {
        let body =
          #"{"email":"\#(app.email(local))","password":"\#(App.otherPassword)","profile":\#(app.profile(name))}"#
        return try await apps.client(app).post("/v1/sign-up", body)
      }
      let taken = try await signUp("pat", "kim")
      let middle = apps.server.hashesDone
      let free = try await signUp("new", "tom")
      #expect(taken.unnamed == free.unnamed && taken.status == 202)
      #expect(middle - start == 1 && apps.server.hashesDone - middle == 1)
      let notice = try await apps.mail(to: app.email())
      #expect(notice.subject == "You already have a \(app.name) account" && notice.defects.isEmpty)
      #expect(notice.code == nil && notice.text.contains(app.email()))
      // The mails are of one kind to a mail server's eye, too: one each.
      #expect(try await apps.mail(to: app.email("new")).code != nil)
      #expect(try await apps.sink?.waiting == 0)
      #expect(try await apps.signIn(app, password: App.otherPassword).code == "invalid_credentials")
      #expect(try await apps.signIn(app).status == 200)
      #expect(try await apps.mail(to: app.email()).subject.hasPrefix("New sign-in"))

      // However often a client tries: one mail a minute, and always this answer.
      for _ in 0..<3 { #expect(try await signUp("pat", "kim").unnamed == taken.unnamed) }
      try await apps.server.deliverMail()
      #expect(try await apps.sink?.waiting == 0)
    }
  }

  @Test("T027 reset and resend tell nothing of an address", arguments: App.allCases, [true, false])
  func resetAndResend(app: App, hides: Bool) async throws {
    let body: (ThreeApps) async throws -> Void = { apps in
      if hides {
        try await join(apps, app)
        try await join(apps, app, "off")
      } else {
        for name in ["pat", "off", "unproven"] {
          #expect(try await apps.signUp(app, name).status == 201)
          _ = try await apps.mail(to: app.email(name))
        }
        try await Operator.verify(app, "pat", apps)
        apps.server.clock.advance(seconds: 60)
      }
      try await Operator.disable(app, "off", apps)
      let client = apps.client(app)
      for path in ["/v1/password-reset", "/v1/email-verification"] {
        var answers: [[String: String]] = []
        for name in ["pat", "off", "unproven", "nobody"] {
          // Twice: the second one falls into the cooldown.
          for _ in 0..<2 { answers.append(try await client.post(path, #"{"email":"\#(app.email(name))"}"#).unnamed) }
        }
        #expect(answers[0][":status"] == "202")
        #expect(Set(answers).count == 1, "\(path)")
      }
      #expect(try await apps.mail(to: app.email()).text.contains("Reset your password"))
      if !hides {
        let headings = [
          try await apps.mail(to: app.email("unproven")).text.split(separator: "\n").first,
          try await apps.mail(to: app.email("unproven")).text.split(separator: "\n").first,
        ]
        #expect(Set(headings).count == 2)  // one of each kind
      }
      #expect(try await apps.sink?.waiting == 0)  // nothing to other addresses
    }
    if hides { try await run(body) } else { try await ThreeApps.runWithMail(MailSink.Options(), body) }
  }

  @Test("T042 asking for a taken address as the new one looks like asking for a free one", arguments: App.allCases)
  func changeEmail(app: App) async throws {
    try await run { apps in
      try await join(apps, app)
      try await join(apps, app, "kay")
      let token = try await apps.signIn(app).json.accessToken
      let client = apps.client(app)
      func ask(_ local: String) async throws -> TestClient.Answer {
        try await client.post("/v1/me/email", #"{"email":"\#(app.email(local))"}"#, token: token)
      }
      let taken = try await ask("kay")
      #expect(try await ask("free").seen == taken.seen && taken.status == 202)
      #expect(try await apps.mail(to: app.email("kay")).subject == "You already have a \(app.name) account")
      #expect(try await apps.mail(to: app.email("free")).code != nil)
      #expect(try await apps.me(app, token).json["user"]?["email"] == .string(app.email()))
    }
  }

  @Test(
    "T042 a wrong code for a change to a taken address is answered as one to a free address, to each requester",
    arguments: App.allCases)
  func wrongCodeOfChange(app: App) async throws {
    try await run { apps in
      try await join(apps, app)
      try await join(apps, app, "kay")
      try await join(apps, app, "lee")
      let client = apps.client(app)
      let asking = try await apps.signIn(app).json.accessToken
      let beside = try await apps.signIn(app).json.accessToken
      let stranger = try await apps.signIn(app, "lee").json.accessToken
      for local in ["kay", "free"] {
        for token in [stranger, asking] {
          #expect(
            try await client.post("/v1/me/email", #"{"email":"\#(app.email(local))"}"#, token: token).status == 202)
          apps.server.clock.advance(seconds: 61)
        }
      }
      apps.server.clock.advance(seconds: 301)
      for (token, more) in [
        (asking, ""), (beside, ""), (stranger, ""), (nil, ""), (nil, #","password":"\#(App.password)""#),
        (nil, #","password":"not-the-password-7""#), (beside, #","password":"\#(App.password)""#),
      ] as [(String?, String)] {
        func confirm(_ local: String) async throws -> TestClient.Answer {
          let body = #"{"email":"\#(app.email(local))","code":"000000"\#(more)}"#
          return try await client.post("/v1/email-change/confirm", body, token: token)
        }
        let taken = try await confirm("kay")
        #expect(try await confirm("free").seen == taken.seen, "\(taken.seen)")
      }
    }
  }

  @Test("a sign-up that was never completed blocks no later sign-up", arguments: App.allCases)
  func unfinished(app: App) async throws {
    try await run { apps in
      #expect(try await apps.signUp(app, password: App.otherPassword).status == 202)
      let stranger = try #require(try await apps.mail(to: app.email()).code)
      apps.server.clock.advance(seconds: 60)
      let up = try await apps.signUp(app)
      let owner = try #require(try await apps.mail(to: app.email()).code)
      func confirm(_ code: String) async throws -> TestClient.Answer {
        try await apps.client(app).post(
          "/v1/email-verification/confirm",
          #"{"sign_up_id":"\#(up.signUpID)","email":"\#(app.email())","code":"\#(code)"}"#)
      }
      if stranger != owner { #expect(try await confirm(stranger).code == "code_invalid") }
      #expect(try await confirm(owner).status == 200)
      #expect(try await apps.signIn(app, password: App.otherPassword).code == "invalid_credentials")
      #expect(try await apps.signIn(app).status == 200)
    }
  }

  @Test("a unique field that is taken is reported at once, for every address")
  func uniqueField() async throws {
    try await run { apps in
      try await join(apps, .vibes)
      func signUp(_ email: String, _ name: String) async throws -> TestClient.Answer {
        try await apps.vibes.post(
          "/v1/sign-up", #"{"email":"\#(email)","password":"\#(App.password)","profile":{"username":"\#(name)"}}"#)
      }
      let free = try await signUp("new@example.com", "PAT")
      #expect(free.status == 422 && free.rules == ["username.unique"])
      #expect(try await signUp("pat@example.com", "PAT").seen == free.seen)
      // Of two who wait with one name, the first to prove the address gets it.
      var waiting: [String: String] = [:]
      for local in ["kay", "lou"] { waiting[local] = try await signUp("\(local)@example.com", "nova").signUpID }
      for (local, status) in [("lou", 200), ("kay", 422)] {
        let code = try #require(try await apps.mail(to: "\(local)@example.com").code)
        let body =
          #"{"sign_up_id":"\#(waiting[local] ?? "")","email":"\#(local)@example.com","code":"\#(code)"}"#
        #expect(try await apps.vibes.post("/v1/email-verification/confirm", body).status == status)
      }
      #expect(try await apps.signIn(.vibes, "kay").code == "invalid_credentials")
    }
  }
}
