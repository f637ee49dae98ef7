import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Second factors and attested apps")
struct AttestedFactorTests {
  /// A person with an authenticator app, who signed up at a tenant of `AttestedApps` from a device.
  private struct Scene {
    let apps: AttestedApps
    let client: TestClient
    let device: TestDevice
    private let counter = LockBox<UInt32>(0)

    init(_ apps: AttestedApps, _ tenant: String) async throws {
      self.apps = apps
      client = TestClient("\(apps.server.url)/t/\(tenant)")
      device = try await apps.device(at: client)
    }

    /// An attested request.
    func send(_ path: String, _ body: String, from other: TestDevice? = nil) async throws -> TestClient.Answer {
      let count = counter.withLock { count in
        count += 1
        return count
      }
      let fields = try await apps.fields(
        other ?? device, count, "POST \(path)", body, challenge: try await apps.challenge(client))
      return try await client.send("POST", path, body, headers: fields)
    }

    func enrol(_ token: String) async throws -> Secret<[UInt8]> {
      let begun = try await client.post("/v1/me/factors/totp", token: token)
      let seed = try begun.seed()
      let body = #"{"enrolment_id":"\#(begun.enrolment)","code":"\#(code(seed))"}"#
      let done = try await client.post("/v1/me/factors/totp/confirm", body, token: token)
      try #require(done.status == 200, "\(done.text)")
      apps.server.clock.advance(seconds: 30)
      return seed
    }

    func code(_ seed: Secret<[UInt8]>) -> String {
      TOTP.code(seed: seed, step: TOTP.step(at: apps.server.clock.now))
    }
  }

  @Test("where sign-ups alone are attested, a sign-in by a provider ends by a second proof that is not")
  func signUpsAlone() async throws {
    try await AttestedApps.run { apps in
      let scene = try await Scene(apps, "sign-ups")
      let provider = try #require(apps.server.services.providers as? SigningProviders)
      func arrive() async throws -> TestClient.Answer {
        let token = try provider.token("g1", ["email_verified": .bool(false)])
        return try await scene.send("/v1/sign-in/google", #"{"id_token":"\#(token)","nonce":"n-1"}"#)
      }
      let up = try await arrive()
      try #require(up.status == 200, "\(up.text)")
      let seed = try await scene.enrol(up.json.accessToken)
      let asked = try await arrive()
      try #require(asked.code == "mfa_required", "\(asked.text)")
      let body = #"{"challenge_id":"\#(asked.challenge)","totp":"\#(scene.code(seed))"}"#
      let done = try await scene.client.post("/v1/mfa/verify", body)
      #expect(done.status == 200, "\(done.text)")
    }
  }

  @Test("where sign-ins are attested, the second proof comes from the app that began, and from no other")
  func signIns() async throws {
    try await AttestedApps.run { apps in
      let scene = try await Scene(apps, "sign-ins")
      let up = try await scene.client.post("/v1/sign-up", AttestedApps.body)
      try #require(up.status == 201, "\(up.text)")
      let seed = try await scene.enrol(up.json.accessToken)
      let asked = try await scene.send("/v1/sign-in", AttestedApps.body)
      try #require(asked.code == "mfa_required", "\(asked.text)")
      let body = #"{"challenge_id":"\#(asked.challenge)","totp":"\#(scene.code(seed))"}"#
      #expect(try await scene.client.post("/v1/mfa/verify", body).code == "attest_required")
      let other = try await apps.device(at: scene.client)
      #expect(try await scene.send("/v1/mfa/verify", body, from: other).code == "forbidden")
      let done = try await scene.send("/v1/mfa/verify", body)
      #expect(done.status == 200, "\(done.text)")
    }
  }
}
