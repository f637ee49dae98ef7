import Foundation
import GatehouseAdminWire
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The form of a provider's secret")
struct ProviderSecretFormTests {
  private static let policy = """
    schema: gatehouse/policy.v1
    tenant: solo
    app: {name: Solo, locales: [en], continue: ["https://solo.example"]}
    identifiers: {sign_in_with: [email]}
    password: {rules: [{id: min8, min_length: 8}]}
    providers:
      apple: {use: sign_in, client_id: example.solo, client_secret: {secret: apple_key}}
      google: {use: sign_in, client_id: solo, client_secret: {secret: google_secret}}

    """

  private static func key(_ members: Set<String>) throws -> String {
    let body = try P256PrivateKey.generate().pkcs8().expose { Data($0).base64EncodedString() }
    let pem = "-----BEGIN PRIVATE KEY-----\n\(body)\n-----END PRIVATE KEY-----\n"
    let all = ["team_id": "TEAM", "key_id": "KEY", "private_key": pem].filter { members.contains($0.key) }
    return String(decoding: try JSONSerialization.data(withJSONObject: all), as: UTF8.self)
  }

  private func set(_ name: String, _ value: String, _ server: TestServer) async throws {
    _ = try await SetSecret.run(.init(tenant: "solo", name: name, value: value), server.asOperator)
  }

  @Test("Apple's is refused where it lacks a part, and taken where it is whole")
  func apple() async throws {
    try await ThreeApps.run { apps in
      let server = apps.server
      try await server.makeTenant("solo", Self.policy)
      let wrong = [
        try Self.key(["team_id", "key_id"]), try Self.key(["key_id", "private_key"]), "a plain secret",
        #"{"team_id":"T","key_id":"K","private_key":"no key"}"#,
      ]
      for value in wrong {
        let refused = await #expect(throws: OperatorError.self) { try await set("apple_key", value, server) }
        #expect(refused?.description.hasPrefix("this is no secret for apple") == true)
      }
      try await set("apple_key", try Self.key(["team_id", "key_id", "private_key"]), server)
    }
  }

  @Test("another provider's is taken as it is")
  func other() async throws {
    try await ThreeApps.run { apps in
      try await apps.server.makeTenant("solo", Self.policy)
      try await set("google_secret", "a plain secret", apps.server)
      let kept = try await ListSecrets.run(.init(tenant: "solo"), apps.server.asOperator).items
      #expect(kept.map(\.name) == ["google_secret"])
    }
  }

  @Test("a policy whose provider has no secret is applied, with a note that names it")
  func missing() async throws {
    try await ThreeApps.run { apps in
      let server = apps.server
      try await server.makeTenant("solo", Self.policy)
      let applied = try await ApplyPolicy.run(
        .init(tenant: "solo", text: Self.policy.replacing("Solo", with: "Solo 2")), server.asOperator)
      let notes = applied.notes ?? []
      #expect(notes.contains { $0.hasPrefix("there is no secret apple_key for apple") }, "\(notes)")
      try await set("google_secret", "a plain secret", server)
      let again = try await ApplyPolicy.run(
        .init(tenant: "solo", text: Self.policy.replacing("Solo", with: "Solo 3")), server.asOperator)
      #expect((again.notes ?? []).count == notes.count - 1)
    }
  }
}
