import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

/// The routes by whether they demand a session.
private enum FactorPaths {
  static let open = Routes.all.filter { $0.auth != .user }
  static let demanding = Routes.all.filter { $0.auth == .user }.map(name)

  static func name(_ route: Route) -> String { "\(route.method.rawValue) \(route.path)" }
}

/// Every route by what it may give to a person with a second factor who has not proven it.
@Suite("T108 No way into an account leads past its second factor")
struct FactorPathTests {
  /// How a route keeps to that. A new route belongs to one of them.
  enum Class: Sendable {
    /// It opens a session for the right first proof, and asks for the second one before.
    case asks
    /// It takes the second proof.
    case takes
    /// It goes on with a credential of a session that is open, and with nothing else.
    case rests
    /// Its answer holds no credential.
    case givesNothing
  }

  /// The routes that a caller without a session may call; each of the others demands one.
  static let classes: [String: Class] = [
    "POST /v1/password-check": .givesNothing, "POST /v1/explain": .givesNothing,
    "POST /v1/attest/challenge": .givesNothing, "POST /v1/attest/keys": .givesNothing,
    // It makes accounts. One that exists is refused.
    "POST /v1/sign-up": .asks,
    "POST /v1/sign-in": .asks, "POST /v1/mfa/verify": .takes, "POST /v1/sign-in/{provider}": .asks,
    // As the sign-up.
    "POST /v1/passkeys/sign-up/start": .givesNothing, "POST /v1/passkeys/sign-up/complete": .asks,
    "POST /v1/passkeys/sign-in/start": .givesNothing, "POST /v1/passkeys/sign-in/complete": .asks,
    "POST /v1/sign-in/{provider}/start": .givesNothing, "POST /v1/sign-in/{provider}/complete": .asks,
    "POST /v1/token": .rests, "POST /v1/sign-out": .givesNothing,
    "POST /v1/email-change/confirm": .givesNothing, "POST /v1/email-change/undo": .givesNothing,
    "POST /v1/email-verification": .givesNothing, "POST /v1/email-verification/confirm": .givesNothing,
    "POST /v1/password-reset": .givesNothing, "POST /v1/password-reset/confirm": .givesNothing,
  ]

  @Test("every route that demands no session is classified")
  func complete() {
    #expect(Set(FactorPaths.open.map(FactorPaths.name)) == Set(Self.classes.keys))
  }

  /// The answers that hold a credential, by their types.
  private static let credentials: [any SendableMetatype.Type] = [SessionAnswer.self, SignUpAnswer.self]

  @Test("what is said to give nothing answers with no session")
  func types() {
    for route in FactorPaths.open {
      let gives = route.successes.contains { success in Self.credentials.contains { $0 == success.output } }
      let isSaid = Self.classes[FactorPaths.name(route)].map { $0 != .givesNothing }
      #expect(gives == isSaid, "\(FactorPaths.name(route)): \(route.successes.map(\.output))")
    }
  }

  @Test("a route that demands a session refuses a caller without one", arguments: FactorPaths.demanding)
  func demanding(route: String) async throws {
    try await ThreeApps.share { apps in
      let words = route.split(separator: " ").map(String.init)
      let path = words[1].replacing(/\{\w+\}/, with: "google")
      let refused = try await apps.messai.send(words[0], path, words[0] == "GET" ? nil : "{}")
      #expect(refused.status == 401, "\(refused.text)")
    }
  }

  /// Nothing of the answer opens anything.
  private func expectNothing(_ answer: TestClient.Answer, _ what: String) {
    for secret in ["access_token", "refresh_token", "gh_rt_", "gh_ac_", "gh_dv_", "eyJ"] {
      #expect(!answer.text.contains(secret), "\(what): \(answer.text)")
    }
    #expect(answer.headers["set-cookie"]?.contains("gh-") != true, "\(what)")
  }

  @Test("each way in answers a person with a second factor with a challenge, and with nothing else")
  func ways() async throws {
    try await PasskeyScene.run("{use: [sign_in, second_factor, sign_up], user_verification: preferred}") { keys in
      let scene = keys.scene
      let key = try await keys.enrol()
      _ = try await scene.enrol(key.token)
      let before = try await scene.sessions().map(\.id)
      var walked: [String: TestClient.Answer] = [:]
      walked["POST /v1/sign-in"] = try await scene.signIn()
      walked["POST /v1/passkeys/sign-in/complete"] = try await keys.enter(key.passkey) {
        $0.flags &= ~TestPasskey.verified
      }
      walked["POST /v1/sign-up"] = try await scene.apps.signUp(FactorScene.app)
      walked["POST /v1/passkeys/sign-up/complete"] = try await keys.signUp("pat").answer
      walked["POST /v1/sign-in/{provider}"] = try await scene.provided.google(
        .messai, "g1", ["email": .string(scene.email)])
      walked["POST /v1/sign-in/{provider}/complete"] = try await browser(scene)
      let asking = Self.classes.filter { $0.value == .asks }.keys
      #expect(Set(walked.keys) == Set(asking))
      for (route, answer) in walked {
        let isRefused = route.contains("sign-up") ? answer.status == 409 : answer.code == "mfa_required"
        #expect(isRefused, "\(route): \(answer.status) \(answer.text)")
        expectNothing(answer, route)
      }
      #expect(try await scene.sessions().map(\.id) == before)
    }
  }

  /// The end of a sign-in that went to the provider in a browser.
  private func browser(_ scene: FactorScene) async throws -> TestClient.Answer {
    let verifier = String(repeating: "v", count: 43)
    let tab = BrowserFlowTests.Tab(scene.client)
    let begun = try await tab.send(
      "POST", "/v1/sign-in/google/start",
      #"{"continue":"messai://signed-in","code_challenge":"\#(Base64URL.encode(SHA256.digest(verifier)))"}"#)
    let query = try ProvidedApps.query(#require(begun.json["authorization_url"]?.string, "\(begun.text)"))
    let idToken = try scene.provided.providers.token(
      "g2", nonce: try #require(query["nonce"]), ["email": .string(scene.email)])
    scene.provided.providers.expect(
      "there",
      .init(user: ProviderUser(issuer: SigningProviders.google, subject: "g2"), scopes: nil, idToken: idToken))
    let landed = try await tab.send(
      "GET", "/v1/sign-in/google/callback?code=there&state=\(try #require(query["state"]))")
    let location = try #require(landed.headers["location"], "\(landed.text)")
    let code = try #require(try ProvidedApps.query(location)["code"], "\(location)")
    return try await scene.client.post(
      "/v1/sign-in/google/complete", #"{"code":"\#(code)","code_verifier":"\#(verifier)"}"#)
  }

  @Test("the challenge is no credential: as a token, a refresh token or a code it opens nothing")
  func challenge() async throws {
    try await FactorScene.run { scene in
      _ = try await scene.enrol()
      let challenge = try await scene.challenge()
      #expect(try await scene.apps.me(FactorScene.app, challenge).status == 401)
      #expect(try await scene.apps.refresh(FactorScene.app, challenge).status == 401)
      let verifier = String(repeating: "v", count: 43)
      let code = try await scene.client.post("/v1/token", #"{"code":"\#(challenge)","code_verifier":"\#(verifier)"}"#)
      #expect(code.status >= 400, "\(code.text)")
      expectNothing(code, "code")
    }
  }

  @Test("T108 a code that a browser of before took to its app asks for the second factor that came meanwhile")
  func browserCode() async throws {
    try await ThreeApps.run(policy: { PolicyText.with(mfa: PolicyText.mfa, $0.withWeb($1)) }) { apps in
      let left = try await FormClient(apps, .vibes).signUp(.vibes, to: App.vibes.web)
      let code = try #require(left.handed["code"], "\(left.address) \(left.text)")
      let token = try await apps.signIn(.vibes).json.accessToken
      let begun = try await apps.vibes.post("/v1/me/factors/totp", token: token)
      let digits = TOTP.code(seed: try begun.seed(), step: TOTP.step(at: apps.server.clock.now))
      let first = #"{"enrolment_id":"\#(begun.enrolment)","code":"\#(digits)"}"#
      let done = try await apps.vibes.post("/v1/me/factors/totp/confirm", first, token: token)
      try #require(done.status == 200, "\(done.text)")
      let asked = try await apps.vibes.post(
        "/v1/token", #"{"code":"\#(code)","code_verifier":"\#(Opening.verifier)"}"#)
      #expect(asked.code == "mfa_required", "\(asked.text)")
      expectNothing(asked, "code")
      apps.server.clock.advance(seconds: 30)
      let next = TOTP.code(seed: try begun.seed(), step: TOTP.step(at: apps.server.clock.now))
      let opened = try await apps.vibes.post(
        "/v1/mfa/verify", #"{"challenge_id":"\#(asked.challenge)","totp":"\#(next)"}"#)
      #expect(opened.status == 200, "\(opened.text)")
    }
  }

  @Test("a mailed code of the account opens no session: not by its reset, and not by its verification")
  func mailed() async throws {
    try await FactorScene.run(isProven: false) { scene in
      let mail = try #require(try await scene.apps.server.latestMail(to: scene.email))
      _ = try await scene.enrol()
      let before = try await scene.sessions().count
      let link = try #require(mail.link?.split(separator: "=").last)
      let verified = try await scene.client.post("/v1/email-verification/confirm", #"{"token":"\#(link)"}"#)
      expectNothing(verified, "verification")
      scene.clock.advance(seconds: 61)
      let asked = try await scene.client.post("/v1/password-reset", #"{"email":"\#(scene.email)"}"#)
      expectNothing(asked, "reset")
      let code = try #require(try await scene.apps.server.latestMail(to: scene.email)?.code)
      let done = try await scene.client.post(
        "/v1/password-reset/confirm",
        #"{"email":"\#(scene.email)","code":"\#(code)","reset_id":"\#(asked.resetID)","password":"\#(App.otherPassword)"}"#
      )
      #expect(done.status == 204, "\(done.text)")
      expectNothing(done, "reset's end")
      #expect(try await scene.sessions().count <= before)
    }
  }
}
