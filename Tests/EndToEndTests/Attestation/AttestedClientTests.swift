import Foundation
import GatehouseClient
import GatehouseIdentity
import GatehouseServerTesting
import Testing

/// The Swift client at doors of the real server that demand an attested app.
@Suite("The Swift client at doors that demand an attested app")
struct AttestedClientTests {
  private static let email = "pat@example.com"
  private static let password = "Correct-Horse-9"

  private static func client(
    _ apps: AttestedApps, _ tenant: String, _ keys: (any AttestKeys)?, store: any SecureStore = MemoryStore()
  ) throws -> AuthClient {
    AuthClient(
      AuthConfiguration(
        server: try #require(URL(string: apps.server.url)), tenant: tenant, store: store,
        clock: ServerTime(clock: apps.server.clock), deviceName: "phone", languages: ["en"],
        attest: keys.map { AppAttest(keys: $0) }))
  }

  /// The error of a call; nil of one that succeeded.
  private static func code(_ body: () async throws(AuthError) -> AuthState) async -> AuthError.Code? {
    do throws(AuthError) {
      _ = try await body()
      return nil
    } catch {
      return error.code
    }
  }

  private static func signUp(_ client: AuthClient, _ email: String = email) async -> AuthError.Code? {
    await code { () async throws(AuthError) in try await client.signUp(email: email, password: password) }
  }

  private static func signIn(_ client: AuthClient) async -> AuthError.Code? {
    await code { () async throws(AuthError) in try await client.signIn(email: email, password: password) }
  }

  private static func providerSignIn(_ client: AuthClient, _ apps: AttestedApps) async throws -> AuthError.Code? {
    let providers = try #require(apps.server.services.providers as? SigningProviders)
    let token = try providers.token("g1")
    return await code { () async throws(AuthError) in
      try await client.signIn(with: "google", idToken: token, nonce: "n-1")
    }
  }

  @Test(
    "each door that demands an assertion opens to a client that attests, and stays closed to one that does not",
    arguments: [
      ("north", true, true, true), ("sign-ups", true, false, true), ("sign-ins", false, true, true),
      ("open", false, false, false),
    ])
  func doors(tenant: String, up: Bool, `in`: Bool, provider: Bool) async throws {
    try await AttestedApps.run { apps in
      let without = try Self.client(apps, tenant, nil)
      let unable = try Self.client(apps, tenant, NoKeys())
      #expect(await Self.signUp(without, "without@example.com") == (up ? .attestRequired : nil))
      #expect(await Self.signUp(unable, "unable@example.com") == (up ? .attestUnsupported : nil))
      let keys = SigningAttestKeys(apps)
      let client = try Self.client(apps, tenant, keys)
      #expect(await Self.signUp(client) == nil)
      #expect(await Self.signIn(client) == nil)
      #expect(try await Self.providerSignIn(client, apps) == nil)
      #expect(await Self.signIn(without) == (`in` ? .attestRequired : nil))
      #expect(await Self.signIn(unable) == (`in` ? .attestUnsupported : nil))
      #expect(try await Self.providerSignIn(without, apps) == (provider ? .attestRequired : nil))
      #expect(keys.names.count == (provider ? 1 : 0))
      // The client asked the policy: nothing was refused on its way.
      let reasons = try await apps.store(tenant).audit(
        AuditQuery(event: AuditEvent.attestRefused.rawValue), limit: 100
      ).compactMap { $0.details["reason"] }
      #expect(Set(reasons).isSubset(of: ["no_assertion"]), "\(reasons)")
    }
  }

  private struct NoKeys: AttestKeys {
    var isSupported: Bool { false }
    func makeKey() async throws(AttestKeyError) -> String { throw .unsupported }
    func attest(_ key: String, over clientDataHash: Data) async throws(AttestKeyError) -> Data { throw .unsupported }
    func assertion(by key: String, over clientDataHash: Data) async throws(AttestKeyError) -> Data {
      throw .unsupported
    }
  }

  @Test("sign-ins at the same time have one key, and no counter arrives late")
  func parallel() async throws {
    try await AttestedApps.run { apps in
      let keys = SigningAttestKeys(apps)
      let client = try Self.client(apps, "north", keys)
      #expect(await Self.signUp(client) == nil)
      await withTaskGroup(of: AuthError.Code?.self) { group in
        for _ in 0..<8 { group.addTask { await Self.signIn(client) } }
        for await code in group { #expect(code == nil) }
      }
      #expect(keys.names.count == 1)
      #expect(try await apps.reasons() == [])
      let key = try #require(Data(base64Encoded: keys.names[0]))
      #expect(try await apps.store().attestKey(id: Array(key))?.counter == 9)
    }
  }

  @Test("a restored device, and a key that the server deleted, cost one new key each")
  func replaced() async throws {
    try await AttestedApps.run { apps in
      let keys = SigningAttestKeys(apps)
      let store = MemoryStore()
      #expect(await Self.signUp(try Self.client(apps, "north", keys, store: store)) == nil)
      keys.restoreDevice()
      #expect(await Self.signIn(try Self.client(apps, "north", keys, store: store)) == nil)
      #expect(keys.names.count == 1)
      #expect(try await apps.reasons() == [])
      let client = try Self.client(apps, "north", keys, store: store)
      try await client.deleteAccount(proof: .password(Self.password))
      #expect(await Self.signUp(client) == nil)
      #expect(keys.names.count == 2)
      #expect(try await apps.reasons() == [])
    }
  }

  @Test("another app is refused: its registration is told, and not repeated")
  func otherApp() async throws {
    try await AttestedApps.run { apps in
      let keys = SigningAttestKeys(apps, app: "9876543210.com.example.other")
      let client = try Self.client(apps, "north", keys)
      #expect(await Self.signUp(client) == .attestInvalid)
      #expect(keys.names.count == 1)
      #expect(try await apps.reasons() == ["other_app"])
    }
  }

  @Test("a key that the server forgot is replaced, and the request sent once more")
  func forgotten() async throws {
    try await AttestedApps.run { apps in
      let keys = SigningAttestKeys(apps)
      let client = try Self.client(apps, "north", keys)
      #expect(await Self.signUp(client) == nil)
      // Another device deletes the account, and the key with it.
      let other = SigningAttestKeys(apps)
      let second = try Self.client(apps, "north", other)
      #expect(await Self.signIn(second) == nil)
      try await second.deleteAccount(proof: .password(Self.password))
      #expect(await Self.signUp(second) == nil)
      #expect(await Self.signIn(client) == nil)
      #expect(keys.names.count == 2)
      #expect(try await apps.reasons() == ["unknown_key"])
    }
  }
}
