import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("What operators are told of providers")
struct ProviderCheckTests {
  private func finding(_ name: String, _ provided: ProvidedApps) async throws -> ProviderFinding? {
    let services = provided.apps.server.services
    let tenant = try #require(services.registry.snapshot("vibes"))
    let findings = try await Providers.test(try Providers.find(name, tenant), tenant, services)
    return findings.first { $0.check == "client_id" }
  }

  @Test("the placeholder of a client id that came with a policy is no client id", arguments: ["google", "spotify"])
  func placeholder(name: String) async throws {
    try await ProvidedApps.run { provided in
      let shipped = try #require(try await finding(name, provided))
      #expect(shipped.verdict == .wrong && shipped.text.contains("REPLACE"), "\(shipped)")
      let text = PolicyText.withoutTests(ProvidedApps.policy(.vibes, try TestLists.policy("vibes")))
        .replacing("REPLACE", with: "own")
      try await provided.serve(text, at: .vibes)
      let own = try #require(try await finding(name, provided))
      #expect(own.verdict == .fine && own.text.hasPrefix("own"), "\(own)")
    }
  }
}
