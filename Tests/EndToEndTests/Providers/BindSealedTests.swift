import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// What the release before sealed without a destination.
@Suite("What was sealed without a destination is bound")
struct BindSealedTests {
  /// A linked person's token; secret and grant are as the release before left them, and the live revision is pinned.
  private func old(_ app: LinkedApp) async throws -> String {
    let token = try await app.linked()
    let (tenant, store) = (try app.tenant, app.server.services.store.open(try app.tenant.id))
    let grant = try #require(try await app.grant())
    let tokens = try await app.tokens(of: grant)
    var object = #"{"access_token":"\#(tokens.accessToken.expose { $0 })""#
    object += tokens.refreshToken.map { #","refresh_token":"\#($0.expose { $0 })"}"# } ?? "}"
    let sealed = try tenant.vault.seal(
      Array(object.utf8),
      for: .unbound(.grant(grant.user, provider: grant.provider, version: grant.version)))
    let place = SealedItem.Place.grant(grant.user, provider: grant.provider, version: grant.version)
    let secret = SealedItem(
      .secret(name: "spotify_client"), sealed: try #require(try await store.secret("spotify_client")))
    let other = try tenant.vault.seal(
      Array(LinkedApp.secret.utf8), for: .unbound(.secret(name: "spotify_client")))
    try await store.bind([(SealedItem(place, sealed: grant.sealedTokens), as: sealed), (secret, as: other)])
    _ = try await app.server.database.write(
      tenant.id.uuid,
      ["UPDATE tenant SET pinned_revision = \(Int64(tenant.revision)) WHERE id = gatehouse.tenant()"])
    try await TenantLoader(app.server.services).load([tenant.name])
    return token
  }

  private func unbound(_ app: LinkedApp) async throws -> Int {
    try await app.server.services.store.open(app.tenant.id).unboundItems(limit: 10).count
  }

  private func refreshed(_ token: String, _ app: LinkedApp) async throws -> Bool {
    app.server.clock.advance(seconds: 400)
    return try await app.token(token).status == 200
  }

  @Test("T179 until it is bound it opens where the pinned revision leads, and nowhere else")
  func before() async throws {
    try await LinkedApp.run { app in
      let token = try await old(app)
      #expect(try await refreshed(token, app))
      #expect(try await app.peer.counts().refreshes == 1)
    }
    try await LinkedApp.run(policy: SealedElsewhereTests.warm) { app in
      let token = try await old(app)
      _ = try await app.peer.received()
      try await SealedElsewhereTests.apply(SealedElsewhereTests.elsewhere(app), app)
      app.server.clock.advance(seconds: 400)
      await app.server.warmGrants()
      #expect(try await app.token(token).code == "provider_link_broken")
      #expect(try await app.peer.received().isEmpty)
    }
  }

  @Test("T179 an edit after the upgrade binds it nowhere else: it is bound where the pinned revision leads")
  func edited() async throws {
    try await LinkedApp.run { app in
      let token = try await old(app)
      _ = try await app.peer.received()
      try await SealedElsewhereTests.apply(SealedElsewhereTests.elsewhere(app), app)
      try await SealedElsewhereTests.bind(app)
      #expect(try await unbound(app) == 0)
      #expect(try app.tenant.pinnedRevision == nil)
      app.server.clock.advance(seconds: 400)
      #expect(try await app.token(token).code == "provider_link_broken")
      #expect(try await app.peer.received().isEmpty)
      try await SealedElsewhereTests.apply(app.policy, app)
      try await SealedElsewhereTests.bind(app)
      #expect(try await refreshed(token, app))
    }
  }

  @Test("T179 a job that was killed halfway is completed by the next one, and another one changes nothing")
  func halfway() async throws {
    try await LinkedApp.run { app in
      let token = try await old(app)
      let services = app.server.services
      #expect(try await unbound(app) == 2)
      #expect(try await BindSealed(services, version: "1", batch: 1).runOnce())
      #expect(try await unbound(app) == 1)
      #expect(try app.tenant.pinnedRevision != nil)
      #expect(try await refreshed(token, app), "half of it is bound")
      try await SealedElsewhereTests.bind(app)
      #expect(try await unbound(app) == 0)
      let bound = try await app.grant()
      try await SealedElsewhereTests.bind(app)
      #expect(try await app.grant() == bound)
      #expect(try await refreshed(token, app))
    }
  }

  @Test("T179 nothing is bound while a server of another release runs, and everything opens for it and for us")
  func beside() async throws {
    try await LinkedApp.run { app in
      let token = try await old(app)
      let older = ServerRecord(
        id: UUID(), name: "auth-1", version: "0.0.1", vocabulary: [], startedAt: app.server.clock.now)
      try await app.server.services.servers.announce(older)
      #expect(try await BindSealed(app.server.services, version: "1").runOnce() == false)
      #expect(try await unbound(app) == 2)
      #expect(try await app.token(token).status == 200)
      try await app.server.services.servers.withdraw(older.id)
      _ = try await BindSealed(app.server.services, version: "1").runOnce()
      #expect(try await unbound(app) == 0)
    }
  }

  @Test("T179 once the job is done, what has no destination opens nowhere")
  func after() async throws {
    try await LinkedApp.run { app in
      let token = try await old(app)
      _ = try await app.server.database.write(
        app.tenant.id.uuid, ["UPDATE tenant SET pinned_revision = NULL WHERE id = gatehouse.tenant()"])
      try await TenantLoader(app.server.services).load([app.tenant.name])
      _ = try await app.peer.received()
      app.server.clock.advance(seconds: 400)
      #expect(try await app.token(token).code == "provider_link_broken")
      #expect(try await app.peer.received().isEmpty)
    }
  }

  @Test(
    "T179 what no provider of the pinned revision names waits for a policy that does, and what does not open is kept")
  func unnamed() async throws {
    try await LinkedApp.run { app in
      _ = try await old(app)
      let store = app.server.services.store.open(try app.tenant.id)
      let vault = try app.tenant.vault
      let note = AuditEntry(
        id: UUID(), at: app.server.clock.now, event: .secretChanged, actor: "test", details: [:])
      try await store.setSecret(
        "later", sealed: try vault.seal(Array("x".utf8), for: .unbound(.secret(name: "later"))), audit: note)
      try await SealedElsewhereTests.bind(app)
      let later = try #require(try await store.secret("later"))
      #expect(try vault.open(later, for: .bound(.secret(name: "later"), to: .unnamed)).expose { $0 } == Array("x".utf8))
      #expect(try app.tenant.pinnedRevision == nil)
    }
  }
}
