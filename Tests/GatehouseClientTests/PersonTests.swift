import GatehouseClientTesting
import Testing

@testable import GatehouseClient

/// A call belongs to the person who made it.
@Suite("C03 Calls and persons")
struct PersonTests {
  private static let other = "bo@example.com"

  /// A call of ada that is refused for its token while bo signs in. Its error.
  private func overtaken(
    _ stage: ClientStage, at route: String, _ body: @escaping @Sendable (AuthClient) async throws(AuthError) -> Void
  ) async throws -> AuthError? {
    let client = try await stage.signedIn()
    stage.server.addAccount(email: Self.other, password: ClientStage.password)
    stage.server.revokeSessions(of: ClientStage.email)
    stage.server.fail(next: .slowAnswer(.seconds(5)), at: route)
    let slow = Task { () async -> AuthError? in await failure { () async throws(AuthError) in try await body(client) } }
    await until { stage.clock.sleeping > 0 }
    _ = try await client.signIn(email: Self.other, password: ClientStage.password)
    stage.clock.advance(by: .seconds(5))
    let error = await slow.value
    await client.settle()
    #expect(client.state.user?.email == Self.other)
    return error
  }

  @Test("a change that was refused is not repeated as another person who signed in meanwhile")
  func change() async throws {
    let stage = ClientStage(skipping: .zero)
    let error = try await overtaken(stage, at: "/v1/me") { client async throws(AuthError) in
      _ = try await client.updateProfile(["displayName": "Ada"])
    }
    #expect(error?.code == .unauthenticated && stage.server.count(of: "PATCH /v1/me") == 1)
  }

  @Test("a deletion that was refused deletes no other account, and signs no other person out")
  func deletion() async throws {
    let stage = ClientStage(skipping: .zero)
    let error = try await overtaken(stage, at: "/v1/me") { client async throws(AuthError) in
      try await client.deleteAccount()
    }
    #expect(error?.code == .unauthenticated && stage.server.accountCount == 2)
  }

  @Test("a name cannot lead to another path", arguments: ["", ".", ".."])
  func paths(name: String) async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    let before = stage.server.requests.count
    #expect(await failure { () async throws(AuthError) in try await client.user(name) }?.code == .notFound)
    #expect(await failure { () async throws(AuthError) in try await client.providerToken(name) }?.code == .notFound)
    #expect(stage.server.requests.count == before)
  }

  @Test("a refresh that no answer comes for ends within the deadline of a call")
  func deadline() async throws {
    let stage = ClientStage(skipping: .seconds(60))
    let client = try await stage.signedIn()
    stage.clock.advance(by: .seconds(1000))
    for _ in 0..<8 { stage.server.fail(next: .slowAnswer(.seconds(60)), at: "/v1/token") }
    let begin = stage.clock.uptime
    #expect(await failure { () async throws(AuthError) in try await client.accessToken() }?.code == .network)
    #expect(stage.clock.uptime - begin <= .seconds(30))
  }
}
