import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// GoogleSignIn 7 puts a nonce of its own into the token and does not hand it out: vibes says `nonce: optional`.
@Suite("T096 An ID token without a nonce in the request")
struct UnnamedNonceTests {
  private func signIn(_ token: String, nonce: String? = nil, at client: TestClient) async throws -> TestClient.Answer {
    let named = nonce.map { #","nonce":"\#($0)""# } ?? ""
    return try await client.post("/v1/sign-in/google", #"{"id_token":"\#(token)"\#(named)}"#)
  }

  private func token(
    _ provided: ProvidedApps, _ subject: String = "g1", nonce: String = "made by the library", age: Int64 = 0
  ) throws -> String {
    let now = Int64(provided.providers.clock.now.timeIntervalSince1970)
    return try provided.providers.token(
      subject, nonce: nonce, ["iat": .integer(now - age), "exp": .integer(now - age + 3600)])
  }

  private func prove(_ token: String, _ session: JSONValue, _ provided: ProvidedApps) async throws
    -> TestClient.Answer
  {
    try await provided.apps.vibes.post(
      "/v1/reauthenticate", #"{"provider":"google","id_token":"\#(token)"}"#, token: session.accessToken)
  }

  @Test("the person is signed up, and in again by another token; neither token is taken twice, and the trail says so")
  func once() async throws {
    try await ProvidedApps.run { provided in
      let first = try token(provided)
      let up = try await signIn(first, at: provided.apps.vibes)
      #expect(up.status == 200, "\(up.text)")
      let again = try await signIn(first, at: provided.apps.vibes)
      #expect(again.status == 401 && again.code == "provider_token_invalid", "\(again.text)")
      let second = try token(provided, age: 1)
      #expect(try await signIn(second, at: provided.apps.vibes).json.userID == up.json.userID)
      #expect(try await signIn(second, at: provided.apps.vibes).status == 401)
      let tenant = try #require(provided.apps.server.services.registry.snapshot("vibes"))
      let rows = try await provided.apps.server.services.store.open(tenant.id).audit(
        AuditQuery(event: AuditEvent.signInFailed.rawValue), limit: 10)
      // The second refusal is like the first: it has no row of its own.
      #expect(rows.map { $0.details["reason"] } == ["used"])
    }
  }

  @Test("a token that carries no nonce at all is taken as well")
  func bare() async throws {
    try await ProvidedApps.run { provided in
      let bare = try provided.providers.token("g1", ["nonce": .null])
      #expect(try await signIn(bare, at: provided.apps.vibes).status == 200)
    }
  }

  @Test("of many uses at the same moment, at two servers, one has an effect")
  func parallel() async throws {
    try await ProvidedApps.run { provided in
      let other = try await provided.apps.server.sibling()
      do {
        _ = try await provided.google()
        let clients = [provided.apps.vibes, ThreeApps(other).vibes]
        for token in [try token(provided), try token(provided, "g2")] {
          let answers = try await withThrowingTaskGroup(of: TestClient.Answer.self) { group in
            for number in 0..<8 { group.addTask { try await signIn(token, at: clients[number % 2]) } }
            return try await group.reduce(into: []) { $0.append($1) }
          }
          #expect(answers.count { $0.status == 200 } == 1, "\(answers.map(\.text))")
          #expect(answers.count { $0.code == "provider_token_invalid" } == 7, "\(answers.map(\.text))")
        }
      } catch {
        await other.stop()
        throw error
      }
      await other.stop()
    }
  }

  @Test(
    "ten minutes after its issue a token is taken no more, but with its nonce", arguments: [(600, 200), (601, 401)])
  func age(seconds: Int, status: Int) async throws {
    try await ProvidedApps.run { provided in
      let old = try token(provided, age: Int64(seconds))
      #expect(try await signIn(old, at: provided.apps.vibes).status == status)
      let named = try token(provided, "g2", nonce: "n-1", age: 601)
      #expect(try await signIn(named, nonce: "n-1", at: provided.apps.vibes).status == 200)
    }
  }

  @Test("an expired token is refused, as is one with another nonce than the request names")
  func stillChecked() async throws {
    try await ProvidedApps.run { provided in
      let now = Int64(provided.providers.clock.now.timeIntervalSince1970)
      let expired = try provided.providers.token("g1", ["iat": .integer(now - 200), "exp": .integer(now - 61)])
      #expect(try await signIn(expired, at: provided.apps.vibes).status == 401)
      #expect(try await signIn(try token(provided), nonce: "n-1", at: provided.apps.vibes).status == 401)
      #expect(try await signIn(try token(provided), nonce: "", at: provided.apps.vibes).status == 401)
    }
  }

  @Test("with its nonce a token comes as often as before, until it was taken without one; and not the other way round")
  func mixed() async throws {
    try await ProvidedApps.run { provided in
      let named = try token(provided, nonce: "n-1")
      for _ in 1...2 { #expect(try await signIn(named, nonce: "n-1", at: provided.apps.vibes).status == 200) }
      #expect(try await signIn(named, at: provided.apps.vibes).status == 401)
      let unnamed = try token(provided, nonce: "n-1", age: 1)
      #expect(try await signIn(unnamed, at: provided.apps.vibes).status == 200)
      #expect(try await signIn(unnamed, nonce: "n-1", at: provided.apps.vibes).status == 401)
    }
  }

  @Test("another spelling of the signature makes no other token of it")
  func malleable() throws {
    let clock = TestClock()
    let token = try SigningProviders(clock).token("g1")
    let one = IDTokenUse(of: token, issuedAt: 0, expiresAt: 1, isSingle: true)
    let signed = token[..<(try #require(token.lastIndex(of: ".")))]
    #expect(IDTokenUse(of: "\(signed).AAAA", issuedAt: 0, expiresAt: 1, isSingle: true) == one)
    #expect(IDTokenUse(of: "\(signed)A.AAAA", issuedAt: 0, expiresAt: 1, isSingle: true) != one)
  }

  @Test("a token that opened a session gives no fresh proof, and one that gave a proof opens no session")
  func between() async throws {
    try await ProvidedApps.run(isHonest: true) { provided in
      let first = try token(provided)
      let up = try await signIn(first, at: provided.apps.vibes).json
      #expect(try await prove(first, up, provided).code == "provider_token_invalid")
      let second = try token(provided, age: 1)
      #expect(try await prove(second, up, provided).status == 200)
      #expect(try await prove(second, up, provided).code == "provider_token_invalid")
      #expect(try await signIn(second, at: provided.apps.vibes).code == "provider_token_invalid")
      // A fresh proof is younger than a sign-in has to be.
      #expect(try await prove(try token(provided, age: 400), up, provided).status == 401)
    }
  }

  @Test("an account is linked by a token without a nonce, once")
  func link() async throws {
    try await ProvidedApps.run { provided in
      let up = try await provided.apps.signUp(.vibes).json
      let first = try token(provided)
      func link() async throws -> TestClient.Answer {
        try await provided.apps.vibes.post(
          "/v1/me/links/google/complete", #"{"id_token":"\#(first)"}"#, token: up.accessToken)
      }
      #expect(try await link().status == 200)
      #expect(try await link().code == "provider_token_invalid")
      #expect(try await signIn(first, at: provided.apps.vibes).code == "provider_token_invalid")
      let unclear = #"{"callback_url":"vibes://x","nonce":"n"}"#
      #expect(
        try await provided.apps.vibes.post("/v1/me/links/google/complete", unclear, token: up.accessToken).status == 400
      )
    }
  }

  @Test("a request that is refused for another reason uses no token up")
  func retry() async throws {
    try await ProvidedApps.run { provided in
      let first = try token(provided)
      let refused = try await provided.apps.vibes.post(
        "/v1/sign-in/google", #"{"id_token":"\#(first)","profile":{"username":"?"}}"#)
      #expect(refused.status == 422, "\(refused.text)")
      #expect(try await signIn(first, at: provided.apps.vibes).status == 200)
    }
  }

  @Test("where the policy is silent a nonce is required, everywhere that an ID token is taken")
  func required() async throws {
    let policy: (App, String) -> String = { $1.replacing("    nonce: optional", with: "    #") }
    try await ProvidedApps.run(policy: policy, isHonest: true) { provided in
      let up = try await provided.google().json
      let first = try token(provided)
      let answers = [
        try await signIn(first, at: provided.apps.vibes), try await signIn(first, at: provided.apps.messai),
        try await prove(first, up, provided),
        try await provided.apps.vibes.post(
          "/v1/me/links/google/complete", #"{"id_token":"\#(first)"}"#, token: up.accessToken),
      ]
      for answer in answers {
        #expect(answer.status == 400 && answer.code == "malformed_request", "\(answer.text)")
        #expect(answer.text.contains("/nonce"), "\(answer.text)")
      }
    }
  }

  @Test("a use at one tenant says nothing at another")
  func tenants() async throws {
    let policy: (App, String) -> String = { app, text in
      app == .messai
        ? text.replacing("  google: {use: sign_in,", with: "  google: {use: sign_in, nonce: optional,") : text
    }
    try await ProvidedApps.run(policy: policy) { provided in
      let first = try token(provided)
      #expect(try await signIn(first, at: provided.apps.vibes).status == 200)
      #expect(try await signIn(first, at: provided.apps.messai).status == 200)
      #expect(try await signIn(first, at: provided.apps.messai).status == 401)
    }
  }

  @Test("a use is kept until its token has expired, and goes then")
  func kept() async throws {
    try await ProvidedApps.run { provided async throws in
      let first = try token(provided)
      #expect(try await signIn(first, at: provided.apps.vibes).status == 200)
      let sweep = PostgresExpirySweep(provided.apps.server.jobs)
      provided.apps.server.clock.advance(seconds: 3600 + 60)
      let early = try await sweep.prune(batch: 10)
      #expect(early["id_token_uses"] == 0)
      provided.apps.server.clock.advance(seconds: 600)
      let late = try await sweep.prune(batch: 10)
      #expect(late["id_token_uses"] == 1)
    }
  }
}
