import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

@Suite("Signing in on hosted pages")
struct HostedSignInTests {
  @Test("a code signs in, as any other sign-in does")
  func signIn() async throws {
    let hosted = try await HostedStage()
    #expect(hosted.client.state == .signedOut(.never), "the page changes nothing here")
    let state = try await hosted.client.finish(at: hosted.back())
    #expect(state == hosted.client.state && state.user?.email == ClientStage.email)
    #expect(await hosted.client.pendingFlow() == nil)
    #expect(try await hosted.client.accessToken(minTTL: .seconds(100_000)).isEmpty == false)
    #expect(await hosted.stage.restarted().restored().user?.email == ClientStage.email)
  }

  @Test("no request is sent before the person is back")
  func silent() async throws {
    let hosted = try await HostedStage()
    #expect(hosted.stage.server.requests.isEmpty)
  }

  @Test("another start of the app finishes, after the system ended the first")
  func restarted() async throws {
    let hosted = try await HostedStage()
    let next = await hosted.stage.restarted()
    #expect(await next.pendingFlow() == hosted.flow)
    #expect(try await next.finish(at: hosted.back()).user?.email == ClientStage.email)
  }

  @Test("the device is known at the next sign-in")
  func device() async throws {
    let hosted = try await HostedStage()
    _ = try await hosted.client.finish(at: hosted.back())
    let id = try #require(await hosted.client.keeper.ledger.record.deviceID)
    await hosted.client.signOut()
    let flow = try await hosted.client.hostedSignIn(returnTo: ClientStage.target)
    let back = try #require(hosted.stage.server.hostedReturn(from: flow.url, as: ClientStage.email))
    _ = try await hosted.client.finish(at: back)
    #expect(await hosted.client.keeper.ledger.record.deviceID == id)
    #expect(hosted.stage.server.requests.last { $0.route == "POST /v1/token" }?.members.contains("device") == true)
  }

  @Test("a sign-in by the pages takes the place of a session, which the server is given back")
  func instead() async throws {
    let stage = ClientStage()
    stage.server.addAccount(email: "bo@example.com", password: ClientStage.password)
    let client = try await stage.signedIn("bo@example.com")
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    let flow = try await client.hostedSignIn(returnTo: ClientStage.target)
    #expect(client.state.user?.email == "bo@example.com")
    _ = try await client.finish(at: try #require(stage.server.hostedReturn(from: flow.url, as: ClientStage.email)))
    await client.settle()
    #expect(client.state.user?.email == ClientStage.email)
    #expect(stage.server.sessionCount(of: "bo@example.com") == 0)
  }

  @Test("a second finish with the same address is refused, and the session stays as it is")
  func twice() async throws {
    let hosted = try await HostedStage()
    let address = try hosted.back()
    let state = try await hosted.client.finish(at: address)
    let error = await failure { () async throws(AuthError) in try await hosted.client.finish(at: address) }
    #expect(error?.code == .codeInvalid && error?.message == "This code or link is not valid.")
    #expect(hosted.client.state == state && hosted.redemptions == 1)
  }

  @Test("an app that is opened with one address twice at a time redeems it once, and both calls succeed")
  func atOnce() async throws {
    let hosted = try await HostedStage(ClientStage(skipping: .zero))
    hosted.stage.server.fail(next: .slowAnswer(.seconds(5)), at: "/v1/token")
    let address = try hosted.back()
    let client = hosted.client
    let calls = (0..<2).map { _ in Task { try await client.finish(at: address) } }
    await until { hosted.stage.clock.sleeping > 0 }
    await until { await client.keeper.redeeming.values.first?.waiting == 2 }
    hosted.stage.clock.advance(by: .seconds(5))
    for call in calls { #expect(try await call.value.user != nil) }
    #expect(hosted.redemptions == 1)
  }

  @Test("a caller that is cancelled loses no sign-in")
  func cancelled() async throws {
    let hosted = try await HostedStage(ClientStage(skipping: .zero))
    hosted.stage.server.fail(next: .slowAnswer(.seconds(5)), at: "/v1/token")
    let address = try hosted.back()
    let client = hosted.client
    let call = Task { () async -> AuthError? in
      await failure { () async throws(AuthError) in try await client.finish(at: address) }
    }
    await until { hosted.stage.clock.sleeping > 0 }
    call.cancel()
    #expect(await call.value?.code == .cancelled)
    hosted.stage.clock.advance(by: .seconds(5))
    await client.settle()
    #expect(client.hasSession)
  }

  @Test("a request that the server never saw is sent again, and signs in", arguments: [1, 2])
  func lostRequest(times: Int) async throws {
    let hosted = try await HostedStage()
    hosted.stage.server.fail(next: .dropRequest, times: times, at: "/v1/token")
    #expect(try await hosted.client.finish(at: hosted.back()).user != nil)
  }

  @Test("an answer that was lost is a network error, after which the same page signs in")
  func lostAnswer() async throws {
    let hosted = try await HostedStage()
    hosted.stage.server.fail(next: .dropAnswer, at: "/v1/token")
    #expect(await hosted.refused(try hosted.back()) == .network)
    #expect(hosted.client.state == .signedOut(.never) && hosted.redemptions == 2)
    #expect(await hosted.client.pendingFlow() == hosted.flow)
    #expect(try await hosted.client.finish(at: hosted.back()).user != nil)
  }

  @Test("without a network the same address signs in when there is one again")
  func offline() async throws {
    let hosted = try await HostedStage()
    let address = try hosted.back()
    hosted.stage.server.weather = .dropRequest
    #expect(await hosted.refused(address) == .network)
    hosted.stage.server.weather = nil
    #expect(try await hosted.client.finish(at: address).user != nil)
  }

  @Test("a code is good for a minute, and an old one ends the way")
  func late() async throws {
    let hosted = try await HostedStage()
    let address = try hosted.back()
    hosted.stage.clock.advance(by: .seconds(61))
    #expect(await hosted.refused(address) == .codeInvalid && hosted.redemptions == 1)
    #expect(await hosted.client.pendingFlow() == nil)
  }

  @Test("a code is of no use to a client that did not begin")
  func otherVerifier() async throws {
    let hosted = try await HostedStage()
    let thief = hosted.stage.client("thief")
    let flow = try await thief.hostedSignIn(returnTo: ClientStage.target)
    let state = URLComponents(url: flow.url, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == "state" }
    let stolen = try hosted.back { $0.set("state", state?.value) }
    #expect(await failure { () async throws(AuthError) in try await thief.finish(at: stolen) }?.code == .codeInvalid)
    #expect(hosted.redemptions == 1 && !thief.hasSession)
  }

  @Test("a disabled account is told as such")
  func disabled() async throws {
    let hosted = try await HostedStage()
    let address = try hosted.back()
    hosted.stage.server.setDisabled(true, ClientStage.email)
    #expect(await hosted.refused(address) == .accountDisabled)
  }

  @Test("a person who signed out meanwhile stays out, and the server is given the session back")
  func signedOut() async throws {
    let hosted = try await HostedStage(ClientStage(skipping: .zero))
    let error = try await overtaken(hosted) { await $0.signOut() }
    #expect(error == .unauthenticated && hosted.client.state == .signedOut(.byUser))
    #expect(hosted.stage.server.sessionCount(of: ClientStage.email) == 0)
  }

  @Test("a person who signed in by another way meanwhile stays that one")
  func signedIn() async throws {
    let hosted = try await HostedStage(ClientStage(skipping: .zero))
    hosted.stage.server.addAccount(email: "bo@example.com", password: ClientStage.password)
    let error = try await overtaken(hosted) { client in
      _ = try? await client.signIn(email: "bo@example.com", password: ClientStage.password)
    }
    #expect(error == .unauthenticated && hosted.client.state.user?.email == "bo@example.com")
    #expect(hosted.stage.server.sessionCount(of: ClientStage.email) == 0)
  }

  /// The error of a `finish` whose answer comes after something else happened.
  private func overtaken(_ hosted: HostedStage, by act: (AuthClient) async -> Void) async throws -> AuthError.Code? {
    hosted.stage.server.fail(next: .slowAnswer(.seconds(5)), at: "/v1/token")
    let (client, address) = (hosted.client, try hosted.back())
    let slow = Task { () async -> AuthError? in
      await failure { () async throws(AuthError) in try await client.finish(at: address) }
    }
    await until { hosted.stage.clock.sleeping > 0 }
    await act(client)
    hosted.stage.clock.advance(by: .seconds(5))
    let error = await slow.value
    await client.settle()
    return error?.code
  }

  @Test("the way that was begun last is the one that finishes: a link gives the pages up")
  func link() async throws {
    let stage = ClientStage()
    stage.server.policy.fullAccess = [.link("spotify")]
    let client = try await stage.signedIn()
    _ = try await client.hostedSignIn(returnTo: ClientStage.target)
    let flow = try await client.startLink("spotify", redirect: URL(string: "ada://spotify"))
    #expect(await client.pendingFlow() == flow && flow.provider == "spotify")
    let state = try await client.finish(at: try #require(stage.server.callback(from: flow.url)))
    #expect(state.user?.isLinked("spotify") == true)
  }

  @Test("the pages give a link up")
  func pages() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    _ = try await client.startLink("spotify", redirect: URL(string: "ada://spotify"))
    let flow = try await client.hostedSignIn(returnTo: ClientStage.target)
    #expect(await client.pendingFlow() == flow && flow.provider == nil)
  }

  @Test("a record of an app from before the pages is read as it was")
  func olderRecord() throws {
    var record = StoredRecord()
    record.reason = .byUser
    let data = try #require(record.data)
    #expect(!String(decoding: data, as: UTF8.self).contains("hosted"))
    #expect(StoredRecord(data) == record)
  }
}
