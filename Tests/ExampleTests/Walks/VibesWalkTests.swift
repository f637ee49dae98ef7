import GatehouseAdminWire
import GatehouseWire
import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseOutbound

@Suite("C19 vibes in a terminal")
struct VibesWalkTests {
  private static let wish = "Authenticated as nova. Please connect your Spotify account"
  private static let full = "Fully authenticated as nova."
  private static let secret = "spotify-client-s3cret"
  private static let google = "vibes-ios.apps.example"
  private static let spotify = "vibes-at-spotify"

  /// A walk with a provider of another make in the place of Google and Spotify.
  private func run(_ body: (Walk, IdentityProviderPeer) async throws -> Void) async throws {
    let peer = try await IdentityProviderPeer.start()
    try await peer.register(Self.spotify, secret: Self.secret, redirectURIs: ["vibes://spotify-callback"])
    try await peer.signIn(["sub": "listener", "email": "somebody@spotify.example", "name": "Nova"])
    var policies = try Walk.policies()
    policies["vibes"] = policies["vibes"]?
      .replacing("REPLACE.apps.googleusercontent.com", with: Self.google)
      .replacing("client_id: REPLACE", with: "client_id: \(Self.spotify)")
      .replacing("  spotify:\n", with: "    endpoints: \(peer.openIDEndpoints)\n  spotify:\n")
      .replacing(
        "    one_account_per_user: true\n",
        with: "    one_account_per_user: true\n    endpoints: \(peer.spotifyEndpoints)\n")
    let start = {
      try await TestServer.start(
        policies: policies,
        outbound: OutboundHTTP.Settings(addresses: ReachableAddresses(allowsLoopback: true), caFile: peer.certificate))
    }
    try await Walk.run(on: start) { walk in
      _ = try await SetSecret.run(
        .init(tenant: "vibes", name: "spotify_client", value: Self.secret), walk.server.asOperator)
      try await body(walk, peer)
    }
  }

  private func signUp(_ device: Device) throws {
    let outcome = try device.run(
      "sign-up", "--email", "nova@example.com", "--password", "TestPass123!", "--username", "nova")
    try #require(outcome.lines == [Self.wish], "\(outcome)")
  }

  /// Links as the app does that the browser comes back to.
  private func link(_ device: Device, _ peer: IdentityProviderPeer) async throws -> Device.Outcome {
    let page = try #require(try device.run("link").lines.first)
    let back = try #require(try await peer.consent(page))
    return try device.run("finish", back)
  }

  @Test(
    "C19 vibes: authenticated, Spotify linked over two starts of the app, fully authenticated, tokens for an hour each")
  func story() async throws {
    try await run { walk, peer in
      let device = try walk.device("vibes-example")
      let stranger = try device.run("whoami")
      #expect(stranger == .refused(["You must be signed in to continue"]))
      try signUp(device)
      let none = try device.run("spotify")
      #expect(none == .refused(["Please connect your Spotify account"]))
      #expect(try await link(device, peer).lines == [Self.full])
      #expect(try device.run("status") == .said([Self.full]))
      for _ in 1...2 {
        #expect(try device.run("spotify") == .said(["Spotify lends a token for 12 scopes."]))
        walk.server.clock.advance(seconds: 3600)
      }
      #expect(try device.run("unlink", "--password", "TestPass123!") == .said([Self.wish]))
      #expect(try device.run("sign-out") == .said(["Not authenticated."]))
    }
  }

  @Test("C19 vibes: a person who says no at Spotify is told, and may try again")
  func denied() async throws {
    try await run { walk, peer in
      let device = try walk.device("vibes-example")
      try signUp(device)
      try await peer.denies(true)
      let refused = try await link(device, peer)
      #expect(refused.exit == 1 && refused.errors.count == 1, "\(refused)")
      let early = try device.run("finish", "vibes://spotify-callback?code=a&state=b")
      #expect(early.exit == 1, "there is no page that anything could come back from")
      try await peer.denies(false)
      #expect(try await link(device, peer).lines == [Self.full])
    }
  }

  @Test("C19 vibes: killed between the link and the tokens that know of it, the next start is fully in")
  func killed() async throws {
    try await run { walk, peer in
      let device = try walk.device("vibes-example")
      try signUp(device)
      let page = try #require(try device.run("link").lines.first)
      let back = try #require(try await peer.consent(page))
      let stop = walk.front.keep("/v1/me/links/spotify/complete", .behindServer)
      let running = try device.start("finish", back)
      #expect(try await stop.reached())
      running.kill()
      stop.end()
      #expect(try device.run("whoami") == .said([Self.full]))
    }
  }

  @Test("C19 vibes: Google's token signs a person up, who chooses a username and links Spotify")
  func google() async throws {
    try await run { walk, peer in
      let device = try walk.device("vibes-example")
      let now = Int(walk.server.clock.now.timeIntervalSince1970)
      let token = try await peer.mint([
        "iss": peer.issuer, "aud": Self.google, "azp": Self.google, "sub": "g-1", "email": "nova@gmail.com",
        "email_verified": true, "name": "Nova", "nonce": "n-1", "iat": now, "exp": now + 3600,
      ])
      let entered = try device.run("google", token, "--nonce", "n-1")
      #expect(entered.lines == ["Authenticated as nova@gmail.com. Please choose a username"], "\(entered)")
      #expect(try device.run("profile", "username=nova").exit == 0)
      #expect(try device.run("status") == .said([Self.wish]))
      #expect(try await link(device, peer).lines == [Self.full])
      #expect(try walk.device("vibes-example").run("status") == .said(["Not authenticated."]))
    }
  }
}
