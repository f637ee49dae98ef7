import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseOutbound

/// A client of providers with the peer behind it; for the length of a test.
struct ProviderPeer {
  let peer: IdentityProviderPeer
  let clock = TestClock()
  let providers: ProviderHTTP
  private let http: OutboundHTTP
  private let loops: LoopGroup

  static let redirect = "https://auth.example.com/t/vibes/v1/links/spotify/callback"
  static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  /// Of RFC 7636 appendix B.
  static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

  private init(_ peer: IdentityProviderPeer, isDevelopment: Bool, trusts: Bool) {
    self.peer = peer
    loops = LoopGroup(count: 1)
    loops.start()
    http = OutboundHTTP(
      loop: loops.loops[0],
      OutboundHTTP.Settings(
        addresses: ReachableAddresses(allowsLoopback: isDevelopment), caFile: trusts ? peer.certificate : nil))
    providers = ProviderHTTP(http, clock: clock.clock)
  }

  static func with(
    isDevelopment: Bool = true, trusts: Bool = true, _ body: (ProviderPeer) async throws -> Void
  ) async throws {
    let peer = try await IdentityProviderPeer.start()
    try await peer.register("vibes-client", secret: "s3cret/+: ü", redirectURIs: [redirect])
    try await peer.register("public", secret: nil, redirectURIs: [redirect])
    try await peer.signIn(["sub": "4711", "email": "w@example.com", "email_verified": true, "name": "Willie"])
    let one = ProviderPeer(peer, isDevelopment: isDevelopment, trusts: trusts)
    let result: Result<Void, any Error>
    do { result = .success(try await body(one)) } catch { result = .failure(error) }
    await one.http.close()
    try one.loops.stop()
    try result.get()
  }

  enum Kind: String, CaseIterable { case generic, google, spotify, github, oauth2 }

  func registration(
    _ kind: Kind, client: String = "vibes-client", secret: String? = "s3cret/+: ü", scopes: [String] = [],
    endpoints: Provider.Endpoints? = nil, requiresAuthTime: Bool = false
  ) -> ProviderRegistration {
    let root = peer.issuer
    let own: Provider.Endpoints =
      switch kind {
      case .generic, .google: Provider.Endpoints(issuer: root)
      case .spotify:
        Provider.Endpoints(authorization: root + "/authorize", token: root + "/token", userinfo: root + "/v1/me")
      case .github:
        Provider.Endpoints(
          authorization: root + "/authorize", token: root + "/token", userinfo: root + "/user",
          revocation: root + "/applications/{client_id}/grant")
      case .oauth2:
        Provider.Endpoints(authorization: root + "/authorize", token: root + "/token", userinfo: root + "/userinfo")
      }
    return ProviderRegistration(
      tenant: TenantID(UUID()),
      provider: Provider(
        name: kind == .generic ? "campus" : kind.rawValue, use: .link, flow: .codePKCE, clientID: client,
        clientSecret: secret == nil ? nil : "stored", redirectURIs: [Self.redirect], scopes: scopes,
        requireAuthTime: requiresAuthTime, tokenStore: .encrypted, endpoints: endpoints ?? own),
      secret: secret.map { Secret(Array($0.utf8)) })
  }

  /// Goes where a browser is sent, as a browser without redirects does, and brings the code back.
  func browse(_ registration: ProviderRegistration, nonce: String? = nil) async throws -> [String: String] {
    let address = try await providers.authorizationURL(
      ProviderAuthorization(
        redirectURI: Self.redirect, state: "st&te=1", challenge: Self.challenge, nonce: nonce), at: registration)
    let answer = try await http.send(
      try OutboundRequest(.get, http.url(address), purpose: OutboundPurpose(.host)))
    #expect(answer.status == 302)
    let location = answer.header("location") ?? ""
    let query = location.split(separator: "?", maxSplits: 1).last.map { Array($0.utf8) } ?? []
    let form = try FormParser.parse(query)
    return Dictionary(
      uniqueKeysWithValues: ["code", "state", "error"].compactMap { name in form[name]?.string.map { (name, $0) } })
  }

  func grant(_ registration: ProviderRegistration, nonce: String? = nil) async throws -> ProviderGrant {
    let code = try #require(try await browse(registration, nonce: nonce)["code"])
    return try await providers.exchange(Self.code(code), at: registration)
  }

  static func code(_ code: String, verifier: String = verifier) -> ProviderCode {
    ProviderCode(code: Secret(code), verifier: Secret(verifier), redirectURI: redirect)
  }

  /// What a call fails with.
  func failure<Value>(_ body: () async throws(ProviderFailure) -> Value) async -> ProviderFailure? {
    do throws(ProviderFailure) {
      _ = try await body()
      return nil
    } catch {
      return error
    }
  }
}
