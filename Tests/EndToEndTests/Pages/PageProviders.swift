import GatehouseAdminWire
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

/// vibes with Google and Spotify played by another program, to which a browser can go and from which it comes back.
struct PageProviders {
  let apps: ThreeApps
  let peer: IdentityProviderPeer

  private static let google = "vibes-web.apps.example"
  private static let spotify = "vibes-at-spotify"
  private static let secret = "spotify-client-s3cret"

  /// - Parameters:
  ///   - requiresAuthTime: whether Google is asked for a new sign-in where a fresh proof is needed.
  ///   - policy: changes the policy of vibes.
  static func run(
    requiresAuthTime: Bool = false, policy: (String) -> String = { $0 }, _ body: (PageProviders) async throws -> Void
  ) async throws {
    let peer = try await IdentityProviderPeer.start()
    var text = policy(bound(PolicyText.withoutTests(try TestLists.policy("vibes")), to: peer))
    if requiresAuthTime {
      text = text.replacing(
        "    endpoints: \(peer.openIDEndpoints)\n",
        with: "    endpoints: \(peer.openIDEndpoints)\n    require_auth_time: true\n")
    }
    let server = try await TestServer.start(
      policies: ["vibes": text],
      outbound: OutboundHTTP.Settings(addresses: ReachableAddresses(allowsLoopback: true), caFile: peer.certificate))
    do {
      try await settle(text, server, peer)
      try await body(PageProviders(apps: ThreeApps(server), peer: peer))
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  private static func bound(_ text: String, to peer: IdentityProviderPeer) -> String {
    text.replacing(
      "    audiences: [REPLACE.apps.googleusercontent.com]",
      with: "    client_id: \(google)\n    audiences: [\(google)]"
    )
    .replacing("client_id: REPLACE", with: "client_id: \(spotify)")
    .replacing(
      "  spotify:\n",
      with: """
            endpoints: \(peer.openIDEndpoints)
            redirect_uris: [https://auth.example.com/t/vibes/v1/links/google/callback]
          spotify:

        """
    )
    .replacing(
      "    one_account_per_user: true\n",
      with: "    one_account_per_user: true\n    endpoints: \(peer.spotifyEndpoints)\n")
  }

  /// Where browsers come back to is known once the server runs.
  private static func settle(_ text: String, _ server: TestServer, _ peer: IdentityProviderPeer) async throws {
    let issuer = server.url + "/t/vibes"
    let here = text.replacing("https://auth.example.com/t/vibes", with: issuer)
    _ = try await server.apply(here, to: "vibes", allowsWeaker: true)
    try await TenantLoader(server.services).loadAll()
    try await peer.register(spotify, secret: secret, redirectURIs: [issuer + "/v1/links/spotify/callback"])
    try await peer.register(google, secret: nil, redirectURIs: [issuer + "/v1/sign-in/google/callback"])
    try await peer.signIn([
      "sub": "listener", "email": "nova@gmail.com", "email_verified": true, "name": "Nova",
    ])
    _ = try await SetSecret.run(
      .init(tenant: "vibes", name: "spotify_client", value: secret), server.asOperator)
  }
}
