import GatehouseAdminWire
import Foundation
import GatehouseAssembly
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

/// What a person allowed at a provider, given back when it is needed no more.
@Suite("Grants that are given back")
struct GrantReturnTests {
  @Test(
    "T101 unlinking, signing out where the policy says so, and erasing give the grant back; a failing provider is asked again",
    arguments: ["unlink", "sign_out", "erase"])
  func giveBack(_ how: String) async throws {
    try await LinkedApp.run(provider: "github", policy: { how == "sign_out" ? drops($0) : $0 }) { app in
      let me = try await app.linked(provider: "github")
      #expect(try await app.token(me, provider: "github").status == 200)
      let answer =
        switch how {
        case "unlink": try await app.client.send("DELETE", "/v1/me/links/github", "{}", token: me)
        case "erase": try await app.client.send("DELETE", "/v1/me", "{}", token: me)
        default: try await app.client.post("/v1/sign-out", "{}", token: me)
        }
      #expect(answer.status == 204, "\(answer.text)")
      #expect(try await app.peer.counts().accessTokens == 1)
      try await app.peer.fail("/applications/vibes-id/grant", .status(503), times: 1)
      #expect(try await app.server.revokeGrants() == 1)
      #expect(try await app.server.revokeGrants() == 0, "it is not asked again at once")
      app.server.clock.advance(seconds: 11)
      #expect(try await app.server.revokeGrants() == 1)
      let counts = try await app.peer.counts()
      #expect(counts.revocations == 1 && counts.accessTokens == 0 && counts.refreshTokens == 0)
      app.server.clock.advance(seconds: 90_000)
      #expect(try await app.server.revokeGrants() == 0)
      let trail = try await app.server.services.store.open(app.tenant.id).audit(
        AuditQuery(event: "provider_grant_revoked"), limit: 10)
      #expect(trail.count == 1)
    }
  }

  private func drops(_ text: String) -> String {
    text.replacing("    one_account", with: "    on_sign_out: drop\n    one_account")
  }

  /// What the trail says of links that went.
  private func unlinked(_ app: LinkedApp) async throws -> [AuditEntry] {
    try await app.server.services.store.open(app.tenant.id).audit(AuditQuery(event: "provider_unlinked"), limit: 10)
  }

  private func signIn(_ app: LinkedApp) async throws -> String {
    let answer = try await app.client.post(
      "/v1/sign-in", #"{"email":"willie@example.com","password":"correct horse battery 7"}"#)
    return try #require(answer.json["access_token"]?.string, "\(answer.text)")
  }

  @Test(
    "T101 with two devices the grant stays until the second one's session ends, however that is done",
    arguments: ["this", "all", "revoked", "operator", "operator all"])
  func devices(_ how: String) async throws {
    try await LinkedApp.run(provider: "github", policy: drops) { app in
      let phone = try await app.linked(provider: "github")
      let tablet = try await signIn(app)
      #expect(try await app.client.post("/v1/sign-out", "{}", token: phone).status == 204)
      #expect(try await app.grant(provider: "github") != nil)
      #expect(try await app.token(tablet, provider: "github").status == 200)
      #expect(try await app.client.post("/v1/sign-out", #"{"scope":"others"}"#, token: tablet).status == 204)
      #expect(try await app.grant(provider: "github") != nil)
      #expect(try await unlinked(app).isEmpty)
      let call = Call(
        tenant: try app.tenant, requestID: "test", address: nil, languages: [], now: app.server.clock.now)
      let user = try await app.server.asOperator.user("willie@example.com", in: call)
      let session = try #require(
        try await app.server.services.store.open(app.tenant.id).sessions(of: user.id).first)
      switch how {
      case "revoked":
        #expect(try await app.client.send("DELETE", "/v1/me/sessions/\(session.id.text)", token: tablet).status == 204)
      case "operator", "operator all":
        _ = try await RevokeSessions.run(
          .init(
            tenant: "vibes", user: "willie@example.com", session: how == "operator" ? session.id.text : nil),
          app.server.asOperator)
      default:
        #expect(try await app.client.post("/v1/sign-out", #"{"scope":"\#(how)"}"#, token: tablet).status == 204)
      }
      #expect(try await app.grant(provider: "github") == nil)
      #expect(try await unlinked(app).map(\.user) == [user.id])
      #expect(try await app.server.revokeGrants() == 1)
    }
  }

  @Test("T101 of devices that sign out at the same moment exactly the last one drops the grant")
  func atOnce() async throws {
    try await LinkedApp.run(provider: "github", policy: drops) { app in
      var tokens = [try await app.linked(provider: "github")]
      for _ in 1...5 { tokens.append(try await signIn(app)) }
      let answers = try await withThrowingTaskGroup(of: TestClient.Answer.self) { group in
        for token in tokens { group.addTask { try await app.client.post("/v1/sign-out", "{}", token: token) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.allSatisfy { $0.status == 204 }, "\(answers.map(\.text))")
      #expect(try await app.grant(provider: "github") == nil)
      #expect(try await unlinked(app).count == 1)
    }
  }

  @Test("T101 the end of another session drops nothing, nor does a session that ran out")
  func others() async throws {
    try await LinkedApp.run(provider: "github", policy: drops) { app in
      let phone = try await app.linked(provider: "github")
      _ = try await signIn(app)
      let list = try await app.client.get("/v1/me/sessions", token: phone).json["items"]?.array ?? []
      let other = try #require(list.first { $0["current"] == .bool(false) }?["id"]?.string)
      #expect(try await app.client.send("DELETE", "/v1/me/sessions/\(other)", token: phone).status == 204)
      #expect(try await app.grant(provider: "github") != nil)
      app.server.clock.advance(seconds: 91 * 86_400)
      _ = try await app.server.round(of: .expireSessions)
      #expect(try await app.grant(provider: "github") != nil)
      // The session that ran out keeps nothing from being the last one.
      let anew = try await signIn(app)
      #expect(try await app.client.post("/v1/sign-out", "{}", token: anew).status == 204)
      #expect(try await app.grant(provider: "github") == nil)
    }
  }

  @Test("T101 what was allowed for nothing is given back, unless an earlier link of the same person needs it")
  func refusedIsGivenBack() async throws {
    try await LinkedApp.run(provider: "github") { app in
      let me = try await app.signUp()
      try await app.peer.allow(["user-top-read"])
      for _ in 1...2 {
        let refused = try await app.link(me, provider: "github")
        #expect(refused.code == "provider_scopes_missing", "\(refused.text)")
      }
      #expect(try await app.peer.counts().accessTokens == 2, "negative control")
      #expect(try await app.server.revokeGrants() == 2)
      let counts = try await app.peer.counts()
      #expect(counts.revocations == 2 && counts.accessTokens == 0 && counts.refreshTokens == 0)
      try await app.peer.allow(nil)
      #expect(try await app.link(me, provider: "github").status == 200)
      try await app.peer.allow(["user-top-read"])
      #expect(try await app.link(me, provider: "github").code == "provider_scopes_missing")
      #expect(try await app.server.revokeGrants() == 1, "looked at, and let be")
      #expect(try await app.peer.counts().revocations == 2)
      #expect(try await app.token(me, provider: "github").status == 200)
    }
  }

  @Test("signing out keeps the link where the policy does not say otherwise, and linking again gives nothing back")
  func keeps() async throws {
    try await LinkedApp.run(provider: "github") { app in
      let me = try await app.linked(provider: "github")
      #expect(try await app.link(me, provider: "github").status == 200)
      #expect(try await app.client.post("/v1/sign-out", "{}", token: me).status == 204)
      #expect(try await app.server.revokeGrants() == 0)
      #expect(try await app.grant(provider: "github") != nil)
    }
  }

  @Test("T101 another person there takes the place of the first, whose grant is given back")
  func replaced() async throws {
    try await LinkedApp.run(provider: "github") { app in
      let me = try await app.linked(provider: "github")
      try await app.peer.signIn(["sub": "1002"])
      #expect(try await app.link(me, provider: "github").status == 200)
      #expect(try await app.server.revokeGrants() == 1)
      let counts = try await app.peer.counts()
      #expect(counts.revocations == 1 && counts.accessTokens == 1)
      #expect(try await app.token(me, provider: "github").status == 200)
    }
  }
}
