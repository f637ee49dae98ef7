import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// DD Ride with a field that only administrators see.
@Suite("What administrators alone see of a person")
struct HiddenFieldTests {
  private static func withRisk(_ body: (ThreeApps, JSONValue) async throws -> Void) async throws {
    try await ThreeApps.run(policy: { app, text in
      guard app == .ride else { return text }
      let field = "    risk: {type: string, write: admin, visible_to: admin}\n"
      return text.replacing("  fields:\n", with: "  fields:\n" + field)
    }) { apps in
      let rider = try await apps.rider()
      try await Operator.verify(.ride, "willie", apps)
      try await Operator.set(.ride, "willie", ["risk": "canary"], apps)
      try await body(apps, rider)
    }
  }

  @Test("T151 a hidden field is in no answer that the person gets, and in no token")
  func user() async throws {
    try await Self.withRisk { apps, rider in
      let again = try await apps.ride.post("/v1/sign-in", #"{"email":"willie@ksu.edu","password":"Wildcat1"}"#)
      let answers = [
        again, try await apps.ride.get("/v1/me", token: rider.accessToken),
        try await apps.ride.send(
          "PATCH", "/v1/me", #"{"profile":{"name":"Willie X"}}"#, token: rider.accessToken),
        try await apps.ride.get("/v1/users/\(rider.userID)", token: rider.accessToken),
      ]
      for answer in answers {
        #expect(answer.status == 200 && !answer.text.contains("risk"), "\(answer.text)")
      }
      #expect(try Token.claims(of: again.json.accessToken)["risk"] == nil)
    }
  }

  @Test("T151 the copy of a person's data has the hidden field")
  func export() async throws {
    try await Self.withRisk { apps, rider in
      let copy = try await apps.ride.get("/v1/me/export", token: rider.accessToken)
      #expect(copy.json["user"]?["profile"]?["risk"] == .string("canary"), "\(copy.text)")
    }
  }

  @Test("T151 an administrator sees the hidden field of others, and not in their own record as a person")
  func administrator() async throws {
    try await Self.withRisk { apps, rider in
      let kay = try await apps.rider("kay@ksu.edu")
      try await Operator.verify(.ride, "kay", apps)
      try await Operator.set(.ride, "kay", ["role": "admin", "risk": "own"], apps)
      let seen = try await apps.ride.get("/v1/users/\(rider.userID)", token: kay.accessToken)
      #expect(seen.json["profile"]?["risk"] == .string("canary"), "\(seen.text)")
      let own = try await apps.ride.get("/v1/me", token: kay.accessToken)
      #expect(own.status == 200 && !own.text.contains("risk"), "\(own.text)")
    }
  }
}
