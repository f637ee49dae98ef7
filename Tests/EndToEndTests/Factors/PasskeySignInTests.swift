import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Signing in with a passkey")
struct PasskeySignInTests {
  /// The routes whose events the suites of passkeys find.
  static let routes: Set<String> = [
    "POST /v1/passkeys/register/complete", "POST /v1/passkeys/sign-in/complete", "POST /v1/passkeys/sign-up/complete",
  ]

  @Test("the options name no account, and let the person choose")
  func options() async throws {
    try await PasskeyScene.run { keys in
      let begun = try await keys.startSignIn()
      #expect(begun.status == 200 && begun.json["expires_in"] == .integer(300), "\(begun.text)")
      #expect(begun.json["public_key"]?["allowCredentials"] == .array([]))
      #expect(begun.json["public_key"]?["rpId"] == .string(PasskeyScene.host))
      #expect(begun.json["public_key"]?["userVerification"] == .string("required"))
      #expect(begun.passkeyChallenge.count == 32)
    }
  }

  @Test("the public policy says where passkeys stand")
  func told() async throws {
    try await PasskeyScene.run("{use: [sign_in]}", mfa: "{factors: [totp]}") { keys in
      let policy = try await keys.client.get("/v1/policy").json
      #expect(policy["passkeys"] == .object(["use": .array([.string("sign_in")])]), "\(policy)")
    }
  }

  @Test("a passkey that verified its user is both factors", arguments: PasskeyAlgorithm.allCases)
  func enters(algorithm: PasskeyAlgorithm) async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol(nil, algorithm)
      let entered = try await keys.enter(key.passkey)
      #expect(entered.status == 200, "\(entered.text)")
      let claims = try Token.claims(of: entered.json.accessToken)
      #expect(claims["acr"] == .string("phr") && claims["amr"] == .array([.string("pop"), .string("mfa")]))
      #expect(entered.json["user"]?["email"] == .string(keys.scene.email))
      #expect(try await keys.scene.rows(.signInSucceeded).map { $0.details["method"] } == ["pop"])
      #expect(try await keys.client.get("/v1/me", token: entered.json.accessToken).status == 200)
    }
  }

  @Test("a device that comes back is known")
  func device() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let first = try await keys.enter(key.passkey).json
      let again = try await keys.enter(key.passkey, device: first.device).json
      #expect(again.device == first.device && again.accessToken != "")
    }
  }

  /// One change each that a rule of WebAuthn section 7.2 refuses.
  enum Wrong: String, CaseIterable, Sendable {
    case type, challenge, origin, crossOrigin, topOrigin, party, presence, verification, backup, id, handle, noHandle,
      made
    case behind

    func apply(_ parts: inout TestPasskey.Parts) {
      switch self {
      case .type: parts.type = "webauthn.create"
      case .challenge: parts.challenge = SecureRandom.bytes(32)
      case .origin: parts.origin = "https://auth.messai.example"
      case .crossOrigin: parts.members = #","crossOrigin":true"#
      case .topOrigin: parts.members = #","topOrigin":"http://auth.messai.example""#
      case .party: parts.rpID = "messai.example"
      case .presence: parts.flags &= ~TestPasskey.present
      case .verification: parts.flags &= ~TestPasskey.verified
      case .backup: parts.flags |= TestPasskey.backedUp
      case .id: parts.saidID = SecureRandom.bytes(32)
      case .handle: parts.userHandle = SecureRandom.bytes(32)
      case .noHandle: parts.userHandle = nil
      case .made: parts.flags |= TestPasskey.attested
      case .behind: parts.behind = [0]
      }
    }
  }

  @Test("T111 an answer that breaks a rule opens nothing, and the next options open all", arguments: Wrong.allCases)
  func wrong(wrong: Wrong) async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let begun = try await keys.startSignIn()
      let refused = try await keys.signIn(begun, key.passkey) { wrong.apply(&$0) }
      #expect(refused.status == 401 && refused.code == "passkey_invalid", "\(refused.text)")
      #expect(refused.passkeyChallenge.count == 32 && refused.passkeyChallenge != begun.passkeyChallenge)
      let entered = try await keys.signIn(refused, key.passkey, challengeID: begun.challenge)
      #expect(entered.status == 200, "\(entered.text)")
    }
  }

  @Test("T111 a signature by another key opens nothing")
  func signature() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let other = try TestPasskey(rpID: PasskeyScene.host, userHandle: key.passkey.userHandle)
      let refused = try await keys.signIn(try await keys.startSignIn(), other) {
        $0.credentialID = key.passkey.id
        $0.saidID = key.passkey.id
      }
      #expect(refused.code == "passkey_invalid", "\(refused.text)")
    }
  }

  @Test("T029 a passkey that is not known is refused as a wrong answer of one that is")
  func unknown() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let stranger = try TestPasskey(rpID: PasskeyScene.host)
      let unknown = try await keys.enter(stranger)
      let wrong = try await keys.enter(key.passkey) { $0.challenge = SecureRandom.bytes(32) }
      func shape(_ answer: TestClient.Answer) -> [String] { (answer.json.object?.members ?? []).map(\.key).sorted() }
      #expect(unknown.status == wrong.status && shape(unknown) == shape(wrong))
      #expect(unknown.code == "passkey_invalid", "\(unknown.text)")
    }
  }

  @Test("T113 a challenge opens one session, and no answer comes twice")
  func replayed() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let begun = try await keys.startSignIn()
      let before = try await keys.scene.sessions().count
      #expect(try await keys.signIn(begun, key.passkey).status == 200)
      #expect(try await keys.signIn(begun, key.passkey).code == "code_expired")
      #expect(try await keys.scene.sessions().count == before + 1)
    }
  }

  @Test("T113 the challenge of a failed try is used up with it")
  func usedUp() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let begun = try await keys.startSignIn()
      _ = try await keys.signIn(begun, key.passkey) { $0.flags = 0 }
      #expect(try await keys.signIn(begun, key.passkey).code == "passkey_invalid")
    }
  }

  @Test("T113 a challenge has five tries, and five minutes", arguments: [true, false])
  func tries(areTries: Bool) async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let begun = try await keys.startSignIn()
      var last = begun
      if areTries {
        for _ in 0..<5 {
          last = try await keys.signIn(begun, key.passkey) { $0.flags = 0 }
          #expect(last.code == "passkey_invalid")
        }
        #expect(last.json["passkey"] == nil)
      } else {
        keys.scene.clock.advance(seconds: 301)
      }
      #expect(try await keys.signIn(begun, key.passkey).code == "code_expired")
    }
  }

  @Test("T113 a challenge for another purpose is none")
  func otherPurpose() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let asked = try await keys.scene.signIn()
      #expect(try await keys.signIn(asked, key.passkey).code == "code_expired")
    }
  }

  @Test("M04 of fifty right answers to one challenge, at two servers at once, one opens a session")
  func once() async throws {
    try await PasskeyScene.run { keys in
      try await keys.scene.apps.withSibling { other in
        let key = try await keys.enrol()
        let begun = try await keys.startSignIn()
        let before = try await keys.scene.sessions().count
        let answers = try await atOnce(50) { number in
          try await keys.signIn(begun, key.passkey, at: number % 2 == 0 ? keys.client : other.messai)
        }
        #expect(answers.count { $0.status == 200 } == 1, "\(answers.map { $0.code ?? "" })")
        #expect(try await keys.scene.sessions().count == before + 1)
      }
    }
  }

  @Test("T115 a passkey of one tenant opens nothing at another, also with an equal relying party")
  func otherTenant() async throws {
    let rules = "{use: [sign_in, second_factor], rp_id: example.test}"
    try await PasskeyScene.run(rules, host: nil) { keys in
      try await keys.scene.apps.own("messai.example.test", of: "messai")
      try await keys.scene.apps.own("vibes.example.test", of: "vibes")
      let key = try await keys.enrol { $0.origin = "http://messai.example.test" }
      let vibes = keys.scene.apps.vibes
      let begun = try await keys.startSignIn(at: vibes)
      #expect(begun.json["public_key"]?["rpId"] == .string("example.test"))
      let refused = try await keys.signIn(begun, key.passkey, at: vibes) { $0.origin = "http://vibes.example.test" }
      #expect(refused.code == "passkey_invalid", "\(refused.text)")
      let entered = try await keys.enter(key.passkey) { $0.origin = "http://messai.example.test" }
      #expect(entered.status == 200, "\(entered.text)")
    }
  }

  @Test("a disabled account stays shut, and says so to its owner alone")
  func disabled() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      try await Operator.disable(FactorScene.app, "pat", keys.scene.apps)
      let refused = try await keys.enter(key.passkey)
      #expect(refused.status == 403 && refused.code == "account_disabled", "\(refused.text)")
      let wrong = try await keys.enter(key.passkey) { $0.flags = 0 }
      #expect(wrong.code == "passkey_invalid", "\(wrong.text)")
    }
  }

  @Test("a passkey that was removed opens nothing")
  func removed() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let begun = try await keys.startSignIn()
      #expect(try await keys.client.send("DELETE", "/v1/me/factors/\(key.id)", token: key.token).status == 204)
      #expect(try await keys.signIn(begun, key.passkey).code == "passkey_invalid")
    }
  }

  @Test("where passkeys are a second factor alone, none signs in")
  func notForSignIn() async throws {
    try await PasskeyScene.run("{use: [second_factor]}") { keys in
      let answer = try await keys.startSignIn()
      #expect(answer.code == "not_found", "\(answer.text)")
    }
  }

  @Test("a tenant without a host of its own has no sign-in by passkeys")
  func noHost() async throws {
    try await PasskeyScene.run(host: nil) { keys in
      let refused = try await keys.startSignIn()
      #expect(refused.status == 409 && refused.code == "passkeys_unavailable", "\(refused.text)")
    }
  }

  @Test("so many sign-ins begin at an address")
  func limited() async throws {
    try await PasskeyScene.run(edit: { $0.replacing("limits: {", with: "limits: {passkey_per_ip: 2/15m, ") }) { keys in
      for _ in 0..<2 { #expect(try await keys.startSignIn().status == 200) }
      let refused = try await keys.startSignIn()
      #expect(refused.status == 429 && refused.json["limit"] == .string("passkey_per_ip"), "\(refused.text)")
    }
  }

  // MARK: A passkey that did not verify its user

  private static let preferred = "{use: [sign_in, second_factor], user_verification: preferred}"

  @Test("without verification it is one proof: an app is asked for beside it")
  func unverified() async throws {
    try await PasskeyScene.run(Self.preferred) { keys in
      let key = try await keys.enrol()
      let phone = try await keys.scene.enrol(key.token)
      keys.scene.nextStep()
      let asked = try await keys.enter(key.passkey) { $0.flags &= ~TestPasskey.verified }
      #expect(asked.code == "mfa_required", "\(asked.text)")
      #expect(asked.json["factors"] == .array([.string("totp"), .string("recovery_code")]))
      let done = try await keys.scene.verify(asked.challenge, totp: keys.scene.code(phone))
      #expect(done.status == 200, "\(done.text)")
    }
  }

  @Test("M01 the same passkey is no second proof beside itself")
  func twice() async throws {
    try await PasskeyScene.run(Self.preferred) { keys in
      let key = try await keys.enrol()
      let asked = try await keys.enter(key.passkey) { $0.flags &= ~TestPasskey.verified }
      #expect(asked.json["factors"] == .array([.string("recovery_code")]), "\(asked.text)")
      try await keys.scene.write("UPDATE gatehouse.recovery_code SET used_at = created_at")
      let refused = try await keys.enter(key.passkey) { $0.flags &= ~TestPasskey.verified }
      #expect(refused.code == "passkey_invalid", "\(refused.text)")
    }
  }

  // MARK: Counter and backup

  @Test("T111 a counter that does not rise is told, and refused where the policy says so", arguments: [true, false])
  func counter(refuses: Bool) async throws {
    let rules = "{use: [sign_in, second_factor], counter: \(refuses ? "refuse" : "report")}"
    try await PasskeyScene.run(rules) { keys in
      let key = try await keys.enrol { $0.signCount = 5 }
      let first = try await keys.enter(key.passkey) { $0.signCount = 6 }
      #expect(first.status == 200, "\(first.text)")
      let fallen = try await keys.enter(key.passkey) { $0.signCount = 6 }
      #expect(fallen.status == (refuses ? 401 : 200), "\(fallen.text)")
      let told = try await keys.scene.rows(.passkeyCounterFell).map { $0.details["stored"] }
      #expect(told == (refuses ? [] : ["6"]))
      let refusals = try await keys.scene.rows(.signInFailed).map { $0.details["reason"] }
      #expect(refusals == (refuses ? ["counter"] : []))
    }
  }

  @Test("T111 a passkey becomes one that is synced, and never one that is not")
  func backup() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let synced = try await keys.enter(key.passkey) { $0.flags |= TestPasskey.eligible | TestPasskey.backedUp }
      #expect(synced.status == 200, "\(synced.text)")
      #expect(try await keys.scene.rows(.passkeyChanged).count == 1)
      let listed = try await keys.scene.factors(synced.json.accessToken)
      #expect(listed["items"]?.array?.first?["synced"] == .bool(true))
      #expect(try await keys.enter(key.passkey).code == "passkey_invalid")
    }
  }
}
