import GatehouseAdminWire
import GatehouseIdentity
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("The impact of a policy, estimated from a sample")
struct ImpactSampleTests {
  /// Looks at an answer about 5,000 users of messAI, each with a name of eight letters, under a policy that allows
  /// `most`.
  private static func sample(most: Int, _ check: (PolicyImpactOperation.Output) throws -> Void) async throws {
    try await ThreeApps.run { apps in
      let tenant = try await Tenants.find("messai", apps.server.services)
      try await apps.server.storage.runAsSuperuser(
        script: """
          INSERT INTO gatehouse.account (tenant_id, id, email, email_verified_at, profile, created_at, updated_at,
            entered_by)
          SELECT '\(tenant.id.uuid)', ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
            'user' || n || '@example.com', now(), '{"displayName": "abcdefgh"}', now(), now(), 'sign_up'
          FROM generate_series(1, 5000) AS n;
          """)
      let text = try TestLists.policy("messai").replacing("max_length: 50", with: "max_length: \(most)")
      try check(
        try await AdminRoutes.run(
          PolicyImpactOperation.self, .init(tenant: "messai", text: text, sample: true), apps.asOperator))
    }
  }

  @Test("a rule that all users break is broken by the whole sample")
  func all() async throws {
    try await Self.sample(most: 4) { answer in
      #expect(answer.rules.first { $0.rule == "displayName.max_length" }?.newlyFailing == answer.people)
    }
  }

  @Test("a rule that no user breaks is broken by none of the sample")
  func none() async throws {
    try await Self.sample(most: 40) { answer in
      #expect(answer.rules.first { $0.rule == "displayName.max_length" }?.failing == 0)
    }
  }

  @Test("a sample is one answer, and says of how many users it was drawn")
  func one() async throws {
    try await Self.sample(most: 40) { answer in
      #expect(answer.sampled == true && answer.nextCursor == nil)
      #expect(answer.total == 5000)
      #expect((1...5000).contains(answer.people))
    }
  }
}
