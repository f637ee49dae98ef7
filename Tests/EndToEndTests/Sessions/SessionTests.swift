import Foundation
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Sessions and tokens, end to end")
struct SessionTests {
  private func refresh(_ client: TestClient, _ token: String) async throws -> TestClient.Answer {
    try await client.post("/v1/token", #"{"refresh_token":"\#(token)"}"#)
  }

  @Test("T053 T054 a refresh token works once; within the grace it gives the same child, later it ends the family")
  func rotation() async throws {
    try await ThreeApps.run { apps in
      let rider = try await apps.rider()
      let child = try await refresh(apps.ride, rider.refreshToken)
      #expect(child.status == 200 && child.json.refreshToken != rider.refreshToken)
      #expect(child.json["user"] == nil)
      let again = try await refresh(apps.ride, rider.refreshToken)
      #expect(again.json.refreshToken == child.json.refreshToken)
      apps.server.clock.advance(seconds: 31)
      let replay = try await refresh(apps.ride, rider.refreshToken)
      #expect(replay.status == 401 && replay.code == "session_revoked")
      #expect(try await refresh(apps.ride, child.json.refreshToken).code == "session_revoked")
      #expect(try await apps.ride.get("/v1/me", token: child.json.accessToken).code == "session_revoked")
    }
  }

  @Test("T054 the grandparent of a used token gets nothing within the grace, and ends the family after it")
  func grandparent() async throws {
    try await ThreeApps.run { apps in
      let rider = try await apps.rider()
      let child = try await refresh(apps.ride, rider.refreshToken)
      let grandchild = try await refresh(apps.ride, child.json.refreshToken)
      #expect(grandchild.status == 200)
      #expect(try await refresh(apps.ride, rider.refreshToken).code == "conflict")
      apps.server.clock.advance(seconds: 31)
      #expect(try await refresh(apps.ride, rider.refreshToken).code == "session_revoked")
      #expect(try await refresh(apps.ride, grandchild.json.refreshToken).code == "session_revoked")
    }
  }

  @Test("T056 a session ends at its absolute age however often it is refreshed; idle ones end sooner")
  func expiry() async throws {
    try await ThreeApps.run { apps in
      var token = try await apps.rider().refreshToken
      for _ in 0..<7 {
        apps.server.clock.advance(seconds: 55 * 86_400)
        let next = try await refresh(apps.ride, token)
        if next.status != 200 { break }
        token = next.json.refreshToken
      }
      #expect(try await refresh(apps.ride, token).code == "refresh_token_invalid")
      let idle = try await apps.rider("kay@ksu.edu")
      apps.server.clock.advance(seconds: 61 * 86_400)
      #expect(try await refresh(apps.ride, idle.refreshToken).code == "refresh_token_invalid")
    }
  }

  @Test("T057 a disabled user is refused at the next call, even where a session was left alive")
  func disabled() async throws {
    try await ThreeApps.share { apps in
      let rider = try await apps.rider()
      try await apps.server.storage.runAsSuperuser(script: "UPDATE gatehouse.account SET disabled_at = now()")
      #expect(try await apps.ride.get("/v1/me", token: rider.accessToken).code == "account_disabled")
      try await apps.server.storage.runAsSuperuser(script: "UPDATE gatehouse.account SET disabled_at = NULL")
      #expect(try await apps.ride.get("/v1/me", token: rider.accessToken).status == 200)
    }
  }

  @Test("access tokens expire, and the answer says so")
  func accessExpiry() async throws {
    try await ThreeApps.run { apps in
      let rider = try await apps.rider()
      #expect(try await apps.ride.get("/v1/me", token: rider.accessToken).status == 200)
      apps.server.clock.advance(seconds: 15 * 60 + 31)
      let expired = try await apps.ride.get("/v1/me", token: rider.accessToken)
      #expect(expired.status == 401 && expired.code == "token_expired")
      #expect(expired.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
      // Signing out still works with the refresh token.
      let out = try await apps.ride.post("/v1/sign-out", #"{"refresh_token":"\#(rider.refreshToken)"}"#)
      #expect(out.status == 204)
      #expect(try await refresh(apps.ride, rider.refreshToken).code == "session_revoked")
    }
  }

  @Test("T051 the list of devices names this one, and others can be ended")
  func devices() async throws {
    try await ThreeApps.run { apps in
      let first = try await apps.rider()
      apps.server.clock.advance(seconds: 1)
      let second = try await apps.ride.post(
        "/v1/sign-in", #"{"email":"willie@ksu.edu","password":"Wildcat1","device":{"name":"iPad"}}"#)
      let list = try await apps.ride.get("/v1/me/sessions", token: second.json.accessToken)
      let items = try #require(list.json["items"]?.array)
      #expect(items.count == 2)
      #expect(items[0]["device"]?["name"] == .string("iPad") && items[0]["current"] == .bool(true))
      let other = try #require(items[1]["id"]?.string)
      #expect(
        try await apps.ride.send("DELETE", "/v1/me/sessions/\(other)", token: second.json.accessToken).status == 204)
      #expect(try await refresh(apps.ride, first.refreshToken).code == "session_revoked")
      let push = try await apps.ride.send(
        "PUT", "/v1/me/sessions/current/push-token", #"{"push_token":"abc123","platform":"apns"}"#,
        token: second.json.accessToken)
      #expect(push.status == 204)
    }
  }

  @Test("T060 the oldest session ends when a person has more than the policy keeps")
  func tooMany() async throws {
    try await ThreeApps.run { apps in
      let first = try await apps.rider()
      for _ in 0..<10 {
        apps.server.clock.advance(seconds: 100)
        let next = try await apps.ride.post("/v1/sign-in", #"{"email":"willie@ksu.edu","password":"Wildcat1"}"#)
        #expect(next.status == 200)
      }
      #expect(try await refresh(apps.ride, first.refreshToken).code == "session_revoked")
    }
  }

  @Test("T015 changing the password asks for the old one, ends the other sessions and tells the owner")
  func changePassword() async throws {
    try await ThreeApps.run { apps in
      let one = try await apps.rider()
      let two = try await apps.ride.post("/v1/sign-in", #"{"email":"willie@ksu.edu","password":"Wildcat1"}"#).json
      let wrong = try await apps.ride.post(
        "/v1/me/password", #"{"current_password":"Wildcat2","password":"Bobcat99"}"#, token: two.accessToken)
      #expect(wrong.code == "invalid_credentials")
      let weak = try await apps.ride.post(
        "/v1/me/password", #"{"current_password":"Wildcat1","password":"bobcat"}"#, token: two.accessToken)
      #expect(weak.rules == ["password.min8", "password.upper", "password.digit"])
      apps.server.clock.advance(seconds: 1)
      let done = try await apps.ride.post(
        "/v1/me/password", #"{"current_password":"Wildcat1","password":"Bobcat99"}"#, token: two.accessToken)
      #expect(done.status == 200)
      #expect(try await refresh(apps.ride, one.refreshToken).code == "session_revoked")
      #expect(try await apps.ride.get("/v1/me", token: two.accessToken).status == 200)
      let held = try await apps.server.latestMail(to: "willie@ksu.edu")?.code == nil
      #expect(held)
    }
  }

  @Test("T042 a new address is confirmed there, the old one is told and can undo it")
  func changeEmail() async throws {
    try await ThreeApps.run { apps in
      let rider = try await apps.rider()
      try await Operator.verify(.ride, "willie", apps)
      apps.server.clock.advance(seconds: 301)
      let stale = try await apps.ride.post("/v1/me/email", #"{"email":"new@ksu.edu"}"#, token: rider.accessToken)
      #expect(stale.status == 403 && stale.code == "reauthentication_required")
      let asked = try await apps.ride.post(
        "/v1/me/email", #"{"email":"New@KSU.edu","password":"Wildcat1"}"#, token: rider.accessToken)
      #expect(asked.status == 202)
      let code = try #require(try await apps.server.latestMail(to: "new@ksu.edu")?.code)
      let confirmed = try await apps.ride.post(
        "/v1/email-change/confirm", #"{"email":"new@ksu.edu","code":"\#(code)"}"#, token: rider.accessToken)
      #expect(confirmed.json["user"]?["email"] == .string("new@ksu.edu"))
      #expect(confirmed.json["user"]?["email_verified"] == .bool(true))
      let notice = try #require(try await apps.server.latestMail(to: "willie@ksu.edu"))
      let token = try #require(notice.link?.split(separator: "=").last.map(String.init))
      #expect(try await apps.ride.post("/v1/email-change/undo", #"{"token":"\#(token)"}"#).status == 204)
      #expect(try await apps.ride.get("/v1/me", token: rider.accessToken).code == "session_revoked")
      #expect(
        try await apps.ride.post("/v1/sign-in", #"{"email":"willie@ksu.edu","password":"Wildcat1"}"#).status == 200)
    }
  }

  @Test("a deleted account is gone, and its address is free")
  func delete() async throws {
    try await ThreeApps.share { apps in
      let rider = try await apps.rider()
      #expect(try await apps.ride.send("DELETE", "/v1/me", "{}", token: rider.accessToken).status == 204)
      #expect(try await apps.ride.get("/v1/me", token: rider.accessToken).code == "session_revoked")
      #expect(try await apps.rider()["user"] != nil)
    }
  }

  @Test("a fresh proof moves auth_time within the same session")
  func reauthenticate() async throws {
    try await ThreeApps.run { apps in
      let rider = try await apps.rider()
      apps.server.clock.advance(seconds: 400)
      let proven = try await apps.ride.post(
        "/v1/reauthenticate", #"{"password":"Wildcat1"}"#, token: rider.accessToken)
      #expect(proven.status == 200)
      #expect(proven.json["session"]?["id"] == rider["session"]?["id"])
      #expect(
        try await apps.ride.post("/v1/me/email", #"{"email":"n@ksu.edu"}"#, token: proven.json.accessToken).status
          == 202)
    }
  }
}
