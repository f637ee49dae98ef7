import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

/// A proof that raises the session voids the tokens of before: no person is signed out by that.
@Suite("Sessions that a second factor raises")
struct RaisedSessionTests {
  private static let path = "/v1/me/factors/totp/confirm"
  private let scene = FactorStage(skipping: .zero)

  private func slow() { scene.server.fail(next: .slowAnswer(.seconds(5)), at: Self.path) }

  /// Waits until the server has raised the session, and its answer is on the way.
  private func raised() async {
    await until { scene.server.count(of: "POST \(Self.path)") == 1 && scene.stage.clock.sleeping > 0 }
  }

  @Test("calls with a token of before wait for the answer, and none of them refreshes")
  func inFlight() async throws {
    let (client, enrolment) = try await scene.enrolling()
    let code = try scene.code(enrolment)
    let refreshes = scene.server.count(of: "POST /v1/token")
    slow()
    let adding = Task { try await client.confirmTOTP(enrolment, code: code) }
    await raised()
    let calls = (0..<20).map { _ in Task { try await client.devices() } }
    await until { scene.server.requests.count { $0.route == "GET /v1/me/sessions" && $0.status == 401 } == 20 }
    scene.stage.clock.advance(by: .seconds(5))
    _ = try await adding.value
    for call in calls { #expect(try await call.value.count == 1) }
    #expect(client.hasSession && scene.server.count(of: "POST /v1/token") == refreshes)
  }

  @Test("a caller that is cancelled loses no session")
  func cancelled() async throws {
    let (client, enrolment) = try await scene.enrolling()
    let (code, before) = (try scene.code(enrolment), await client.sessionID)
    slow()
    let adding = Task { try await client.confirmTOTP(enrolment, code: code) }
    await raised()
    adding.cancel()
    await #expect(throws: AuthError.self) { try await adding.value }
    scene.stage.clock.advance(by: .seconds(5))
    await client.settle()
    #expect(await client.sessionID != before)
    #expect(try await client.reload().user != nil)
  }

  @Test("a person who signs out meanwhile stays signed out, and the raised session is given back")
  func signedOut() async throws {
    let (client, enrolment) = try await scene.enrolling()
    let code = try scene.code(enrolment)
    slow()
    let adding = Task { try await client.confirmTOTP(enrolment, code: code) }
    await raised()
    await client.signOut()
    scene.stage.clock.advance(by: .seconds(5))
    _ = try? await adding.value
    await client.settle()
    #expect(client.state == .signedOut(.byUser) && scene.server.sessionCount(of: FactorStage.email) == 0)
  }

  @Test("a person who signs in anew meanwhile keeps that session")
  func signedInAnew() async throws {
    let (client, enrolment) = try await scene.enrolling()
    let code = try scene.code(enrolment)
    slow()
    let adding = Task { try await client.confirmTOTP(enrolment, code: code) }
    await raised()
    scene.server.addAccount(email: "bo@example.com", password: ClientStage.password)
    _ = try await client.signIn(email: "bo@example.com", password: ClientStage.password)
    scene.stage.clock.advance(by: .seconds(5))
    _ = try? await adding.value
    await client.settle()
    #expect(client.state.user?.email == "bo@example.com" && scene.server.sessionCount(of: FactorStage.email) == 0)
  }

  @Test("another process that meets the end of the former session before the answer comes is signed in again by it")
  func otherProcess() async throws {
    let (client, enrolment) = try await scene.enrolling()
    let code = try scene.code(enrolment)
    let other = await scene.stage.restarted()
    slow()
    let adding = Task { try await client.confirmTOTP(enrolment, code: code) }
    await raised()
    _ = try? await other.reload()
    #expect(other.state == .signedOut(.revoked))
    scene.stage.clock.advance(by: .seconds(5))
    _ = try await adding.value
    await other.foreground()
    await other.settle()
    #expect(client.hasSession && other.hasSession)
    #expect(try await other.reload().user != nil)
  }

  @Test("a proof waits for a refresh that is under way, and goes out with the new token")
  func afterRefresh() async throws {
    let (client, enrolment) = try await scene.enrolling()
    let code = try scene.code(enrolment)
    scene.server.fail(next: .slowAnswer(.seconds(5)), at: "/v1/token")
    let refresh = Task { try await client.accessToken(forcingRefresh: true) }
    await until { scene.stage.clock.sleeping > 0 }
    let adding = Task { try await client.confirmTOTP(enrolment, code: code) }
    await until { await client.keeper.refreshing?.waiting == 2 }
    #expect(scene.server.count(of: "POST \(Self.path)") == 0)
    scene.stage.clock.advance(by: .seconds(5))
    _ = try await refresh.value
    #expect(try await adding.value.recoveryCodes.count == 10 && client.hasSession)
  }

  @Test("a lost answer is not asked for again, and a session that it raised is over")
  func lost() async throws {
    let (client, enrolment) = try await scene.enrolling()
    let code = try scene.code(enrolment)
    scene.server.fail(next: .dropAnswer, at: Self.path)
    let error = await failure { () async throws(AuthError) in try await client.confirmTOTP(enrolment, code: code) }
    #expect(error?.code == .network && scene.server.count(of: "POST \(Self.path)") == 1)
    _ = try? await client.reload()
    #expect(client.state == .signedOut(.revoked))
  }

  @Test("a request that was lost on its way changes nothing")
  func lostRequest() async throws {
    let (client, enrolment) = try await scene.enrolling()
    let code = try scene.code(enrolment)
    scene.server.fail(next: .dropRequest, at: Self.path)
    _ = await failure { () async throws(AuthError) in try await client.confirmTOTP(enrolment, code: code) }
    #expect(try await client.confirmTOTP(enrolment, code: code).recoveryCodes.count == 10)
  }

  @Test("a session of a remembered device is raised by a code, once")
  func remembered() async throws {
    let client = scene.enrolled().stage.client()
    _ = try await client.verifyMFA(try await scene.challenge(client), totp: try scene.digits(), rememberDevice: true)
    await client.signOut()
    _ = try await client.signIn(email: FactorStage.email, password: ClientStage.password)
    let first = await client.sessionID
    try await client.reauthenticate(.totp(try scene.digits()))
    let second = await client.sessionID
    try await client.reauthenticate(.totp(try scene.digits()))
    #expect(first != second)
    #expect(await client.sessionID == second)
  }

  @Test("the push token is sent again for the raised session")
  func push() async throws {
    let (client, enrolment) = try await scene.enrolling()
    try await client.setPushToken("push", platform: .apns)
    _ = try await client.confirmTOTP(enrolment, code: try scene.code(enrolment))
    await client.settle()
    #expect(scene.server.pushTokens(of: FactorStage.email) == ["push"])
  }

  @Test("a push token that was taken back is not sent again")
  func noPush() async throws {
    let (client, enrolment) = try await scene.enrolling()
    try await client.setPushToken("push", platform: .apns)
    try await client.setPushToken(nil, platform: .apns)
    _ = try await client.confirmTOTP(enrolment, code: try scene.code(enrolment))
    await client.settle()
    #expect(scene.server.pushTokens(of: FactorStage.email).isEmpty)
  }

  @Test("a push token that did not reach the server is sent after the next refresh, in a later process as well")
  func owedPush() async throws {
    let scene = FactorStage()
    let (client, enrolment) = try await scene.enrolling()
    try await client.setPushToken("push", platform: .apns)
    scene.server.fail(next: .dropRequest, times: 3, at: "/v1/me/sessions/current/push-token")
    _ = try await client.confirmTOTP(enrolment, code: try scene.code(enrolment))
    await client.settle()
    #expect(scene.server.pushTokens(of: FactorStage.email).isEmpty)
    _ = await scene.stage.restarted()
    await until { scene.server.pushTokens(of: FactorStage.email) == ["push"] }
  }
  @Test("two push tokens at once reach the server in their order, and the last one stays")
  func pushOrder() async throws {
    let scene = FactorStage(skipping: .zero)
    let client = try await scene.stage.signedIn()
    scene.server.fail(next: .slowRequest(.seconds(2)), at: "/v1/me/sessions/current/push-token")
    let first = Task { try await client.setPushToken("old", platform: .apns) }
    await until { scene.stage.clock.sleeping > 0 }
    let second = Task { try await client.setPushToken("new", platform: .apns) }
    await until { await client.keeper.pushing?.waiting == 1 }
    scene.stage.clock.advance(by: .seconds(2))
    _ = try await (first.value, second.value)
    #expect(scene.server.pushTokens(of: FactorStage.email) == ["new"])
  }
}
