import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

@Suite("A policy that demands a second factor")
struct DemandTests {
  private static let day = Duration.seconds(86_400)
  private let stage: ClientStage

  init() {
    var policy = FakePolicy.standard
    policy.factors = [.totp]
    policy.requiresFactor = true
    policy.factorGrace = .seconds(14 * 86_400)
    policy.rememberDevice = .seconds(86_400)
    stage = ClientStage(policy: policy)
  }

  @Test("access is full until the grace is over, and limited then")
  func grace() async throws {
    let client = try await stage.signedIn()
    let factors = try await client.factors()
    #expect(factors.isRequired && factors.due == stage.clock.now.addingTimeInterval(14 * 86_400))
    #expect(client.state.screen == .app && client.warnings.map(\.rule) == ["mfa.all"])
    stage.clock.advance(by: Self.day * 13)
    #expect(try await client.reload().screen == .app)
    stage.clock.advance(by: Self.day)
    #expect(try await client.reload().screen == .enrollMFA)
  }

  @Test("the grace begins with the first session, and not anew with a later one")
  func notRenewed() async throws {
    let first = try await stage.signedIn()
    let due = try await first.factors().due
    stage.clock.advance(by: Self.day * 10)
    _ = try await first.signIn(email: ClientStage.email, password: ClientStage.password)
    let later = try await first.factors().due
    #expect(later == due && due != nil)
  }

  @Test("a factor lifts the limit, and nothing is due then")
  func enrolled() async throws {
    stage.server.policy.factorGrace = .zero
    let client = try await stage.signedIn()
    #expect(client.state.screen == .enrollMFA)
    let enrolment = try await client.startTOTP()
    _ = try await client.confirmTOTP(enrolment, code: try #require(stage.server.totpCode(secret: enrolment.secret)))
    #expect(client.state.screen == .app)
    let factors = try await client.factors()
    #expect(factors.isRequired && factors.due == nil)
  }

  @Test("a session of before the demand has to prove once more, and one of a remembered device has not")
  func proven() async throws {
    stage.server.policy.requiresFactor = false
    let client = try await stage.signedIn()
    stage.server.addTOTP(to: ClientStage.email)
    stage.server.policy.requiresFactor = true
    #expect(try await client.reload().screen == .verifyMFA)
    let other = stage.client("other")
    for isRemembered in [false, true] {
      let refused = await failure { () async throws(AuthError) in
        try await other.signIn(email: ClientStage.email, password: ClientStage.password)
      }
      #expect((refused == nil) == isRemembered)
      guard let challenge = refused?.challenge else { continue }
      stage.clock.advance(by: .seconds(30))
      let code = try #require(stage.server.totpCode(for: ClientStage.email))
      _ = try await other.verifyMFA(challenge, totp: code, rememberDevice: true)
      #expect(other.state.screen == .app)
      await other.signOut()
    }
    #expect(other.state.screen == .app)
  }

  @Test("a policy that demands nothing asks for nothing")
  func none() async throws {
    stage.server.policy.requiresFactor = false
    let factors = try await stage.signedIn().factors()
    #expect(!factors.isRequired && factors.due == nil)
  }
}
