import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

@Suite("Weather")
struct WeatherTests {
  /// Calls of a signed-in person, each of which meets every weather.
  enum Act: CaseIterable, Sendable {
    case token, reload, profile, presence, push, devices, users, verification, reset, changePassword, reauthenticate
    case startLink, providerToken, export, others

    func run(_ client: AuthClient) async throws(AuthError) {
      switch self {
      case .token: _ = try await client.accessToken(minTTL: .seconds(100_000))
      case .reload: _ = try await client.reload()
      case .profile: _ = try await client.updateProfile(["displayName": "Ada"])
      case .presence: try await client.setPresence(online: true)
      case .push: try await client.setPushToken("token", platform: .apns)
      case .devices: _ = try await client.devices()
      case .users: _ = try await client.users([client.state.user?.id ?? ""])
      case .verification: _ = try await client.sendEmailVerification()
      case .reset: _ = try await client.sendPasswordReset(to: ClientStage.email)
      case .changePassword: try await client.changePassword(current: ClientStage.password, new: ClientStage.password)
      case .reauthenticate: try await client.reauthenticate(.password(ClientStage.password))
      case .startLink: _ = try await client.startLink("spotify", redirect: URL(string: "app://back"))
      case .providerToken: _ = try await client.providerToken("spotify")
      case .export: _ = try await client.export()
      case .others: try await client.signOut(.others)
      }
    }
  }

  @Test("C06 no weather on any call signs a person out or sends a second mail", arguments: Act.allCases)
  func session(act: Act) async throws {
    for weather in FakeWeather.failures + [.duplicate] {
      let stage = ClientStage()
      let client = try await stage.signedIn()
      stage.server.addAccount(email: ClientStage.email, password: ClientStage.password, isVerified: false)
      stage.server.fail(next: weather, times: 1)
      _ = await failure { () async throws(AuthError) in try await act.run(client) }
      // A person who saw an error tries again.
      _ = await failure { () async throws(AuthError) in try await act.run(client) }
      await client.settle()
      #expect(client.hasSession, "\(weather)")
      #expect(stage.server.sessionCount(of: ClientStage.email) == 1, "\(weather)")
      #expect(stage.server.mails.count <= 1, "\(weather)")
      #expect(await stage.restarted().hasSession, "\(weather)")
      #expect(try await client.reload().user != nil, "\(weather)")
    }
  }

  @Test("C06 weather that does not end leaves a person signed in", arguments: FakeWeather.failures)
  func endless(weather: FakeWeather) async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    stage.server.weather = weather
    for act in Act.allCases { _ = await failure { () async throws(AuthError) in try await act.run(client) } }
    await client.settle()
    #expect(client.hasSession)
    let next = await stage.restarted()
    #expect(next.hasSession)
    stage.server.weather = nil
    _ = try await next.reload()
    await next.settle()
    #expect(next.hasSession && stage.server.sessionCount(of: ClientStage.email) == 1)
  }

  @Test(
    "C06 a sign-up through any weather makes one account and one mail", arguments: FakeWeather.failures + [.duplicate])
  func signUp(weather: FakeWeather) async throws {
    let stage = ClientStage()
    let client = stage.client()
    stage.server.fail(next: weather, times: 3, at: "/v1/sign-up")
    let signUp = { () async throws(AuthError) in
      _ = try await client.signUp(email: ClientStage.email, password: ClientStage.password)
    }
    // A person who saw an error taps again.
    var taps = 0
    while await failure(signUp) != nil, taps < 5 { taps += 1 }
    await client.settle()
    #expect(client.hasSession)
    #expect(stage.server.accountCount == 1 && stage.server.mails.count == 1)
  }

  @Test(
    "C06 what is not the server's answer is a network error",
    arguments: [
      FakeWeather.gatewayPage, .portalPage, .portalEmpty, .portalRedirect, .truncatedAnswer,
    ])
  func unmasked(weather: FakeWeather) async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    stage.server.weather = weather
    let push = await failure { () async throws(AuthError) in try await client.setPushToken("t", platform: .apns) }
    let signIn = await failure { () async throws(AuthError) in
      _ = try await client.signIn(email: ClientStage.email, password: ClientStage.password)
    }
    // An answer without content has nothing to be truncated.
    #expect(weather == .truncatedAnswer || push?.code == .network)
    #expect(signIn?.code == .network)
  }

  @Test("C06 a wrong password is sent once in any weather")
  func signInOnce() async throws {
    let stage = ClientStage()
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    stage.server.fail(next: .dropAnswer, at: "/v1/sign-in")
    let client = stage.client()
    let error = await failure { () async throws(AuthError) in
      _ = try await client.signIn(email: ClientStage.email, password: "wrong")
    }
    #expect(error?.code == .network)
    #expect(stage.server.count(of: "POST /v1/sign-in") == 1)
  }

  @Test("C06 a time to wait of five seconds is waited for, a longer one is told")
  func retryAfter() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    stage.server.fail(next: .refusal("rate_limited", retryAfter: 5), at: "/v1/me")
    _ = try await client.reload()
    stage.server.fail(next: .refusal("rate_limited", retryAfter: 6), at: "/v1/me")
    let error = await failure { () async throws(AuthError) in _ = try await client.reload() }
    #expect(error?.code == .rateLimited && error?.retryAfter == .seconds(6))
  }

  @Test("C10 a start without a network shows the stored session at once")
  func offline() async throws {
    let stage = ClientStage(skipping: .zero)
    _ = try await stage.signedIn()
    stage.server.weather = .dropRequest
    let client = stage.client()
    #expect(await client.restored().user?.email == ClientStage.email)
    #expect(try await client.accessToken().isEmpty == false)
  }

  @Test("C10 a sign-out without a network is at once, and the server is told when it can be reached")
  func signOut() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    stage.server.weather = .dropRequest
    await client.signOut()
    #expect(client.state == .signedOut(.byUser))
    await client.settle()
    #expect(stage.server.sessionCount(of: ClientStage.email) == 1)
    stage.server.weather = nil
    #expect(await stage.restarted().state == .signedOut(.byUser))
    #expect(stage.server.sessionCount(of: ClientStage.email) == 0)
  }

  @Test("C10 sign-outs that the server was not told of are bounded")
  func bounded() async throws {
    let stage = ClientStage()
    let client = stage.client()
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    stage.server.fail(next: .dropRequest, times: 1000, at: "/v1/sign-out")
    for _ in 0..<30 {
      _ = try await client.signIn(email: ClientStage.email, password: ClientStage.password)
      await client.signOut()
    }
    await client.settle()
    #expect(await client.keeper.ledger.record.revocations.count == 16)
  }
}
