import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Sign-in with a provider's ID token")
struct ProviderSignInTests {
  @Test("vibes with Google: username step, link, full; the same person comes back to the same account")
  func vibes() async throws {
    try await ProvidedApps.run { provided in
      let first = try await provided.google(more: #","device":{"name":"iPhone"}"#)
      #expect(first.status == 200, "\(first.text)")
      let up = first.json
      #expect(up["access"] == .string("limited") && up.next == ["profile:username", "link:spotify"])
      #expect(up["user"]?["email"] == .string("g1@gmail.com") && up["user"]?["email_verified"] == .bool(true))
      #expect(up["user"]?["links"]?.array?.compactMap { $0["provider"]?.string } == ["google"])
      #expect(try Token.claims(of: up.accessToken)["amr"] == .array([.string("fed")]))
      #expect(try Token.claims(of: up.accessToken)["acr"] == .string("aal1"))
      // Asked once: once it is given, it is no step any more.
      let named = try await provided.apps.vibes.send(
        "PATCH", "/v1/me", #"{"profile":{"username":"pat"}}"#, token: up.accessToken)
      #expect(named.status == 200 && named.json.next == ["link:spotify"], "\(named.text)")
      let linked = try await provided.linkSpotify(up.accessToken)
      #expect(linked.status == 200 && linked.json["access"] == .string("full"), "\(linked.text)")
      #expect(linked.json.next.isEmpty)
      let again = try await provided.google()
      #expect(again.status == 200 && again.json.userID == up.userID && again.json["access"] == .string("full"))
      // Under another spelling of the issuer it is the same person.
      let short = try await provided.google(.vibes, "g1", ["iss": .string("accounts.google.com")])
      #expect(short.json.userID == up.userID)
      let me = try await provided.apps.me(.vibes, again.json.accessToken).json
      let links = try #require(me["user"]?["links"]?.array)
      #expect(links.compactMap { $0["provider"]?.string } == ["google", "spotify"])
      #expect(links[1]["scopes"]?.array?.count == 12 && links[1]["broken"] == nil)
    }
  }

  /// One token that must be refused.
  struct Forged: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// `iat` and `exp` are seconds from now.
    let claims: JSONObject

    func claims(at now: Int64) -> JSONObject {
      var claims = claims
      for name in ["iat", "exp"] {
        if case .integer(let seconds) = claims[name] { claims[name] = .integer(now + seconds) }
      }
      return claims
    }
  }

  static let forged: [Forged] = [
    Forged(testDescription: "for another app", claims: ["aud": .string("other.apps.googleusercontent.com")]),
    Forged(
      testDescription: "for this app and another",
      claims: ["aud": .array([.string(SigningProviders.googleClient), .string("other")])]),
    Forged(
      testDescription: "for this app twice, without a party",
      claims: [
        "aud": .array([.string(SigningProviders.googleClient), .string(SigningProviders.googleClient)]), "azp": .null,
      ]),
    Forged(testDescription: "without an audience", claims: ["aud": .null]),
    Forged(testDescription: "with no audience at all", claims: ["aud": .array([])]),
    Forged(testDescription: "made for another party", claims: ["azp": .string("other")]),
    Forged(testDescription: "of another issuer", claims: ["iss": .string("https://accounts.google.com.evil.example")]),
    Forged(testDescription: "of no issuer", claims: ["iss": .null]),
    Forged(testDescription: "with another nonce", claims: ["nonce": .string("n-2")]),
    Forged(testDescription: "without a nonce", claims: ["nonce": .null]),
    Forged(testDescription: "with a number for a nonce", claims: ["nonce": .integer(1)]),
    Forged(testDescription: "that has expired", claims: ["exp": .integer(-61)]),
    Forged(testDescription: "made in the future", claims: ["iat": .integer(120)]),
    Forged(
      testDescription: "made days ago", claims: ["iat": .integer(-90_000), "exp": .integer(60)]),
    Forged(testDescription: "that lives for years", claims: ["exp": .integer(100_000_000)]),
    Forged(testDescription: "that never expires", claims: ["exp": .null]),
    Forged(testDescription: "of nobody", claims: ["sub": .null]),
    Forged(testDescription: "of an empty subject", claims: ["sub": .string("")]),
    Forged(testDescription: "of a number", claims: ["sub": .integer(7)]),
  ]

  @Test("T096 a token that does not fit is refused: issuer, audience, party, nonce, times, subject", arguments: forged)
  func refused(_ forged: Forged) async throws {
    try await ProvidedApps.run { provided in
      let now = Int64(provided.providers.clock.now.timeIntervalSince1970)
      let answer = try await provided.google(.vibes, "g1", forged.claims(at: now))
      #expect(answer.status == 401 && answer.code == "provider_token_invalid", "\(answer.text)")
      #expect(try await provided.user(.vibes, "g1@gmail.com") == nil)
      // What was refused was that, and nothing else about it.
      #expect(try await provided.google().status == 200)
    }
  }

  @Test("T096 another key's signature, an own access token and rubbish are not ID tokens")
  func signatures() async throws {
    try await ProvidedApps.run { provided in
      let other = try SigningProviders(provided.providers.clock)
      let ours = try await provided.apps.signUp(.vibes).json.accessToken
      for token in [try other.token("g1"), ours, "x", "", "a.b.c", try provided.providers.token("g1") + "x"] {
        let answer = try await provided.apps.vibes.post(
          "/v1/sign-in/google", #"{"id_token":"\#(token)","nonce":"n-1"}"#)
        #expect(answer.status == 401 && answer.code == "provider_token_invalid", "\(answer.text)")
      }
    }
  }

  @Test("T096 the token holds the nonce itself or its SHA-256 in hex, and no other form")
  func nonces() async throws {
    try await ProvidedApps.run { provided in
      let hash = Hex.encode(SHA256.digest("n-1"))
      for (nonce, status) in [("n-1", 200), (hash, 200), (hash.uppercased(), 401), ("N-1", 401), ("", 401)] {
        #expect(try await provided.google(nonce: nonce).status == status, "\(nonce)")
      }
      // A client that sends no nonce shows that it knows none.
      let token = try provided.providers.token("g1", nonce: "")
      #expect(
        try await provided.apps.vibes.post("/v1/sign-in/google", #"{"id_token":"\#(token)","nonce":""}"#).status == 401)
    }
  }

  @Test("T096 a key that is new at the provider is fetched, once, and then known")
  func rotation() async throws {
    try await ProvidedApps.run { provided in
      #expect(try await provided.google().status == 200)
      #expect(provided.providers.fetches == 0)
      try provided.providers.rotate()
      #expect(try await provided.google().status == 200)
      #expect(try await provided.google().status == 200)
      #expect(provided.providers.fetches == 1)
    }
  }

  @Test("T096 while the provider is down, its people are told so, and passwords work")
  func down() async throws {
    try await ProvidedApps.run { provided in
      _ = try await provided.apps.signUp(.vibes)
      provided.providers.fail(.unavailable(retryAfter: 30))
      let answer = try await provided.google()
      #expect(answer.status == 503 && answer.code == "provider_unavailable" && answer.headers["retry-after"] == "30")
      // What is no token at all is told so at once: no keys are needed to see that.
      for rubbish in ["rubbish", "a.b.c", "e30.e30", String(repeating: "A", count: 9000)] {
        let body = #"{"id_token":"\#(rubbish)","nonce":"n-1"}"#
        #expect(try await provided.apps.vibes.post("/v1/sign-in/google", body).code == "provider_token_invalid")
      }
      provided.providers.fail(.garbage("keys"))
      #expect(try await provided.google().code == "provider_error")
      #expect(try await provided.apps.signIn(.vibes).status == 200)
    }
  }

  @Test("T098 DD Ride refuses a gmail address from Google, and asks those of the university for what is missing, once")
  func ride() async throws {
    try await ProvidedApps.run { provided in
      let refused = try await provided.google(.ride, "g1")
      #expect(refused.status == 422 && refused.rules == ["email.allowed_domains"], "\(refused.text)")
      #expect(try await provided.user(.ride, "g1@gmail.com") == nil)
      let up = try await provided.google(.ride, "g2", ["email": .string("Willie@KSU.edu")])
      #expect(up.status == 200, "\(up.text)")
      #expect(up.json["user"]?["email"] == .string("willie@ksu.edu"))
      #expect(up.json["user"]?["profile"]?["name"] == .string("Pat g2"))
      #expect(up.json.next == ["profile:phoneNumber"] && up.json["access"] == .string("limited"))
      let phone = try await provided.apps.ride.send(
        "PATCH", "/v1/me", #"{"profile":{"phoneNumber":"785-555-0123"}}"#, token: up.json.accessToken)
      #expect(phone.json["access"] == .string("full"), "\(phone.text)")
      // What only administrators write can not come in this way either.
      let made = try await provided.google(
        .ride, "g3", ["email": .string("x@ksu.edu")], more: #","profile":{"role":"admin"}"#)
      #expect(made.status == 422 && made.rules == ["role.write"], "\(made.text)")
    }
  }

  @Test("T096 messAI with Apple: the hashed nonce, truth as text, and the name that is told the app once")
  func apple() async throws {
    try await ProvidedApps.run { provided in
      let claims: JSONObject = [
        "iss": .string("https://appleid.apple.com"), "aud": .string("com.example.app"), "azp": .null, "name": .null,
        "email_verified": .string("true"),
      ]
      let token = try provided.providers.token("a1", nonce: Hex.encode(SHA256.digest("raw")), claims)
      func signIn(_ more: String) async throws -> TestClient.Answer {
        try await provided.apps.messai.post(
          "/v1/sign-in/apple", #"{"id_token":"\#(token)","nonce":"raw"\#(more)}"#)
      }
      let up = try await signIn(#","profile":{"displayName":"Al Apple"}"#)
      #expect(up.status == 200, "\(up.text)")
      #expect(up.json["user"]?["profile"]?["displayName"] == .string("Al Apple"))
      #expect(up.json["user"]?["email_verified"] == .bool(true) && up.json["access"] == .string("full"))
      #expect(try await signIn("").json["user"]?["profile"]?["displayName"] == .string("Al Apple"))
      // The text is the truth of every provider, and no other text is.
      for (subject, text, isTrue) in [("g7", "true", true), ("g8", "yes", false), ("g9", "TRUE", false)] {
        let answer = try await provided.google(.messai, subject, ["email_verified": .string(text)])
        #expect(answer.json["user"]?["email_verified"] == .bool(isTrue), "\(answer.text)")
      }
    }
  }

  @Test("T097 a later address or name from the provider moves nothing and merges no accounts")
  func laterClaims() async throws {
    try await ProvidedApps.run { provided in
      let one = try await provided.google(.vibes, "g1").json
      let two = try await provided.google(.vibes, "g2").json
      let moved = try await provided.google(.vibes, "g1", ["email": .string("g2@gmail.com")])
      #expect(moved.json.userID == one.userID && moved.json["user"]?["email"] == .string("g1@gmail.com"))
      // Another person of the provider's with an address of a user who came by it: it changed hands there, not here.
      let heir = try await provided.google(.vibes, "g3", ["email": .string("g2@gmail.com")])
      #expect(heir.status == 409 && heir.code == "account_exists", "\(heir.text)")
      #expect(try await provided.google(.vibes, "g2").json.userID == two.userID)
    }
  }

  @Test("a disabled user stays out although the provider proves them; an unknown provider is not found")
  func others() async throws {
    try await ProvidedApps.run { provided in
      _ = try await provided.google(.vibes, "g1")
      _ = try await SetUser.run(
        .init(tenant: "vibes", user: "g1@gmail.com", disabled: true), provided.apps.asOperator)
      #expect(try await provided.google().code == "account_disabled")
      for name in ["spotify", "github", "password", "nobody", "apple"] {
        let answer = try await provided.apps.vibes.post(
          "/v1/sign-in/\(name)", #"{"id_token":"x","nonce":"n"}"#)
        #expect(answer.status == 404 && answer.code == "not_found", "\(name)")
      }
    }
  }

  @Test("reauthentication by the provider: for the person of this account, and by a token made just now")
  func reauthenticate() async throws {
    try await ProvidedApps.run(isHonest: true) { provided in
      let up = try await provided.google().json
      _ = try await provided.google(.vibes, "g2")
      provided.apps.server.clock.advance(seconds: 600)
      let late = try await provided.apps.vibes.send("DELETE", "/v1/me", "{}", token: up.accessToken)
      #expect(late.code == "reauthentication_required")
      func prove(_ token: String) async throws -> TestClient.Answer {
        try await provided.apps.vibes.post(
          "/v1/reauthenticate", #"{"provider":"google","id_token":"\#(token)","nonce":"n-1"}"#, token: up.accessToken)
      }
      let now = Int64(provided.providers.clock.now.timeIntervalSince1970)
      #expect(try await prove(provided.providers.token("g2")).code == "provider_token_invalid")
      #expect(try await prove(provided.providers.token("g1", ["iat": .integer(now - 400)])).status == 401)
      let proven = try await prove(provided.providers.token("g1"))
      #expect(proven.status == 200, "\(proven.text)")
      let gone = try await provided.apps.vibes.send("DELETE", "/v1/me", "{}", token: proven.json.accessToken)
      #expect(gone.status == 204, "\(gone.text)")
      // And with the account went who it was: the person is new.
      let anew = try await provided.google().json
      #expect(anew.userID != up.userID && !anew.userID.isEmpty)
      for body in ["{}", #"{"password":"x","provider":"google"}"#, #"{"provider":"google","nonce":"n"}"#] {
        let answer = try await provided.apps.vibes.post("/v1/reauthenticate", body, token: anew.accessToken)
        #expect(answer.status == 400, "\(answer.text)")
      }
    }
  }

  @Test("a proof by a provider joins that of the password, and tokens name both")
  func joined() async throws {
    try await ProvidedApps.run(isHonest: true) { provided in
      let apps = provided.apps
      let up = try await apps.signUp(.vibes).json
      try await Operator.verify(.vibes, "pat", apps)
      let claims: JSONObject = ["email": .string(App.vibes.email("pat"))]
      #expect(try await provided.google(.vibes, "g1", claims).status == 200)
      apps.server.clock.advance(seconds: 60)
      let token = try provided.providers.token("g1", claims)
      let proven = try await apps.vibes.post(
        "/v1/reauthenticate", #"{"provider":"google","id_token":"\#(token)","nonce":"n-1"}"#, token: up.accessToken)
      #expect(proven.status == 200, "\(proven.text)")
      #expect(try Token.claims(of: proven.json.accessToken)["amr"] == .array([.string("pwd"), .string("fed")]))
      let next = try await apps.refresh(.vibes, up.refreshToken).json
      #expect(try Token.claims(of: next.accessToken)["amr"] == .array([.string("pwd"), .string("fed")]))
    }
  }

  @Test("of many first sign-ins at the same moment one makes the account, and all are signed in to it")
  func race() async throws {
    try await ProvidedApps.run { provided in
      let answers = try await withThrowingTaskGroup(of: TestClient.Answer.self) { group in
        for _ in 0..<8 { group.addTask { try await provided.google() } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.allSatisfy { $0.status == 200 }, "\(answers.map(\.text))")
      #expect(Set(answers.map(\.json.userID)).count == 1)
    }
  }
}
