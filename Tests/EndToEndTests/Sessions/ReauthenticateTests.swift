import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Fresh proofs and the refresh token")
struct ReauthenticateTests {
  private func prove(
    _ apps: ThreeApps, _ access: String, _ refresh: String? = nil, key: String? = nil, password: String = "Wildcat1"
  ) async throws -> TestClient.Answer {
    let member = refresh.map { #","refresh_token":"\#($0)""# } ?? ""
    return try await apps.ride.send(
      "POST", "/v1/reauthenticate", #"{"password":"\#(password)"\#(member)}"#, token: access,
      headers: key.map { ["Idempotency-Key": $0] } ?? [:])
  }

  @Test("without a refresh token none is answered, and the stored one stays good")
  func without() async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.rider()
      apps.server.clock.advance(seconds: 400)
      let proven = try await prove(apps, up.accessToken)
      #expect(proven.status == 200 && proven.json["refresh_token"] == nil)
      #expect(
        try await apps.ride.post("/v1/me/email", #"{"email":"n@ksu.edu"}"#, token: proven.json.accessToken).status
          == 202)
      apps.server.clock.advance(seconds: 60)
      #expect(try await apps.refresh(.ride, up.refreshToken).status == 200)
    }
  }

  @Test("T053 with a refresh token it is exchanged, once; a replay after the grace ends the family")
  func exchanged() async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.rider()
      let proven = try await prove(apps, up.accessToken, up.refreshToken)
      #expect(proven.json.refreshToken.hasPrefix("gh_rt_") && proven.json.refreshToken != up.refreshToken)
      #expect(try await apps.refresh(.ride, up.refreshToken).json.refreshToken == proven.json.refreshToken)
      apps.server.clock.advance(seconds: 31)
      #expect(try await prove(apps, proven.json.accessToken, up.refreshToken).code == "session_revoked")
      #expect(try await apps.refresh(.ride, proven.json.refreshToken).code == "session_revoked")
      #expect(try await apps.replays(.ride) == 1)
    }
  }

  @Test("T054 one that was cut off comes back under its key, at either door, however late")
  func cutOff() async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.rider()
      let proven = try await prove(apps, up.accessToken, up.refreshToken, key: "k-1").json
      apps.server.clock.advance(seconds: 600)
      let again = try await prove(apps, up.accessToken, up.refreshToken, key: "k-1")
      #expect(again.status == 200 && again.json.refreshToken == proven.refreshToken)
      apps.server.clock.advance(seconds: 86_400)
      let later = try await apps.refresh(.ride, up.refreshToken, key: "k-1")
      #expect(later.json.refreshToken == proven.refreshToken)
      #expect(try await apps.refresh(.ride, proven.refreshToken, key: "k-2").status == 200)
    }
  }

  @Test("a wrong password spends nothing, and a wrong refresh token costs no attempt at the password")
  func nothingSpent() async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.rider()
      #expect(
        try await prove(apps, up.accessToken, up.refreshToken, password: "Wrong1234").code == "invalid_credentials")
      for _ in 0..<20 {
        #expect(try await prove(apps, up.accessToken, "gh_rt_x").code == "refresh_token_invalid")
      }
      let proven = try await prove(apps, up.accessToken, up.refreshToken)
      #expect(proven.status == 200 && proven.json.refreshToken != up.refreshToken)
    }
  }

  @Test("T058 a refresh token of another session, account or app is refused and not spent, a spent one ends nothing")
  func foreign() async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.rider()
      let tablet = try await apps.ride.post("/v1/sign-in", #"{"email":"willie@ksu.edu","password":"Wildcat1"}"#).json
      let kay = try await apps.rider("kay@ksu.edu")
      let writer = try await apps.writer()
      for token in [
        tablet.refreshToken, kay.refreshToken, writer.refreshToken, "gh_rt_" + String(repeating: "A", count: 43), "",
      ] {
        let refused = try await prove(apps, up.accessToken, token)
        #expect(refused.status == 401 && refused.code == "refresh_token_invalid", "\(token)")
      }
      let next = try await apps.refresh(.ride, kay.refreshToken).json
      apps.server.clock.advance(seconds: 60)
      #expect(try await prove(apps, up.accessToken, kay.refreshToken).code == "refresh_token_invalid")
      #expect(try await apps.refresh(.ride, next.refreshToken).status == 200)
      #expect(try await apps.refresh(.ride, tablet.refreshToken).status == 200)
      #expect(try await apps.refresh(.messai, writer.refreshToken).status == 200)
      #expect(try await apps.refresh(.ride, up.refreshToken).status == 200)
    }
  }

  @Test("T055 racers at both doors under one key get one successor")
  func racers() async throws {
    try await ThreeApps.run { one in
      try await one.withSibling { other in
        let up = try await one.rider()
        let answers = try await atOnce(12) { number in
          let apps = number % 2 == 0 ? one : other
          if number % 3 == 0 { return try await prove(apps, up.accessToken, up.refreshToken, key: "k-1") }
          return try await apps.refresh(.ride, up.refreshToken, key: "k-1")
        }
        #expect(answers.allSatisfy { $0.status == 200 }, "\(answers.map(\.code))")
        #expect(Set(answers.map(\.json.refreshToken)).count == 1)
      }
    }
  }

  @Test("fresh proofs that race for one session are both answered, whichever comes first")
  func racingProofs() async throws {
    try await ThreeApps.run { one in
      try await one.withSibling { other in
        let up = try await one.rider()
        for _ in 0..<4 {
          let answers = try await atOnce(2) { number in
            one.server.clock.advance(seconds: 1)
            return try await prove(number == 0 ? one : other, up.accessToken)
          }
          #expect(answers.map(\.status) == [200, 200], "\(answers.map(\.code))")
        }
      }
    }
  }
}
