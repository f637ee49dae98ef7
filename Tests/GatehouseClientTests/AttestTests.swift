import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

/// Doors that demand an attested app, from the app's side.
@Suite("An app that attests itself")
struct AttestTests {
  /// A stage whose server demands attestation, and the keys of the device.
  private struct Scene {
    let stage: ClientStage
    let keys = FakeAttestKeys()

    init(_ doors: Set<String> = ["sign_up", "sign_in"], _ set: (inout FakeServerSettings) -> Void = { _ in }) {
      stage = ClientStage { settings in
        settings.attestedDoors = doors
        // An older policy, which names none: the refusal tells.
        settings.namedAttestDoors = []
        set(&settings)
      }
    }

    func client(_ keys: (any AttestKeys)? = nil) -> AuthClient {
      var configuration = stage.configuration()
      configuration.attest = AppAttest(keys: keys ?? self.keys)
      return AuthClient(configuration)
    }

    /// Requests at a path, as their statuses.
    func statuses(_ path: String) -> [Int] {
      stage.server.requests.filter { $0.route == "POST \(path)" }.map(\.status)
    }

    func signUp(_ client: AuthClient) async -> AuthError? {
      await failure { () async throws(AuthError) in
        try await client.signUp(email: ClientStage.email, password: ClientStage.password)
      }
    }

    func signIn(_ client: AuthClient) async -> AuthError? {
      await failure { () async throws(AuthError) in
        try await client.signIn(email: ClientStage.email, password: ClientStage.password)
      }
    }

    /// A client whose key is registered and whose account is there.
    func registered() async -> AuthClient {
      let client = client()
      #expect(await signUp(client) == nil)
      await client.settle()
      return client
    }
  }

  @Test("an app that attests signs up and in with one key, and an app without is refused")
  func whole() async throws {
    let scene = Scene()
    #expect(await scene.signUp(scene.stage.client())?.code == .attestRequired)
    let client = await scene.registered()
    #expect(await scene.signIn(client) == nil)
    #expect(scene.keys.count == 1 && scene.stage.server.attestKeyCount == 1)
  }

  @Test(
    "each door that may demand an assertion gets one", arguments: [["sign_up"], ["sign_in"], ["sign_up", "sign_in"]])
  func doors(named: [String]) async throws {
    let scene = Scene(Set(named))
    let client = scene.client()
    #expect(await scene.signUp(client) == nil)
    #expect(await scene.signIn(client) == nil)
    let byProvider = await failure { () async throws(AuthError) in
      try await client.signIn(with: "google", idToken: "token-of-ada")
    }
    #expect(byProvider?.code != .attestRequired && byProvider?.code != .attestInvalid)
    #expect(scene.stage.server.attestKeyCount == 1)
  }

  @Test("where the policy names the door, no request is sent without an assertion; at other doors none has one")
  func byPolicy() async throws {
    let scene = Scene(["sign_up"]) { $0.namedAttestDoors = ["sign_up"] }
    let client = scene.client()
    #expect(await scene.signUp(client) == nil)
    #expect(scene.statuses("/v1/sign-up") == [201])
    let challenges = scene.statuses("/v1/attest/challenge").count
    #expect(await scene.signIn(client) == nil)
    #expect(scene.statuses("/v1/attest/challenge").count == challenges)
  }

  @Test("a policy that demands nothing any more is not attested to")
  func noLonger() async throws {
    let scene = Scene([]) { $0.namedAttestDoors = ["sign_up"] }
    #expect(await scene.signUp(scene.client()) == nil)
    #expect(scene.keys.count == 0 && scene.statuses("/v1/attest/challenge") == [404])
  }

  @Test("calls at the same time wait for one registration, and arrive in the order of their counters")
  func together() async throws {
    let scene = Scene(["sign_in"])
    scene.stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    let client = scene.client()
    await withTaskGroup(of: AuthError?.self) { group in
      for _ in 0..<12 { group.addTask { await scene.signIn(client) } }
      for await error in group { #expect(error == nil) }
    }
    #expect(scene.keys.count == 1 && scene.statuses("/v1/attest/keys") == [204])
    #expect(scene.statuses("/v1/sign-in").filter { $0 == 200 }.count == 12)
    #expect(scene.statuses("/v1/sign-in").filter { $0 == 403 }.count <= 12)
  }

  @Test("a key outlives the process and the session, and ends with the account")
  func kept() async throws {
    let scene = Scene()
    let first = await scene.registered()
    await first.signOut()
    await first.settle()
    let second = scene.client()
    #expect(await scene.signIn(second) == nil)
    #expect(scene.keys.count == 1)
    try await second.deleteAccount(proof: .password(ClientStage.password))
    #expect(await scene.signUp(scene.client()) == nil)
    #expect(scene.keys.count == 2)
  }

  @Test("a restored device makes a new key, once")
  func restored() async throws {
    let scene = Scene()
    let client = await scene.registered()
    scene.keys.restoreDevice()
    #expect(await scene.signIn(client) == nil)
    #expect(scene.keys.count == 1 && scene.stage.server.attestKeyCount == 2)
    #expect(await scene.signIn(client) == nil)
    #expect(scene.keys.count == 1)
  }

  @Test("a key that the server does not know is replaced, and the request sent once more")
  func unknownKey() async throws {
    let scene = Scene { $0.namedAttestDoors = ["sign_up", "sign_in"] }
    let client = await scene.registered()
    scene.stage.server.forgetAttestKeys()
    #expect(await scene.signIn(client) == nil)
    #expect(scene.statuses("/v1/sign-in") == [403, 200] && scene.keys.count == 2)
  }

  @Test("a challenge that was too old is replaced, and the key is not")
  func oldChallenge() async throws {
    let scene = Scene { settings in
      settings.namedAttestDoors = ["sign_up", "sign_in"]
      settings.challengeLifetime = 2
    }
    let client = await scene.registered()
    scene.stage.server.fail(next: .slowRequest(.seconds(3)), at: "/v1/sign-in")
    #expect(await scene.signIn(client) == nil)
    #expect(scene.statuses("/v1/sign-in") == [403, 200] && scene.keys.count == 1)
  }

  @Test("a second refusal is told: nothing is sent a third time")
  func refusedTwice() async throws {
    let scene = Scene { $0.namedAttestDoors = ["sign_up", "sign_in"] }
    let client = await scene.registered()
    scene.stage.server.fail(next: .refusal("attest_invalid", retryAfter: nil), times: 2, at: "/v1/sign-in")
    let before = scene.stage.server.requests.count
    #expect(await scene.signIn(client)?.code == .attestInvalid)
    #expect(scene.keys.count == 2)
    // What failed before the server is no request of its own: three challenges and a registration.
    #expect(scene.stage.server.requests.count - before == 4)
  }

  @Test("a registration that is refused is told, and its key is not used")
  func refusedRegistration() async throws {
    let scene = Scene()
    scene.stage.server.fail(next: .refusal("attest_invalid", retryAfter: nil), at: "/v1/attest/keys")
    let client = scene.client()
    #expect(await scene.signUp(client)?.code == .attestInvalid)
    #expect(scene.keys.count == 1)
    #expect(await scene.signUp(client) == nil)
    #expect(scene.keys.count == 2)
  }

  @Test("a registration whose answer was lost is used where it arrived", arguments: [true, false])
  func lostRegistration(arrived: Bool) async throws {
    let scene = Scene(["sign_in"])
    scene.stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    scene.stage.server.fail(next: arrived ? .dropAnswer : .dropRequest, at: "/v1/attest/keys")
    let client = scene.client()
    #expect(await scene.signIn(client)?.code == .network)
    #expect(await scene.signIn(client) == nil)
    #expect(await scene.signIn(client) == nil)
    #expect(scene.keys.count == (arrived ? 1 : 2))
  }

  @Test("a repeated sign-up has an assertion of its own each time, under one key")
  func repeated() async throws {
    let scene = Scene { $0.namedAttestDoors = ["sign_up", "sign_in"] }
    scene.stage.server.fail(next: .dropAnswer, at: "/v1/sign-up")
    #expect(await scene.signUp(scene.client()) == nil)
    #expect(scene.statuses("/v1/sign-up") == [201, 201] && scene.keys.count == 1)
    #expect(scene.stage.server.sessionCount(of: ClientStage.email) == 1)
  }

  @Test("Apple's servers that give no answer are told, and the key is attested later")
  func unavailable() async throws {
    let scene = Scene()
    let client = scene.client()
    let keys = LateKeys(base: scene.keys)
    let late = scene.client(keys)
    let error = await scene.signUp(late)
    #expect(error?.code == .attestUnavailable && error?.isTemporary == true)
    #expect(error?.message == "This app could not be verified. Please try again later.")
    #expect(scene.keys.count == 1)
    #expect(await scene.signUp(client) == nil)
    #expect(scene.keys.count == 1)
  }

  /// A device whose keys Apple's servers do not attest now.
  private struct LateKeys: AttestKeys {
    let base: FakeAttestKeys
    var isSupported: Bool { true }
    func makeKey() async throws(AttestKeyError) -> String { try await base.makeKey() }
    func attest(_ key: String, over clientDataHash: Data) async throws(AttestKeyError) -> Data { throw .unavailable }
    func assertion(by key: String, over clientDataHash: Data) async throws(AttestKeyError) -> Data { throw .failed }
  }

  @Test("a device without keys is served where nothing is demanded, and told so where it is")
  func unsupported() async throws {
    let scene = Scene(["sign_up"])
    scene.stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    scene.keys.isSupported = false
    for keys in [scene.keys as any AttestKeys, NoAttestKeys()] {
      let client = scene.client(keys)
      let error = await scene.signUp(client)
      #expect(error?.code == .attestUnsupported && error?.isTemporary == false && error?.requestID != nil)
      #expect(await scene.signIn(client) == nil)
    }
    #expect(scene.statuses("/v1/attest/challenge").isEmpty)
  }

  /// A device whose service answers when the test says so.
  private final class HeldKeys: AttestKeys {
    let base = FakeAttestKeys()
    let isOpen = Promise<Void>()
    var isSupported: Bool { true }
    func makeKey() async throws(AttestKeyError) -> String { try await base.makeKey() }
    func attest(_ key: String, over clientDataHash: Data) async throws(AttestKeyError) -> Data {
      _ = await isOpen.wait()
      return try await base.attest(key, over: clientDataHash)
    }
    func assertion(by key: String, over clientDataHash: Data) async throws(AttestKeyError) -> Data {
      try await base.assertion(by: key, over: clientDataHash)
    }
  }

  @Test("a caller that is cancelled leaves at once, and its registration goes on for the others")
  func cancelled() async throws {
    let scene = Scene()
    let keys = HeldKeys()
    let client = scene.client(keys)
    let first = Task { await scene.signUp(client) }
    await until { keys.base.count == 1 }
    let second = Task { await scene.signUp(client) }
    await until { client.desk?.waiting == 1 }
    first.cancel()
    #expect(await first.value?.code == .cancelled)
    keys.isOpen.fulfil(())
    #expect(await second.value == nil)
    #expect(keys.base.count == 1)
  }

  @Test("a turn that comes to a task that gave up goes to the next")
  func turns() async throws {
    let turns = Turns()
    #expect(await turns.take(within: .seconds(1)))
    #expect(await turns.take(within: .zero) == false)
    let next = Task { await turns.take(within: .seconds(60)) }
    await until { turns.waiting == 1 }
    turns.pass()
    #expect(await next.value)
    turns.pass()
    #expect(await turns.take(within: .zero))
  }
}
