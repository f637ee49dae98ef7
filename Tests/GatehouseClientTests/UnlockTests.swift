import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

@Suite("Sessions that the owner of the device opens")
struct UnlockTests {
  private let stage = ClientStage(skipping: .zero)
  private let gate = ManualGate()

  private func configuration(after: Duration = .seconds(60)) -> AuthConfiguration {
    var configuration = stage.configuration()
    configuration.unlock = .biometrics(reason: "For your rides", after: after, gate: gate)
    return configuration
  }

  /// A client of a later start of the app, whose person signed in before.
  private func locked(after: Duration = .seconds(60)) async throws -> AuthClient {
    _ = try await stage.signedIn()
    let client = AuthClient(configuration(after: after))
    #expect(await client.restored() == .locked)
    return client
  }

  /// Opens the session, with nothing under way after it.
  private func open(_ client: AuthClient) async throws {
    let unlocking = Task { try await client.unlock() }
    await until { gate.isAsking }
    gate.open()
    #expect(try await unlocking.value.user?.email == ClientStage.email)
    await client.settle()
  }

  @Test("a stored session shows no person and asks the server nothing until the owner of the device opened it")
  func stored() async throws {
    let client = try await locked()
    let before = stage.server.requests.count
    await client.foreground()
    await client.settle()
    #expect(client.state == .locked && client.state.user == nil && client.warnings.isEmpty)
    #expect(stage.server.requests.count == before && gate.reasons.isEmpty)
    try await open(client)
    #expect(client.state.user?.email == ClientStage.email)
    #expect(gate.reasons == ["For your rides"])
    #expect(stage.log.all.contains(AuthLogEntry(event: "unlock", outcome: "opened")))
  }

  @Test("calls wait while the session is locked, and go on when it opens")
  func waits() async throws {
    let client = try await locked()
    let token = Task { try await client.accessToken() }
    let forced = Task { try await client.accessToken(forcingRefresh: true) }
    let devices = Task { try await client.devices() }
    let change = Task { try await client.changePassword(current: ClientStage.password, new: "battery staple") }
    let before = stage.server.requests.count
    await until { await client.keeper.waiting.count == 4 }
    #expect(stage.server.requests.count == before)
    try await open(client)
    #expect(try await !token.value.isEmpty)
    #expect(try await !forced.value.isEmpty)
    #expect(try await devices.value.count == 1)
    _ = try await change.value
  }

  @Test("a call that waits longer than its deadline is told that the session is locked")
  func deadline() async throws {
    let client = try await locked()
    let call = Task { await failure { () async throws(AuthError) in try await client.accessToken() } }
    await until { stage.clock.sleeping > 0 }
    stage.clock.advance(by: Requests.deadline)
    let error = await call.value
    #expect(error?.code == .locked && error?.message == "Unlock to continue with your account.")
    #expect(await client.keeper.waiting.isEmpty)
  }

  @Test("a call that is cancelled while it waits ends at once")
  func cancelled() async throws {
    let client = try await locked()
    let call = Task { await failure { () async throws(AuthError) in try await client.accessToken() } }
    await until { await client.keeper.waiting.count == 1 }
    call.cancel()
    #expect(await call.value?.code == .cancelled)
  }

  @Test(
    "a question that fails leaves the session locked, and may be asked again",
    arguments: [
      (UnlockError.cancelled, AuthError.Code.cancelled), (.failed, .unlockFailed), (.unavailable, .unlockUnavailable),
    ])
  func refused(outcome: UnlockError, code: AuthError.Code) async throws {
    let client = try await locked()
    let asking = Task { await failure { () async throws(AuthError) in try await client.unlock() } }
    await until { gate.isAsking }
    gate.refuse(outcome)
    #expect(await asking.value?.code == code)
    #expect(client.state == .locked)
    try await open(client)
    #expect(gate.reasons.count == 2)
  }

  @Test("two that ask at once ask one question, and one that is open asks none")
  func once() async throws {
    let client = try await locked()
    let first = Task { try await client.unlock() }
    await until { gate.isAsking }
    let second = Task { try await client.unlock() }
    await until { await client.keeper.asking?.waiting == 2 }
    gate.open()
    _ = try await (first.value, second.value)
    _ = try await client.unlock()
    #expect(gate.reasons.count == 1)
  }

  @Test("a person can sign out while the session is locked, and calls that waited are told so")
  func signOut() async throws {
    let client = try await locked()
    let call = Task { await failure { () async throws(AuthError) in try await client.accessToken() } }
    await until { await client.keeper.waiting.count == 1 }
    await client.signOut()
    #expect(client.state == .signedOut(.byUser))
    #expect(await call.value?.code == .unauthenticated)
    await client.settle()
    #expect(stage.server.sessionCount(of: ClientStage.email) == 0)
  }

  @Test("a proof that comes after the sign-out opens nothing")
  func late() async throws {
    let client = try await locked()
    let asking = Task { try await client.unlock() }
    await until { gate.isAsking }
    await client.signOut()
    gate.open()
    #expect(try await asking.value == .signedOut(.byUser))
  }

  @Test("a proof opens the session that it was asked for, and not one that another process stored meanwhile")
  func another() async throws {
    let client = try await locked()
    let asking = Task { try await client.unlock() }
    await until { gate.isAsking }
    _ = try await stage.signedIn("bob@example.com")
    await client.foreground()
    gate.open()
    #expect(try await asking.value == .locked)
    #expect(client.state == .locked)
  }

  @Test("a sign-in opens its own session")
  func signIn() async throws {
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    let client = AuthClient(configuration())
    #expect(await client.restored() == .signedOut(.never))
    let state = try await client.signIn(email: ClientStage.email, password: ClientStage.password)
    #expect(state.user?.email == ClientStage.email && gate.reasons.isEmpty)
  }

  @Test("the session is locked again after the time in the background, and not before")
  func background() async throws {
    let client = try await locked()
    try await open(client)
    await client.background()
    stage.clock.advance(by: .seconds(59))
    await client.foreground()
    #expect(client.hasSession)
    // The time counts anew each time.
    await client.background()
    stage.clock.advance(by: .seconds(59))
    #expect(client.hasSession)
    stage.clock.advance(by: .seconds(1))
    await client.foreground()
    #expect(client.state == .locked)
    await client.settle()
    try await open(client)
    #expect(gate.reasons.count == 2)
  }

  @Test("what works in the background gets no token after that time")
  func inBackground() async throws {
    let client = try await locked()
    try await open(client)
    await client.background()
    #expect(try await !client.accessToken().isEmpty)
    stage.clock.advance(by: .seconds(60))
    let call = Task { await failure { () async throws(AuthError) in try await client.accessToken() } }
    await until { await client.keeper.waiting.count == 1 }
    #expect(client.state == .locked)
    call.cancel()
    #expect(await call.value?.code == .cancelled)
  }

  @Test("without the setting nothing is asked and nothing is locked")
  func none() async throws {
    _ = try await stage.signedIn()
    let client = await stage.restarted()
    await client.background()
    stage.clock.advance(by: .seconds(86_400))
    await client.foreground()
    await client.settle()
    #expect(client.hasSession)
    #expect(try await client.unlock().user?.email == ClientStage.email)
  }

  @Test("a system that cannot ask keeps the session locked, and the person can sign out")
  func noGate() async throws {
    _ = try await stage.signedIn()
    var configuration = stage.configuration()
    configuration.unlock = .biometrics
    let client = AuthClient(configuration)
    #expect(await client.restored() == .locked)
    let error = await failure { () async throws(AuthError) in try await client.unlock() }
    #expect(error?.code == .unlockUnavailable && client.state == .locked)
    await client.signOut()
    #expect(client.state == .signedOut(.byUser))
  }

  @Test("C21 the model of the session unlocks, says why it could not, and signs out")
  @MainActor
  func model() async throws {
    let client = try await locked()
    let model = SessionModel(client)
    #expect(model.isLocked && model.user == nil)
    let first = Task { await model.unlock() }
    await until { gate.isAsking }
    gate.refuse(.failed)
    #expect(await first.value == false)
    #expect(model.message == "That did not unlock your account. Please try again." && model.isLocked)
    let second = Task { await model.unlock() }
    await until { gate.isAsking }
    gate.refuse(.cancelled)
    #expect(await second.value == false)
    #expect(model.message == nil && model.isLocked)
    let third = Task { await model.unlock() }
    await until { gate.isAsking }
    gate.open()
    #expect(await third.value && model.user?.email == ClientStage.email)
  }
}
