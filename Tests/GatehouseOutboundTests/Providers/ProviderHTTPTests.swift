import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseOutbound

@Suite("Speaking with identity providers")
struct ProviderHTTPTests {
  @Test(
    "a code comes back for a person and becomes tokens, at every kind of provider",
    arguments: ProviderPeer.Kind.allCases)
  func codeFlow(_ kind: ProviderPeer.Kind) async throws {
    try await ProviderPeer.with { here in
      let scopes = kind == .google || kind == .generic ? ["openid", "email"] : ["one", "two"]
      let registration = here.registration(kind, scopes: scopes)
      let back = try await here.browse(registration, nonce: "n0nce")
      #expect(back["state"] == "st&te=1")
      let code = try #require(back["code"])
      let grant = try await here.providers.exchange(ProviderPeer.code(code), at: registration)
      #expect(grant.scopes == scopes)
      #expect(grant.expiresIn == 3600)
      #expect(grant.refreshToken != nil)
      #expect((grant.idToken != nil) == (kind == .google || kind == .generic))
      let user = try await here.providers.user(grant.accessToken, at: registration)
      #expect(user.subject == "4711")
      #expect(user.email == "w@example.com")
      #expect(user.emailVerified == (kind != .spotify && kind != .github), "only who proves addresses is believed")
      #expect(user.claims["name"] == "Willie")
      let again = await here.failure { () throws(ProviderFailure) in
        try await here.providers.exchange(ProviderPeer.code(code), at: registration)
      }
      #expect(again == .refused(.invalidGrant), "a code is good once")
    }
  }

  @Test("an ID token from the token endpoint verifies with the keys that were discovered")
  func idToken() async throws {
    try await ProviderPeer.with { here in
      try await here.peer.itIs(here.clock.now)
      let registration = here.registration(.google)
      let grant = try await here.grant(registration, nonce: "n0nce")
      let token = try #require(grant.idToken).expose { $0 }
      let keys = try await here.providers.keys(at: registration, isKeyMissing: false)
      let expected = IDToken.Expectation(issuers: [here.peer.issuer], audiences: ["vibes-client"], nonce: "n0nce")
      let user = try IDToken.verify(token, keys: keys, expected, now: here.clock.now.wholeSeconds).user
      #expect(user.subject == "4711")
      var other = expected
      other.nonce = "other"
      #expect(throws: IDToken.Flaw.nonce) {
        try IDToken.verify(token, keys: keys, other, now: here.clock.now.wholeSeconds)
      }
    }
  }

  @Test("T193 a new sign-in is asked for in the words of OpenID Connect, of providers that can be asked alone")
  func anew() async throws {
    try await ProviderPeer.with { here in
      for (kind, isFresh, requires) in [
        (.generic, true, true), (.google, true, true), (.generic, false, true), (.generic, true, false),
      ] as [(ProviderPeer.Kind, Bool, Bool)] {
        let registration = here.registration(kind, requiresAuthTime: requires)
        let address = try await here.providers.authorizationURL(
          ProviderAuthorization(
            redirectURI: ProviderPeer.redirect, state: "s", challenge: ProviderPeer.challenge, isFresh: isFresh),
          at: registration)
        let prompts = ["prompt=login&", "prompt=login%20consent&"].contains { (address + "&").contains($0) }
        #expect(
          address.contains("max_age=0") == (isFresh && requires) && prompts == (isFresh && requires), "\(address)")
      }
    }
  }

  @Test("another verifier than the one of the challenge gets nothing")
  func pkce() async throws {
    try await ProviderPeer.with { here in
      let registration = here.registration(.spotify)
      let code = try #require(try await here.browse(registration)["code"])
      let failure = await here.failure { () throws(ProviderFailure) in
        try await here.providers.exchange(
          ProviderPeer.code(code, verifier: String(repeating: "x", count: 43)), at: registration)
      }
      #expect(failure == .refused(.invalidGrant))
    }
  }

  @Test("the server proves itself as each provider wants it: in the header, in the form, or with PKCE alone")
  func clientAuthentication() async throws {
    try await ProviderPeer.with { here in
      for (kind, client, secret) in [
        (ProviderPeer.Kind.spotify, "vibes-client", "s3cret/+: ü" as String?), (.google, "vibes-client", "s3cret/+: ü"),
        (.spotify, "public", nil),
      ] {
        let grant = try await here.grant(here.registration(kind, client: client, secret: secret))
        #expect(grant.refreshToken != nil)
      }
      let asked = try await here.peer.received()
      let exchanges = asked.filter { $0.path == "/token" }
      #expect(exchanges.map { $0.header("authorization") != nil } == [true, false, false])
      #expect(exchanges.map { $0.form["client_secret"] != nil } == [false, true, false])
      #expect(exchanges.map { $0.form["client_id"] } == [nil, "vibes-client", "public"])
      let wrong = here.registration(.spotify, secret: "wrong")
      let failure = await #expect(throws: ProviderFailure.self) { try await here.grant(wrong) }
      #expect(failure == .refused(.invalidClient))
      let absent = ProviderRegistration(tenant: wrong.tenant, provider: wrong.provider, secret: nil)
      let missing = await here.failure { () throws(ProviderFailure) in
        try await here.providers.refresh(Secret("rt"), at: absent)
      }
      #expect(missing == .misconfigured("no secret is stored as stored"))
    }
  }

  @Test("a refresh gives a new refresh token where the provider rotates it, and none where it does not")
  func refresh() async throws {
    try await ProviderPeer.with { here in
      let registration = here.registration(.spotify, scopes: ["one", "two"])
      let first = try await here.grant(registration)
      let token = try #require(first.refreshToken)
      let second = try await here.providers.refresh(token, at: registration)
      #expect(second.refreshToken != nil)
      let replay = await here.failure { () throws(ProviderFailure) in
        try await here.providers.refresh(token, at: registration)
      }
      #expect(replay == .refused(.invalidGrant))
      try await here.peer.rotates(false)
      try await here.peer.allow(["two"])
      let third = try await here.providers.refresh(try #require(second.refreshToken), at: registration)
      #expect(third.refreshToken == nil)
      #expect(third.scopes == ["two"], "what was withdrawn is not granted any more")
    }
  }

  @Test("a grant is given back where the provider can take it", arguments: ProviderPeer.Kind.allCases)
  func revoke(_ kind: ProviderPeer.Kind) async throws {
    try await ProviderPeer.with { here in
      let registration = here.registration(kind)
      let grant = try await here.grant(registration)
      let tokens = GrantedTokens(accessToken: grant.accessToken, refreshToken: grant.refreshToken)
      let canRevoke = kind != .spotify && kind != .oauth2
      let isRevoked = try await here.providers.revoke(tokens, at: registration)
      #expect(isRevoked == canRevoke)
      let counts = try await here.peer.counts()
      #expect(counts.refreshTokens == (canRevoke ? 0 : 1))
      let again = try await here.providers.revoke(tokens, at: registration)
      #expect(again == canRevoke, "what is not known any more is given back")
    }
  }

  @Test("a provider that limits us or fails is unavailable, for as long as it says")
  func unavailable() async throws {
    try await ProviderPeer.with { here in
      let registration = here.registration(.spotify)
      let date = "Sun, 06 Nov 1994 08:49:37 GMT"
      let cases: [(IdentityProviderPeer.Fault, Int?)] = [
        (.status(429, retryAfter: "17"), 17), (.status(429), nil),
        (.status(503, retryAfter: "99999999999999999999"), 3600),
        (.status(500, error: "invalid_grant"), nil), (.status(429, retryAfter: date), 0),
        (.status(429, retryAfter: "-5"), nil), (.status(400, error: "temporarily_unavailable"), nil),
      ]
      for (fault, seconds) in cases {
        try await here.peer.fail("/token", fault, times: 1)
        let failure = await here.failure { () throws(ProviderFailure) in
          try await here.providers.refresh(Secret("rt"), at: registration)
        }
        #expect(failure == .unavailable(retryAfter: seconds))
      }
    }
  }

  @Test("T102 an answer that makes no sense is neither followed nor believed nor waited for")
  func garbage() async throws {
    try await ProviderPeer.with { here in
      let registration = here.registration(.spotify)
      func refresh(_ fault: IdentityProviderPeer.Fault) async throws -> ProviderFailure? {
        try await here.peer.fail("/token", fault, times: 1)
        return await here.failure { () throws(ProviderFailure) in
          try await here.providers.refresh(Secret("rt"), at: registration)
        }
      }
      #expect(try await refresh(.redirect(here.peer.issuer + "/v1/me")) == .garbage("status 302"))
      #expect(try await refresh(.huge) == .garbage("the answer is too large"))
      #expect(try await refresh(.body(Array("<html>".utf8))) == .garbage("no JSON object"))
      #expect(try await refresh(.body([0xFF, 0x00])) == .garbage("no JSON object"))
      #expect(try await refresh(.body(Array("<h1>Not here</h1>".utf8), status: 404)) == .garbage("status 404"))
      #expect(try await refresh(.close) == .garbage("the answer is not HTTP, or broke off"))
      let grants: [(String, String)] = [
        ("{}", "token_type"), (#"{"token_type":"mac","access_token":"a"}"#, "token_type"),
        (#"{"token_type":"bearer"}"#, "access_token"), (#"{"token_type":"bearer","access_token":""}"#, "access_token"),
        (#"{"token_type":"bearer","access_token":7}"#, "access_token"),
        (#"{"token_type":"bearer","access_token":"a b"}"#, "access_token"),
        (#"{"token_type":"bearer","access_token":"a","refresh_token":["x"]}"#, "refresh_token"),
        (#"{"token_type":"bearer","access_token":"a","expires_in":-1}"#, "expires_in"),
        (#"{"token_type":"bearer","access_token":"a","expires_in":1e99}"#, "expires_in"),
        (#"{"token_type":"bearer","access_token":"a","scope":{}}"#, "scope"),
        (#"{"token_type":"bearer","access_token":"a","access_token":"b"}"#, "no JSON object"),
      ]
      for (text, what) in grants {
        let failure = try await refresh(.body(Array(text.utf8)))
        #expect(failure == .garbage(what), "\(text)")
      }
      let fine = #"{"token_type":"Bearer","access_token":"a","expires_in":"9999999999"}"#
      #expect(try await refresh(.body(Array(fine.utf8))) == nil, "negative control")
    }
  }

  @Test("T102 a provider is asked at its own hosts only, over https, by a certificate that verifies")
  func hosts() async throws {
    try await ProviderPeer.with { here in
      let root = here.peer.issuer
      let elsewhere = Provider.Endpoints(
        authorization: "https://accounts.example.com/authorize", token: "https://accounts.example.com/token",
        userinfo: root + "/v1/me")
      let description = try IdentityProviders.describe(
        here.registration(.spotify, endpoints: elsewhere).provider)
      #expect(description.hosts == ["accounts.example.com", "localhost"])
      // Discovery that leads to another host is refused before a request is sent there.
      let lie = """
        {"issuer":"\(root)","authorization_endpoint":"\(root)/authorize","token_endpoint":"https://127.0.0.1:1/token",
        "jwks_uri":"\(root)/jwks"}
        """
      try await here.peer.fail("/.well-known/openid-configuration", .body(Array(lie.utf8)), times: 1)
      let failure = await here.failure { () throws(ProviderFailure) in
        try await here.providers.keys(at: here.registration(.generic), isKeyMissing: false)
      }
      #expect(failure == .garbage("token_endpoint is at a host that the policy does not name"))
    }
    try await ProviderPeer.with(isDevelopment: false) { here in
      let failure = await here.failure { () throws(ProviderFailure) in
        try await here.providers.refresh(Secret("rt"), at: here.registration(.spotify))
      }
      #expect(failure == .misconfigured("the address is not a public one"))
      let received = try await here.peer.received()
      #expect(received.isEmpty)
    }
    try await ProviderPeer.with(trusts: false) { here in
      let failure = await here.failure { () throws(ProviderFailure) in
        try await here.providers.refresh(Secret("rt"), at: here.registration(.spotify))
      }
      #expect(failure == .unavailable(retryAfter: nil))
      let received = try await here.peer.received()
      #expect(received.isEmpty)
    }
  }

  @Test("T102 a provider's address without https is refused before anything is sent, on this machine too")
  func inClear() async throws {
    try await ProviderPeer.with { here in
      let root = here.peer.issuer
      let clear = Provider.Endpoints(
        authorization: root + "/authorize", token: root.replacing("https://", with: "http://") + "/token",
        userinfo: root + "/v1/me")
      let failure = await here.failure { () throws(ProviderFailure) in
        try await here.providers.refresh(Secret("rt"), at: here.registration(.spotify, endpoints: clear))
      }
      #expect(failure == .misconfigured("an address without https"))
    }
  }

  @Test("T102 discovery of another issuer is refused")
  func otherIssuer() async throws {
    try await ProviderPeer.with { here in
      let root = here.peer.issuer
      let lie = """
        {"issuer":"https://accounts.google.com","authorization_endpoint":"\(root)/authorize",
        "token_endpoint":"\(root)/token","jwks_uri":"\(root)/jwks"}
        """
      try await here.peer.fail("/.well-known/openid-configuration", .body(Array(lie.utf8)))
      let failure = await here.failure { () throws(ProviderFailure) in
        try await here.providers.keys(at: here.registration(.generic), isKeyMissing: false)
      }
      #expect(failure == .garbage("issuer"))
    }
  }

  @Test(
    "keys are fetched once for all, anew when one is missing, at most twice a minute, and used for a day without an answer"
  )
  func keys() async throws {
    try await ProviderPeer.with { here in
      let registration = here.registration(.generic)
      @Sendable func keys(missing: Bool = false) async throws -> VerificationKeys {
        try await here.providers.keys(at: registration, isKeyMissing: missing)
      }
      func fetches() async throws -> Int {
        try await here.peer.received().count { $0.path == "/jwks" }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 1...20 { group.addTask { _ = try await keys() } }
        try await group.waitForAll()
      }
      #expect(try await fetches() == 1)
      try await here.peer.rotateKeys()
      _ = try await keys(missing: true)
      #expect(try await fetches() == 0, "it was asked this very moment")
      here.clock.advance(seconds: 31)
      let rotated = try await here.peer.mint(["iss": here.peer.issuer, "sub": "1"])
      let kid = try #require(Base64URL.decode(String(rotated.split(separator: ".")[0])))
      let name = try #require(try JSONParser.parse(kid)["kid"]?.string)
      #expect(try await keys()[name] == nil)
      #expect(try await keys(missing: true)[name] != nil)
      #expect(try await fetches() == 1)
      for _ in 1...5 { _ = try await keys(missing: true) }
      #expect(try await fetches() == 0, "a stranger's tokens do not make us ask again and again")
      try await here.peer.fail("/jwks", .status(503))
      here.clock.advance(seconds: 3601)
      #expect(try await keys()[name] != nil)
      here.clock.advance(seconds: 80_000)
      #expect(try await keys()[name] != nil)
      here.clock.advance(seconds: 3601)
      await #expect(throws: ProviderFailure.unavailable(retryAfter: nil)) { _ = try await keys() }
      try await here.peer.heal()
      here.clock.advance(seconds: 31)
      #expect(try await keys()[name] != nil)
    }
  }
}
