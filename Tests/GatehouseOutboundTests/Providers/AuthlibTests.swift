import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseOutbound

@Suite("An OpenID provider that this project did not write")
struct AuthlibTests {
  @Test("discovery, consent, code, ID token, person, refresh and a refusal, as Authlib speaks them")
  func wholeWay() async throws {
    let peer = try await AuthlibPeer.start(packages: TestLists.root + "/.build/python")
    let loops = LoopGroup(count: 1)
    loops.start()
    let http = OutboundHTTP(
      loop: loops.loops[0],
      OutboundHTTP.Settings(addresses: ReachableAddresses(allowsLoopback: true), caFile: peer.certificate))
    let result: Result<Void, any Error>
    do {
      result = .success(try await walk(peer, http))
    } catch {
      result = .failure(error)
    }
    await http.close()
    try loops.stop()
    try result.get()
  }

  private func walk(_ peer: AuthlibPeer, _ http: OutboundHTTP) async throws {
    let providers = ProviderHTTP(http, clock: .system)
    let registration = ProviderRegistration(
      tenant: TenantID(UUID()),
      provider: Provider(
        name: "campus", use: .signIn, flow: .codePKCE, clientID: "vibes id", clientSecret: "stored",
        redirectURIs: [ProviderPeer.redirect], scopes: ["openid", "email"],
        endpoints: Provider.Endpoints(issuer: peer.issuer)), secret: Secret(Array("s3cret: +ü".utf8)))
    let address = try await providers.authorizationURL(
      ProviderAuthorization(
        redirectURI: ProviderPeer.redirect, state: "st", challenge: ProviderPeer.challenge, nonce: "n0nce"),
      at: registration)
    let consent = try await http.send(
      try OutboundRequest(
        .post, http.url(address), purpose: OutboundPurpose(.host),
        headers: [("Content-Type", "application/x-www-form-urlencoded")], body: Array("sub=willie%40example.com".utf8)))
    let back = try #require(consent.header("location"), "\(String(decoding: consent.body, as: UTF8.self))")
    let query = try FormParser.parse(Array(try #require(back.split(separator: "?").last).utf8))
    #expect(query["state"] == .string("st"))
    let grant = try await providers.exchange(
      ProviderPeer.code(try #require(query["code"]?.string)), at: registration)
    #expect(grant.expiresIn == 3600 && grant.scopes == ["openid", "email"])
    let keys = try await providers.keys(at: registration, isKeyMissing: false)
    let expected = IDToken.Expectation(issuers: [peer.issuer], audiences: ["vibes id"], nonce: "n0nce")
    let token = try #require(grant.idToken).expose { $0 }
    let said = try IDToken.verify(token, keys: keys, expected, now: Clock.system.now.wholeSeconds).user
    #expect(said.subject == "willie@example.com" && said.email == "willie@example.com")
    #expect(!said.emailVerified, "it does not say so")
    let user = try await providers.user(grant.accessToken, at: registration)
    #expect(user.subject == said.subject)
    let again = try await providers.refresh(try #require(grant.refreshToken), at: registration)
    #expect(again.refreshToken == nil, "it stays good")
    await #expect(throws: ProviderFailure.refused(.invalidGrant)) {
      try await providers.refresh(Secret("unknown"), at: registration)
    }
    let findings = await providers.examine(registration)
    #expect(findings.filter { $0.verdict == .wrong } == [], "\(findings)")
    #expect(findings.map(\.check).contains("clock"))
  }
}
