import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// A person of messAI who may have second factors. The other apps have them as well.
struct FactorScene {
  static let app = App.messai

  let provided: ProvidedApps
  /// The session answer of the sign-up: its session has a fresh proof by the password.
  let up: JSONValue

  var apps: ThreeApps { provided.apps }
  var client: TestClient { apps.messai }
  var clock: TestClock { apps.server.clock }
  var email: String { Self.app.email() }

  /// - Parameters:
  ///   - mfa: the section of the policy; nil for a policy without one.
  ///   - more: further lines of the policy.
  ///   - edit: a further change of the policy.
  static func run(
    mfa: String? = PolicyText.mfa, more: String = "", isProven: Bool = true, isSecure: Bool = false,
    isHonest: Bool = false,
    edit: @escaping @Sendable (String) -> String = { $0 },
    _ body: (FactorScene) async throws -> Void
  ) async throws {
    try await ProvidedApps.run(
      policy: { _, text in edit(PolicyText.with(mfa: mfa, text) + more) }, isSecure: isSecure, isHonest: isHonest
    ) { provided in
      let up = try await provided.apps.signUp(app)
      try #require(up.status == 201, "\(up.text)")
      if isProven { try await provided.verify(app, app.email()) }
      try await body(FactorScene(provided: provided, up: up.json))
    }
  }

  /// An authenticator app, as the person's phone has it after it was added.
  struct PhoneApp {
    let id: String
    let seed: Secret<[UInt8]>
    /// Of the first factor.
    let recoveryCodes: [String]
    /// The session as it was answered.
    let session: JSONValue

    var token: String { session.accessToken }
  }

  // MARK: Codes

  func nextStep() { clock.advance(seconds: Double(TOTP.period)) }

  /// The code of now, or of a step before or after.
  func code(_ app: PhoneApp, step offset: Int64 = 0) -> String { code(app.seed, step: offset) }

  func code(_ seed: Secret<[UInt8]>, step offset: Int64 = 0) -> String {
    TOTP.code(seed: seed, step: TOTP.step(at: clock.now) + offset)
  }

  /// Six digits that no step about now has.
  func wrong(_ app: PhoneApp) -> String {
    let right = (-2...2).map { code(app, step: $0) }
    return ["000000", "000001", "000002", "000003", "000004", "000005"].first { !right.contains($0) } ?? ""
  }

  // MARK: Enrolment

  func start(_ token: String, name: String? = nil) async throws -> TestClient.Answer {
    let body = JSONValue.object(name.map { ["name": .string($0)] } ?? [:])
    return try await client.post(
      "/v1/me/factors/totp", String(decoding: body.bytes, as: UTF8.self), token: token)
  }

  func confirm(_ enrolment: String, _ code: String, _ token: String) async throws -> TestClient.Answer {
    try await client.post(
      "/v1/me/factors/totp/confirm", #"{"enrolment_id":"\#(enrolment)","code":"\#(code)"}"#, token: token)
  }

  /// Adds an app to the account of a session with a fresh proof.
  func enrol(_ token: String? = nil, name: String? = nil) async throws -> PhoneApp {
    let token = token ?? up.accessToken
    let begun = try await start(token, name: name)
    try #require(begun.status == 200, "\(begun.text)")
    let seed = try begun.seed()
    let done = try await confirm(begun.enrolment, code(seed), token)
    try #require(done.status == 200, "\(done.text)")
    return PhoneApp(
      id: try #require(done.json["factor"]?["id"]?.string), seed: seed,
      recoveryCodes: (done.json["recovery_codes"]?.array ?? []).compactMap(\.string),
      session: try #require(done.json["session"]))
  }

  func factors(_ token: String) async throws -> JSONValue { try await client.get("/v1/me/factors", token: token).json }

  func remove(_ app: PhoneApp, _ token: String) async throws -> TestClient.Answer {
    try await client.send("DELETE", "/v1/me/factors/\(app.id)", token: token)
  }

  // MARK: Signing in

  func signIn(_ local: String = "pat", password: String = App.password, device: String? = nil) async throws
    -> TestClient.Answer
  {
    let device = device.map { #","device":{"id":"\#($0)"}"# } ?? ""
    return try await client.post(
      "/v1/sign-in", #"{"email":"\#(Self.app.email(local))","password":"\#(password)"\#(device)}"#)
  }

  /// The challenge after the right password.
  func challenge(_ local: String = "pat", password: String = App.password, device: String? = nil) async throws
    -> String
  {
    let asked = try await signIn(local, password: password, device: device)
    try #require(asked.status == 401 && asked.code == "mfa_required", "\(asked.text)")
    return asked.challenge
  }

  func verify(
    _ challenge: String, totp: String? = nil, recovery: String? = nil, remember: Bool? = nil,
    at client: TestClient? = nil
  ) async throws -> TestClient.Answer {
    var body: JSONObject = ["challenge_id": .string(challenge)]
    if let totp { body["totp"] = .string(totp) }
    if let recovery { body["recovery_code"] = .string(recovery) }
    if let remember { body["remember_device"] = .bool(remember) }
    return try await (client ?? self.client).post(
      "/v1/mfa/verify", String(decoding: JSONValue.object(body).bytes, as: UTF8.self))
  }

  /// A sign-in by password and app, in the next time step: its session answer.
  func enter(
    _ app: PhoneApp, _ local: String = "pat", password: String = App.password, device: String? = nil,
    remember: Bool? = nil
  ) async throws -> JSONValue {
    nextStep()
    let challenge = try await challenge(local, password: password, device: device)
    let done = try await verify(challenge, totp: code(app), remember: remember)
    try #require(done.status == 200, "\(done.text)")
    return done.json
  }

  func prove(_ body: String, _ token: String) async throws -> TestClient.Answer {
    try await client.post("/v1/reauthenticate", body, token: token)
  }

  // MARK: What is stored

  func store() async throws -> any TenantStore {
    apps.server.services.store.open(try await apps.operatorCall(Self.app).tenant.id)
  }

  func stored(_ local: String = "pat") async throws -> StoredUser {
    try #require(try await store().user(email: Self.app.email(local))?.user)
  }

  func sessions() async throws -> [Session] { try await store().sessions(of: try await stored().id) }

  func rows(_ event: AuditEvent) async throws -> [AuditEntry] {
    try await store().audit(AuditQuery(event: event.rawValue), limit: 100)
  }

  /// Runs a statement past the server.
  func write(_ statement: SQL) async throws {
    let all = try await apps.server.storage.connect(user: Embedded.superuser)
    do {
      _ = try await all.write(nil, [statement])
      await all.stop()
    } catch {
      await all.stop()
      throw error
    }
  }

  func count(_ query: SQL) async throws -> Int? {
    let all = try await apps.server.storage.connect(user: Embedded.superuser)
    let count = try await all.read(nil, query).single()?[0] as Int?
    await all.stop()
    return count
  }
}

extension PolicyText {
  static let mfa = "{factors: [totp], remember_device: 30d}"

  /// With this section of second factors in the place of the file's, and without the file's passkeys and tests.
  static func with(mfa: String?, _ text: String) -> String {
    without("mfa", without("passkeys", withoutTests(text))) + (mfa.map { "\nmfa: \($0)\n" } ?? "\n")
  }
}

extension TestClient.Answer {
  var challenge: String { json["challenge_id"]?.string ?? "" }
  var enrolment: String { json["enrolment_id"]?.string ?? "" }

  /// The seed of an enrolment.
  func seed() throws -> Secret<[UInt8]> {
    Secret(try #require(json["secret"]?.string.flatMap { Base32.decode($0) }))
  }
}

extension JSONValue {
  var sessionID: String { self["session"]?["id"]?.string ?? "" }
  var device: String { self["device"]?["id"]?.string ?? "" }
  /// The ids of listed factors.
  var factorIDs: [String] { (self["items"]?.array ?? []).compactMap { $0["id"]?.string } }
  var codesLeft: Int64? { self["recovery_codes"]?["left"]?.integer }
}
