import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("More than the server can do")
struct OverloadTests {
  @Test("with no hash to be had, passwords are refused with a time to come back, at no cost; all else goes on")
  func noHash() async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.signUp(.ride).json
      apps.server.exhaustHashes()
      let before = apps.server.database.statistics.statements
      for _ in 0..<20 {
        let refused = try await apps.signIn(.ride)
        #expect(refused.status == 503 && refused.code == "overloaded" && refused.retryAfter == 1)
      }
      let signUp = try await apps.signUp(.ride, "kay")
      #expect(signUp.status == 503 && signUp.retryAfter == 1)
      #expect(apps.server.database.statistics.statements == before)
      #expect(try await apps.me(.ride, up.accessToken).status == 200)
      #expect(try await apps.refresh(.ride, up.refreshToken).status == 200)
      // No attempts were used up: another server finds the account as it was.
      try await apps.withSibling { other in
        let back = try await other.signIn(.ride)
        #expect(back.status == 200)
      }
    }
  }

  @Test("T022 a password that was never checked counts as no attempt: no failure, no limit, at any route")
  func noTurn() async throws {
    try await ThreeApps.run(policy: { PolicyText.limits("sign_in_per_account: 3/1h", in: $1) }) { apps in
      let up = try await apps.signUp(.messai).json
      let change = #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#
      apps.server.loseTurns(true)
      let hashes = apps.server.hashesDone
      for number in 0..<12 {
        let refused =
          switch number % 4 {
          case 0: try await apps.signIn(.messai)
          case 1: try await apps.signIn(.messai, "nobody")
          case 2:
            try await apps.messai.post(
              "/v1/reauthenticate", #"{"password":"\#(App.password)"}"#, token: up.accessToken)
          default: try await apps.messai.post("/v1/me/password", change, token: up.accessToken)
          }
        #expect(refused.status == 503 && refused.code == "overloaded" && refused.retryAfter == 1, "\(number)")
      }
      #expect(apps.server.hashesDone == hashes)
      apps.server.loseTurns(false)
      // Each has all its tries: three an hour, as the policy says, and then none.
      for name in ["pat", "nobody"] {
        var codes: [String?] = []
        for _ in 0..<4 { codes.append(try await apps.signIn(.messai, name, password: "wrong").code) }
        #expect(codes == Array(repeating: "invalid_credentials", count: 3) + ["too_many_attempts"], "\(name)")
      }
    }
  }

  @Test("a tenant beyond its quota costs the others nothing: no statement, no hash, whatever it asks for")
  func quota() async throws {
    try await ThreeApps.run(
      policy: { $0 == .messai ? PolicyText.limits("requests_per_tenant: 3/1m", in: $1) : $1 }
    ) { apps in
      _ = try await apps.signUp(.vibes)
      for _ in 0..<4 { _ = try await apps.messai.get("/v1/me") }
      let (statements, hashes) = (apps.server.database.statistics.statements, apps.server.hashesDone)
      let answers = try await atOnce(60) { number in
        number % 2 == 0 ? try await apps.messai.get("/v1/me") : try await apps.signIn(.messai)
      }
      #expect(answers.allSatisfy { $0.status == 429 && $0.code == "rate_limited" && $0.retryAfter == 60 })
      #expect(apps.server.database.statistics.statements == statements && apps.server.hashesDone == hashes)
      #expect(try await apps.signIn(.vibes).status == 200)
    }
  }
}
