import Foundation
import GatehouseClient
import GatehousePrimitives
import GatehouseServerTesting
import Testing

/// The gates of the apps, measured with true password hashes over loopback. `script/prove client` runs them; no
/// ordinary test gates on time.
@Suite("Gates of the Swift client", .enabled(if: ProcessInfo.processInfo.environment["GATEHOUSE_CLIENT_GATES"] != nil))
struct ClientGates {
  /// The longest of twenty, each after what is not measured.
  private func longest(
    _ name: String, _ gate: Duration, after prepare: () async throws -> Void = {}, _ body: () async throws -> Void
  ) async throws {
    var longest = Duration.zero
    for _ in 0..<20 {
      try await prepare()
      longest = max(longest, try await ContinuousClock().measure { try await body() })
    }
    print("gate: \(name) \(longest) of \(gate)")
    #expect(longest < gate, "\(name)")
  }

  private func run(_ body: (ThreeApps) async throws -> Void) async throws {
    try await ThreeApps.run(cost: .owaspMinimum, body)
  }

  @Test("a stored session is the first state within 50 ms, without a network")
  func firstState() async throws {
    try await run { apps async throws in
      let phone = try Phone(apps, .messai)
      _ = try await phone.client.signUp(
        email: "al@example.com", password: App.password, profile: App.messai.clientProfile())
      try await longest("first state", .milliseconds(50)) {
        let state = try await Phone(apps, .messai, store: phone.store).client.restored()
        #expect(state.user != nil)
      }
    }
  }

  @Test("a sign-up ends within 3 s")
  func signUp() async throws {
    try await run { apps async throws in
      var count = 0
      try await longest("sign-up", .seconds(3)) {
        count += 1
        let state = try await Phone(apps, .messai).client.signUp(
          email: "al\(count)@example.com", password: App.password, profile: App.messai.clientProfile())
        #expect(state.user?.email == "al\(count)@example.com")
        apps.server.clock.advance(seconds: 3600)  // Limits of sign-ups per address.
      }
    }
  }

  @Test("a sign-in ends within 2 s, and a sign-out within 10 ms")
  func signIn() async throws {
    try await run { apps async throws in
      let client = try Phone(apps, .messai).client
      _ = try await client.signUp(
        email: "al@example.com", password: App.password, profile: App.messai.clientProfile())
      try await longest("sign-in", .seconds(2), after: { apps.server.clock.advance(seconds: 3600) }) {
        _ = try await client.signIn(email: "al@example.com", password: App.password)
      }
      try await longest("sign-out", .milliseconds(10), after: { try await signIn(client, apps) }) {
        await client.signOut()
        #expect(client.state == .signedOut(.byUser))
      }
    }
  }

  private func signIn(_ client: AuthClient, _ apps: ThreeApps) async throws {
    apps.server.clock.advance(seconds: 3600)  // Limits of sign-ins per account.
    _ = try await client.signIn(email: "al@example.com", password: App.password)
  }

  @Test("a change of the state is seen within 200 ms")
  func change() async throws {
    try await run { apps async throws in
      let client = try Phone(apps, .messai).client
      _ = try await client.signUp(
        email: "al@example.com", password: App.password, profile: App.messai.clientProfile())
      try await longest("a change seen", .milliseconds(200), after: { try await signIn(client, apps) }) {
        async let seen = client.next { $0 == .signedOut(.byUser) }
        await client.signOut()
        #expect(await seen == .signedOut(.byUser))
      }
    }
  }
}
