import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Signing out with a refresh token")
struct SignOutTests {
  private func refresh(_ apps: ThreeApps, _ token: String) async throws -> TestClient.Answer {
    try await apps.ride.post("/v1/token", #"{"refresh_token":"\#(token)"}"#)
  }

  private func signOut(_ apps: ThreeApps, _ token: String, _ scope: String) async throws -> TestClient.Answer {
    try await apps.ride.post("/v1/sign-out", #"{"refresh_token":"\#(token)","scope":"\#(scope)"}"#)
  }

  private func events(_ apps: ThreeApps) async throws -> [AuditEvent] {
    let tenant = try #require(apps.server.services.registry.snapshot("dd-ride")).id
    return try await apps.server.services.store.open(tenant).audit(AuditQuery(), limit: 100).map(\.event)
  }

  @Test("T147 a spent token ends its family and is told what the token of a session that is gone is told")
  func replay() async throws {
    try await ThreeApps.run { apps in
      let rider = try await apps.rider()
      let child = try await refresh(apps, rider.refreshToken)
      #expect(child.status == 200)
      apps.server.clock.advance(seconds: 31)
      #expect(try await signOut(apps, rider.refreshToken, "this").status == 204)
      #expect(try await events(apps).contains(.tokenReused))
      #expect(try await refresh(apps, child.json.refreshToken).code == "session_revoked")
    }
  }

  @Test("T147 a spent token ends no other session, whatever it asks", arguments: ["others", "all"])
  func othersStay(scope: String) async throws {
    try await ThreeApps.run { apps in
      let rider = try await apps.rider()
      let other = try await apps.ride.post("/v1/sign-in", #"{"email":"willie@ksu.edu","password":"Wildcat1"}"#)
      #expect(try await refresh(apps, rider.refreshToken).status == 200)
      apps.server.clock.advance(seconds: 31)
      #expect(try await signOut(apps, rider.refreshToken, scope).code == "session_revoked")
      #expect(try await events(apps).contains(.tokenReused))
      #expect(try await apps.ride.get("/v1/me", token: other.json.accessToken).status == 200)
    }
  }

  @Test("T147 within the grace a spent token stands for its session")
  func grace() async throws {
    try await ThreeApps.run { apps in
      let rider = try await apps.rider()
      let child = try await refresh(apps, rider.refreshToken)
      #expect(try await signOut(apps, rider.refreshToken, "this").status == 204)
      #expect(try await events(apps).contains(.tokenReused) == false)
      #expect(try await refresh(apps, child.json.refreshToken).code == "session_revoked")
    }
  }

  @Test("T147 the token of an expired session ends no other session, and the trail says that it was used")
  func expired() async throws {
    try await ThreeApps.run { apps in
      let rider = try await apps.rider()
      apps.server.clock.advance(seconds: 61 * 86_400)
      let other = try await apps.ride.post("/v1/sign-in", #"{"email":"willie@ksu.edu","password":"Wildcat1"}"#)
      #expect(try await signOut(apps, rider.refreshToken, "all").code == "session_revoked")
      #expect(try await signOut(apps, rider.refreshToken, "this").status == 204)
      #expect(try await events(apps).contains(.sessionUsedAfterEnd))
      #expect(try await apps.ride.get("/v1/me", token: other.json.accessToken).status == 200)
    }
  }
}
