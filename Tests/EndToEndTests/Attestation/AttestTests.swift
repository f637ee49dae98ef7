import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Doors that demand an attested app")
struct AttestTests {
  /// What `VocabularyTests` finds here.
  static let routes: Set<String> = ["POST /v1/attest/keys"]

  @Test("an attested app signs up and in; its key belongs to the user and is audited")
  func whole() async throws {
    try await AttestedApps.run { apps in
      let device = try await apps.device()
      let up = try await apps.signUp(device, 1)
      #expect(up.status == 201, "\(up.text)")
      let fields = try await apps.fields(device, 2, "POST /v1/sign-in", AttestedApps.body)
      let again = try await apps.north.send("POST", "/v1/sign-in", AttestedApps.body, headers: fields)
      #expect(again.status == 200, "\(again.text)")
      let key = try #require(try await apps.store().attestKey(id: device.keyID))
      #expect(key.counter == 2 && key.user?.text == up.json.userID)
      let registered = try await apps.store().audit(
        AuditQuery(event: AuditEvent.attestKeyRegistered.rawValue), limit: 10)
      #expect(registered.count == 1)
      #expect(try await apps.reasons() == [])
      let export = try await apps.north.send("GET", "/v1/me/export", token: again.json.accessToken)
      let exported = export.json["attest_keys"]?.array?.first
      #expect(exported?["key_id"] == .string(Data(device.keyID).base64EncodedString()), "\(export.text)")
      let gone = try await apps.north.send(
        "DELETE", "/v1/me", #"{"password":"Correct-Horse-9"}"#, token: again.json.accessToken)
      #expect(gone.status == 204, "\(gone.text)")
      #expect(try await apps.store().attestKey(id: device.keyID) == nil)
    }
  }

  @Test("without a section there are no routes, and no field is looked at")
  func off() async throws {
    try await AttestedApps.run { apps in
      #expect(try await apps.open.send("POST", "/v1/attest/challenge", "{}").code == "not_found")
      let keys = #"{"key_id":"a","attestation":"a","challenge":"a"}"#
      #expect(try await apps.open.send("POST", "/v1/attest/keys", keys).code == "not_found")
      let up = try await apps.open.send(
        "POST", "/v1/sign-up", AttestedApps.body,
        headers: ["App-Attest-Key": "x", "App-Attest-Challenge": "y", "App-Attest-Assertion": "z"])
      #expect(up.status == 201, "\(up.text)")
      #expect(try await apps.open.send("GET", "/v1/policy").json["attest"] == nil)
      let policy = try await apps.north.send("GET", "/v1/policy").json["attest"]
      #expect(policy?["doors"] == .array([.string("sign_up"), .string("sign_in")]))
      #expect(policy?["environment"] == .string("development"))
    }
  }

  /// A registration that is refused, and why the trail says so.
  struct Refused: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let reason: String
    let run: @Sendable (AttestedApps, TestDevice) async throws -> TestClient.Answer

    init(
      _ name: String, _ reason: String,
      _ run: @escaping @Sendable (AttestedApps, TestDevice) async throws -> TestClient.Answer
    ) {
      testDescription = name
      self.reason = reason
      self.run = run
    }
  }

  static let registrations: [Refused] = [
    Refused("another root", "untrusted_chain") { apps, device in
      try await apps.register(device, root: TestAttestationRoot(now: apps.server.clock.now))
    },
    Refused("a certificate that is over", "certificate_not_valid_now") { apps, device in
      let now = apps.server.clock.now
      return try await apps.register(
        device, issue: { $0.validity = now.addingTimeInterval(-7200)...now.addingTimeInterval(-1) })
    },
    Refused("another nonce", "other_nonce") { apps, device in try await apps.register(device, over: "another") },
    Refused("another team", "other_app") { apps, device in
      try await apps.register(device, claims: { $0.app = "9876543210.com.example.app" })
    },
    Refused("another environment", "other_environment") { apps, device in
      try await apps.register(device, claims: { $0.kind = Array("appattest".utf8) + [0, 0, 0, 0, 0, 0, 0] })
    },
    Refused("a used key", "used_key") { apps, device in try await apps.register(device, claims: { $0.counter = 1 }) },
    Refused("another credential", "other_key") { apps, device in
      try await apps.register(device, claims: { $0.credentialID = SHA256.digest("x") })
    },
    Refused("another tenant's challenge", "challenge") { apps, device in
      try await apps.register(device, challenge: apps.challenge(apps.south))
    },
    Refused("a challenge of before", "challenge") { apps, device in
      let challenge = try await apps.challenge()
      apps.server.clock.advance(seconds: 300)
      return try await apps.register(device, challenge: challenge)
    },
    Refused("a made-up challenge", "challenge") { apps, device in try await apps.register(device, challenge: "made-up")
    },
    Refused("a challenge twice", "used_challenge") { apps, device in
      let challenge = try await apps.challenge()
      let first = try await apps.register(TestDevice(app: AttestedApps.app), challenge: challenge)
      #expect(first.status == 204, "\(first.text)")
      return try await apps.register(device, challenge: challenge)
    },
    Refused("a key twice", "registered_key") { apps, device in
      #expect(try await apps.register(device).status == 204)
      return try await apps.register(device)
    },
    Refused("no Base64", "malformed") { apps, device in
      let challenge = try await apps.challenge()
      return try await apps.north.send(
        "POST", "/v1/attest/keys", #"{"key_id":"*","attestation":"*","challenge":"\#(challenge)"}"#)
    },
    Refused("no CBOR", "malformed") { apps, device in
      let challenge = try await apps.challenge()
      let id = Data(device.keyID).base64EncodedString()
      return try await apps.north.send(
        "POST", "/v1/attest/keys", #"{"key_id":"\#(id)","attestation":"AAAA","challenge":"\#(challenge)"}"#)
    },
  ]

  @Test("a registration that does not hold is refused alike, whatever the reason")
  func registration() async throws {
    try await AttestedApps.run { apps in
      var texts: Set<String> = []
      for refused in Self.registrations {
        // A minute later, so that the trail's budget has room.
        apps.server.clock.advance(seconds: 61)
        let device = try TestDevice(app: AttestedApps.app)
        let answer = try await refused.run(apps, device)
        #expect(answer.status == 403 && answer.code == "attest_invalid", "\(refused.testDescription): \(answer.text)")
        #expect(try await apps.reasons().last == refused.reason, "\(refused.testDescription)")
        texts.insert(answer.json["title"]?.string ?? "")
      }
      #expect(texts.count == 1)
    }
  }

  static let signUp = "POST /v1/sign-up"

  /// An assertion that is refused, and why the trail says so.
  static let assertions: [Refused] = [
    Refused("an assertion again", "used_challenge") { apps, device in
      let fields = try await apps.fields(device, 1, signUp, AttestedApps.body)
      let first = try await apps.north.send("POST", "/v1/sign-up", AttestedApps.body, headers: fields)
      #expect(first.status == 201, "\(first.text)")
      return try await apps.north.send("POST", "/v1/sign-up", AttestedApps.body, headers: fields)
    },
    Refused("a challenge again, under a greater counter", "used_challenge") { apps, device in
      let challenge = try await apps.challenge()
      var fields = try await apps.fields(device, 1, signUp, "{}", challenge: challenge)
      #expect(try await apps.north.send("POST", "/v1/sign-up", "{}", headers: fields).code == "validation_failed")
      fields = try await apps.fields(device, 2, signUp, "{}", challenge: challenge)
      return try await apps.north.send("POST", "/v1/sign-up", "{}", headers: fields)
    },
    Refused("the same counter", "counter") { apps, device in
      #expect(try await apps.signUp(device, 1, "{}").code == "validation_failed")
      return try await apps.signUp(device, 1, "{}")
    },
    Refused("a smaller counter", "counter") { apps, device in
      #expect(try await apps.signUp(device, 7, "{}").code == "validation_failed")
      return try await apps.signUp(device, 6, "{}")
    },
    Refused("the counter of the attestation", "counter") { apps, device in try await apps.signUp(device, 0) },
    Refused("another body", "bad_signature") { apps, device in
      let fields = try await apps.fields(device, 1, signUp, AttestedApps.body)
      return try await apps.north.send("POST", "/v1/sign-up", AttestedApps.body + " ", headers: fields)
    },
    Refused("another operation", "bad_signature") { apps, device in
      let fields = try await apps.fields(device, 1, "POST /v1/sign-in", AttestedApps.body)
      return try await apps.north.send("POST", "/v1/sign-up", AttestedApps.body, headers: fields)
    },
    Refused("another app", "other_app") { apps, device in
      let fields = try await apps.fields(device, 1, signUp, AttestedApps.body, app: "9876543210.com.example.app")
      return try await apps.north.send("POST", "/v1/sign-up", AttestedApps.body, headers: fields)
    },
    Refused("another key's signature", "bad_signature") { apps, device in
      let other = try await apps.device()
      var fields = try await apps.fields(other, 1, signUp, AttestedApps.body)
      fields["App-Attest-Key"] = Data(device.keyID).base64EncodedString()
      return try await apps.north.send("POST", "/v1/sign-up", AttestedApps.body, headers: fields)
    },
    Refused("another tenant's key", "unknown_key") { apps, _ in
      try await apps.signUp(try await apps.device(at: apps.south), 1)
    },
    Refused("another tenant's challenge", "challenge") { apps, device in
      let fields = try await apps.fields(
        device, 1, signUp, AttestedApps.body, challenge: try await apps.challenge(apps.south))
      return try await apps.north.send("POST", "/v1/sign-up", AttestedApps.body, headers: fields)
    },
    Refused("a challenge of before", "challenge") { apps, device in
      let fields = try await apps.fields(device, 1, signUp, AttestedApps.body)
      apps.server.clock.advance(seconds: 300)
      return try await apps.north.send("POST", "/v1/sign-up", AttestedApps.body, headers: fields)
    },
    Refused("a key that was never registered", "unknown_key") { apps, _ in
      try await apps.signUp(try TestDevice(app: AttestedApps.app), 1)
    },
    Refused("no CBOR", "malformed") { apps, device in
      var fields = try await apps.fields(device, 1, signUp, AttestedApps.body)
      fields["App-Attest-Assertion"] = "AAAA"
      return try await apps.north.send("POST", "/v1/sign-up", AttestedApps.body, headers: fields)
    },
  ]

  @Test("an assertion that does not hold is refused alike, whatever the reason")
  func assertion() async throws {
    try await AttestedApps.run { apps in
      for refused in Self.assertions {
        apps.server.clock.advance(seconds: 61)
        let device = try await apps.device()
        let answer = try await refused.run(apps, device)
        #expect(answer.status == 403 && answer.code == "attest_invalid", "\(refused.testDescription): \(answer.text)")
        #expect(try await apps.reasons().last == refused.reason, "\(refused.testDescription)")
      }
    }
  }

  @Test("of parallel replays of one assertion exactly one passes the gate")
  func parallel() async throws {
    try await AttestedApps.run { apps in
      let device = try await apps.device()
      let fields = try await apps.fields(device, 1, Self.signUp, "{}")
      #expect(try await codes(of: 8, apps) { _ in fields } == ["attest_invalid": 7, "validation_failed": 1])
    }
  }

  @Test("of parallel assertions with one counter exactly one passes the gate")
  func counters() async throws {
    try await AttestedApps.run { apps in
      let device = try await apps.device()
      var all: [[String: String]] = []
      for _ in 0..<8 { all.append(try await apps.fields(device, 1, Self.signUp, "{}")) }
      let fields = all
      #expect(try await codes(of: 8, apps) { fields[$0] } == ["attest_invalid": 7, "validation_failed": 1])
    }
  }

  private func codes(
    of count: Int, _ apps: AttestedApps, _ fields: @escaping @Sendable (Int) -> [String: String]
  ) async throws -> [String: Int] {
    try await withThrowingTaskGroup(of: String.self) { group in
      for index in 0..<count {
        group.addTask {
          try await apps.north.send("POST", "/v1/sign-up", "{}", headers: fields(index)).code ?? "none"
        }
      }
      return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
  }

  @Test("each way to a new session demands an app, and no other route does")
  func ways() async throws {
    let demanding = Routes.all.filter { $0.attests != nil }.map { "\($0.method.rawValue) \($0.path)" }
    #expect(
      demanding == [
        "POST /v1/sign-up", "POST /v1/sign-in", "POST /v1/mfa/verify", "POST /v1/passkeys/sign-up/complete",
        "POST /v1/passkeys/sign-in/complete", "POST /v1/sign-in/{provider}", "POST /v1/sign-in/{provider}/complete",
      ])
    // What answers with a session and begins none: it goes on with one that was opened before.
    let goingOn = ["POST /v1/token", "POST /v1/reauthenticate"]
    let answering = Routes.all.filter { $0.successes.contains { $0.output == SessionAnswer.self } }
      .map { "\($0.method.rawValue) \($0.path)" }
    #expect(Set(answering) == Set(demanding + goingOn))
  }

  @Test("without an assertion each of them is refused, with the code that says what is missing")
  func demanded() async throws {
    try await AttestedApps.run { apps in
      let provider = #"{"id_token":"x","nonce":"n"}"#
      let complete = #"{"code":"x","code_verifier":"y"}"#
      let response = #"{"clientDataJSON":"AA","authenticatorData":"AA","signature":"AA"}"#
      let passkey = #"{"challenge_id":"x","credential":{"id":"AA","response":\#(response)}}"#
      let made = #"{"clientDataJSON":"AA","attestationObject":"AA"}"#
      let newPasskey = #"{"challenge_id":"x","credential":{"id":"AA","response":\#(made)}}"#
      for (path, body) in [
        ("/v1/sign-up", AttestedApps.body), ("/v1/sign-in", AttestedApps.body), ("/v1/sign-in/google", provider),
        ("/v1/mfa/verify", #"{"challenge_id":"x","totp":"123456"}"#), ("/v1/passkeys/sign-in/complete", passkey),
        ("/v1/passkeys/sign-up/complete", newPasskey), ("/v1/sign-in/google/complete", complete),
      ] {
        let answer = try await apps.north.send("POST", path, body)
        #expect(answer.status == 403 && answer.code == "attest_required", "\(path): \(answer.text)")
        let half = try await apps.north.send(
          "POST", path, body, headers: ["App-Attest-Key": "x", "App-Attest-Challenge": "y"])
        #expect(half.code == "attest_required", "\(path): \(half.text)")
      }
    }
  }

  @Test("an attested app signs in by a provider; the path is what the device asserts")
  func provider() async throws {
    try await AttestedApps.run { apps in
      let device = try await apps.device()
      let providers = try #require(apps.server.services.providers as? SigningProviders)
      let body = #"{"id_token":"\#(try providers.token("g1"))","nonce":"n-1"}"#
      let other = try await apps.fields(device, 1, "POST /v1/sign-in/apple", body)
      #expect(try await apps.north.send("POST", "/v1/sign-in/google", body, headers: other).code == "attest_invalid")
      let fields = try await apps.fields(device, 1, "POST /v1/sign-in/google", body)
      let answer = try await apps.north.send("POST", "/v1/sign-in/google", body, headers: fields)
      #expect(answer.status == 200, "\(answer.text)")
      #expect(try await apps.store().attestKey(id: device.keyID)?.user?.text == answer.json.userID)
    }
  }

  @Test("one door demands it, the other does not; sign-in by a provider does where either one does")
  func oneDoor() async throws {
    try await AttestedApps.run { apps in
      for (doors, up, `in`) in [("[sign_up]", 403, 401), ("[sign_in]", 201, 403)] {
        let name = doors == "[sign_up]" ? "upward" : "inward"
        try await apps.server.makeTenant(
          name, AttestedApps.policy(name, AttestedApps.attest("development", doors)))
        let client = TestClient("\(apps.server.url)/t/\(name)")
        #expect(try await client.send("POST", "/v1/sign-up", AttestedApps.body).status == up, "\(doors)")
        #expect(try await client.send("POST", "/v1/sign-in", AttestedApps.body).status == `in`, "\(doors)")
        let provider = try await client.send("POST", "/v1/sign-in/google", #"{"id_token":"x","nonce":"n"}"#)
        #expect(provider.code == "attest_required", "\(doors)")
      }
    }
  }

  @Test("a key of development is of no use once the policy says production")
  func environment() async throws {
    try await AttestedApps.run { apps in
      let device = try await apps.device()
      let tenant = try await Tenants.find("north", apps.server.services)
      _ = try await Policies.apply(
        AttestedApps.policy("north", AttestedApps.attest("production")), file: "north.yaml", to: tenant,
        consent: .init(weaker: true), author: Author(.operator("test"), name: "test", reason: "test"),
        apps.server.services)
      try await TenantLoader(apps.server.services).load([tenant.name])
      let answer = try await apps.signUp(device, 1)
      #expect(answer.code == "attest_invalid", "\(answer.text)")
      #expect(try await apps.reasons() == ["other_environment"])
    }
  }

  @Test("registrations of one address are counted")
  func limit() async throws {
    try await AttestedApps.run { apps in
      let body = #"{"key_id":"a","attestation":"a","challenge":"a"}"#
      for _ in 0..<120 { _ = try await apps.north.send("POST", "/v1/attest/keys", body) }
      let answer = try await apps.north.send("POST", "/v1/attest/keys", body)
      #expect(answer.status == 429 && answer.code == "rate_limited", "\(answer.text)")
      #expect(answer.headers["retry-after"] != nil)
    }
  }

  @Test("the sweep takes used challenges, keys that opened no session, and keys long unused")
  func sweep() async throws {
    try await AttestedApps.run { apps in
      let bound = try await apps.device()
      #expect(try await apps.signUp(bound, 1).status == 201)
      let unbound = try await apps.device()
      let sweep = PostgresExpirySweep(apps.server.jobs)
      let fresh = try await sweep.prune(batch: 100)
      #expect(fresh["attest_challenges"] == 0 && fresh["attest_keys_unbound"] == 0 && fresh["attest_keys"] == 0)
      apps.server.clock.advance(seconds: 901)
      #expect(try await sweep.prune(batch: 100)["attest_challenges"] == 3)
      apps.server.clock.advance(seconds: 7 * 86_400)
      #expect(try await sweep.prune(batch: 100)["attest_keys_unbound"] == 1)
      #expect(try await apps.store().attestKey(id: unbound.keyID) == nil)
      #expect(try await apps.store().attestKey(id: bound.keyID) != nil)
      apps.server.clock.advance(seconds: 400 * 86_400)
      #expect(try await sweep.prune(batch: 100)["attest_keys"] == 1)
    }
  }

  @Test("a server without a root applies no policy that demands an attested app, and says what is missing")
  func rootless() async throws {
    let server = try await TestServer.start(policies: ["north": AttestedApps.policy("north", "")])
    do {
      let tenant = try await Tenants.find("north", server.services)
      let text = AttestedApps.policy("north", AttestedApps.attest())
      await #expect {
        _ = try await Policies.apply(
          text, file: "north.yaml", to: tenant, author: Author(.operator("test"), name: "test", reason: "test"),
          server.services)
      } throws: {
        "\($0)".contains("attest.apple_root")
      }
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }
}
