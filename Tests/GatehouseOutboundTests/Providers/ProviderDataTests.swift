import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePolicyFile
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseOutbound

@Suite("Identity providers as data")
struct ProviderDataTests {
  @Test("every provider is described fully, asked over https, at hosts that it names", arguments: IdentityProviders.all)
  func conformance(_ description: ProviderDescription) throws {
    let endpoints = description.endpoints
    let addresses = [
      endpoints.issuer, endpoints.authorization, endpoints.token, endpoints.userinfo, endpoints.jwks,
      endpoints.revocation?.replacing("{client_id}", with: "x"),
    ].compactMap(\.self)
    for address in addresses {
      let url = try OutboundURL(address)
      #expect(url.isSecure)
      #expect(description.hosts.contains(url.host), "\(address)")
    }
    for host in description.hosts {
      #expect(addresses.contains { $0.contains("//\(host)/") } || host == "accounts.google.com")
    }
    #expect(endpoints.authorization != nil && endpoints.token != nil)
    #expect(description.isOpenIDConnect ? endpoints.jwks != nil : endpoints.userinfo != nil)
    #expect((endpoints.revocation != nil) == (description.revocation != .none))
    #expect(description.issuers.first?.hasPrefix("https://") == true)
    let plain = try IdentityProviders.describe(Provider(name: description.name, use: .link))
    #expect(plain == description)
  }

  @Test(
    "T102 a policy file is taken with exactly the endpoints that can be asked",
    arguments: ["google", "apple", "spotify", "github", "own"])
  func endpoints(name: String) {
    let keys = ["issuer", "authorization", "token", "userinfo", "jwks", "revocation"]
    for chosen in 0..<(1 << keys.count) {
      let written = keys.indices.filter { chosen & 1 << $0 != 0 }.map { "\(keys[$0]): \"https://id.example/\"" }
      let text = """
        schema: gatehouse/policy.v1
        tenant: acme
        app: {name: Acme}
        password: {rules: [{id: min8, min_length: 8}]}
        providers: {\(name): {use: link, client_id: a, endpoints: {\(written.joined(separator: ", "))}}}
        """
      func address(_ key: String) -> String? {
        written.contains { $0.hasPrefix(key + ":") } ? "https://id.example/" : nil
      }
      let provider = Provider(
        name: name, use: .link, clientID: "a",
        endpoints: Provider.Endpoints(
          issuer: address("issuer"), authorization: address("authorization"), token: address("token"),
          userinfo: address("userinfo"), jwks: address("jwks"), revocation: address("revocation")))
      let isRead = if case .success = PolicyFile.read(text, name: "x.yaml") { true } else { false }
      #expect(isRead == ((try? IdentityProviders.describe(provider)) != nil), "\(written)")
    }
  }

  @Test(
    "T193 a provider is asked for a new sign-in where the policy says that it can be, and none is that is known by name"
  )
  func authTime() throws {
    for provider in IdentityProviders.all { #expect(!provider.sendsAuthTime, "\(provider.name)") }
    func sends(_ endpoints: Provider.Endpoints, _ isSaid: Bool) throws -> Bool {
      try IdentityProviders.describe(
        Provider(name: "campus", use: .signIn, requireAuthTime: isSaid, endpoints: endpoints)
      ).sendsAuthTime
    }
    let openID = Provider.Endpoints(issuer: "https://id.example.com")
    let plain = Provider.Endpoints(
      authorization: "https://a.example.com", token: "https://a.example.com/t", userinfo: "https://a.example.com/u")
    #expect(try sends(openID, true) && !sends(openID, false) && !sends(plain, true))
  }

  @Test("a provider is known by one name")
  func names() {
    #expect(Set(IdentityProviders.all.map(\.name)).count == IdentityProviders.all.count)
  }

  @Test("addresses in the policy replace all of a known provider's, and leave its quirks")
  func elsewhere() throws {
    let endpoints = Provider.Endpoints(issuer: "https://gateway.example.com/apple")
    let apple = try IdentityProviders.describe(Provider(name: "apple", use: .signIn, endpoints: endpoints))
    #expect(apple.hosts == ["gateway.example.com"])
    #expect(apple.issuers == ["https://gateway.example.com/apple"])
    #expect(apple.endpoints.token == nil)
    #expect(apple.clientSecret == .appleJWT)
    let spotify = Provider.Endpoints(
      authorization: "https://g.example.com/a", token: "https://g.example.com/t", userinfo: "https://g.example.com/u")
    let linked = try IdentityProviders.describe(Provider(name: "spotify", use: .link, endpoints: spotify))
    #expect(linked.issuers == ["https://accounts.spotify.com"], "who is who stays")
  }

  @Test("a provider that is neither known nor described is refused")
  func undescribed() {
    let cases: [(Provider.Endpoints?, String)] = [
      (nil, "endpoints"), (Provider.Endpoints(), "endpoints.authorization"),
      (Provider.Endpoints(authorization: "https://a.example.com"), "endpoints.token"),
      (
        Provider.Endpoints(authorization: "https://a.example.com", token: "https://a.example.com/t"),
        "endpoints.userinfo"
      ),
    ]
    for (endpoints, what) in cases {
      #expect(throws: ProviderFailure.misconfigured(what)) {
        try IdentityProviders.describe(Provider(name: "campus", use: .link, endpoints: endpoints))
      }
    }
  }

  @Test(
    "a date in Retry-After is counted from now",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ])
  func dates(_ text: String, _ seconds: Int) {
    #expect(RetryAfter.date(text) == Date(timeIntervalSince1970: Double(seconds)))
    let now = Date(timeIntervalSince1970: Double(seconds) - 90.5)
    #expect(RetryAfter.seconds(text, now: now) == 91)
    #expect(RetryAfter.seconds(text, now: Date(timeIntervalSince1970: Double(seconds) + 5)) == 0)
    #expect(RetryAfter.seconds(text, now: Date(timeIntervalSince1970: Double(seconds) - 9e9)) == 3600)
  }

  @Test(
    "what is neither seconds nor a date says nothing",
    arguments: [
      "", " ", "-1", "1.5", "soon", "Sun, 06 Nov 1994 08:49:37 CET", "Sunday, 06-Nov-94 08:49:37 GMT",
      "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 08:49:37 GMT GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
    ])
  func noDates(_ text: String) { #expect(RetryAfter.seconds(text, now: Date()) == nil) }

  @Test("answers of random bytes and of mutated grants never end anything but the answer")
  func fuzz() {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let grant = Array(
      #"{"token_type":"Bearer","access_token":"abc","refresh_token":"def","expires_in":3600,"scope":"a b"}"#.utf8)
    var taken = 0
    for round in 0..<20_000 {
      var body =
        round % 4 == 0
        ? (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        : grant
      for _ in 0..<Int.random(in: 0...3, using: &random) where !body.isEmpty {
        let at = Int.random(in: 0..<body.count, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: body[at] = UInt8.random(in: .min ... .max, using: &random)
        case 1: body.remove(at: at)
        default: body.insert(UInt8.random(in: 0x20...0x7E, using: &random), at: at)
        }
      }
      let answer = OutboundResponse(
        status: [200, 200, 400, 401, 429, 500].randomElement(using: &random) ?? 200, headers: [], body: body)
      let found = try? TokenAnswer.grant(answer, separator: " ", now: Date())
      if let found {
        taken += 1
        #expect(answer.isSuccess, "seed \(seed)")
        #expect(found.accessToken.expose { $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }, "seed \(seed)")
        #expect((0...31_536_000).contains(found.expiresIn ?? 0), "seed \(seed)")
      }
      _ = try? UserInfoAnswer.user(answer, .spotify, now: Date())
    }
    #expect(taken > 100, "seed \(seed): nothing was read at all")
  }

  @Test("Apple's secret is signed with its key, for an hour, and not made again for each request")
  func appleSecret() throws {
    let key = try P256PrivateKey.generate()
    let pem = try key.pkcs8().expose {
      Data($0).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    }
    let text = "-----BEGIN PRIVATE KEY-----\n\(pem)\n-----END PRIVATE KEY-----\n"
    let stored = try JSONSerialization.data(
      withJSONObject: ["team_id": "TEAM123456", "key_id": "KEY1234567", "private_key": text])
    let secret = Secret(Array(stored))
    let apple = AppleSecret()
    let now: Int64 = 1_700_000_000
    func made(_ now: Int64, client: String = "com.example.vibes") throws -> String {
      try apple.text(secret, clientID: client, audience: "https://appleid.apple.com", now: now).expose { $0 }
    }
    let token = try made(now)
    let keys = VerificationKeys([VerificationKey(kid: "KEY1234567", key.publicKey)])
    let claims = try JWT.verify(token, type: .providerIDToken, keys: keys, now: now).claims
    #expect(claims["iss"] == .string("TEAM123456"))
    #expect(claims["sub"] == .string("com.example.vibes"))
    #expect(claims["aud"] == .string("https://appleid.apple.com"))
    #expect(claims["exp"] == .integer(now + 3600))
    #expect(try made(now + 2900) == token)
    #expect(try made(now + 3100) != token)
    #expect(try made(now, client: "com.example.other") != token)
    #expect(throws: ProviderFailure.self) {
      try apple.text(Secret(Array("not json".utf8)), clientID: "c", audience: "a", now: now)
    }
  }
}
