import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("DD Ride's account record")
struct DDRideAccountTests {
  @Test("every spelling of a number is stored alike, at sign-up and later; anything else is refused")
  func phones() async throws {
    try await ThreeApps.share { apps in
      func body(_ index: Int, _ phone: String) -> String {
        #"{"email":"p\#(index)@ksu.edu","password":"Wildcat1","profile":{"name":"P","phoneNumber":"\#(phone)"}}"#
      }
      let taken = [
        "(555) 123-4567", "555-123-4567", "1 555 123 4567", "5551234567", "+1 555.123.4567", "٥٥٥١٢٣٤٥٦٧",
      ]
      for (index, phone) in taken.enumerated() {
        let up = try await apps.ride.post("/v1/sign-up", body(index, phone))
        #expect(up.json["user"]?["profile"]?["phoneNumber"] == .string("+15551234567"), "\(phone)")
      }
      let token = try await apps.rider().accessToken
      let refused = [
        "555-0123", "55512345678", "2 555 123 4567", "+44 20 7946 0958", "555-123-4567 x9", "555-CALL-NOW", "",
        "٥٥٥١٢٣٤٥٦", "+1 1 555 123 4567", "555123456",
      ]
      for phone in refused {
        let up = try await apps.ride.post("/v1/sign-up", body(9, phone))
        let rule = phone.isEmpty ? "phoneNumber.required" : "phoneNumber.format"
        #expect(up.status == 422 && up.rules == [rule], "\(phone)")
        let patch = #"{"profile":{"phoneNumber":"\#(phone)"}}"#
        let changed = try await apps.ride.send("PATCH", "/v1/me", patch, token: token)
        #expect(changed.status == 422 && changed.rules == [rule], "\(phone)")
      }
      let patch = #"{"profile":{"phoneNumber":"1 555 123 4567"}}"#
      let changed = try await apps.ride.send("PATCH", "/v1/me", patch, token: token)
      #expect(changed.json["user"]?["profile"]?["phoneNumber"] == .string("+15551234567"))
    }
  }

  @Test("the university's domain holds for operators too, and when the policy changed after the mail")
  func domainAtOtherDoors() async throws {
    try await ThreeApps.run { apps in
      let profile: [String: FieldValue] = ["name": .string("W"), "phoneNumber": .string("7855550123")]
      for email in ["w@ksu.edu.evil.com", "w@notksu.edu", "w@sub.ksu.edu"] {
        let refusal = await #expect(throws: Refusal.self) {
          try await Operator.create(email, profile, in: "dd-ride", apps.server)
        }
        #expect(refusal?.violations.map(\.rule) == ["email.allowed_domains"], "\(email)")
        #expect(try await apps.server.mailCount(to: email) == 0)
      }
      // Addresses are found in any case: stored is only one.
      try await Operator.create("W@KSU.EDU", profile, in: "dd-ride", apps.server)
      #expect(try await apps.server.mailCount(to: "w@ksu.edu") == 1)
      #expect(try await apps.rider("w@ksu.edu")["code"] == .string("account_exists"))

      // A change of address that was asked for under an older policy is judged by the newest.
      let rider = try await apps.rider()
      let asked = try await apps.ride.post("/v1/me/email", #"{"email":"new@ksu.edu"}"#, token: rider.accessToken)
      #expect(asked.status == 202)
      let text = try TestLists.policy("dd-ride")
      let rules = String(text[..<(try #require(text.range(of: "\ntests:")).lowerBound)])
      let other = rules.replacing("allowed_domains: [ksu.edu]", with: "allowed_domains: [k-state.edu]") + "\n"
      _ = try await apps.server.apply(other, to: "dd-ride", allowsWeaker: true)
      try await TenantLoader(apps.server.services).loadAll()
      let code = try #require(try await apps.server.latestMail(to: "new@ksu.edu")?.code)
      let late = try await apps.ride.post(
        "/v1/email-change/confirm", #"{"email":"new@ksu.edu","code":"\#(code)"}"#, token: rider.accessToken)
      #expect(late.status != 200)
      #expect(try await apps.me(.ride, rider.accessToken).json["user"]?["email"] == .string("willie@ksu.edu"))
    }
  }

  @Test("T043 fields of administrators refuse every other writer: at any door, in any spelling, even with no change")
  func adminFields() async throws {
    try await ThreeApps.share { apps in
      let rider = try await apps.rider()
      try await Operator.verify(.ride, "willie", apps)
      let fields = [
        (#""role":"admin""#, "role.write"), (#""role":"member""#, "role.write"),
        (#""chapterId":"KAPPA""#, "chapterId.write"), (#""chapterId":"""#, "chapterId.write"),
        (#""role":null"#, "role.write"),
      ]
      for (field, rule) in fields {
        let up = try await apps.ride.post(
          "/v1/sign-up",
          #"{"email":"x@ksu.edu","password":"Wildcat1","profile":{"name":"W","phoneNumber":"7855550123",\#(field)}}"#)
        #expect(up.status == 422 && up.rules == [rule], "\(field)")
        let patch = try await apps.ride.send("PATCH", "/v1/me", "{\"profile\":{\(field)}}", token: rider.accessToken)
        #expect(patch.status == 422 && patch.rules == [rule], "\(field)")
        let other = try await apps.ride.send(
          "PATCH", "/v1/users/\(rider.userID)", "{\"profile\":{\(field)}}", token: rider.accessToken)
        #expect(other.status == 403 && other.code == "forbidden", "\(field)")
      }
      for name in ["email_verified", "disabled", "role", "tenant", "access"] {
        let up = try await apps.ride.post(
          "/v1/sign-up",
          #"{"email":"x@ksu.edu","password":"Wildcat1","\#(name)":true,"profile":{"name":"W","phoneNumber":"7855550123"}}"#
        )
        #expect(up.status == 400 && up.code == "malformed_request", "\(name)")
      }
      let user = try await apps.me(.ride, rider.accessToken).json["user"]
      #expect(user?["profile"]?["role"] == .string("member") && user?["profile"]?["chapterId"] == .string(""))
    }
  }

  @Test("an administrator gives them at creation and later, and the person's next token carries them")
  func administrators() async throws {
    try await ThreeApps.run { apps in
      let profile: [String: FieldValue] = [
        "name": .string("Ann"), "phoneNumber": .string("7855550123"), "role": .string("admin"),
        "chapterId": .string("KAPPA"),
      ]
      try await Operator.create("ann@ksu.edu", profile, in: "dd-ride", apps.server)
      let link = try await apps.server.latestMail(to: "ann@ksu.edu")?.link
      #expect(try await LinkPage(opening: link).setPassword("Wildcat1").status == 200)
      let ann = try await apps.signIn(.ride, "ann", password: "Wildcat1").json
      #expect(try Token.claims(of: ann.accessToken)["role"] == .string("admin"))
      let rider = try await apps.rider()
      let patch = #"{"profile":{"role":"admin","classYear":3,"chapterId":"SIGMA"}}"#
      let path = "/v1/users/\(rider.userID)"
      #expect(try await apps.ride.send("PATCH", path, patch, token: ann.accessToken).status == 200)
      let claims = try Token.claims(of: try await apps.refresh(.ride, rider.refreshToken).json.accessToken)
      #expect(claims["role"] == .string("admin") && claims["classYear"] == nil)
      #expect(claims["chapterId"] == .string("SIGMA"))
      #expect(try Token.claims(of: rider.accessToken)["role"] == .string("member"))
      let bad = try await apps.ride.send("PATCH", path, #"{"profile":{"classYear":5}}"#, token: ann.accessToken)
      #expect(bad.status == 422 && bad.rules == ["classYear.max"])
      // An administrator's right, too, needs a fresh sign-in.
      apps.server.clock.advance(seconds: 301)
      #expect(
        try await apps.ride.send("PATCH", path, patch, token: ann.accessToken).code == "reauthentication_required")
    }
  }

  @Test("a class year is the person's own to write: at sign-up, later, and within its bounds")
  func classYear() async throws {
    try await ThreeApps.share { apps in
      let form =
        #"{"email":"w@ksu.edu","password":"Wildcat1","profile":{"name":"W","phoneNumber":"7855550123","classYear":3}}"#
      let up = try await apps.ride.post("/v1/sign-up", form)
      #expect(up.status == 201 && up.json["user"]?["profile"]?["classYear"] == .integer(3))
      let token = up.json.accessToken
      func write(_ year: String) async throws -> TestClient.Answer {
        try await apps.ride.send("PATCH", "/v1/me", #"{"profile":{"classYear":\#(year)}}"#, token: token)
      }
      #expect(try await write("4").json["user"]?["profile"]?["classYear"] == .integer(4))
      #expect(try await write("5").rules == ["classYear.max"])
      #expect(try await write("0").rules == ["classYear.min"])
      #expect(try await write(#""4""#).rules == ["classYear.type"])
      // What a person says of themselves, no token vouches for.
      #expect(try Token.claims(of: up.json.accessToken)["classYear"] == nil)
    }
  }

  @Test("users with full access see the five fields of others, and never an address")
  func profilesOfOthers() async throws {
    try await ThreeApps.share { apps in
      let ann = try await apps.signUp(.ride, "ann").json
      let bo = try await apps.signUp(.ride, "bo").json
      let paths = ["/v1/users/\(ann.userID)", "/v1/users?ids=\(ann.userID)"]
      for path in paths {
        #expect(try await apps.ride.get(path, token: bo.accessToken).code == "access_limited", "\(path)")
      }
      try await Operator.verify(.ride, "bo", apps)
      for path in paths {
        let seen = try await apps.ride.get(path, token: bo.accessToken)
        let user = seen.json["items"]?.array?.first ?? seen.json
        #expect(user["profile"]?.names == ["name", "phoneNumber", "role", "classYear", "chapterId"], "\(path)")
        #expect(user.names == ["id", "profile", "presence"] && !seen.text.contains("@"), "\(path)")
      }
    }
  }

  @Test("a person and an administrator who change one record at the same moment lose nothing of each other's")
  func sameMoment() async throws {
    try await ThreeApps.share { apps in
      let rider = try await apps.rider()
      for round in 1...10 {
        let ride = apps.ride
        async let own = atOnce(4) { index in
          try await ride.send(
            "PATCH", "/v1/me", #"{"profile":{"name":"W \#(round) \#(index)"}}"#, token: rider.accessToken)
        }
        let year = round % 4 + 1
        try await Operator.set(.ride, "willie", ["classYear": .integer(Int64(year))], apps)
        let role = round % 2 == 0 ? "admin" : "member"
        try await Operator.set(.ride, "willie", ["role": .string(role)], apps)
        #expect(try await own.allSatisfy { $0.status == 200 })
        let profile = try await apps.me(.ride, rider.accessToken).json["user"]?["profile"]
        #expect(profile?["classYear"] == .integer(Int64(year)) && profile?["role"] == .string(role), "\(round)")
        #expect(profile?["name"]?.string?.hasPrefix("W \(round) ") == true)
        #expect(profile?["phoneNumber"] == .string("+17855550123"))
      }
    }
  }
}
