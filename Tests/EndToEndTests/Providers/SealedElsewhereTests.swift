import Foundation
import GatehouseAssembly
import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

/// The provider answers at two origins, so that a policy can lead to the second one, and what arrives there is seen.
@Suite("Secrets and grants go where they were sealed for")
struct SealedElsewhereTests {
  static func warm(_ policy: String) -> String {
    policy.replacing("hand_out: access_token_only}", with: "hand_out: access_token_only, keep_warm: true}")
  }

  static func elsewhere(_ app: LinkedApp) -> String {
    app.policy.replacing("https://localhost:", with: "https://127.0.0.1:")
  }

  static func apply(_ text: String, _ app: LinkedApp) async throws {
    _ = try await app.server.apply(text, to: "vibes", allowsWeaker: true, allowsLockout: true)
    try await TenantLoader(app.server.services).load([app.tenant.name])
  }

  static func bind(_ app: LinkedApp) async throws {
    while try await app.server.round(of: .bindSealed) {}
    try await TenantLoader(app.server.services).load([app.tenant.name])
  }

  private func me(_ token: String, _ app: LinkedApp) async throws -> JSONValue {
    try await app.client.get("/v1/me", token: token).json
  }

  @Test(
    "T178 a policy with other addresses gets neither secret nor refresh token: the link is told as broken, and the policy before heals it"
  )
  func warmed() async throws {
    try await LinkedApp.run(policy: Self.warm) { app in
      let token = try await app.linked()
      try await app.verify("willie")
      _ = try await app.peer.received()
      try await Self.apply(Self.elsewhere(app), app)
      app.server.clock.advance(seconds: 200)
      await app.server.warmGrants()
      await app.server.warmGrants()
      #expect(try await app.peer.received().isEmpty)
      let state = try await me(token, app)
      #expect(state["access"] == .string("limited") && state["next"] == .array([.string("link:spotify")]))
      #expect(state["user"]?["links"]?.array?.first?["broken"] == .bool(true))
      let trail = try await app.server.services.store.open(app.tenant.id).audit(
        AuditQuery(event: "provider_link_broken"), limit: 10)
      #expect(trail.map(\.details) == [["provider": "spotify", "reason": "sealed_elsewhere"]])
      #expect(
        try await app.server.latestMail(to: "willie@example.com")?.subject == "Connect Spotify to vibes again")
      #expect(try await app.token(token).code == "provider_link_broken")
      try await Self.bind(app)
      #expect(try await me(token, app)["access"] == .string("limited"), "it leads elsewhere still")
      try await Self.apply(app.policy, app)
      try await Self.bind(app)
      #expect(try await me(token, app)["access"] == .string("full"))
      app.server.clock.advance(seconds: 2)
      await app.server.warmGrants()
      #expect(try await app.token(token).json["expires_in"] == .integer(300))
      #expect(try await app.peer.counts().refreshes == 1)
    }
  }

  @Test(
    "T178 an app's request for a token sends nothing elsewhere, whether the token is good or has ended",
    arguments: [0, 400])
  func asked(_ seconds: Double) async throws {
    try await LinkedApp.run { app in
      let token = try await app.linked()
      _ = try await app.peer.received()
      try await Self.apply(Self.elsewhere(app), app)
      app.server.clock.advance(seconds: seconds)
      let answers = try await withThrowingTaskGroup(of: TestClient.Answer.self) { group in
        for _ in 0..<4 { group.addTask { try await app.token(token) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.allSatisfy { $0.status == 409 && $0.code == "provider_link_broken" }, "\(answers.map(\.text))")
      #expect(try await app.peer.received().isEmpty)
      #expect(try await app.grant() != nil, "nothing is lost by a policy")
      let trail = try await app.server.services.store.open(app.tenant.id).audit(
        AuditQuery(event: "provider_link_broken"), limit: 10)
      #expect(trail.count == 1)
    }
  }

  @Test(
    "T178 no browser is sent to a provider that leads elsewhere; the operator is told, and the secret set anew heals it"
  )
  func told() async throws {
    try await LinkedApp.run { app in
      let token = try await app.linked()
      let operatorCall = app.server.asOperator
      let outcome = try await ApplyPolicy.run(
        .init(tenant: "vibes", text: Self.elsewhere(app), allowWeaker: true, allowLockout: true), operatorCall)
      #expect(
        outcome.notes?.contains { $0.contains("gatehouse secret set vibes spotify_client") } == true, "\(outcome)")
      try await TenantLoader(app.server.services).load([app.tenant.name])
      func listed() async throws -> SecretSummary? {
        try await ListSecrets.run(.init(tenant: "vibes"), operatorCall).items.first
      }
      #expect(try await listed()?.closedFor == ["spotify"])
      let provider = try #require(try app.tenant.policy.provider("spotify"))
      let findings = try await Providers.test(provider, app.tenant, app.server.services)
      #expect(findings.contains { $0.check == "secret" && $0.verdict == .wrong })
      _ = try await app.peer.received()
      let start = try await app.client.post(
        "/v1/me/links/spotify", #"{"redirect_uri":"vibes://spotify-callback"}"#, token: token)
      #expect(start.status == 502 && start.code == "provider_error", "\(start.text)")
      #expect(try await app.peer.received().isEmpty)
      _ = try await SetSecret.run(.init(tenant: "vibes", name: "spotify_client", value: LinkedApp.secret), operatorCall)
      #expect(try await listed()?.opensFor == ["spotify"])
      #expect(try await app.link(token).status == 200)
      #expect(try await app.token(token).status == 200)
    }
  }

  @Test("T178 a person who is away at a provider comes back to where the flow began, or not at all")
  func away() async throws {
    let isPublic = { (text: String) in text.replacing("        client_secret: {secret: spotify_client}\n", with: "") }
    try await LinkedApp.run(policy: isPublic) { app in
      let token = try await app.signUp()
      let start = try await app.client.post(
        "/v1/me/links/spotify", #"{"redirect_uri":"vibes://spotify-callback"}"#, token: token)
      let address = try #require(start.json["authorization_url"]?.string, "\(start.text)")
      let back = try #require(try await app.peer.consent(address))
      try await Self.apply(Self.elsewhere(app), app)
      _ = try await app.peer.received()
      let answer = try await app.client.post(
        "/v1/me/links/spotify/complete", #"{"callback_url":"\#(back)"}"#, token: token)
      #expect(answer.code == "code_invalid", "\(answer.text)")
      #expect(try await app.peer.received().isEmpty)
    }
  }

  @Test("T178 a grant is not given back elsewhere; the order waits for the policy that leads there again")
  func givenBack() async throws {
    try await LinkedApp.run(provider: "github") { app in
      let token = try await app.linked(provider: "github")
      try await Self.apply(Self.elsewhere(app), app)
      #expect(try await app.client.send("DELETE", "/v1/me/links/github", "{}", token: token).status == 204)
      _ = try await app.peer.received()
      #expect(try await app.server.revokeGrants() == 1)
      #expect(try await app.peer.received().isEmpty)
      try await Self.apply(app.policy, app)
      app.server.clock.advance(seconds: 301)
      #expect(try await app.server.revokeGrants() == 1)
      #expect(try await app.peer.counts().revocations == 1)
    }
  }

  @Test("T180 a secret that is set before its provider waits; the policy of an author who may set secrets binds it")
  func waits() async throws {
    try await LinkedApp.run { app in
      let (services, tenant) = (app.server.services, try await Tenants.find("vibes", app.server.services))
      _ = try await SetSecret.run(
        .init(tenant: "vibes", name: "later", value: LinkedApp.secret), app.server.asOperator)
      func listed() async throws -> SecretSummary? {
        try await TenantLoader(services).load([app.tenant.name])
        return try await ListSecrets.run(.init(tenant: "vibes"), app.server.asOperator).items.first {
          $0.name == "later"
        }
      }
      #expect(try await listed()?.closedFor == [])
      let naming = app.policy.replacing("{secret: spotify_client}", with: "{secret: later}")
      var author = Author(.operator("ci"), name: "ci", reason: "")
      author.bindsSecrets = false
      let consent = Policies.Consent(weaker: true, lockout: true)
      _ = try await Policies.apply(naming, file: "a", to: tenant, consent: consent, author: author, services)
      #expect(try await listed()?.closedFor == ["spotify"], "this author may not")
      author.bindsSecrets = true
      _ = try await Policies.apply(
        naming + "# again\n", file: "a", to: tenant, consent: consent, author: author, services)
      #expect(try await listed()?.opensFor == ["spotify"])
      try await Self.apply(Self.elsewhere(app).replacing("{secret: spotify_client}", with: "{secret: later}"), app)
      #expect(try await listed()?.closedFor == ["spotify"], "it is bound once")
    }
  }

  @Test("T180 a token binds a waiting secret only with the right to set secrets")
  func rights() async throws {
    try await LinkedApp.run { app in
      for (scopes, binds) in [([.policyWrite], false), ([.policyWrite, .secretWrite], true)] as [([AdminScope], Bool)] {
        let token = AdminToken(
          id: UUID(), name: "ci", scopes: scopes, tenants: nil, createdAt: app.server.clock.now, createdBy: "test",
          expiresAt: app.server.clock.now)
        let call = OperatorCall(GatehouseIdentity.Operator(token, hash: []), app.server.services, requestID: "test")
        let author = try call.author()
        #expect(author.bindsSecrets == binds)
      }
    }
  }

  @Test("T180 a secret that two providers at different addresses name is not set")
  func shared() async throws {
    try await LinkedApp.run { app in
      let two = app.policy.replacing(
        "sessions: {",
        with: """
            own:
              use: link
              flow: code_pkce
              client_id: other
              client_secret: {secret: spotify_client}
              redirect_uris: ["vibes://spotify-callback"]
              endpoints: {authorization: "https://own.example/a", token: "https://own.example/t", userinfo: "https://own.example/u"}
          sessions: {
          """)
      try await Self.apply(two, app)
      await #expect(throws: OperatorError.self) {
        try await SetSecret.run(
          .init(tenant: "vibes", name: "spotify_client", value: LinkedApp.secret), app.server.asOperator)
      }
      let listed = try await ListSecrets.run(.init(tenant: "vibes"), app.server.asOperator).items.first
      #expect(listed?.opensFor == ["spotify"] && listed?.closedFor == ["own"])
    }
  }
}
