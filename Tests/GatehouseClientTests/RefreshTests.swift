import Foundation
import GatehouseClientTesting
import GatehouseTesting
import Testing

@testable import GatehouseClient

@Suite("Refresh")
struct RefreshTests {
  @Test("C02 fifty callers share one refresh")
  func shared() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    stage.clock.advance(by: .seconds(1000))
    let before = stage.server.count(of: "POST /v1/token")
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 { group.addTask { try await client.accessToken() } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(tokens.count == 1)
    #expect(stage.server.count(of: "POST /v1/token") == before + 1)
  }

  @Test("C03 an answer that comes after another sign-in changes nothing")
  func late() async throws {
    let stage = ClientStage(skipping: .zero)
    let client = try await stage.signedIn()
    stage.server.addAccount(email: "bob@example.com", password: "bob's own")
    stage.server.fail(next: .slowAnswer(.seconds(5)), at: "/v1/token")
    let refresh = Task { try await client.accessToken(minTTL: .seconds(100_000)) }
    await until { stage.clock.sleeping > 0 }
    _ = try await client.signIn(email: "bob@example.com", password: "bob's own")
    let mine = try await client.accessToken()
    stage.clock.advance(by: .seconds(5))
    _ = await refresh.result
    #expect(client.state.user?.email == "bob@example.com")
    #expect(try await client.accessToken() == mine)
  }

  @Test("C04 callers that are cancelled stop waiting, and the refresh goes on")
  func cancelled() async throws {
    let stage = ClientStage(skipping: .zero)
    let client = try await stage.signedIn()
    stage.clock.advance(by: .seconds(1000))
    stage.server.fail(next: .slowAnswer(.seconds(5)), at: "/v1/token")
    let callers = (0..<10).map { _ in
      Task { await failure { () async throws(AuthError) in try await client.accessToken() } }
    }
    await until { stage.clock.sleeping > 0 }
    for caller in callers { caller.cancel() }
    for caller in callers { #expect(await caller.value?.code == .cancelled) }
    stage.clock.advance(by: .seconds(5))
    await client.settle()
    let sent = stage.server.count(of: "POST /v1/token")
    _ = try await client.accessToken()
    #expect(client.hasSession && stage.server.count(of: "POST /v1/token") == sent)
  }

  @Test("C04 a caller that is cancelled before it waits is told so")
  func cancelledBefore() async throws {
    let stage = ClientStage(skipping: .zero)
    let client = try await stage.signedIn()
    stage.clock.advance(by: .seconds(1000))
    stage.server.fail(next: .slowAnswer(.seconds(5)), at: "/v1/token")
    let caller = Task {
      await until { Task.isCancelled }
      return await failure { () async throws(AuthError) in try await client.accessToken() }
    }
    caller.cancel()
    #expect(await caller.value?.code == .cancelled)
    await until { stage.clock.sleeping > 0 }
    stage.clock.advance(by: .seconds(5))
    await client.settle()
    #expect(client.hasSession)
  }

  @Test("C07 a process that is killed at any step of a refresh loses no session", arguments: [0, 31, 86_400])
  func killed(after seconds: Int) async throws {
    let steps = try await MortalProcess.dyingAtEach { process, step in
      let stage = ClientStage()
      _ = try await stage.signedIn()
      let dying = AuthClient(process.configuration(stage.configuration()))
      _ = await dying.restored()
      _ = await failure { () async throws(AuthError) in try await dying.accessToken(minTTL: .seconds(100_000)) }
      await dying.settle()
      stage.clock.advance(by: .seconds(seconds))
      let next = await stage.restarted()
      _ = try await next.reload()
      #expect(next.hasSession, "killed at step \(step)")
      #expect(stage.server.sessionCount(of: ClientStage.email) == 1, "killed at step \(step)")
    }
    // A refresh has at least two writes and one request, each with a beginning and an end.
    #expect(steps > 6)
  }

  @Test("C07 the key of a refresh is in the store before it leaves, and a lost answer is asked for under it")
  func key() async throws {
    let stage = ClientStage(skipping: .zero)
    let client = try await stage.signedIn()
    stage.server.fail(next: .dropAnswer, at: "/v1/token")
    let caller = Task { try await client.accessToken(minTTL: .seconds(100_000)) }
    await until { stage.clock.sleeping > 0 }
    let stored = try #require(StoredRecord(try stage.store.read(stage.configuration().storeKey) ?? Data()))
    let sent = stage.server.requests.last { $0.route == "POST /v1/token" }?.key
    #expect(sent != nil && stored.session?.attemptKey == sent)
    stage.clock.advance(by: .seconds(1))
    await client.settle()
    _ = try await caller.value
    #expect(stage.server.requests.last { $0.route == "POST /v1/token" }?.key == sent)
  }

  @Test("C07 a key that the store does not take stops the refresh before it leaves")
  func full() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    let sent = stage.server.count(of: "POST /v1/token")
    stage.store.mood = .full
    let token = try await client.accessToken(minTTL: .seconds(100_000))
    await client.settle()
    #expect(!token.isEmpty && client.hasSession)
    #expect(stage.server.count(of: "POST /v1/token") == sent)
  }

  @Test("C08 two clients on one store refresh two hundred times each, and the session lives")
  func together() async throws {
    let stage = ClientStage()
    let store = FileStore(folder: URL(fileURLWithPath: try TestFolder.make("client-store")))
    var configuration = stage.configuration()
    configuration.store = store
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    let first = AuthClient(configuration)
    _ = try await first.signIn(email: ClientStage.email, password: ClientStage.password)
    let second = AuthClient(configuration)
    _ = await second.restored()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for client in [first, second] {
        group.addTask {
          for _ in 0..<200 { _ = try await client.accessToken(minTTL: .seconds(100_000)) }
        }
      }
      try await group.waitForAll()
    }
    await first.settle()
    await second.settle()
    #expect(first.hasSession && second.hasSession)
    #expect(stage.server.sessionCount(of: ClientStage.email) == 1)
    #expect(try await second.reload().user?.email == ClientStage.email)
  }

  @Test("C08 an answer for a token that another process replaced meanwhile does not undo its work")
  func onlyTheSentToken() async throws {
    let stage = ClientStage(skipping: .zero)
    let first = try await stage.signedIn()
    let second = stage.client()
    _ = await second.restored()
    await second.settle()
    await first.foreground()
    await first.settle()
    stage.server.fail(next: .slowAnswer(.seconds(5)), at: "/v1/token")
    let slow = Task { try await first.accessToken(minTTL: .seconds(100_000)) }
    await until { stage.clock.sleeping > 0 }
    await second.foreground()
    await second.settle()
    let newest = try await second.accessToken(minTTL: .seconds(100_000))
    await second.settle()
    stage.clock.advance(by: .seconds(5))
    _ = try await slow.value
    let stored = StoredRecord(try stage.store.read(stage.configuration().storeKey) ?? Data())
    #expect(stored?.session?.accessToken == newest)
    await first.foreground()
    await first.settle()
    #expect(first.hasSession && stage.server.sessionCount(of: ClientStage.email) == 1)
  }

  @Test("C07 a process that was suspended between its store and the network sends nothing of before, and goes on after")
  func suspended() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    stage.clock.advance(by: .seconds(1000))
    let before = stage.server.count(of: "POST /v1/token")
    stage.store.onUpdate = { [clock = stage.clock] in clock.advance(by: .seconds(3600)) }
    #expect(await failure { () async throws(AuthError) in try await client.accessToken() }?.code == .network)
    #expect(stage.server.count(of: "POST /v1/token") == before && client.hasSession)
    _ = try await client.accessToken()
    #expect(stage.server.count(of: "POST /v1/token") == before + 1)
  }

  @Test("C08 a request that two refreshes of another process overtook gives the newest token, and ends nothing")
  func overtaken() async throws {
    let stage = ClientStage(skipping: .zero)
    let first = try await stage.signedIn()
    let second = await stage.restarted()
    // The start of the second replaced the tokens: the first looks.
    await first.foreground()
    await first.settle()
    stage.server.fail(next: .slowRequest(.seconds(5)), at: "/v1/token")
    let slow = Task { try await first.accessToken(minTTL: .seconds(100_000)) }
    await until { stage.clock.sleeping > 0 }
    _ = try await second.accessToken(minTTL: .seconds(100_000))
    let newest = try await second.accessToken(minTTL: .seconds(100_000))
    stage.clock.advance(by: .seconds(5))
    #expect(try await slow.value == newest)
    await first.settle()
    #expect(first.hasSession && stage.server.sessionCount(of: ClientStage.email) == 1)
  }
}
