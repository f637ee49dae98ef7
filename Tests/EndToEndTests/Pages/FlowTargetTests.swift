import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseServer

@Suite("The client that a flow is for")
struct FlowTargetTests {
  private func target(_ address: String, _ client: String? = nil) -> Flow.Target {
    Flow.Target(address: address, state: "s", challenge: CodeVerifier.generate().challenge, client: client)
  }

  @Test("an address is found among those of its client, and nothing for a client that the tenant does not have")
  func clients() async throws {
    try await ThreeApps.share { apps in
      let tenant = try #require(apps.server.services.registry.snapshot("messai"))
      let address = try #require(tenant.app.redirectURIs.first)
      for client in [nil, tenant.app.id] {
        let target = target(address, client)
        #expect(target.carried != target)
        #expect(target.carried.found(in: tenant) == target)
        #expect(target.client(of: tenant) == tenant.app)
      }
      #expect(target("https://evil.example/", nil).carried.found(in: tenant) == nil)
      #expect(target(address, "another").carried.found(in: tenant) == nil)
      #expect(target(address, "another").client(of: tenant) == nil)
    }
  }

  @Test("a flow of the own app is sealed without a client, as servers have it that know no other")
  func sealed() throws {
    let own = try JSONParser.parse(try JSONEncoding.encode(target("https://app.example/in"))).object
    #expect(Set(own?.members.map(\.key) ?? []) == ["address", "state", "challenge"])
    let other = try JSONParser.parse(try JSONEncoding.encode(target("https://app.example/in", "another"))).object
    #expect(other?["client"]?.string == "another")
  }
}
