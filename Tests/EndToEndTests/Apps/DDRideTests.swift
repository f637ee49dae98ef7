import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("DD Ride, end to end")
struct DDRideTests {
  @Test("everything is stored as the policy normalises it")
  func normalised() async throws {
    try await ThreeApps.share { apps in
      let up = try await apps.ride.post(
        "/v1/sign-up",
        #"{"email":"Willie@KSU.edu","password":"Wildcat1","profile":{"name":"  Willie W ","phoneNumber":"(785) 555-0123"}}"#
      )
      #expect(up.status == 201)
      let user = up.json["user"]
      #expect(user?["email"] == .string("willie@ksu.edu"))
      #expect(user?["profile"]?["name"] == .string("Willie W"))
      #expect(user?["profile"]?["phoneNumber"] == .string("+17855550123"))
      #expect(user?["profile"]?["role"] == .string("member"))
      #expect(user?["profile"]?["classYear"] == .integer(1))
      #expect(up.json["access"] == .string("limited"))
      #expect(up.json.next == ["verify_email"])
    }
  }

  @Test(
    "look-alikes of the university's domain are refused at every door",
    arguments: ["w@ksu.edu.evil.com", "w@notksu.edu", "w@mail.ksu.edu", "w@gmail.com"])
  func domains(email: String) async throws {
    try await ThreeApps.share { apps in
      let up = try await apps.ride.post(
        "/v1/sign-up",
        #"{"email":"\#(email)","password":"Wildcat1","profile":{"name":"W","phoneNumber":"7855550123"}}"#)
      #expect(up.status == 422 && up.rules == ["email.allowed_domains"])
      #expect(up.json["errors"]?.array?.first?["message"] == .string("Use your K-State email (ends in @ksu.edu)."))
      let reset = try await apps.ride.post("/v1/password-reset", #"{"email":"\#(email)"}"#)
      #expect(reset.status == 422 && reset.rules == ["email.allowed_domains"])
      let rider = try await apps.rider()
      let change = try await apps.ride.post("/v1/me/email", #"{"email":"\#(email)"}"#, token: rider.accessToken)
      #expect(change.status == 422 && change.rules == ["email.allowed_domains"])
    }
  }

  @Test("all problems come at once, in the order of the form")
  func allAtOnce() async throws {
    try await ThreeApps.share { apps in
      let refused = try await apps.ride.post(
        "/v1/sign-up", #"{"email":"w@ksu.edu","password":"wild","profile":{"name":"   "}}"#)
      #expect(refused.status == 422)
      #expect(
        refused.rules == [
          "password.min8", "password.upper", "password.digit", "name.required", "phoneNumber.required",
        ])
    }
  }

  @Test("T043 no user can make themselves administrator", arguments: ["role\":\"admin", "chapterId\":\"KAPPA"])
  func adminFields(field: String) async throws {
    try await ThreeApps.share { apps in
      let up = try await apps.ride.post(
        "/v1/sign-up",
        #"{"email":"w@ksu.edu","password":"Wildcat1","profile":{"name":"W","phoneNumber":"7855550123","\#(field)"}}"#)
      #expect(up.status == 422)
      #expect(up.rules.count == 1 && up.rules[0].hasSuffix(".write"))
      let rider = try await apps.rider()
      let patch = try await apps.ride.send(
        "PATCH", "/v1/me", "{\"profile\":{\"\(field)\"}}", token: rider.accessToken)
      #expect(patch.status == 422 && patch.rules == up.rules)
    }
  }

  @Test("an unverified person is limited until the code is typed; the cooldown is the server's")
  func verification() async throws {
    try await ThreeApps.run { apps in
      let rider = try await apps.rider()
      let early = try await apps.ride.post("/v1/email-verification", token: rider.accessToken)
      #expect(early.status == 429 && early.code == "cooldown")
      #expect(early.headers["retry-after"] == "60")
      let limited = try await apps.ride.get("/v1/users/\(rider.userID)", token: rider.accessToken)
      #expect(limited.status == 403 && limited.code == "access_limited" && limited.json.next == ["verify_email"])
      let first = try #require(try await apps.server.latestMail(to: "willie@ksu.edu")?.code)
      let wrong = first == "000000" ? "000001" : "000000"
      let no = try await apps.ride.post(
        "/v1/email-verification/confirm", #"{"email":"willie@ksu.edu","code":"\#(wrong)"}"#, token: rider.accessToken)
      #expect(no.status == 400 && no.code == "code_invalid")
      apps.server.clock.advance(seconds: 60)
      #expect(try await apps.ride.post("/v1/email-verification", token: rider.accessToken).status == 202)
      let second = try #require(try await apps.server.latestMail(to: "willie@ksu.edu")?.code)
      // T035: the newer mail voids the older code.
      if first != second {
        #expect(
          try await apps.ride.post(
            "/v1/email-verification/confirm", #"{"email":"willie@ksu.edu","code":"\#(first)"}"#,
            token: rider.accessToken
          ).code == "code_invalid")
      }
      let yes = try await apps.ride.post(
        "/v1/email-verification/confirm", #"{"email":"willie@ksu.edu","code":"\#(second)"}"#, token: rider.accessToken)
      #expect(yes.status == 200 && yes.json["email_verified"] == .bool(true))
      // The app asks again with the token it has: verified in a browser, seen at once.
      let me = try await apps.ride.get("/v1/me", token: rider.accessToken)
      #expect(me.json["access"] == .string("full") && me.json.next.isEmpty)
    }
  }

  @Test("T033 five tries at a code, then it is dead")
  func codeTries() async throws {
    try await ThreeApps.share { apps in
      let token = try await apps.rider().accessToken
      let code = try #require(try await apps.server.latestMail(to: "willie@ksu.edu")?.code)
      let wrong = code == "111111" ? "222222" : "111111"
      for _ in 0..<5 {
        _ = try await apps.ride.post(
          "/v1/email-verification/confirm", #"{"email":"willie@ksu.edu","code":"\#(wrong)"}"#, token: token)
      }
      let right = try await apps.ride.post(
        "/v1/email-verification/confirm", #"{"email":"willie@ksu.edu","code":"\#(code)"}"#, token: token)
      #expect(right.code == "code_invalid")
    }
  }

  @Test("an operator's admin fields go into the token, and make an administrator")
  func administrator() async throws {
    try await ThreeApps.share { apps in
      let rider = try await apps.rider()
      let other = try await apps.rider("kay@ksu.edu")
      try await Operator.verify(.ride, "willie", apps)
      try await Operator.set(.ride, "willie", ["role": "admin", "chapterId": "KAPPA"], apps)
      let list = try await apps.ride.get("/v1/users?query=kay", token: rider.accessToken)
      #expect(list.status == 200)
      #expect(list.json["items"]?.array?.first?["email"] == .string("kay@ksu.edu"))
      let patched = try await apps.ride.send(
        "PATCH", "/v1/users/\(other.userID)", #"{"profile":{"classYear":3}}"#, token: rider.accessToken)
      #expect(patched.status == 200)
      #expect(patched.json["user"]?["profile"]?["classYear"] == .integer(3))
      let refused = try await apps.ride.send(
        "PATCH", "/v1/users/\(other.userID)", #"{"disabled":true}"#, token: rider.accessToken)
      #expect(refused.code == "forbidden")  // the policy does not list `disable`
    }
  }
}
