import GatehouseAdminWire
import GatehouseWire
import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseOutbound

/// The three apps by their true policies, with Google and Spotify played by another program over HTTPS: of vibes' file
/// only who and where they are is this test's.
private struct World {
  let apps: ThreeApps
  let peer: IdentityProviderPeer

  static let google = "vibes-ios.apps.example"
  static let spotify = "vibes-at-spotify"
  static let secret = "spotify-client-s3cret"

  static func run(
    policy: (App, String, IdentityProviderPeer) -> String = { _, text, _ in text }, _ body: (World) async throws -> Void
  ) async throws {
    let peer = try await IdentityProviderPeer.start()
    var policies: [String: String] = [:]
    for app in App.allCases {
      policies[app.rawValue] = policy(app, bound(try TestLists.policy(app.rawValue), to: peer), peer)
    }
    let server = try await TestServer.start(
      policies: policies,
      outbound: OutboundHTTP.Settings(addresses: ReachableAddresses(allowsLoopback: true), caFile: peer.certificate))
    do {
      let world = World(apps: ThreeApps(server), peer: peer)
      try await world.settle(try #require(policies["vibes"]))
      try await body(world)
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  private static func bound(_ text: String, to peer: IdentityProviderPeer) -> String {
    text.replacing("REPLACE.apps.googleusercontent.com", with: google)
      .replacing("client_id: REPLACE", with: "client_id: \(spotify)")
      .replacing("  spotify:\n", with: "    endpoints: \(peer.openIDEndpoints)\n  spotify:\n")
      .replacing(
        "    one_account_per_user: true\n",
        with: "    one_account_per_user: true\n    endpoints: \(peer.spotifyEndpoints)\n")
  }

  /// Where browsers come back to is known once the server runs.
  private func settle(_ text: String) async throws {
    let here = PolicyText.withoutTests(text).replacing("https://auth.example.com/t/vibes", with: issuer)
    _ = try await apps.server.apply(here, to: "vibes", allowsWeaker: true)
    try await apps.reload()
    try await peer.register(
      Self.spotify, secret: Self.secret,
      redirectURIs: [issuer + "/v1/links/spotify/callback", "vibes://spotify-callback"])
    try await peer.signIn(["sub": "listener", "email": "somebody@spotify.example", "name": "Pat"])
    _ = try await SetSecret.run(
      .init(tenant: "vibes", name: "spotify_client", value: Self.secret), apps.asOperator)
  }

  var issuer: String { apps.server.url + "/t/vibes" }

  /// Links Spotify in a browser that comes back to the server.
  func linkInBrowser(_ token: String) async throws {
    let tab = BrowserFlowTests.Tab(apps.vibes)
    let start = try await tab.send("POST", "/v1/me/links/spotify", "{}", token: token)
    let address = try #require(start.json["authorization_url"]?.string, "\(start.text)")
    #expect(try ProvidedApps.query(address)["scope"] == ProvidedApps.spotifyScopes.joined(separator: " "))
    let back = try #require(try await peer.consent(address))
    try #require(back.hasPrefix(issuer + "/v1/links/spotify/callback?"))
    let landed = try await tab.send("GET", String(back.dropFirst(issuer.count)))
    #expect(landed.status == 200 && landed.text.contains("Connected"), "\(landed.text)")
  }

  func spotifyToken(_ access: String) async throws -> TestClient.Answer {
    try await apps.vibes.post("/v1/me/links/spotify/token", "{}", token: access)
  }

  /// As the app does it: with the ID token that Google's library gave it.
  func googleSignIn(
    _ app: App = .vibes, email: String = "nova@gmail.com", subject: String = "g-1", nonce: String = "n-1"
  ) async throws -> TestClient.Answer {
    let now = Int(apps.server.clock.now.timeIntervalSince1970)
    let token = try await peer.mint([
      "iss": peer.issuer, "aud": Self.google, "azp": Self.google, "sub": subject, "email": email,
      "email_verified": true, "name": "Nova", "nonce": "n-1", "iat": now, "exp": now + 3600,
    ])
    return try await apps.client(app).post("/v1/sign-in/google", #"{"id_token":"\#(token)","nonce":"\#(nonce)"}"#)
  }

  func expect(_ access: String, _ next: [String], _ token: String) async throws {
    let me = try await apps.me(.vibes, token).json
    #expect(me["access"] == .string(access) && me.next == next, "\(me)")
  }
}

@Suite("vibes from the first screen to the last, with Google and Spotify over the network")
struct VibesStoryTests {
  private let app = App.vibes

  enum Withdrawal: CaseIterable { case someScopes, everything }

  @Test(
    "T100 T101 email sign-up, limited, Spotify, full, an hour, a fresh token; access is taken back there: limited, and told",
    arguments: Withdrawal.allCases)
  func email(_ withdrawal: Withdrawal) async throws {
    try await World.run { world in
      let (apps, peer) = (world.apps, world.peer)
      let up = try await apps.signUp(app).json
      #expect(up["access"] == .string("limited") && up.next == ["link:spotify"])
      let code = try #require(try await apps.server.latestMail(to: app.email())?.code)
      let proof = #"{"email":"\#(app.email())","code":"\#(code)"}"#
      #expect(try await apps.vibes.post("/v1/email-verification/confirm", proof, token: up.accessToken).status == 200)
      try await world.expect("limited", ["link:spotify"], up.accessToken)
      #expect(try await world.spotifyToken(up.accessToken).code == "provider_not_linked")

      apps.server.clock.advance(seconds: 1)
      try await world.linkInBrowser(up.accessToken)
      try await world.expect("full", [], up.accessToken)
      #expect(try await apps.server.latestMail(to: app.email())?.subject.contains("Spotify was connected") == true)
      let first = try await world.spotifyToken(up.accessToken)
      #expect(first.status == 200 && first.json["expires_in"] == .integer(3600), "\(first.text)")
      #expect(first.json["scopes"] == .array(ProvidedApps.spotifyScopes.map(JSONValue.string)))

      // An hour later, and another: each time a fresh one, made with the refresh token that came with the last.
      var (session, known, spotify) = (up, try await peer.refreshTokens(), first.json.accessToken)
      for hour in 1...2 {
        apps.server.clock.advance(seconds: 3600)
        session = try await apps.refresh(app, session.refreshToken).json
        let fresh = try await world.spotifyToken(session.accessToken)
        #expect(fresh.status == 200 && fresh.json["expires_in"] == .integer(3600), "\(fresh.text)")
        #expect(fresh.json.accessToken != spotify)
        let rotated = try await peer.refreshTokens()
        #expect(rotated.count == 1 && rotated != known, "the one before is used up")
        #expect(!fresh.text.contains(rotated[0]) && !fresh.text.contains(World.secret))
        let counts = try await peer.counts()
        #expect(counts.refreshes == hour && counts.replays == 0)
        (known, spotify) = (rotated, fresh.json.accessToken)
      }

      // The person thinks again, at Spotify.
      switch withdrawal {
      case .someScopes: try await peer.allow(Array(ProvidedApps.spotifyScopes.dropLast()))
      case .everything: try await peer.withdrawGrants(of: "listener")
      }
      apps.server.clock.advance(seconds: 3600)
      session = try await apps.refresh(app, session.refreshToken).json
      #expect(session["access"] == .string("full"), "the server has not noticed yet")
      let before = try await apps.server.mailCount(to: app.email())
      for _ in 1...2 {
        let refused = try await world.spotifyToken(session.accessToken)
        switch withdrawal {
        case .someScopes: #expect(refused.code == "access_limited" && refused.json.next == ["link:spotify"])
        case .everything: #expect(refused.code == "provider_link_broken", "\(refused.text)")
        }
        #expect(refused.json["access_token"] == nil)
      }
      try await world.expect("limited", ["link:spotify"], session.accessToken)
      let mail = try #require(try await apps.server.latestMail(to: app.email()))
      #expect(
        mail.subject == "Connect Spotify to vibes again" && mail.link?.hasSuffix("/ui/account/connections") == true)
      #expect(try await apps.server.mailCount(to: app.email()) == before + 1, "the person is told once")
      #expect(try await apps.signIn(app).json.next == ["link:spotify"])

      try await peer.allow(nil)
      let again = try await apps.signIn(app).json
      try await world.linkInBrowser(again.accessToken)
      try await world.expect("full", [], again.accessToken)
      #expect(try await world.spotifyToken(again.accessToken).status == 200)
    }
  }

  @Test("T096 T097 Google's ID token and nonce, a username asked for once, Spotify by the app's own address, full")
  func google() async throws {
    try await World.run { world in
      let vibes = world.apps.vibes
      #expect(try await world.googleSignIn(nonce: "another").code == "provider_token_invalid")
      let up = try await world.googleSignIn()
      #expect(up.status == 200, "\(up.text)")
      #expect(up.json["access"] == .string("limited") && up.json.next == ["profile:username", "link:spotify"])
      let token = up.json.accessToken
      let named = try await vibes.send("PATCH", "/v1/me", #"{"profile":{"username":"nova"}}"#, token: token)
      #expect(named.status == 200, "\(named.text)")
      try await world.expect("limited", ["link:spotify"], token)
      let again = try await world.googleSignIn()
      #expect(again.json.userID == up.json.userID && again.json.next == ["link:spotify"], "asked once")

      let start = try await vibes.post(
        "/v1/me/links/spotify", #"{"redirect_uri":"vibes://spotify-callback"}"#, token: token)
      let address = try #require(start.json["authorization_url"]?.string, "\(start.text)")
      let back = try #require(try await world.peer.consent(address))
      #expect(back.hasPrefix("vibes://spotify-callback?"))
      let linked = try await vibes.post(
        "/v1/me/links/spotify/complete", #"{"callback_url":"\#(back)"}"#, token: token)
      #expect(linked.status == 200 && linked.json["access"] == .string("full") && linked.json.next.isEmpty)
      let last = try await world.googleSignIn(email: "renamed@gmail.com").json
      #expect(last.userID == up.json.userID && last["access"] == .string("full") && last.next.isEmpty)
      #expect(try await world.spotifyToken(last.accessToken).status == 200)
    }
  }

  @Test("DD Ride and messAI know nothing of it: users get in as before, and no user is asked for a link")
  func others() async throws {
    try await World.run { world in
      let apps = world.apps
      _ = try await world.peer.received()
      for app in [App.ride, .messai] {
        let up = try await apps.signUp(app)
        #expect(up.status == 201 && up.json.next == app.standing.new, "\(up.text)")
        let back = try await apps.signIn(app).json
        #expect(back.next == app.standing.new && back["user"]?["links"] == .array([]))
        #expect(try await world.googleSignIn(app).code == "not_found")
        let client = apps.client(app)
        for path in ["spotify", "google", "spotify/token"] {
          #expect(try await client.post("/v1/me/links/\(path)", "{}", token: back.accessToken).code == "not_found")
        }
        let providers = try await client.get("/v1/policy").json["providers"]
        #expect(providers?.array?.count == 1, "\(app): \(providers ?? .null)")
      }
      #expect(try await apps.vibes.get("/v1/policy").json["providers"]?.array?.count == 3, "negative control")
      let later = try await world.peer.received()
      #expect(later.isEmpty)
    }
  }

  @Test("T098 where DD Ride takes Google, a gmail address stays outside and one of the university comes in")
  func ride() async throws {
    let open: (App, String, IdentityProviderPeer) -> String = { app, text, peer in
      guard app == .ride else { return text }
      return text.replacing(
        "providers:\n  password: {use: sign_in}\n",
        with: "providers:\n  password: {use: sign_in}\n  google: {use: sign_in, audiences: [\(World.google)], "
          + "existing_email: link_if_both_verified, endpoints: \(peer.openIDEndpoints)}\n")
    }
    try await World.run(policy: open) { world in
      let refused = try await world.googleSignIn(.ride)
      #expect(refused.status == 422 && refused.rules == ["email.allowed_domains"], "\(refused.text)")
      let taken = try await world.googleSignIn(.ride, email: "willie@ksu.edu", subject: "g-2")
      #expect(taken.status == 200 && !taken.json.next.contains("link:spotify"), "\(taken.text)")
    }
  }
}
