import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Signing up with a passkey")
struct PasskeySignUpTests {
  private func run(
    _ passkeys: String = PasskeyScene.signsUp, edit: @escaping @Sendable (String) -> String = { $0 },
    _ body: (PasskeyScene) async throws -> Void
  ) async throws {
    try await PasskeyScene.run(passkeys, mfa: nil, edit: edit, body)
  }

  @Test("the options are for a new user, and alike for a free and a taken address")
  func options() async throws {
    try await run { keys in
      let (free, taken) = (try await keys.startSignUp(), try await keys.startSignUp("pat"))
      #expect(free.status == 200 && free.json["expires_in"] == .integer(600), "\(free.text)")
      let options = try #require(free.json["public_key"])
      #expect(options["rp"]?["id"] == .string(PasskeyScene.host))
      #expect(options["user"]?["name"] == .string("kim@example.com") && options["excludeCredentials"] == .array([]))
      let handles = [free, taken].map { $0.json["public_key"]?["user"]?["id"]?.string ?? "" }
      #expect(handles[0] != handles[1] && handles.allSatisfy { Base64URL.decode($0)?.count == 32 })
      let names = { (answer: TestClient.Answer) in
        (answer.json["public_key"]?.object?.members ?? []).map(\.key).sorted()
      }
      #expect(names(free) == names(taken))
    }
  }

  @Test("an app that asks for the address in its own sheet names none yet")
  func unnamed() async throws {
    try await run { keys in
      let begun = try await keys.client.post("/v1/passkeys/sign-up/start", "{}")
      #expect(begun.json["public_key"]?["user"]?["name"] == .string("messAI"), "\(begun.text)")
    }
  }

  @Test("the right answer makes an account without a password, and its session", arguments: PasskeyAlgorithm.allCases)
  func made(algorithm: PasskeyAlgorithm) async throws {
    try await run { keys in
      let made = try await keys.signUp("kim", algorithm)
      #expect(made.answer.status == 201, "\(made.answer.text)")
      let claims = try Token.claims(of: made.token)
      #expect(claims["acr"] == .string("phr") && claims["amr"] == .array([.string("pop"), .string("mfa")]))
      let stored = try #require(try await keys.account())
      #expect(stored.factors == ["passkey"] && stored.passwordChangedAt == nil && stored.emailVerifiedAt == nil)
      let passkey = try #require(try await keys.scene.store().factors(of: stored.id).passkeys.first)
      #expect(passkey.credentialID == made.passkey.id && passkey.rpID == PasskeyScene.host)
      #expect(try await keys.mail().code != nil)
      #expect(try await keys.scene.rows(.factorAdded).map(\.user) == [stored.id])
    }
  }

  @Test("its passkey signs in later, and the mailed code proves its address")
  func later() async throws {
    try await run { keys in
      let made = try await keys.signUp()
      let code = try #require(try await keys.mail().code)
      let proven = try await keys.confirm(#""email":"kim@example.com","code":"\#(code)""#, token: made.token)
      #expect(proven.status == 200, "\(proven.text)")
      let entered = try await keys.enter(made.passkey)
      #expect(entered.status == 200 && entered.json["user"]?["email_verified"] == .bool(true), "\(entered.text)")
    }
  }

  @Test("a passkey that did not verify its user is one proof")
  func unverified() async throws {
    try await run("{use: [sign_in, sign_up], user_verification: preferred}") { keys in
      let made = try await keys.signUp { $0.flags &= ~TestPasskey.verified }
      #expect(try Token.claims(of: made.token)["acr"] == .string("aal1"))
    }
  }

  @Test("a password opens it no more than an account that is not there")
  func noPassword() async throws {
    try await run { keys in
      _ = try await keys.signUp()
      let start = keys.scene.apps.server.hashesDone
      let known = try await keys.scene.signIn("kim")
      let middle = keys.scene.apps.server.hashesDone
      let unknown = try await keys.scene.signIn("tom")
      #expect(known.code == "invalid_credentials" && known.seen == unknown.seen, "\(known.text)")
      #expect(middle - start == keys.scene.apps.server.hashesDone - middle)
    }
  }

  // MARK: Refusals

  @Test("T111 an answer that breaks a rule makes nothing", arguments: PasskeyEnrolmentTests.Wrong.allCases)
  func wrong(wrong: PasskeyEnrolmentTests.Wrong) async throws {
    try await run { keys in
      let refused = try await keys.signUp { wrong.apply(&$0) }.answer
      #expect(refused.status == 401 && refused.code == "passkey_invalid", "\(refused.text)")
      #expect(try await keys.account() == nil)
      #expect(try await keys.scene.rows(.signUpRefused).count == 1)
    }
  }

  /// Forms that the policy refuses, by the rule that they break first.
  private static let forms = [
    #""profile":{"displayName":"Kim"}"#: "email.required",
    #""email":"kim","profile":{"displayName":"Kim"}"#: "email.syntax",
  ]

  @Test("a refused form is corrected and sent again with the same passkey", arguments: forms)
  func corrected(members: String, rule: String) async throws {
    try await run { keys in
      let begun = try await keys.startSignUp()
      let passkey = try PasskeyScene.passkey(begun.json["public_key"])
      let refused = try await keys.complete(try PasskeyScene.form(begun, passkey, members: members))
      #expect(refused.code == "validation_failed" && refused.text.contains(rule), "\(refused.text)")
      let made = try await keys.complete(try PasskeyScene.form(begun, passkey))
      #expect(made.status == 201, "\(made.text)")
    }
  }

  @Test("a challenge has five tries, and ten minutes", arguments: [true, false])
  func tries(areTries: Bool) async throws {
    try await run { keys in
      let begun = try await keys.startSignUp()
      let passkey = try PasskeyScene.passkey(begun.json["public_key"])
      if areTries {
        for _ in 0..<5 {
          let refused = try await keys.complete(try PasskeyScene.form(begun, passkey) { $0.flags = 0 })
          #expect(refused.code == "passkey_invalid", "\(refused.text)")
        }
      } else {
        keys.scene.clock.advance(seconds: 600)
      }
      #expect(try await keys.complete(try PasskeyScene.form(begun, passkey)).code == "code_expired")
    }
  }

  @Test("T113 a challenge makes one account: neither the same answer nor another one is taken again")
  func replayed() async throws {
    try await run { keys in
      let begun = try await keys.startSignUp()
      let passkey = try PasskeyScene.passkey(begun.json["public_key"])
      let body = try PasskeyScene.form(begun, passkey)
      #expect(try await keys.complete(body).status == 201)
      #expect(try await keys.complete(body).code == "code_expired")
      let other = try PasskeyScene.form(begun, try PasskeyScene.passkey(begun.json["public_key"]), "tom")
      #expect(try await keys.complete(other).code == "code_expired")
      #expect(try await keys.account("tom") == nil)
    }
  }

  @Test("T113 a challenge for another purpose is none, either way round")
  func foreign() async throws {
    try await run { keys in
      let signIn = try await keys.startSignIn()
      let passkey = try TestPasskey(rpID: PasskeyScene.host)
      #expect(try await keys.complete(try PasskeyScene.form(signIn, passkey)).code == "code_expired")
      let begun = try await keys.startSignUp()
      let entered = try await keys.signIn(begun, passkey)
      #expect(entered.code == "code_expired", "\(entered.text)")
    }
  }

  @Test("M04 of fifty right answers to one challenge, at two servers at once, one makes an account")
  func once() async throws {
    try await run { keys in
      try await keys.scene.apps.withSibling { other in
        let begun = try await keys.startSignUp()
        let passkey = try PasskeyScene.passkey(begun.json["public_key"])
        let bodies = try (0..<50).map { try PasskeyScene.form(begun, passkey, "kim\($0)") }
        let answers = try await atOnce(50) { number in
          try await keys.complete(bodies[number], at: number % 2 == 0 ? keys.client : other.messai)
        }
        #expect(answers.count { $0.status == 201 } == 1, "\(answers.map { $0.code ?? "" })")
        #expect(try await keys.scene.count("SELECT count(*) FROM gatehouse.passkey") == 1)
      }
    }
  }

  @Test("a lost answer is given again under its key")
  func retried() async throws {
    try await run { keys in
      let begun = try await keys.startSignUp()
      let body = try PasskeyScene.form(begun, try PasskeyScene.passkey(begun.json["public_key"]))
      let key = ["Idempotency-Key": "passkey-sign-up-1"]
      let first = try await keys.complete(body, headers: key)
      let again = try await keys.complete(body, headers: key)
      #expect(first.status == 201 && again.json == first.json, "\(again.text)")
    }
  }

  @Test("an address that has an account is refused, as by a password, and its owner's account stays as it was")
  func taken() async throws {
    try await run { keys in
      let before = try await keys.scene.stored()
      let refused = try await keys.signUp("pat").answer
      #expect(refused.status == 409 && refused.code == "account_exists", "\(refused.text)")
      #expect(try await keys.scene.stored() == before)
    }
  }

  @Test("a passkey that an account has makes no other one")
  func conflict() async throws {
    try await run { keys in
      let made = try await keys.signUp()
      let begun = try await keys.startSignUp("tom")
      let refused = try await keys.complete(try PasskeyScene.form(begun, made.passkey, "tom"))
      #expect(refused.status == 409 && refused.code == "conflict", "\(refused.text)")
      #expect(try await keys.account("tom") == nil)
    }
  }

  @Test("the rules of the policy about synced passkeys hold")
  func synced() async throws {
    try await run("{use: [sign_in, sign_up], synced: false}") { keys in
      let refused = try await keys.signUp { $0.flags |= TestPasskey.eligible }.answer
      #expect(refused.code == "validation_failed" && refused.text.contains("passkeys.synced"), "\(refused.text)")
      #expect(try await keys.account() == nil)
    }
  }

  @Test("where the policy has no sign-up by passkeys, or no longer, the answer is not_found")
  func off() async throws {
    try await run { keys in
      let begun = try await keys.startSignUp()
      let body = try PasskeyScene.form(begun, try PasskeyScene.passkey(begun.json["public_key"]))
      try await keys.serve("{use: [sign_in]}")
      #expect(try await keys.startSignUp().code == "not_found")
      #expect(try await keys.complete(body).code == "not_found")
      #expect(try await keys.account() == nil)
    }
  }

  @Test("a tenant without a host of its own has no sign-up by passkeys")
  func noHost() async throws {
    try await PasskeyScene.run(PasskeyScene.signsUp, mfa: nil, host: nil) { keys in
      let refused = try await keys.startSignUp()
      #expect(refused.status == 409 && refused.code == "passkeys_unavailable", "\(refused.text)")
    }
  }

  @Test("so many sign-ups begin at an address")
  func limited() async throws {
    let edit: @Sendable (String) -> String = {
      $0.replacing("limits: {", with: "limits: {passkey_per_ip: 2/15m, ")
    }
    try await run(edit: edit) { keys in
      for _ in 0..<2 { #expect(try await keys.startSignUp().status == 200) }
      let refused = try await keys.startSignUp()
      #expect(refused.status == 429 && refused.json["limit"] == .string("passkey_per_ip"), "\(refused.text)")
    }
  }

  // MARK: The account

  @Test("T099 the owner of the address who resets by mail gets the account without the stranger's passkey")
  func reset() async throws {
    try await run { keys in
      let stranger = try await keys.signUp()
      let done = try await keys.reset()
      #expect(done.status == 204, "\(done.text)")
      #expect(try await keys.enter(stranger.passkey).code == "passkey_invalid")
      #expect(try await keys.client.get("/v1/me", token: stranger.token).code == "session_revoked")
      #expect(try await keys.scene.signIn("kim").status == 200)
    }
  }

  @Test("T099 the owner of the address who arrives by a provider gets it likewise")
  func reclaimed() async throws {
    try await run { keys in
      let stranger = try await keys.signUp()
      let owner = try await keys.scene.provided.google(.messai, "g1", ["email": .string("kim@example.com")])
      #expect(owner.status == 200, "\(owner.text)")
      #expect(try await keys.enter(stranger.passkey).code == "passkey_invalid")
    }
  }

  @Test("a reset after the proof gives it a password, and its passkey stays")
  func resetLater() async throws {
    try await run { keys in
      let made = try await keys.signUp()
      try await keys.scene.provided.verify(.messai, "kim@example.com")
      #expect(try await keys.reset().status == 204)
      #expect(try await keys.enter(made.passkey).status == 200)
      #expect(try await keys.scene.signIn("kim").status == 200)
    }
  }

  @Test("its fresh proof is the passkey, and no password changes")
  func fresh() async throws {
    try await run { keys in
      let made = try await keys.signUp()
      keys.scene.clock.advance(seconds: 301)
      let begun = try await keys.startProof(made.token)
      #expect(begun.json["methods"] == .array([.string("passkey")]), "\(begun.text)")
      let proven = try await keys.prove(begun, made.passkey, made.token)
      #expect(proven.status == 200, "\(proven.text)")
      let changed = try await keys.client.post(
        "/v1/me/password", #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#,
        token: made.token)
      #expect(changed.code == "invalid_credentials", "\(changed.text)")
    }
  }

  @Test("it begins without recovery codes, and its next factor brings them")
  func codes() async throws {
    try await run { keys in
      let made = try await keys.signUp()
      #expect(try await keys.scene.factors(made.token).codesLeft == 0)
      let second = try await keys.enrol(made.token)
      #expect(second.recoveryCodes.count == 10)
    }
  }

  @Test("its export tells of a passkey, and of no password")
  func export() async throws {
    try await run { keys in
      let made = try await keys.signUp()
      let export = try await keys.client.get("/v1/me/export", token: made.token)
      #expect(export.json["passkeys"]?.array?.count == 1 && export.json["password"]?["is_set"] == .bool(false))
    }
  }
}
