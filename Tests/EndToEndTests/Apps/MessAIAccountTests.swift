import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("messAI's account record")
struct MessAIAccountTests {
  private func presence(_ online: Bool, _ apps: ThreeApps) -> JSONValue {
    .object(["online": .bool(online), "last_seen": .string(Timestamp(apps.server.clock.now).description)])
  }

  @Test("sign in sets online and last seen, sign out unsets it, and the others see both")
  func presence() async throws {
    try await ThreeApps.run { apps in
      let al = try await apps.signUp(.messai, "al").json
      let bo = try await apps.signUp(.messai, "bo").json
      func seen() async throws -> JSONValue? {
        try await apps.messai.get("/v1/users/\(al.userID)", token: bo.accessToken).json["presence"]
      }
      var expected = presence(true, apps)
      #expect(al["user"]?["presence"] == expected)
      #expect(try await seen() == expected)
      apps.server.clock.advance(seconds: 90)
      #expect(try await seen() == expected)  // time alone moves nothing
      #expect(try await apps.messai.post("/v1/sign-out", token: al.accessToken).status == 204)
      expected = presence(false, apps)
      #expect(try await seen() == expected)
      apps.server.clock.advance(seconds: 200)
      let back = try await apps.signIn(.messai, "al").json
      expected = presence(true, apps)
      #expect(back["user"]?["presence"] == expected)
      #expect(try await seen() == expected)
      apps.server.clock.advance(seconds: 10)
      let away = try await apps.messai.send("PUT", "/v1/me/presence", #"{"online":false}"#, token: back.accessToken)
      expected = presence(false, apps)
      #expect(away.json["presence"] == expected)
      #expect(try await seen() == expected)
    }
  }

  @Test("a user whose sessions were all ended is not shown online", arguments: ["reset", "disable", "undo", "revoke"])
  func endedSessions(how: String) async throws {
    try await ThreeApps.run { apps in
      let al = try await apps.signUp(.messai, "al").json
      let bo = try await apps.signUp(.messai, "bo").json
      #expect(al["user"]?["presence"]?["online"] == .bool(true))
      try await PresenceAfter.end(how, apps)
      let code = how == "disable" ? "account_disabled" : "session_revoked"
      #expect(try await apps.refresh(.messai, al.refreshToken).code == code)
      let path = "/v1/users/\(al.userID)"
      if how == "disable" {
        // Who is switched off is not there at all; and was offline all the time once they are back.
        #expect(try await apps.messai.get(path, token: bo.accessToken).code == "not_found")
        try await Operator.disable(.messai, "al", apps, disabled: false)
      }
      let seen = try await apps.messai.get(path, token: bo.accessToken)
      #expect(seen.json["presence"]?["online"] == .bool(false))
    }
  }

  @Test("other signed-in people read name, photo and presence, and not one name more")
  func publicProfile() async throws {
    try await ThreeApps.share { apps in
      let al = try await apps.signUp(.messai, "al").json
      let bo = try await apps.signUp(.messai, "bo").json
      let photo = #"{"profile":{"photoURL":"https://example.com/al.jpg","displayName":"  Al B  "}}"#
      #expect(try await apps.messai.send("PATCH", "/v1/me", photo, token: al.accessToken).status == 200)
      let push = #"{"push_token":"push-canary","platform":"fcm"}"#
      let kept = try await apps.messai.send(
        "PUT", "/v1/me/sessions/current/push-token", push, token: al.accessToken)
      #expect(kept.status == 204)
      let one = try await apps.messai.get("/v1/users/\(al.userID)", token: bo.accessToken)
      let several = try await apps.messai.get("/v1/users?ids=\(al.userID)", token: bo.accessToken)
      for (seen, text) in [(one.json, one.text), (several.json["items"]?.array?.first, several.text)] {
        #expect(seen?.names == ["id", "profile", "presence"])
        let profile: JSONValue = .object([
          "displayName": .string("Al B"), "photoURL": .string("https://example.com/al.jpg"),
        ])
        #expect(seen?["profile"] == profile)
        #expect(seen?["presence"]?.names == ["online", "last_seen"])
        #expect(!text.contains(App.messai.email("al")) && !text.contains("push-canary"))
      }
      // The push token is not even in one's own record.
      let own = try await apps.messai.get("/v1/me/sessions", token: al.accessToken).text
      let record = try await apps.me(.messai, al.accessToken).text
      #expect(!own.contains("push-canary") && !record.contains("push-canary"))
    }
  }

  @Test("people of another app, people who left and clients without a session see no user")
  func strangers() async throws {
    try await ThreeApps.share { apps in
      let al = try await apps.signUp(.messai, "al").json
      let bo = try await apps.signUp(.messai, "bo").json
      let path = "/v1/users/\(al.userID)"
      let rider = try await apps.rider()
      #expect(try await apps.messai.get(path, token: rider.accessToken).code == "unauthenticated")
      #expect(try await apps.messai.get(path).code == "unauthenticated")
      #expect(try await apps.messai.send("DELETE", "/v1/me", token: al.accessToken).status == 204)
      #expect(try await apps.messai.get(path, token: bo.accessToken).code == "not_found")
      #expect(
        try await apps.messai.get("/v1/users?ids=\(al.userID)", token: bo.accessToken).json["items"] == .array([]))
    }
  }

  @Test("the one rule of today says its number, and the sentence that the app shows")
  func weakPassword() async throws {
    try await ThreeApps.run(at: Date(timeIntervalSince1970: 1_796_083_200)) { apps in
      let weak = try await apps.signUp(.messai, password: "kt49x")
      #expect(weak.status == 422 && weak.rules == ["password.min6"])
      let error = try #require(weak.json["errors"]?.array?.first)
      #expect(error["pointer"] == .string("/password") && error["params"]?["min"] == .integer(6))
      #expect(error["message"] == .string("At least 6 characters"))
      let policy = try #require(apps.server.services.registry.snapshot("messai")).policy
      let rule = try #require(policy.password.rules.first { $0.id == "password.min6" })
      let sentence = Catalogue.texts(of: rule, form: .sentence).text(in: ["en"])
      #expect(sentence == "Password must be at least 6 characters.")
      #expect(try await apps.signUp(.messai, password: "kt49xw").status == 201)
    }
  }

  @Test("a display name has two characters and no spaces around, at sign-up and later")
  func displayName() async throws {
    try await ThreeApps.share { apps in
      let up = try await apps.messai.post(
        "/v1/sign-up", #"{"email":"al@example.com","password":"Kq7!vmTz9","profile":{"displayName":"  Al  "}}"#)
      #expect(up.json["user"]?["profile"]?["displayName"] == .string("Al"))
      for (name, rule) in [(" B ", "displayName.min_length"), ("   ", "displayName.required")] {
        let body = #"{"profile":{"displayName":"\#(name)"}}"#
        let refused = try await apps.messai.send("PATCH", "/v1/me", body, token: up.json.accessToken)
        #expect(refused.status == 422 && refused.rules == [rule])
      }
      let body = #"{"profile":{"displayName":" Bo "}}"#
      let changed = try await apps.messai.send("PATCH", "/v1/me", body, token: up.json.accessToken)
      #expect(changed.json["user"]?["profile"]?["displayName"] == .string("Bo"))
      #expect(try await apps.me(.messai, up.json.accessToken).json == changed.json)
    }
  }

  @Test("email verification exists and gates nothing")
  func verificationDoesNotGate() async throws {
    try await ThreeApps.runWithMail { apps in
      let up = try await apps.signUp(.messai).json
      #expect(up["access"] == .string("full") && up.next.isEmpty)
      #expect(up["user"]?["email_verified"] == .bool(false))
      #expect(try await apps.messai.get("/v1/users/\(up.userID)", token: up.accessToken).status == 200)
      #expect(try await LinkPage(opening: try await apps.mail(to: App.messai.email()).link).confirm().status == 200)
      let later = try await apps.refresh(.messai, up.refreshToken).json
      #expect(try Token.claims(of: later.accessToken)["email_verified"] == .bool(true))
      #expect(try Token.claims(of: up.accessToken)["email_verified"] == .bool(false))
      let again = try await apps.messai.post("/v1/email-verification", token: later.accessToken)
      #expect(again.status == 409 && again.code == "conflict")
    }
  }
}

/// Ways in which all of a person's sessions end at once.
enum PresenceAfter {
  static func end(_ how: String, _ apps: ThreeApps) async throws {
    apps.server.clock.advance(seconds: 1)  // the newest mail is told by its time
    switch how {
    case "reset":
      #expect(try await apps.messai.post("/v1/password-reset", #"{"email":"al@example.com"}"#).status == 202)
      let link = try await apps.server.latestMail(to: "al@example.com")?.link
      #expect(try await LinkPage(opening: link).setPassword(App.otherPassword).status == 200)
    case "undo":
      try await Operator.verify(.messai, "al", apps)
      let token = try await apps.signIn(.messai, "al").json.accessToken
      apps.server.clock.advance(seconds: 1)  // after the notice of the new device
      #expect(try await apps.messai.post("/v1/me/email", #"{"email":"n@example.com"}"#, token: token).status == 202)
      let new = try await apps.server.latestMail(to: "n@example.com")?.link
      #expect(try await LinkPage(opening: new).confirm().status == 200)
      let old = try await apps.server.latestMail(to: "al@example.com")?.link
      #expect(try await LinkPage(opening: old).press("&word=UNDO").status == 200)
    case "revoke": try await Operator.revoke(.messai, "al", apps)
    default: try await Operator.disable(.messai, "al", apps)
    }
  }
}
