import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

extension ThreeApps {
  /// A refresh under an Idempotency-Key, or without one.
  func refresh(_ app: App, _ token: String, key: String?) async throws -> TestClient.Answer {
    try await client(app).send(
      "POST", "/v1/token", #"{"refresh_token":"\#(token)"}"#, headers: key.map { ["Idempotency-Key": $0] } ?? [:])
  }

  /// How many rows of the trail speak of a refresh token that came again.
  func replays(_ app: App) async throws -> Int {
    let call = try await operatorCall(app)
    return try await server.services.store.open(call.tenant.id).audit(AuditQuery(), limit: 200)
      .count { $0.event == .tokenReused }
  }
}

extension TestServer {
  /// The sweep, until it has nothing to do.
  func prune() async throws {
    while try await PruneExpired(PostgresExpirySweep(jobs)).runOnce() {}
  }
}

@Suite("A refresh that was cut off")
struct RefreshRetryTests {
  private static let day = 86_400.0

  @Test(
    "T054 it comes back under its key, however late, with the same successor and a fresh access token",
    arguments: App.allCases)
  func late(app: App) async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.signUp(app).json
      let first = try await apps.refresh(app, up.refreshToken, key: "k-1").json
      for wait in [0.0, 31, Self.day, 20 * Self.day, 35 * Self.day] {
        apps.server.clock.advance(seconds: wait)
        try await apps.server.prune()
        let again = try await apps.refresh(app, up.refreshToken, key: "k-1")
        #expect(again.status == 200 && again.json.refreshToken == first.refreshToken, "\(wait)")
        #expect(try await apps.me(app, again.json.accessToken).status == 200)
        #expect(again.headers["idempotency-replayed"] == nil)
      }
      #expect(try await apps.refresh(app, first.refreshToken, key: "k-2").status == 200)
      #expect(try await apps.replays(app) == 0)
    }
  }

  @Test(
    "T053 another key, none, or the key of another token ends the family after the grace",
    arguments: ["k-2", "K-1", nil])
  func foreignKey(key: String?) async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.rider()
      let child = try await apps.refresh(.ride, up.refreshToken, key: "k-1").json
      // Within the grace the key is not looked at.
      let soon = try await apps.refresh(.ride, up.refreshToken, key: key)
      #expect(soon.json.refreshToken == child.refreshToken)
      apps.server.clock.advance(seconds: 31)
      #expect(try await apps.refresh(.ride, up.refreshToken, key: key).code == "session_revoked")
      #expect(try await apps.refresh(.ride, up.refreshToken, key: "k-1").code == "session_revoked")
      #expect(try await apps.refresh(.ride, child.refreshToken, key: "k-9").code == "session_revoked")
      #expect(try await apps.replays(.ride) == 1)
    }
  }

  @Test(
    "T054 a request that was overtaken by two exchanges ends nothing under its key, and is a replay without it",
    arguments: [0.0, 31, day])
  func overtaken(wait: Double) async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.rider()
      let child = try await apps.refresh(.ride, up.refreshToken, key: "k-1").json
      let last = try await apps.refresh(.ride, child.refreshToken, key: "k-2").json
      apps.server.clock.advance(seconds: wait)
      #expect(try await apps.refresh(.ride, up.refreshToken, key: "k-1").code == "conflict")
      let next = try await apps.refresh(.ride, last.refreshToken, key: "k-3")
      let replays = try await apps.replays(.ride)
      #expect(next.status == 200 && replays == 0)
      apps.server.clock.advance(seconds: 31)
      #expect(try await apps.refresh(.ride, up.refreshToken, key: nil).code == "session_revoked")
    }
  }

  @Test(
    "T054 a third tab within the grace is told to wait, and its session lives; after the grace it is a replay",
    arguments: ["k-9", nil])
  func thirdTab(key: String?) async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.rider()
      let child = try await apps.refresh(.ride, up.refreshToken, key: "k-1").json
      let last = try await apps.refresh(.ride, child.refreshToken, key: "k-2").json
      apps.server.clock.advance(seconds: 10)
      let third = try await apps.refresh(.ride, up.refreshToken, key: key)
      #expect(third.status == 409 && third.code == "conflict" && third.headers["retry-after"] == "20", "\(third.seen)")
      #expect(third.json["refresh_token"] == nil)
      #expect(try await apps.replays(.ride) == 1)
      let next = try await apps.refresh(.ride, last.refreshToken, key: "k-3")
      #expect(next.status == 200, "\(next.text)")
      apps.server.clock.advance(seconds: 20)
      #expect(try await apps.refresh(.ride, up.refreshToken, key: key).code == "session_revoked")
      #expect(try await apps.refresh(.ride, next.json.refreshToken, key: "k-4").code == "session_revoked")
      #expect(try await apps.replays(.ride) == 2)
    }
  }

  @Test("T053 a token that was exchanged without a key is known by none afterwards")
  func keyless() async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.rider()
      _ = try await apps.refresh(.ride, up.refreshToken, key: nil)
      apps.server.clock.advance(seconds: 31)
      #expect(try await apps.refresh(.ride, up.refreshToken, key: "k-1").code == "session_revoked")
    }
  }

  @Test("T054 the grandparent ends the family where a server of an earlier version left its successor sealed")
  func earlierServer() async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.rider()
      let child = try await apps.refresh(.ride, up.refreshToken, key: nil).json
      // What such a server inserts names no token before it, so the next exchange erases nothing there.
      try await apps.server.storage.runAsSuperuser(
        script: "UPDATE gatehouse.refresh_token SET predecessor_hash = NULL")
      #expect(try await apps.refresh(.ride, child.refreshToken, key: nil).status == 200)
      #expect(try await apps.refresh(.ride, up.refreshToken, key: nil).code == "conflict")
      apps.server.clock.advance(seconds: 31)
      #expect(try await apps.refresh(.ride, up.refreshToken, key: nil).code == "session_revoked")
    }
  }

  @Test("T055 racers with one key, and others without, on two servers get one successor")
  func racers() async throws {
    try await ThreeApps.run { one in
      try await one.withSibling { other in
        let up = try await one.rider()
        let servers = [one, other]
        let answers = try await atOnce(40) { number in
          try await servers[number % 2].refresh(.ride, up.refreshToken, key: number % 4 < 3 ? "k-1" : nil)
        }
        #expect(answers.allSatisfy { $0.status == 200 })
        #expect(Set(answers.map(\.json.refreshToken)).count == 1)
        // Whichever came first: under its key the token is known for ever, or, where a racer without one won, within
        // the grace.
        let next = try await other.refresh(.ride, answers[0].json.refreshToken, key: "k-2")
        #expect(next.status == 200)
      }
    }
  }

  @Test("T055 late racers with one key on two servers get one successor, and one exchange of it follows")
  func lateRacers() async throws {
    try await ThreeApps.run { one in
      try await one.withSibling { other in
        let up = try await one.rider()
        let child = try await one.refresh(.ride, up.refreshToken, key: "k-1").json
        one.server.clock.advance(seconds: 3600)
        let servers = [one, other]
        let answers = try await atOnce(20) { try await servers[$0 % 2].refresh(.ride, up.refreshToken, key: "k-1") }
        #expect(Set(answers.map(\.json.refreshToken)) == [child.refreshToken])
        let next = try await atOnce(20) { try await servers[$0 % 2].refresh(.ride, child.refreshToken, key: "k-2") }
        #expect(Set(next.map(\.json.refreshToken)).count == 1 && next.allSatisfy { $0.status == 200 })
      }
    }
  }

  @Test("T057 a retry after the end of the session, of its time or of the account gets what any token gets")
  func over() async throws {
    try await ThreeApps.run { apps in
      func cutOff(_ name: String) async throws -> (token: String, answer: JSONValue) {
        let up = try await apps.rider("\(name)@ksu.edu")
        return (up.refreshToken, try await apps.refresh(.ride, up.refreshToken, key: name).json)
      }
      let out = try await cutOff("out")
      let off = try await cutOff("off")
      let deleted = try await cutOff("deleted")
      let idle = try await cutOff("idle")
      #expect(try await apps.ride.post("/v1/sign-out", "{}", token: out.answer.accessToken).status == 204)
      try await Operator.disable(.ride, "off", apps)
      #expect(try await apps.ride.send("DELETE", "/v1/me", "{}", token: deleted.answer.accessToken).status == 204)
      apps.server.clock.advance(seconds: 60)
      #expect(try await apps.refresh(.ride, out.token, key: "out").code == "session_revoked")
      #expect(try await apps.refresh(.ride, off.token, key: "off").code == "account_disabled")
      #expect(try await apps.refresh(.ride, deleted.token, key: "deleted").code == "session_revoked")
      apps.server.clock.advance(seconds: 60 * Self.day)
      #expect(try await apps.refresh(.ride, idle.token, key: "idle").code == "refresh_token_invalid")
      try await Operator.disable(.ride, "off", apps, disabled: false)
      #expect(try await apps.refresh(.ride, off.token, key: "off").code == "session_revoked")
    }
  }

  @Test("a retry is judged by today's access")
  func standing() async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.signUp(.ride).json
      #expect(try await apps.refresh(.ride, up.refreshToken, key: "k-1").json["access"] == .string("limited"))
      try await Operator.verify(.ride, "pat", apps)
      apps.server.clock.advance(seconds: 60)
      #expect(try await apps.refresh(.ride, up.refreshToken, key: "k-1").json["access"] == .string("full"))
    }
  }

  @Test(
    "after a restore that lost an exchange, its token under its key is exchanged anew, and the lost successor ends nothing"
  )
  func restored() async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.rider()
      let lost = try await apps.refresh(.ride, up.refreshToken, key: "k-1").json
      try await apps.server.storage.runAsSuperuser(
        script: """
          DELETE FROM gatehouse.refresh_token WHERE predecessor_hash IS NOT NULL;
          UPDATE gatehouse.refresh_token SET spent_at = NULL, sealed_successor = NULL, successor_hash = NULL, retry_digest = NULL;
          """)
      apps.server.clock.advance(seconds: 3600)
      #expect(try await apps.refresh(.ride, lost.refreshToken, key: "k-2").code == "refresh_token_invalid")
      let anew = try await apps.refresh(.ride, up.refreshToken, key: "k-1")
      #expect(anew.status == 200 && anew.json.refreshToken != lost.refreshToken)
    }
  }

  @Test(
    "a key of another form than elsewhere is refused, and nothing is spent",
    arguments: ["", "a b", String(repeating: "a", count: 256)])
  func form(key: String) async throws {
    try await ThreeApps.share { apps in
      let up = try await apps.rider()
      #expect(try await apps.refresh(.ride, up.refreshToken, key: key).code == "malformed_request")
      let proof = try await apps.ride.send(
        "POST", "/v1/reauthenticate", #"{"password":"Wildcat1"}"#, token: up.accessToken,
        headers: ["Idempotency-Key": key])
      #expect(proof.code == "malformed_request")
      #expect(try await apps.refresh(.ride, up.refreshToken, key: "k-1").status == 200)
    }
  }

  @Test(
    "without a refresh token the answer names the member that is missing",
    arguments: ["{}", #"{"refresh_token":null}"#, #"{"include":"user"}"#])
  func missing(body: String) async throws {
    try await ThreeApps.share { apps in
      let refused = try await apps.ride.post("/v1/token", body)
      #expect(refused.status == 400 && refused.code == "malformed_request")
      #expect(refused.json["detail"]?.string?.hasPrefix("/refresh_token: ") == true, "\(refused.text)")
    }
  }
}
