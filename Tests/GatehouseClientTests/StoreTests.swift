import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

@Suite("Stores that fail")
struct StoreTests {
  @Test("C05 a store that is unavailable leaves the client restoring, and calls fail with storage after their deadline")
  func unavailable() async throws {
    let stage = ClientStage(skipping: .seconds(20))
    _ = try await stage.signedIn()
    stage.store.mood = .unavailable
    let client = stage.client()
    let call = Task { await failure { () async throws(AuthError) in try await client.accessToken() } }
    #expect(await call.value?.code == .storage)
    #expect(client.state == .restoring)
    stage.store.mood = .well
    await until {
      stage.wake()
      return client.state != .restoring
    }
    #expect(client.state.user?.email == ClientStage.email)
    await client.settle()
    #expect(client.hasSession)
  }

  @Test(
    "an app without the right to a key chain is told at once what to do, and stays restoring", .timeLimit(.minutes(1)))
  func notEntitled() async throws {
    // No sleep ends.
    let stage = ClientStage(skipping: .zero)
    _ = try await stage.signedIn()
    stage.store.mood = .notEntitled
    let client = stage.client()
    let error = await failure { () async throws(AuthError) in try await client.accessToken() }
    #expect(error?.code == .storageNotEntitled && error?.message.contains("Keychain Sharing") == true)
    #expect(error?.isTemporary == false && client.state == .restoring)
  }

  @Test("a status of the key chain is told, and that of a missing entitlement has an error of its own")
  func statuses() {
    #expect(StoreError(keychainStatus: -34018) == .notEntitled)
    #expect("\(StoreError(keychainStatus: -25308))" == "refused(status: -25308)")
  }

  @Test("C05 a person can sign out while the store is unavailable, and the session is gone when it is back")
  func signOutUnread() async throws {
    let stage = ClientStage(skipping: .seconds(20))
    _ = try await stage.signedIn()
    stage.store.mood = .unavailable
    let client = stage.client()
    await client.signOut()
    #expect(client.state == .signedOut(.byUser))
    stage.store.mood = .well
    await until {
      stage.wake()
      return await client.keeper.ledger.isSaved
    }
    await client.settle()
    #expect(client.state == .signedOut(.byUser))
    #expect(stage.server.sessionCount(of: ClientStage.email) == 0)
    #expect(await stage.restarted().state == .signedOut(.byUser))
  }

  @Test("C05 a damaged record counts as a session that expired")
  func damaged() async throws {
    let stage = ClientStage()
    _ = try await stage.signedIn()
    stage.store.mood = .damaged
    #expect(await stage.restarted().state == .signedOut(.expired))
  }

  @Test("C05 a malformed record counts as an expired session, and a sign-in replaces it")
  func strange() async throws {
    let stage = ClientStage()
    _ = try stage.store.update(stage.configuration().storeKey) { _ in Data("{\"version\":7}".utf8) }
    #expect(await stage.restarted().state == .signedOut(.expired))
    _ = try await stage.signedIn()
    #expect(await stage.restarted().hasSession)
  }

  @Test("C05 a sign-in that a full store does not take lasts in memory, and is stored when the store takes it")
  func full() async throws {
    let stage = ClientStage(skipping: .zero)
    stage.store.mood = .full
    let client = try await stage.signedIn()
    #expect(client.hasSession)
    #expect(try stage.store.read(stage.configuration().storeKey) == nil)
    stage.store.mood = .well
    await until { stage.clock.sleeping > 0 }
    stage.clock.advance(by: .seconds(1))
    await until { await client.keeper.ledger.isSaved }
    #expect(await stage.restarted().hasSession)
  }

  @Test("C20 two accounts in one store stay apart")
  func accounts() async throws {
    let stage = ClientStage()
    let ada = try await stage.signedIn()
    let bob = try await stage.signedIn("bob@example.com", "second")
    #expect(ada.state.user?.email == ClientStage.email && bob.state.user?.email == "bob@example.com")
    await ada.signOut()
    await ada.settle()
    #expect(await stage.restarted().state == .signedOut(.byUser))
    #expect(await stage.restarted("second").state.user?.email == "bob@example.com")
    #expect(stage.server.sessionCount(of: ClientStage.email) == 0)
    #expect(stage.server.sessionCount(of: "bob@example.com") == 1)
  }

  @Test("C20 tenants and servers have records of their own")
  func keys() {
    let places: [(String, String?)] = [
      ("https://a.example", nil), ("https://a.example", "vibes"), ("https://a.example:8443", nil),
    ]
    let configurations =
      places.map { (server: String, tenant: String?) in
        AuthConfiguration(
          server: URL(string: server) ?? URL(fileURLWithPath: "/"), tenant: tenant, store: MemoryStore())
      }
    #expect(Set(configurations.map(\.storeKey)).count == 3)
  }
}
