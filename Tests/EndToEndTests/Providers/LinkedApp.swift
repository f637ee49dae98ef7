import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@testable import GatehouseOutbound

/// vibes with a real provider behind it: another program that speaks HTTPS.
struct LinkedApp {
  let server: TestServer
  let peer: IdentityProviderPeer
  let policy: String
  let client: TestClient

  static let secret = "spotify-client-s3cret"
  static let scopes = ["user-read-email", "user-top-read"]

  /// `policy` changes vibes' own; `name` is what the provider is called in it.
  static func run(
    provider name: String = "spotify", policy change: (String) -> String = { $0 },
    _ body: (LinkedApp) async throws -> Void
  ) async throws {
    let peer = try await IdentityProviderPeer.start()
    try await peer.register("vibes-id", secret: secret, redirectURIs: ["vibes://spotify-callback"])
    // Shorter than the server's own, so that people stay signed in while these end.
    try await peer.expiresIn(300)
    try await peer.signIn(["sub": "1001", "email": "w@example.com", "name": "Willie"])
    let endpoints =
      name == "github"
      ? peer.githubEndpoints("vibes-id") : name == "spotify" ? peer.spotifyEndpoints : peer.openIDEndpoints
    let policy = change(text(name, endpoints))
    let server = try await TestServer.start(
      policies: ["vibes": policy],
      outbound: OutboundHTTP.Settings(
        addresses: ReachableAddresses(allowsLoopback: true), caFile: peer.certificate))
    let app = LinkedApp(server: server, peer: peer, policy: policy, client: TestClient("\(server.url)/t/vibes"))
    do {
      _ = try await SetSecret.run(
        .init(tenant: "vibes", name: "spotify_client", value: secret), server.asOperator)
      try await body(app)
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  private static func text(_ name: String, _ endpoints: String) -> String {
    """
    schema: gatehouse/policy.v1
    tenant: vibes
    app: {name: vibes, support_email: help@vibes.example, locales: [en]}
    identifiers:
      sign_in_with: [email]
      email: {normalize: lowercase}
    password:
      max_length: 128
      rules:
        - {id: min6, min_length: 6}
    profile:
      unknown_fields: reject
      fields:
        username: {type: string, required: true, min_length: 3, max_length: 30, write: user, visible_to: users}
    access:
      full:
        requires: ["linked:\(name)"]
    providers:
      password: {use: sign_in}
      \(name):
        use: link
        flow: code_pkce
        client_id: vibes-id
        client_secret: {secret: spotify_client}
        redirect_uris: ["vibes://spotify-callback"]
        scopes: [\(scopes.joined(separator: ", "))]
        require_scopes: all
        tokens: {store: encrypted, hand_out: access_token_only}
        one_account_per_user: true
        endpoints: \(endpoints)
    sessions: {access_token_ttl: 60m, refresh_idle_ttl: 90d, refresh_max_ttl: 365d, reuse_grace: 30s, max_per_user: 20}
    privacy: {account_exists: reveal}
    """
  }

  var tenant: TenantSnapshot { get throws { try #require(server.services.registry.snapshot("vibes")) } }

  func signUp(_ name: String = "willie") async throws -> String {
    let answer = try await client.post(
      "/v1/sign-up",
      #"{"email":"\#(name)@example.com","password":"correct horse battery 7","profile":{"username":"\#(name)"}}"#)
    return try #require(answer.json["access_token"]?.string, "\(answer.text)")
  }

  /// Proves a person's address.
  func verify(_ name: String) async throws {
    try await Operator.verify("\(name)@example.com", of: "vibes", server)
  }

  /// Links as the app does that is opened in the end.
  @discardableResult
  func link(_ token: String, provider: String = "spotify") async throws -> TestClient.Answer {
    let start = try await client.post(
      "/v1/me/links/\(provider)", #"{"redirect_uri":"vibes://spotify-callback"}"#, token: token)
    let address = try #require(start.json["authorization_url"]?.string, "\(start.text)")
    let back = try #require(try await peer.consent(address))
    return try await client.post("/v1/me/links/\(provider)/complete", #"{"callback_url":"\#(back)"}"#, token: token)
  }

  /// A linked person's access token.
  func linked(_ name: String = "willie", provider: String = "spotify") async throws -> String {
    let token = try await signUp(name)
    let answer = try await link(token, provider: provider)
    try #require(answer.status == 200, "\(answer.text)")
    return token
  }

  func token(_ access: String, provider: String = "spotify", at other: TestServer? = nil) async throws
    -> TestClient.Answer
  {
    let client = other.map { TestClient("\($0.url)/t/vibes") } ?? client
    return try await client.post("/v1/me/links/\(provider)/token", "{}", token: access)
  }

  func user(_ name: String = "willie") async throws -> UserID {
    let stored = try await server.services.store.open(tenant.id).user(email: "\(name)@example.com")
    return try #require(stored).user.id
  }

  /// Opens a grant, as the server would.
  func tokens(of grant: StoredGrant, in other: TenantSnapshot? = nil) async throws -> GrantedTokens {
    let tenant = try other ?? self.tenant
    let provider = try #require(tenant.policy.provider("spotify"))
    return try await grant.tokens(at: provider, in: tenant, server.services)
  }

  func grant(_ name: String = "willie", provider: String = "spotify") async throws -> StoredGrant? {
    try await server.services.store.open(tenant.id).grant(of: user(name), at: provider)
  }
}
