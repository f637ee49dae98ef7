import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("vibes, end to end")
struct VibesTests {
  private static func signUp(_ name: String, email: String = "t@example.com") -> String {
    #"{"email":"\#(email)","password":"TestPass123!","profile":{"username":"\#(name)"}}"#
  }

  @Test("a user without Spotify is limited, and the answer names the next step")
  func limited() async throws {
    try await ThreeApps.share { apps in
      let up = try await apps.vibes.post("/v1/sign-up", Self.signUp("testuser"))
      #expect(up.status == 201)
      #expect(up.json["access"] == .string("limited") && up.json.next == ["link:spotify"])
      let start = try await apps.vibes.post("/v1/me/links/spotify", "{}", token: up.json.accessToken)
      #expect(start.status == 200, "\(start.text)")
      let way = start.json["authorization_url"]?.string ?? ""
      #expect(way.hasPrefix("https://accounts.spotify.com/authorize?") && way.contains("code_challenge_method=S256"))
    }
  }

  @Test("usernames are unique without regard to case, and the refusal names the field")
  func unique() async throws {
    try await ThreeApps.share { apps in
      #expect(try await apps.vibes.post("/v1/sign-up", Self.signUp("Nova")).status == 201)
      let taken = try await apps.vibes.post("/v1/sign-up", Self.signUp("nOVA", email: "u@example.com"))
      #expect(taken.status == 422 && taken.rules == ["username.unique"])
      // Nothing is left of the refused sign-up: the address is free.
      #expect(try await apps.vibes.post("/v1/sign-up", Self.signUp("nova2", email: "u@example.com")).status == 201)
    }
  }

  @Test("names that are too short, reserved or strange", arguments: ["ab", "has space", "Admin", "ümlaut"])
  func usernames(name: String) async throws {
    try await ThreeApps.share { apps in
      let refused = try await apps.vibes.post("/v1/sign-up", Self.signUp(name))
      #expect(refused.status == 422)
      #expect(refused.rules.count == 1 && refused.rules[0].hasPrefix("username."))
    }
  }
}
