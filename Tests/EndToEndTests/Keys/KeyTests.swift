import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Tokens at an app's own backend")
struct KeyTests {
  private func peer(_ app: App, _ apps: ThreeApps) -> TokenPeer {
    TokenPeer(server: apps.server.url, tenant: app.rawValue)
  }

  /// Rotates; first lets the time pass that verifiers have to fetch the next key.
  private func rotate(_ app: App, _ apps: ThreeApps, after seconds: Double = Double(Keys.leadSeconds)) async throws {
    apps.server.clock.advance(seconds: seconds)
    _ = try await RotateKeys.run(.init(tenant: app.rawValue), apps.asOperator)
    try await apps.reload()
  }

  private func published(_ app: App, _ apps: ThreeApps) async throws -> Set<String> {
    let keys = try await apps.client(app).get("/.well-known/jwks.json").json["keys"]?.array ?? []
    return Set(keys.compactMap { $0["kid"]?.string })
  }

  @Test("T072 a backend verifies tokens with the key set alone, and reads the user from them", arguments: App.allCases)
  func verified(app: App) async throws {
    try await ThreeApps.share { apps in
      let up = try await apps.signUp(app).json
      let renewed = try await apps.refresh(app, up.refreshToken).json
      for (answer, verdict) in zip([up, renewed], try peer(app, apps).verify([up.accessToken, renewed.accessToken])) {
        let claims = try #require(verdict.claims, "\(verdict.refusal ?? "")")
        #expect(claims["sub"] == .string(up.userID) && claims["sid"] == up["session"]?["id"])
        #expect(claims["access"] == answer["access"] && claims["email_verified"] == .bool(false))
        #expect(claims["client_id"] == .string(app.rawValue) && claims["pol"] == .integer(1))
        #expect(claims["amr"] == .array([.string("pwd")]) && claims["auth_time"] != nil)
        #expect(claims["acr"] == .string("aal1"))
        #expect((claims["exp"]?.integer ?? 0) - (claims["iat"]?.integer ?? 0) == 900)
        #expect(verdict.header?["typ"] == .string("at+jwt") && verdict.header?["alg"] == .string("ES256"))
        #expect((claims["role"] == .string("member")) == (app == .ride))  // `claim: true` of its policy
        #expect(claims["email"] == nil && claims["phoneNumber"] == nil && claims["displayName"] == nil)
      }
    }
  }

  @Test("T070 a token of one app is refused in the others, by their backends and by the server")
  func otherTenants() async throws {
    try await ThreeApps.share { apps in
      var tokens: [App: String] = [:]
      for app in App.allCases { tokens[app] = try await apps.signUp(app).json.accessToken }
      for app in App.allCases {
        let verdicts = try peer(app, apps).verify(App.allCases.compactMap { tokens[$0] })
        for (other, verdict) in zip(App.allCases, verdicts) {
          #expect((verdict.claims != nil) == (other == app), "\(other) at \(app)")
          let me = try await apps.me(app, tokens[other] ?? "")
          #expect((me.status == 200) == (other == app) && (me.status == 200 || me.code == "unauthenticated"))
        }
      }
    }
  }

  @Test("T070 a token for another issuer or audience is refused, even if the app's own key signed it")
  func otherClaims() async throws {
    try await ThreeApps.share { apps in
      let parts = try await apps.signUp(.messai).json.accessToken.split(separator: ".").map(String.init)
      let body = try #require(Base64URL.decode(parts[1]))
      let parsed = try JSONParser.parse(body)
      let claims = try #require(parsed.object)
      let key = try #require(apps.server.services.registry.snapshot("messai")).keys.active
      func code(_ name: String, _ value: String) async throws -> String? {
        var changed = claims
        changed[name] = .string(value)
        let token = try JWT.sign(
          claims: JSONValue.object(changed).bytes, type: AccessTokens.type, kid: key.kid, key: try key.read())
        let answer = try await apps.me(.messai, token)
        return answer.status == 200 ? nil : answer.code
      }
      // Negative control: with the claims as they were, the same signature is good.
      #expect(try await code("jti", "another") == nil)
      #expect(try await code("iss", "\(apps.server.url)/t/dd-ride") == "unauthenticated")
      #expect(try await code("aud", "dd-ride") == "unauthenticated")
    }
  }

  @Test("T061 T062 the server and a backend refuse forgeries from a token and a public key", arguments: App.allCases)
  func forged(app: App) async throws {
    try await ThreeApps.share { apps in
      let token = try await apps.signUp(app).json.accessToken
      let forgeries = try peer(app, apps).forgeries(of: token)
      #expect(forgeries.count == 12)
      let verdicts = try peer(app, apps).verify(forgeries.map(\.token) + [token])
      #expect(verdicts.last?.claims != nil)
      for (forgery, verdict) in zip(forgeries, verdicts) {
        #expect(verdict.claims == nil, "\(forgery.name)")
        let me = try await apps.me(app, forgery.token)
        #expect(me.status == 401 && me.code == "unauthenticated", "\(forgery.name)")
      }
    }
  }

  @Test("T075 keys are published before they sign, and after, until the last token they signed is dead")
  func rotation() async throws {
    // The backend's clock is the machine's: what is done after two rotations is done now.
    let start = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down) - Double(2 * Keys.leadSeconds))
    try await ThreeApps.run(at: start) { apps in
      let up = try await apps.signUp(.messai).json
      func kid(_ token: String) throws -> String {
        try #require(try peer(.messai, apps).verify([token]).first?.header?["kid"]?.string)
      }
      let first = try kid(up.accessToken)
      #expect(try await published(.messai, apps).contains(first))
      try await rotate(.messai, apps)
      let next = try await published(.messai, apps).subtracting([first])
      #expect(next.count == 1)
      let tag = try #require(try await apps.messai.get("/.well-known/jwks.json").headers["etag"])

      try await rotate(.messai, apps)
      let renewed = try await apps.refresh(.messai, up.refreshToken).json
      #expect(try next.contains(kid(renewed.accessToken)))
      let verdicts = try peer(.messai, apps).verify([up.accessToken, renewed.accessToken])
      #expect(verdicts.allSatisfy { $0.claims?["sub"] == .string(up.userID) })
      for token in [up.accessToken, renewed.accessToken] {
        #expect(try await apps.me(.messai, token).status == 200)
      }
      let changed = try await apps.messai.send("GET", "/.well-known/jwks.json", headers: ["If-None-Match": tag])
      #expect(changed.status == 200)

      // In a hurry or not: a key is not dropped while a token of its lives.
      try await rotate(.messai, apps, after: 900)
      #expect(try await published(.messai, apps).contains(first))
      try await rotate(.messai, apps, after: 121)
      #expect(try await !published(.messai, apps).contains(first))
      #expect(try await apps.me(.messai, up.accessToken).status == 401)
      #expect(try peer(.messai, apps).verify([up.accessToken]).first?.refusal != nil)
      // Sessions do not depend on keys.
      #expect(try await apps.refresh(.messai, renewed.refreshToken).status == 200)
    }
  }

  @Test("T075 the key set shows public parts only, may be cached, and each app has its own", arguments: App.allCases)
  func keySet(app: App) async throws {
    try await ThreeApps.share { apps in
      let answer = try await apps.client(app).get("/.well-known/jwks.json")
      #expect(answer.headers["cache-control"] == "public, max-age=300" && answer.headers["etag"] != nil)
      let keys = try #require(answer.json["keys"]?.array)
      #expect(!keys.isEmpty)
      for key in keys { #expect(key.names == ["kty", "crv", "x", "y", "kid", "use", "alg"]) }
      let others = App.allCases.filter { $0 != app }
      for other in others {
        #expect(try await published(other, apps).isDisjoint(with: published(app, apps)))
      }
    }
  }
}
