import Foundation
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("What every app relies on")
struct EveryAppTests {
  @Test("sign-up, sign-out, sign-in: each state follows at once, and it is the same person", arguments: App.allCases)
  func states(app: App) async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.signUp(app)
      #expect(up.status == 201 && up.json["token_type"] == .string("Bearer"))
      #expect(up.json.next == app.standing.new && (up.json["access"] == .string("full")) == app.standing.new.isEmpty)
      let me = try await apps.me(app, up.json.accessToken)
      #expect(me.status == 200 && me.json["user"] == up.json["user"] && me.json.next == up.json.next)
      // Sign-in right after sign-up, on a second device; it starts from the same record.
      let second = try await apps.signIn(app).json
      #expect(second["user"]?["profile"] == up.json["user"]?["profile"] && second.userID == up.json.userID)

      #expect(try await apps.client(app).post("/v1/sign-out", token: up.json.accessToken).status == 204)
      let gone = try await apps.me(app, up.json.accessToken)
      #expect(gone.status == 401 && gone.code == "session_revoked")
      #expect(try await apps.refresh(app, up.json.refreshToken).code == "session_revoked")
      // Signing out twice is no error: the person wanted it gone.
      #expect(try await apps.client(app).post("/v1/sign-out", token: up.json.accessToken).status == 204)
      #expect(try await apps.me(app, second.accessToken).status == 200)
      #expect(try await apps.signIn(app).json.userID == up.json.userID)
    }
  }

  @Test("a user stays signed in over weeks, and when app and server start again", arguments: App.allCases)
  func staysSignedIn(app: App) async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.signUp(app).json
      await apps.server.stop()
      try await apps.withSibling { apps in
        apps.server.clock.advance(seconds: 50 * 86_400)
        let body = #"{"refresh_token":"\#(up.refreshToken)","include":"user"}"#
        let back = try await apps.client(app).post("/v1/token", body)
        #expect(back.status == 200 && back.json["user"]?["profile"] == up["user"]?["profile"])
        #expect(back.json["session"] == up["session"] && back.json.next == up.next)
        // Access tokens expire silently: the old one is of no use, the new one is.
        #expect(try await apps.me(app, up.accessToken).code == "token_expired")
        #expect(try await apps.me(app, back.json.accessToken).status == 200)
      }
    }
  }

  @Test("each cause has one clear error, in the words that the apps show", arguments: App.allCases)
  func errors(app: App) async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.signUp(app).json
      let client = apps.client(app)
      func title(_ answer: TestClient.Answer, _ status: Int, _ code: String) -> String {
        #expect(answer.status == status && answer.code == code)
        #expect(answer.headers["content-type"] == "application/problem+json")
        return answer.json["title"]?.string ?? ""
      }
      let taken = try await client.post("/v1/sign-up", app.signUp().replacing("pat@", with: "PAT@"))
      #expect(title(taken, 409, "account_exists") == "This email is already registered.")
      let wrong = try await apps.signIn(app, password: App.otherPassword)
      #expect(title(wrong, 401, "invalid_credentials") == app.wrongCredentials)
      let unknown = try await apps.signIn(app, "nobody")
      #expect(unknown.seen == wrong.seen)
      let anonymous = try await client.get("/v1/me")
      #expect(title(anonymous, 401, "unauthenticated") == "You must be signed in to continue")
      apps.server.clock.advance(seconds: 931)
      let expired = try await apps.me(app, up.accessToken)
      #expect(title(expired, 401, "token_expired") == "Session expired. Please sign in again")
      let form = try await client.post("/v1/sign-up")
      #expect(title(form, 422, "validation_failed") == "Please check the form")
      #expect(form.rules.starts(with: ["email.required", "password.required"]) && form.rules.count > 2)
      let address = try await client.post(
        "/v1/sign-up", #"{"email":"pat","password":"\#(App.password)","profile":\#(app.profile())}"#)
      #expect(address.rules == ["email.syntax"])
      #expect(address.json["errors"]?.array?.first?["message"]?.string?.isEmpty == false)
    }
  }

  @Test("the checklist shown while a user types agrees with the sign-up", arguments: App.allCases)
  func checklist(app: App) async throws {
    try await ThreeApps.share { apps in
      let client = apps.client(app)
      let policy = try await client.get("/v1/policy").json
      let rules = policy["rules"]?.array ?? []
      let known = Set(rules.compactMap { $0["id"]?.string })
      #expect(policy["password"]?["passwordrules"]?.string?.contains("minlength: ") == true)
      #expect(rules.allSatisfy { $0["message"]?.string?.isEmpty == false })
      var strengths: [Int64] = []
      for password in ["k", "kt49", "kt49xw", "kt49xwmz", "Kt49xwmz", App.password, "vexing-Walnut-73-parachute!"] {
        let body = #"{"password":"\#(password)","email":"\#(app.email())","profile":\#(app.profile())}"#
        let check = try await client.post("/v1/password-check", body)
        let rows = check.json["rules"]?.array ?? []
        func ids(_ verdict: String) -> [String] {
          rows.filter { $0["verdict"] == .string(verdict) }.compactMap { $0["rule"]?.string }
        }
        let up = try await client.post("/v1/sign-up", app.signUp("pat\(strengths.count)", password: password))
        #expect(up.rules == ids("fail"), "\(password)")
        #expect((up.status == 201) == (check.json["ok"] == .bool(true)))
        if up.status == 201 { #expect(up.json.warnings == ids("warn"), "\(password)") }
        #expect(known.isSuperset(of: rows.compactMap { $0["rule"]?.string }))
        strengths.append(check.json["score"]?.integer ?? -1)
      }
      #expect(strengths == strengths.sorted() && strengths.first == 0 && strengths.last == 4)
    }
  }

  @Test("one's own record is exported by reading it, changed in part, and gone when deleted", arguments: App.allCases)
  func record(app: App) async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.signUp(app).json
      let client = apps.client(app)
      let names: Set<String> = [
        "id", "email", "email_verified", "disabled", "profile", "presence", "links", "created_at", "updated_at",
      ]
      #expect(up["user"]?.names == names)
      let fields: Set<String> =
        switch app {
        case .messai: ["displayName", "photoURL"]
        case .ride: ["name", "phoneNumber", "classYear", "role", "chapterId"]
        case .vibes: ["username"]
        }
      #expect(up["user"]?["profile"]?.names.isSubset(of: fields) == true)
      apps.server.clock.advance(seconds: 5)
      let changed = try await client.send(
        "PATCH", "/v1/me", #"{"profile":\#(app.profile("  kim  "))}"#, token: up.accessToken)
      #expect(changed.status == 200)
      let field = app == .messai ? "displayName" : app == .ride ? "name" : "username"
      #expect(changed.json["user"]?["profile"]?[field] == .string("kim"))
      #expect(changed.json["user"]?["updated_at"] != up["user"]?["updated_at"])
      #expect(changed.json["user"]?["created_at"] == up["user"]?["created_at"])
      let unknown = try await client.send("PATCH", "/v1/me", #"{"profile":{"nick":"p"}}"#, token: up.accessToken)
      #expect(unknown.status == 422 && unknown.rules == ["nick.unknown"])
      #expect(try await client.send("DELETE", "/v1/me", "{}", token: up.accessToken).status == 204)
      #expect(try await apps.signIn(app).code == "invalid_credentials")
      #expect(try await apps.signUp(app).json.userID != up.userID)
    }
  }

  @Test("every other device can be signed out, or all of them", arguments: App.allCases)
  func signOutElsewhere(app: App) async throws {
    try await ThreeApps.share { apps in
      let phone = try await apps.signUp(app).json
      let tablet = try await apps.signIn(app).json
      let client = apps.client(app)
      let others = try await client.post("/v1/sign-out", #"{"scope":"others"}"#, token: tablet.accessToken)
      #expect(others.status == 204)
      #expect(try await apps.refresh(app, phone.refreshToken).code == "session_revoked")
      let still = try await apps.me(app, tablet.accessToken)
      #expect(still.status == 200 && still.json["user"]?["presence"]?["online"] == .bool(true))
      let again = try await apps.signIn(app).json
      #expect(try await client.post("/v1/sign-out", #"{"scope":"all"}"#, token: again.accessToken).status == 204)
      #expect(try await apps.refresh(app, tablet.refreshToken).code == "session_revoked")
      #expect(try await apps.me(app, again.accessToken).code == "session_revoked")
    }
  }

  @Test("a token of a session that is gone ends no other session and shows no user offline", arguments: App.allCases)
  func endedTokens(app: App) async throws {
    try await ThreeApps.share { apps in
      let lost = try await apps.signUp(app).json
      let phone = try await apps.signIn(app).json
      let client = apps.client(app)
      #expect(try await client.post("/v1/sign-out", #"{"scope":"others"}"#, token: phone.accessToken).status == 204)
      #expect(try await client.post("/v1/sign-out", token: lost.accessToken).status == 204)  // it is gone, as wanted
      for scope in ["all", "others"] {
        let refused = try await client.post("/v1/sign-out", #"{"scope":"\#(scope)"}"#, token: lost.accessToken)
        #expect(refused.status == 401 && refused.code == "session_revoked", "\(scope)")
      }
      let me = try await apps.me(app, phone.accessToken)
      #expect(me.status == 200 && me.json["user"]?["presence"]?["online"] == .bool(true))
    }
  }
}
