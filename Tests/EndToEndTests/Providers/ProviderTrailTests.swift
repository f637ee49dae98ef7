import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("What the audit trail tells of providers")
struct ProviderTrailTests {
  /// Routes whose rows are looked for here.
  static let routes: Set<String> = [
    "POST /v1/sign-in/{provider}", "POST /v1/sign-in/{provider}/complete", "POST /v1/me/links/{provider}/complete",
    "DELETE /v1/me/links/{provider}",
  ]

  @Test(
    "T121 sign-up, sign-in and their refusals, links and what becomes of them: each leaves its row, and no person's data"
  )
  func trail() async throws {
    try await ProvidedApps.run(isHonest: true) { provided in
      let tenant = try #require(provided.apps.server.services.registry.snapshot("vibes"))
      let store = provided.apps.server.services.store.open(tenant.id)
      var known: Set<UUID> = []
      func fresh() async throws -> [AuditEntry] {
        let rows = try await store.audit(AuditQuery(), limit: 1000).filter { !known.contains($0.id) }
        known.formUnion(rows.map(\.id))
        provided.apps.server.clock.advance(seconds: 61)
        return rows
      }
      _ = try await fresh()
      func events(_ rows: [AuditEntry]) -> Set<AuditEvent> { Set(rows.map(\.event)) }

      let up = try await provided.google().json
      var rows = try await fresh()
      #expect(events(rows) == [.userCreated, .emailVerified, .sessionCreated])
      #expect(rows.allSatisfy { $0.user?.text == up.userID && $0.address == "127.0.0.1" })
      #expect(rows.first { $0.event == .userCreated }?.details["provider"] == "google")
      #expect(rows.first { $0.event == .sessionCreated }?.details["method"] == "fed")

      _ = try await provided.google()
      rows = try await fresh()
      #expect(events(rows) == [.signInSucceeded, .sessionCreated])
      let row = try #require(rows.first { $0.event == .signInSucceeded })
      #expect(row.details["method"] == "fed" && row.details["provider"] == "google")

      _ = try await provided.google(.vibes, "g1", ["nonce": .string("x")])
      rows = try await fresh()
      #expect(events(rows) == [.signInFailed] && rows[0].details["reason"] == "nonce" && rows[0].user == nil)

      let signedIn = try await provided.google().json
      _ = try await fresh()
      _ = try await provided.linkSpotify(signedIn.accessToken, scopes: [])
      rows = try await fresh()
      #expect(events(rows) == [.linkRefused])
      #expect(rows[0].event.outcome == "failure" && rows[0].details["reason"] == "provider_scopes_missing")

      _ = try await provided.linkSpotify(signedIn.accessToken)
      rows = try await fresh()
      #expect(events(rows) == [.linked] && rows[0].details == ["provider": "spotify"] && rows[0].session != nil)

      let gone = try await provided.apps.vibes.send(
        "DELETE", "/v1/me/links/spotify", "{}", token: signedIn.accessToken)
      #expect(gone.status == 204)
      rows = try await fresh()
      #expect(events(rows) == [.unlinked] && rows[0].details == ["provider": "spotify"])

      _ = try await provided.apps.vibes.post(
        "/v1/sign-up", #"{"email":"g5@gmail.com","password":"\#(App.password)","profile":{"username":"squatter"}}"#)
      _ = try await fresh()
      _ = try await provided.google(.vibes, "g5")
      rows = try await fresh()
      #expect(
        events(rows) == [.accountReclaimed, .emailVerified, .linked, .sessionCreated, .signInSucceeded])

      let token = try await provided.apps.vibes.get("/v1/sign-in/google/callback?state=gh_ls_x&code=y")
      #expect(token.status == 400)
      #expect(try await fresh().isEmpty)
      #expect(
        try await store.audit(AuditQuery(), limit: 1000).allSatisfy { row in
          row.details.values.allSatisfy { !$0.contains("gmail") && !$0.contains("listener") }
        })
    }
  }
}
