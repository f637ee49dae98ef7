import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

@Suite("The last sign-in, as an operator sees it")
struct LastSignInTests {
  private func shown(_ user: String, _ apps: ThreeApps) async throws -> LastSignIn? {
    try await AdminRoutes.run(ShowUserOperation.self, .init(tenant: "messai", user: user), apps.asOperator).lastSignIn
  }

  @Test("a sign-up and each sign-in count, a failed one does not, and the end of its session takes nothing away")
  func sessions() async throws {
    try await ThreeApps.run { apps async throws in
      let up = try await apps.signUp(.messai).json
      #expect(try await shown(up.userID, apps)?.at.description == Timestamp(apps.server.clock.now).description)
      apps.server.clock.advance(seconds: 3600)
      let signedInAt = Timestamp(apps.server.clock.now)
      let body = #"{"email":"pat@example.com","password":"\#(App.password)","device":{"name":"Pixel 9"}}"#
      let back = try await apps.messai.post("/v1/sign-in", body)
      #expect(back.status == 200, "\(back.text)")
      let expected = LastSignIn(at: signedInAt, method: "password", device: "Pixel 9")
      #expect(try await shown(up.userID, apps) == expected)
      apps.server.clock.advance(seconds: 60)
      #expect(try await apps.signIn(.messai, password: "Wrong-one1").status == 401)
      #expect(try await apps.messai.post("/v1/sign-out", "{}", token: back.json.accessToken).status < 300)
      #expect(try await shown(up.userID, apps) == expected)
      // Sessions are forgotten a month after their end; the trail is not.
      try await apps.server.storage.run(script: "DELETE FROM gatehouse.session")
      let later = try await shown(up.userID, apps)
      #expect(later?.at == signedInAt && later?.method == "password")
    }
  }

  @Test("a user who never signed in has none")
  func never() async throws {
    try await ThreeApps.run { apps async throws in
      let made = try await AdminRoutes.run(
        CreateUserOperation.self, .init(tenant: "messai", email: "new@example.com", profile: ["displayName": "New"]),
        apps.asOperator)
      let id = try #require(made.id)
      #expect(try await shown(id, apps) == nil)
    }
  }
}
