import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

@Suite("How a session ends")
struct EndTests {
  @Test(
    "C11 a definite refusal ends the session with its reason",
    arguments: [("revoke", SignedOutReason.revoked), ("disable", .disabled), ("delete", .revoked)])
  func elsewhere(how: String, reason: SignedOutReason) async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    switch how {
    case "revoke": stage.server.revokeSessions(of: ClientStage.email)
    case "disable": stage.server.setDisabled(true, ClientStage.email)
    default: stage.server.deleteAccount(ClientStage.email)
    }
    await client.foreground()
    await client.settle()
    #expect(client.state == .signedOut(reason))
    #expect(await stage.restarted().state == .signedOut(reason))
  }

  @Test("C11 a call that is refused for an ended session tells the client")
  func byCall() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    stage.server.revokeSessions(of: ClientStage.email)
    let error = await failure { () async throws(AuthError) in _ = try await client.devices() }
    #expect(error?.code == .sessionRevoked)
    #expect(client.state == .signedOut(.revoked))
  }

  @Test("C11 this client's own deletion is told as one")
  func deleted() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    try await client.deleteAccount(proof: .password(ClientStage.password))
    #expect(client.state == .signedOut(.deleted))
    #expect(stage.server.accountCount == 0)
  }

  @Test("C11 a copy of the record that is in use elsewhere ends the session for both, half a minute later")
  func stolen() async throws {
    let stage = ClientStage()
    let owner = try await stage.signedIn()
    stage.clock.advance(by: .seconds(1000))
    stage.server.weather = .dropAnswer
    #expect(await failure { () async throws(AuthError) in try await owner.accessToken() }?.code == .network)
    await owner.settle()
    stage.server.weather = nil
    // The record has the key of a request whose answer was lost; its thief goes on from there.
    let copy = MemoryStore()
    let record = try stage.store.read(stage.configuration().storeKey)
    _ = try copy.update(stage.configuration().storeKey) { _ in record }
    let thief = AuthClient(stage.server.configuration(store: copy))
    _ = await thief.restored()
    await thief.settle()
    _ = try await thief.accessToken(minTTL: .seconds(100_000))
    #expect(await failure { () async throws(AuthError) in try await owner.accessToken() }?.code == .conflict)
    await owner.settle()
    #expect(owner.hasSession)
    await until { stage.clock.sleeping > 0 }
    stage.clock.advance(by: .seconds(31))
    await until { owner.state == .signedOut(.revoked) }
    #expect(stage.server.sessionCount(of: ClientStage.email) == 0)
  }

  @Test("C11 an unknown refresh token ends a session only at a second answer, thirty seconds later")
  func unknownTwice() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    stage.server.forgetRefreshTokens()
    for _ in 0..<3 {
      await client.foreground()
      await client.settle()
      try #require(client.hasSession)
    }
    await until { stage.clock.sleeping > 0 }
    stage.clock.advance(by: .seconds(31))
    await until { !client.hasSession }
    #expect(client.state == .signedOut(.expired))
  }

  @Test("C11 a token that is known again after a restore keeps its session")
  func knownAgain() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    let copy = stage.server.copyRefreshTokens()
    stage.server.forgetRefreshTokens()
    await client.foreground()
    await client.settle()
    stage.server.restoreRefreshTokens(copy)
    stage.clock.advance(by: .seconds(31))
    await client.foreground()
    await client.settle()
    #expect(client.hasSession)
    #expect(await client.keeper.session?.unknownSince == nil)
  }

  @Test("C11 a session that another process removed is told as ended elsewhere")
  func removed() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    _ = try stage.store.update(stage.configuration().storeKey) { _ in nil }
    await client.foreground()
    #expect(client.state == .signedOut(.elsewhere))
  }

  @Test("C09 a device's clock that is a day off costs no session and no wrong token", arguments: [-86_400.0, 86_400])
  func wrongClock(seconds: Double) async throws {
    let stage = ClientStage()
    var configuration = stage.configuration()
    let device = SkewedClock(stage.clock)
    configuration.clock = device
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    let client = AuthClient(configuration)
    _ = try await client.signIn(email: ClientStage.email, password: ClientStage.password)
    device.error = seconds
    // The same process counts on its continuous clock; another one asks the server.
    for client in [client, AuthClient(configuration)] {
      _ = await client.restored()
      for _ in 0..<3 {
        _ = try await client.devices()
        #expect(client.hasSession)
        stage.clock.advance(by: .seconds(600))
      }
      await client.settle()
    }
    #expect(stage.server.sessionCount(of: ClientStage.email) == 1)
  }

  @Test("C09 a server's clock that is a day off costs no session", arguments: [-86_400.0, 86_400])
  func wrongServer(seconds: Double) async throws {
    let stage = ClientStage { $0.dateError = seconds }
    let client = try await stage.signedIn()
    stage.clock.advance(by: .seconds(600))
    let next = await stage.restarted()
    _ = try await next.devices()
    #expect(client.hasSession && next.hasSession)
  }
}

/// A device's clocks: the wall clock is off, the continuous one is not.
final class SkewedClock: AuthClock {
  private let base: ManualClock
  private let error_ = Locked(0.0)

  init(_ base: ManualClock) { self.base = base }

  var error: Double {
    get { error_.withLock { $0 } }
    set { error_.withLock { $0 = newValue } }
  }
  var now: Date { base.now.addingTimeInterval(error) }
  var uptime: Duration { base.uptime }
  func sleep(for duration: Duration) async throws { try await base.sleep(for: duration) }
}
