import Foundation
import GatehouseOutbound
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("DD Ride's three states: signed out, not verified, signed in")
struct DDRideAccessTests {
  private let app = App.ride

  @Test("an unverified user is signed in, limited, and told the missing step, at sign-up and at sign-in")
  func limited() async throws {
    try await ThreeApps.share { apps in
      for answer in [try await apps.signUp(app), try await apps.signIn(app)] {
        #expect(answer.json["access"] == .string("limited") && answer.json.next == ["verify_email"])
        let claims = try Token.claims(of: answer.json.accessToken)
        #expect(claims["access"] == .string("limited") && claims["email_verified"] == .bool(false))
      }
      let me = try await apps.signIn(app).json
      // Allowed: the own record, the own sessions, the own password, leaving.
      #expect(try await apps.me(app, me.accessToken).status == 200)
      let patch = #"{"profile":{"name":"Will"}}"#
      #expect(try await apps.ride.send("PATCH", "/v1/me", patch, token: me.accessToken).status == 200)
      #expect(try await apps.ride.get("/v1/me/sessions", token: me.accessToken).status == 200)
      let presence = try await apps.ride.send("PUT", "/v1/me/presence", #"{"online":false}"#, token: me.accessToken)
      #expect(presence.status == 200)
      let change = #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#
      #expect(try await apps.ride.post("/v1/me/password", change, token: me.accessToken).status == 200)
      // Refused: other people, with what is missing.
      for path in ["/v1/users/\(me.userID)", "/v1/users?ids=\(me.userID)", "/v1/users"] {
        let refused = try await apps.ride.get(path, token: me.accessToken)
        #expect(refused.status == 403 && refused.code == "access_limited", "\(path)")
        #expect(refused.json.next == ["verify_email"])
      }
      #expect(try await apps.ride.send("DELETE", "/v1/me", "{}", token: me.accessToken).status == 204)
    }
  }

  @Test("verified in a browser while the app shows the verification screen: asking again is enough")
  func inBrowser() async throws {
    try await ThreeApps.runWithMail { apps in
      let up = try await apps.signUp(app).json
      let mail = try await apps.mail(to: app.email())
      #expect(try await apps.me(app, up.accessToken).json.next == ["verify_email"])  // "I've verified": not yet
      #expect(try await LinkPage(opening: mail.link).confirm().status == 200)
      let me = try await apps.me(app, up.accessToken).json
      #expect(me["access"] == .string("full") && me.next.isEmpty)
      #expect(me["user"]?["email_verified"] == .bool(true))
      // The token in hand opens what it did not open before; the next one says so itself.
      #expect(try await apps.ride.get("/v1/users/\(up.userID)", token: up.accessToken).status == 200)
      let next = try await apps.refresh(app, up.refreshToken).json
      #expect(next["access"] == .string("full"))
      #expect(try Token.claims(of: next.accessToken)["access"] == .string("full"))
      let again = try await apps.ride.post("/v1/email-verification", token: next.accessToken)
      #expect(again.status == 409)
    }
  }

  @Test("the app was closed during verification: hours later the code is dead, the link is not, and a new code works")
  func appClosed() async throws {
    try await ThreeApps.runWithMail { apps in
      _ = try await apps.signUp(app)
      let mail = try await apps.mail(to: app.email())
      apps.server.clock.advance(seconds: 600)
      func confirm(_ code: String?) async throws -> TestClient.Answer {
        try await apps.ride.post(
          "/v1/email-verification/confirm",
          #"{"email":"\#(app.email())","code":"\#(try #require(code))","password":"\#(App.password)"}"#)
      }
      #expect(try await confirm(mail.code).code == "code_expired")
      apps.server.clock.advance(seconds: 86_400 - 601)
      let back = try await apps.signIn(app).json
      #expect(back.next == ["verify_email"])
      #expect(try await apps.mail(to: app.email()).subject.hasPrefix("New sign-in"))
      let page = try await LinkPage(opening: mail.link)
      apps.server.clock.advance(seconds: 1)
      let late = try await page.confirm()
      #expect(late.status == 400 && late.text.contains("expired"))
      #expect(try await apps.ride.post("/v1/email-verification", token: back.accessToken).status == 202)
      #expect(try await confirm(try await apps.mail(to: app.email()).code).status == 200)
      #expect(try await apps.me(app, back.accessToken).json["access"] == .string("full"))
    }
  }

  @Test(
    "each rule of the password has its own answer",
    arguments: [
      ("Wildca1", "password.min8", "At least 8 characters"), ("wildcat1", "password.upper", "uppercase"),
      ("WILDCAT1", "password.lower", "lowercase"), ("Wildcats", "password.digit", "number"),
    ])
  func password(password: String, rule: String, words: String) async throws {
    try await ThreeApps.share { apps in
      let up = try await apps.signUp(app, password: password)
      #expect(up.status == 422 && up.rules == [rule])
      #expect(up.json["errors"]?.array?.first?["message"]?.string?.contains(words) == true, "\(up.text)")
      #expect(up.json["errors"]?.array?.first?["pointer"] == .string("/password"))
      let spanish = try await apps.ride.send(
        "POST", "/v1/sign-up", app.signUp(password: password), headers: ["Accept-Language": "es"])
      #expect(spanish.json["errors"]?.array?.first?["message"] != up.json["errors"]?.array?.first?["message"])
      #expect(spanish.json["title"] == .string("Revisa el formulario"))
    }
  }

  @Test("an administrator may list and change, but only what the policy lists, and only while they are one")
  func administrators() async throws {
    try await ThreeApps.run { apps in
      let ann = try await apps.signUp(app, "ann").json
      apps.server.clock.advance(seconds: 1)  // lists go by time
      let bo = try await apps.signUp(app, "bo").json
      // The role alone makes no administrator: full access is needed besides.
      try await Operator.set(app, "ann", ["role": .string("admin")], apps)
      #expect(try await apps.ride.get("/v1/users", token: ann.accessToken).code == "access_limited")
      try await Operator.verify(app, "ann", apps)
      try await Operator.verify(app, "bo", apps)
      let list = try await apps.ride.get("/v1/users?limit=1", token: ann.accessToken).json
      #expect(list["items"]?.array?.count == 1)
      let cursor = try #require(list["next_cursor"]?.string)
      let rest = try await apps.ride.get("/v1/users?limit=1&cursor=\(cursor)", token: ann.accessToken).json
      #expect(rest["items"]?.array?.first?["email"] == .string(app.email("ann")))
      let record = try await apps.ride.get("/v1/users/\(bo.userID)", token: ann.accessToken)
      #expect(record.json["email"] == .string(app.email("bo")) || record.json["user"] != nil)
      // A member sees no list and no address.
      #expect(try await apps.ride.get("/v1/users", token: bo.accessToken).code == "forbidden")
      let seen = try await apps.ride.get("/v1/users/\(ann.userID)", token: bo.accessToken)
      #expect(seen.status == 200 && seen.json.names == ["id", "profile", "presence"] && !seen.text.contains("ksu.edu"))
      let disable = try await apps.ride.send(
        "PATCH", "/v1/users/\(bo.userID)", #"{"disabled":true}"#, token: ann.accessToken)
      #expect(disable.code == "forbidden")
      try await Operator.set(app, "ann", ["role": .string("member")], apps)
      #expect(try await apps.ride.get("/v1/users", token: ann.accessToken).code == "forbidden")
    }
  }
}
