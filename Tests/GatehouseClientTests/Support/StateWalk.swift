import Foundation
import GatehouseClientTesting
import Testing
import GatehouseTesting

@testable import GatehouseClient

/// One random sequence of events, with where the table of states says that each of them leads.
final class StateWalk {
  private static let length = 12
  private var random: SeededGenerator
  private let stage = ClientStage(skipping: .seconds(29))
  private var client: AuthClient
  private var standing = StateTests.Standing.out(.never)
  /// The address of the session, or of the sign-up that waits.
  private var email = ClientStage.email
  private var limited: Set<String> = []
  private var events: [String] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    client = stage.client()
  }

  /// Returns what went wrong.
  func run() async throws -> String? {
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    for _ in 0..<Self.length {
      let event = StateTests.Event.allCases.randomElement(using: &random) ?? .refresh
      events.append("\(event)")
      try await make(event)
      _ = await client.restored()
      await client.settle()
      if !agrees(client.state) { return "\(events) led to \(client.state.name), and not to \(standing)" }
    }
    return nil
  }

  private func agrees(_ state: AuthState) -> Bool {
    switch state {
    case .restoring, .locked: false
    case .signedOut(let reason): standing == .out(reason)
    case .awaitingEmail: standing == .waiting
    case .limited: standing == .limited
    case .signedIn: standing == .full
    }
  }

  private var inside: StateTests.Standing { limited.contains(email) ? .limited : .full }

  @discardableResult
  private func attempt(_ body: (AuthClient) async throws -> Void) async -> Bool {
    do {
      try await body(client)
      return true
    } catch {
      return false
    }
  }

  private func make(_ event: StateTests.Event) async throws {
    switch event {
    case .signIn: await signIn()
    case .hosted: await goThroughPages(isSignIn: true)
    case .leftPages: await goThroughPages(isSignIn: false)
    case .signUp, .hiddenSignUp: await signUp(isHidden: event == .hiddenSignUp)
    case .wrongPassword: await attempt { _ = try await $0.signIn(email: ClientStage.email, password: "wrong") }
    case .refresh: await refresh()
    case .reload: await attempt { _ = try await $0.reload() }
    case .weather, .lostAnswers, .gateway: await storm(event)
    case .limit, .unlimit: await limit(event == .limit)
    case .confirm: await confirm()
    case .revoke, .disable: await end(event)
    case .removeRecord: try await removeRecord()
    case .signOut:
      await client.signOut()
      // A reason that is known stays: there was no session to end.
      switch standing {
      case .out(let reason) where ![.never, .elsewhere].contains(reason): break
      default: standing = .out(.byUser)
      }
    case .delete: await delete()
    case .restart: restart()
    case .lockedRestart: await restartLocked()
    case .foreground: await client.foreground()
    case .day:
      stage.clock.advance(by: .seconds(86_400))
      await refresh()
    }
  }

  private func refresh() async { await attempt { _ = try await $0.accessToken(minTTL: .seconds(100_000)) } }

  private func signIn() async {
    await attempt { _ = try await $0.signIn(email: ClientStage.email, password: ClientStage.password) }
    email = ClientStage.email
    standing = inside
  }

  /// To the hosted pages and back, with a start of the app in between.
  private func goThroughPages(isSignIn: Bool) async {
    await attempt { client in
      let flow = try await client.hostedSignIn(returnTo: ClientStage.target)
      restart()
      let person = isSignIn ? ClientStage.email : nil
      _ = try await self.client.finish(at: try #require(stage.server.hostedReturn(from: flow.url, as: person)))
    }
    guard isSignIn else { return }
    email = ClientStage.email
    standing = inside
  }

  private func signUp(isHidden: Bool) async {
    let new = "person\(events.count)@example.com"
    stage.server.policy.hidesAccounts = isHidden
    await attempt { _ = try await $0.signUp(email: new, password: ClientStage.password) }
    stage.server.policy.hidesAccounts = false
    // A sign-up that waits ends no session.
    if isHidden, standing.isIn { return }
    (email, standing) = (new, isHidden ? .waiting : .full)
  }

  /// Weather during a refresh; afterwards the sky is clear.
  private func storm(_ event: StateTests.Event) async {
    guard standing.isIn else { return }
    let kinds: [FakeWeather] = [
      .dropRequest, .dropAnswer, .truncatedAnswer, .gatewayPage, .portalPage, .portalEmpty, .portalRedirect,
      .refusal("internal", retryAfter: nil), .refusal("overloaded", retryAfter: 1),
      .refusal("rate_limited", retryAfter: 9),
      .duplicate,
    ]
    switch event {
    case .lostAnswers: stage.server.weather = .dropAnswer
    case .gateway: stage.server.weather = .gatewayPage
    default: stage.server.weather = kinds.randomElement(using: &random)
    }
    await refresh()
    await attempt { _ = try await $0.reload() }
    await client.settle()
    stage.server.weather = nil
  }

  /// The server asks for one thing more, or does no more; the client asks where the person stands.
  private func limit(_ isLimited: Bool) async {
    guard standing.isIn else { return }
    if isLimited {
      stage.server.require("accept_terms", of: email)
      limited.insert(email)
    } else {
      stage.server.lift("accept_terms", of: email)
      limited.remove(email)
    }
    await attempt { _ = try await $0.reload() }
    standing = inside
  }

  private func confirm() async {
    guard standing == .waiting else { return }
    let email = email
    await attempt { _ = try await $0.sendEmailVerification(to: email) }
    let code = stage.server.code(for: email) ?? ""
    await attempt { _ = try await $0.confirmEmail(code: code) }
    standing = .out(.confirmed)
  }

  private func end(_ event: StateTests.Event) async {
    guard standing.isIn else { return }
    if event == .revoke { stage.server.revokeSessions(of: email) } else { stage.server.setDisabled(true, email) }
    await client.foreground()
    await client.settle()
    stage.server.setDisabled(false, email)
    standing = .out(event == .revoke ? .revoked : .disabled)
  }

  private func removeRecord() async throws {
    _ = try stage.store.update(stage.configuration().storeKey) { _ in nil }
    await client.foreground()
    if standing.isIn { standing = .out(.elsewhere) } else if standing != .out(.elsewhere) { standing = .out(.never) }
  }

  private func delete() async {
    guard standing.isIn else { return }
    await attempt { try await $0.deleteAccount(proof: .password(ClientStage.password)) }
    limited.remove(email)
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    standing = .out(.deleted)
  }

  private func restart() {
    client = stage.client()
    // That another process took the record away was known to the process before.
    if standing == .out(.elsewhere) { standing = .out(.never) }
  }

  private func restartLocked() async {
    stage.store.mood = .unavailable
    restart()
    _ = client.states
    await until { stage.clock.sleeping > 0 }
    stage.store.mood = .well
    stage.clock.advance(by: .seconds(31))
  }
}
