import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// Two tenants of one app whose doors demand that it is attested, and one whose doors do not.
struct AttestedApps {
  let server: TestServer
  let root: TestAttestationRoot
  let north: TestClient
  let south: TestClient
  let open: TestClient

  static let app = "0123456789.com.example.app"
  static let body = #"{"email":"pat@example.com","password":"Correct-Horse-9"}"#

  static func policy(_ name: String, _ attest: String) -> String {
    """
    schema: gatehouse/policy.v1
    tenant: \(name)
    app: {name: Acme, locales: [en], continue: ["https://app.example.com/back"]}
    identifiers: {sign_in_with: [email], email: {normalize: lowercase}}
    password: {rules: [{id: length, min_length: 8}]}
    providers:
      password: {use: sign_in}
      google: {use: sign_in, flow: id_token, audiences: ["\(SigningProviders.googleClient)"]}
    privacy: {account_exists: reveal}
    limits: {sign_up_per_ip: 1000/1h}
    mfa: {factors: [totp]}
    \(attest)

    """
  }

  static func attest(_ environment: String = "development", _ doors: String = "[sign_up, sign_in]") -> String {
    "attest: {ios: {team: \"0123456789\", bundle: com.example.app, environment: \(environment)}, doors: \(doors)}"
  }

  static func run(_ body: (AttestedApps) async throws -> Void) async throws {
    let clock = TestClock()
    let root = try TestAttestationRoot(now: clock.now)
    let server = try await TestServer.start(
      policies: [
        "north": policy("north", attest()), "south": policy("south", attest()), "open": policy("open", ""),
        "sign-ups": policy("sign-ups", attest("development", "[sign_up]")),
        "sign-ins": policy("sign-ins", attest("development", "[sign_in]")),
      ],
      clock: clock, providers: try SigningProviders(clock), attestRoot: root.pem)
    do {
      func client(_ name: String) -> TestClient { TestClient("\(server.url)/t/\(name)") }
      try await body(
        AttestedApps(
          server: server, root: root, north: client("north"), south: client("south"), open: client("open")))
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  func challenge(_ client: TestClient? = nil) async throws -> String {
    let answer = try await (client ?? north).send("POST", "/v1/attest/challenge", "{}")
    #expect(answer.status == 200 && answer.json["expires_in"] == .integer(300), "\(answer.text)")
    return try #require(answer.json["challenge"]?.string)
  }

  /// A registration that a test may change.
  func register(
    _ device: TestDevice, at client: TestClient? = nil, challenge: String? = nil,
    over other: String? = nil, root: TestAttestationRoot? = nil,
    claims: (inout TestDevice.Claims) -> Void = { _ in }, issue: (inout TestAttestationRoot.Issue) -> Void = { _ in }
  ) async throws -> TestClient.Answer {
    let challenge = if let challenge { challenge } else { try await self.challenge(client) }
    let attestation = try device.attestation(
      over: SHA256.digest(other ?? challenge), by: root ?? self.root, now: server.clock.now, claims: claims,
      issue: issue)
    return try await (client ?? north).send(
      "POST", "/v1/attest/keys",
      """
      {"key_id":"\(Data(device.keyID).base64EncodedString())","challenge":"\(challenge)",
       "attestation":"\(Data(attestation).base64EncodedString())"}
      """)
  }

  /// A device with a key that is registered.
  func device(at client: TestClient? = nil) async throws -> TestDevice {
    let device = try TestDevice(app: Self.app)
    let answer = try await register(device, at: client)
    #expect(answer.status == 204, "\(answer.text)")
    return device
  }

  /// The fields of an attested request.
  func fields(
    _ device: TestDevice, _ counter: UInt32, _ operation: String, _ body: String, challenge: String? = nil,
    app: String? = nil
  ) async throws -> [String: String] {
    let challenge = if let challenge { challenge } else { try await self.challenge() }
    let hash = SHA256.digest(Array("\(challenge)\n\(operation)\n".utf8) + SHA256.digest(body))
    let assertion = try device.assertion(over: hash, counter: counter, app: app)
    return [
      "App-Attest-Key": Data(device.keyID).base64EncodedString(), "App-Attest-Challenge": challenge,
      "App-Attest-Assertion": Data(assertion).base64EncodedString(),
    ]
  }

  func signUp(_ device: TestDevice, _ counter: UInt32, _ body: String = body) async throws -> TestClient.Answer {
    try await north.send(
      "POST", "/v1/sign-up", body, headers: try await fields(device, counter, "POST /v1/sign-up", body))
  }

  func store(_ name: String = "north") throws -> any TenantStore {
    server.services.store.open(try #require(server.services.registry.snapshot(name)).id)
  }

  /// The reasons in the trail, oldest first.
  func reasons() async throws -> [String] {
    try await store().audit(AuditQuery(event: AuditEvent.attestRefused.rawValue), limit: 100).reversed()
      .compactMap { $0.details["reason"] }
  }
}
