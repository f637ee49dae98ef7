import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@testable import GatehouseIdentity

@Suite("The one end of every way in")
struct CompletionTests {
  private static func completion(_ proofs: Proofs, _ user: StoredUser, _ call: Call, _ services: Services) -> Completion
  {
    let facts = Facts(writer: .user, stored: user.facts)
    return Completion(
      account: .known, proofs: proofs, user: user,
      decision: call.policy.decide(.signIn, facts, at: call.now, using: services.facts),
      device: .new(name: nil, of: user.id, call, services), details: ["method": "pwd"])
  }

  @Test("a session takes proofs of its own account and tenant, and no others", arguments: [true, false])
  func foreign(ofAnotherTenant: Bool) async throws {
    try await ThreeApps.run { apps in
      let services = apps.server.services
      let mine = try await apps.signUp(.ride).json
      let call = try await apps.operatorCall(.ride)
      let id = try #require(mine["user"]?["id"]?.string.flatMap(UserID.init(text:)))
      let user = try #require(try await services.store.open(call.tenant.id).user(id: id))
      let foreign =
        ofAnotherTenant
        ? Proofs(of: id, by: .password, try await apps.operatorCall(.vibes))
        : Proofs(of: UserID(services.clock.makeID()), by: .password, call)
      await #expect(throws: Refusal.self) {
        let _: SessionAnswer = try await Self.completion(foreign, user, call, services).open(call, services)
      }
      let mineAlone = Self.completion(Proofs(of: id, by: .password, call), user, call, services)
      let _: SessionAnswer = try await mineAlone.open(call, services)
    }
  }
}
