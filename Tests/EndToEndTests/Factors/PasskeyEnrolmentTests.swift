import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Adding a passkey")
struct PasskeyEnrolmentTests {
  @Test("the options name the tenant's own host, a user without a name of theirs, and a passkey that finds itself")
  func options() async throws {
    try await PasskeyScene.run { keys in
      let begun = try await keys.start()
      #expect(begun.status == 200 && begun.json["expires_in"] == .integer(600), "\(begun.text)")
      let options = try #require(begun.json["public_key"])
      #expect(options["rp"] == .object(["id": .string(PasskeyScene.host), "name": .string("messAI")]))
      #expect(options["user"]?["name"] == .string(keys.scene.email))
      let handle = options["user"]?["id"]?.string.flatMap { Base64URL.decode($0) } ?? []
      #expect(handle.count == 32 && begun.passkeyChallenge.count == 32)
      let own = Array(try await keys.scene.stored().id.uuid.bytes)
      #expect(!handle.starts(with: own) && !handle.suffix(16).elementsEqual(own))
      #expect(options["authenticatorSelection"]?["residentKey"] == .string("required"))
      #expect(options["authenticatorSelection"]?["userVerification"] == .string("required"))
      #expect(
        (options["pubKeyCredParams"]?.array ?? []).compactMap { $0["alg"]?.integer } == [-7, -8, -257], "\(options)")
      #expect(options["excludeCredentials"] == .array([]))
      #expect(begun.headers["cache-control"] == "no-store")
    }
  }

  @Test("the right answer adds it, with ten recovery codes", arguments: PasskeyAlgorithm.allCases)
  func add(algorithm: PasskeyAlgorithm) async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol(nil, algorithm, name: "  Pat's\tkey ") { $0.flags |= TestPasskey.eligible }
      #expect(key.recoveryCodes.count == 10)
      let listed = try await keys.scene.factors(key.token)
      let item = try #require(listed["items"]?.array?.first)
      #expect(item["type"] == .string("passkey") && item["name"] == .string("Pat's key"), "\(listed)")
      #expect(item["synced"] == .bool(false) && item["id"] == .string(key.id))
      #expect(try await keys.scene.stored().factors == ["passkey", "recovery_code"])
      let stored = try #require(try await keys.scene.store().factors(of: keys.scene.stored().id).passkeys.first)
      #expect(stored.algorithm == algorithm.rawValue && stored.rpID == PasskeyScene.host)
      #expect(stored.isBackupEligible && !stored.isBackedUp && stored.transports == ["internal"])
      #expect(try await keys.scene.rows(.factorAdded).map { $0.details["kind"] } == ["passkey"])
    }
  }

  @Test("T046 it is a proof: the session rises to phr, under another id")
  func raises() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let claims = try Token.claims(of: key.token)
      #expect(claims["acr"] == .string("phr"))
      #expect(claims["amr"] == .array(["pwd", "pop", "mfa"].map { .string($0) }))
      #expect(key.session.sessionID != keys.scene.up.sessionID)
      #expect(try await keys.client.get("/v1/me", token: keys.token).code == "session_revoked")
    }
  }

  @Test("a second one comes without codes, and the first is excluded from its options")
  func second() async throws {
    try await PasskeyScene.run { keys in
      let first = try await keys.enrol()
      let begun = try await keys.start(first.token)
      let excluded = begun.json["public_key"]?["excludeCredentials"]?.array ?? []
      #expect(excluded.map { $0["id"] } == [.string(Base64URL.encode(first.passkey.id))])
      let second = try await keys.enrol(first.token)
      #expect(second.recoveryCodes.isEmpty)
      #expect(try await keys.scene.factors(second.token).factorIDs == [first.id, second.id])
    }
  }

  /// One change each that a rule of WebAuthn section 7.1 refuses.
  enum Wrong: String, CaseIterable, Sendable {
    case type, challenge, origin, subdomain, crossOrigin, topOrigin, party, presence, verification, backup, said, format
    case clientData, longID

    func apply(_ parts: inout TestPasskey.Parts) {
      switch self {
      case .type: parts.type = "webauthn.get"
      case .challenge: parts.challenge = SecureRandom.bytes(32)
      case .origin: parts.origin = "http://messai.example"
      case .subdomain: parts.origin = "http://x.auth.messai.example"
      case .crossOrigin: parts.members = #","crossOrigin":true"#
      case .topOrigin: parts.members = #","topOrigin":"http://auth.messai.example""#
      case .party: parts.rpID = "messai.example"
      case .presence: parts.flags &= ~TestPasskey.present
      case .verification: parts.flags &= ~TestPasskey.verified
      case .backup: parts.flags |= TestPasskey.backedUp
      case .said: parts.saidID = SecureRandom.bytes(32)
      case .format: parts.behind = [0]
      case .clientData: parts.clientData = "[]"
      case .longID:
        parts.credentialID = [UInt8](repeating: 7, count: 1024)
        parts.saidID = parts.credentialID
      }
    }
  }

  @Test("T110 an answer that breaks a rule adds nothing, and uses the challenge up", arguments: Wrong.allCases)
  func wrong(wrong: Wrong) async throws {
    try await PasskeyScene.run { keys in
      let begun = try await keys.start()
      let passkey = try PasskeyScene.passkey(begun.json["public_key"])
      let refused = try await keys.complete(begun, passkey) { wrong.apply(&$0) }
      #expect(refused.status == 401 && refused.code == "passkey_invalid", "\(refused.text)")
      #expect(try await keys.complete(begun, passkey).code == "code_expired")
      #expect(try await keys.scene.stored().factors.isEmpty)
    }
  }

  @Test("T110 a passkey of one account is no other account's")
  func known() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let kim = try await keys.scene.apps.signUp(FactorScene.app, "kim").json.accessToken
      let refused = try await keys.complete(try await keys.start(kim), key.passkey, kim)
      #expect(refused.status == 409 && refused.code == "conflict", "\(refused.text)")
      #expect(try await keys.scene.stored("kim").factors.isEmpty)
    }
  }

  /// The other callers that have the challenge and its right answer.
  enum Other: String, CaseIterable, Sendable { case session, account, tenant, stranger }

  @Test(
    "T113 another session's challenge is none, and neither is another account's or tenant's", arguments: Other.allCases)
  func foreign(other: Other) async throws {
    try await PasskeyScene.run { keys in
      let begun = try await keys.start()
      let passkey = try PasskeyScene.passkey(begun.json["public_key"])
      let apps = keys.scene.apps
      let (client, token): (TestClient, String?) =
        switch other {
        case .session: (keys.client, try await keys.scene.signIn().json.accessToken)
        case .account: (keys.client, try await apps.signUp(FactorScene.app, "kim").json.accessToken)
        case .tenant: (apps.vibes, try await apps.signUp(.vibes).json.accessToken)
        case .stranger: (keys.client, nil)
        }
      let refused =
        if let token {
          try await keys.complete(begun, passkey, token, at: client)
        } else {
          try await client.post("/v1/passkeys/register/complete", "{}")
        }
      let code =
        switch other {
        case .stranger: "unauthenticated"
        // That tenant has no host of its own.
        case .tenant: "passkeys_unavailable"
        case .session, .account: "code_expired"
        }
      #expect(refused.code == code, "\(refused.text)")
      #expect(try await keys.complete(begun, passkey).status == 201)
    }
  }

  @Test("T106 without a fresh proof none is begun")
  func stale() async throws {
    try await PasskeyScene.run { keys in
      keys.scene.clock.advance(seconds: 301)
      let refused = try await keys.start()
      #expect(refused.status == 403 && refused.code == "reauthentication_required", "\(refused.text)")
    }
  }

  @Test("T106 a password alone adds no passkey beside a factor that is owed")
  func besideApp() async throws {
    try await PasskeyScene.run { keys in
      let phone = try await keys.scene.enrol()
      keys.scene.clock.advance(seconds: 301)
      let refused = try await keys.start(phone.token)
      #expect(refused.json["methods"] == .array([.string("totp"), .string("recovery_code")]), "\(refused.text)")
    }
  }

  @Test("where the policy has no passkeys there is nothing to add")
  func noSection() async throws {
    try await PasskeyScene.run(nil, mfa: "{factors: [totp]}") { keys in
      let answer = try await keys.start()
      #expect(answer.status == 404, "\(answer.text)")
    }
  }

  @Test("a tenant without a host of its own has no passkeys")
  func noHost() async throws {
    try await PasskeyScene.run(host: nil) { keys in
      let refused = try await keys.start()
      #expect(refused.status == 409 && refused.code == "passkeys_unavailable", "\(refused.text)")
    }
  }

  @Test(
    "the relying party is the domain that the policy names, above the host",
    arguments: ["messai.example", "host.example"])
  func party(domain: String) async throws {
    try await PasskeyScene.run("{use: [sign_in, second_factor], rp_id: \(domain)}") { keys in
      let begun = try await keys.start()
      if domain == "messai.example" {
        #expect(begun.json["public_key"]?["rp"]?["id"] == .string(domain), "\(begun.text)")
        _ = try await keys.enrol()
      } else {
        #expect(begun.code == "passkeys_unavailable", "\(begun.text)")
      }
    }
  }

  @Test("origins of the policy and of its apps may use them, byte for byte")
  func origins() async throws {
    let print = Array(repeating: "AB", count: 32).joined(separator: ":")
    let policy = """
      {use: [sign_in, second_factor], origins: ["https://app.messai.example"], apps: {apple: [TEAM123456.com.example.messai], \
      android: [{package: com.example.messai, sha256: ["\(print)"]}]}}
      """
    try await PasskeyScene.run(policy) { keys in
      let android = "android:apk-key-hash:" + Base64URL.encode([UInt8](repeating: 0xAB, count: 32))
      var token = keys.token
      for (origin, isTaken) in [
        ("https://app.messai.example", true), ("https://auth.messai.example", true), (android, true),
        ("https://app.messai.example/", false), ("https://App.messai.example", false), (android + "=", false),
      ] {
        let begun = try await keys.start(token)
        let passkey = try PasskeyScene.passkey(begun.json["public_key"])
        let answer = try await keys.complete(begun, passkey, token) { $0.origin = origin }
        #expect(answer.status == (isTaken ? 201 : 401), "\(origin) \(answer.text)")
        if let session = answer.json["session"] { token = session.accessToken }
      }
    }
  }

  @Test("a passkey that can be synced is refused where the policy allows none")
  func synced() async throws {
    try await PasskeyScene.run("{use: [sign_in, second_factor], synced: false}") { keys in
      let begun = try await keys.start()
      let passkey = try PasskeyScene.passkey(begun.json["public_key"])
      let refused = try await keys.complete(begun, passkey) { $0.flags |= TestPasskey.eligible }
      #expect(refused.status == 422 && refused.rules == ["passkeys.synced"], "\(refused.text)")
      _ = try await keys.enrol()
    }
  }

  @Test("an account has at most twenty", arguments: [18, 19])
  func room(others: Int) async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      try await keys.scene.write(
        """
        INSERT INTO gatehouse.passkey (tenant_id, id, account_id, credential_id, rp_id, public_key, algorithm, sign_count,
          model, attested, backup_eligible, backed_up, transports, created_at)
        SELECT tenant_id, gen_random_uuid(), account_id, decode(md5(n::text), 'hex'), rp_id, public_key, algorithm, 0,
          model, false, false, false, '{}', created_at
        FROM gatehouse.passkey, generate_series(1, \(others)) AS n
        """)
      #expect(try await keys.start(key.token).status == (others == 18 ? 200 : 409))
    }
  }

  @Test("an owner names it, and removes it with its codes")
  func managed() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let named = try await keys.client.send(
        "PATCH", "/v1/me/factors/\(key.id)", #"{"name":"Blue key"}"#, token: key.token)
      #expect(named.status == 200 && named.json["name"] == .string("Blue key"), "\(named.text)")
      let other = try await keys.enter(key.passkey).json.accessToken
      #expect(try await keys.client.send("DELETE", "/v1/me/factors/\(key.id)", token: key.token).status == 204)
      #expect(try await keys.scene.stored().factors.isEmpty)
      #expect(try await keys.scene.factors(key.token).codesLeft == 0)
      #expect(try await keys.client.get("/v1/me", token: other).code == "session_revoked")
      #expect(try await keys.scene.rows(.factorRemoved).map { $0.details["kind"] } == ["passkey"])
    }
  }

  @Test("another account's passkey is neither named nor removed")
  func foreignID() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let kim = try await keys.scene.apps.signUp(FactorScene.app, "kim").json.accessToken
      #expect(
        try await keys.client.send("PATCH", "/v1/me/factors/\(key.id)", #"{"name":"x"}"#, token: kim).status == 404)
      #expect(try await keys.client.send("DELETE", "/v1/me/factors/\(key.id)", token: kim).status == 404)
      #expect(try await keys.scene.factors(key.token).factorIDs == [key.id])
    }
  }
}
