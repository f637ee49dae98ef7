import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

/// What a policy's demand for a second factor does to people and their sessions.
@Suite("Second factors that the policy demands")
struct FactorDemandTests {
  private static let demand =
    "{factors: [totp], required_if: [{id: all}], grace: 14d, valid_for: 2h, remember_device: 30d}"
  private static let day: Double = 86_400

  private func standing(_ answer: JSONValue) -> [String] {
    [answer["access"]?.string ?? ""] + (answer["next"]?.array ?? []).compactMap(\.string)
  }

  private func refreshed(_ session: JSONValue, _ scene: FactorScene) async throws -> JSONValue {
    let answer = try await scene.apps.refresh(FactorScene.app, session.refreshToken)
    try #require(answer.status == 200, "\(answer.text)")
    return answer.json
  }

  @Test("M07 the grace begins with the first session under the demand, and is not renewed by others")
  func grace() async throws {
    try await FactorScene.run(mfa: Self.demand) { scene in
      let first = try await scene.signIn().json
      #expect(standing(first) == ["full"])
      #expect(first["warnings"]?.array?.contains { $0["rule"]?.string == "mfa.all" } == true)
      scene.clock.advance(seconds: 13 * Self.day)
      let second = try await scene.signIn().json
      #expect(standing(second) == ["full"])
      scene.clock.advance(seconds: Self.day)
      let late = try await refreshed(second, scene)
      #expect(standing(late) == ["limited", "enroll_mfa"])
      let factors = try await scene.factors(late.accessToken)
      #expect(factors["required"] == .bool(true) && factors["due"]?.string != nil)
    }
  }

  @Test("a demand that is to come tells its first day, of those alone who lack the factor")
  func toCome() async throws {
    let demand = "{factors: [totp], required_if: [{id: all, enforce: warn, enforce_from: 2099-03-01}]}"
    try await FactorScene.run(mfa: demand) { scene in
      let session = try await scene.signIn().json
      let before = try await scene.factors(session.accessToken)
      #expect(before["required"] == .bool(false) && before["due"]?.string?.hasPrefix("2099-03-01T00:00:00") == true)
      _ = try await scene.enrol(session.accessToken)
      #expect(try await scene.factors(session.accessToken)["due"] == nil)
    }
  }

  @Test("a session that began before the demand is asked as well, from its first refresh")
  func before() async throws {
    try await FactorScene.run { scene in
      let session = try await scene.signIn().json
      #expect(try await scene.stored().mfaAskedAt == nil)
      try await scene.apply(Self.demand)
      let refreshed = try await refreshed(session, scene)
      #expect(standing(refreshed) == ["full"])
      #expect(try await scene.stored().mfaAskedAt != nil)
      try await scene.apply(PolicyText.mfa)
      _ = try await scene.signIn()
      #expect(try await scene.stored().mfaAskedAt == nil)
    }
  }

  @Test("a person with limited access adds a factor, and has full access at once")
  func enrols() async throws {
    try await FactorScene.run(mfa: "{factors: [totp], required_if: [{id: all}]}") { scene in
      let session = try await scene.signIn().json
      #expect(standing(session) == ["limited", "enroll_mfa"])
      let phone = try await scene.enrol(session.accessToken)
      #expect(standing(phone.session) == ["full"])
      let me = try await scene.client.get("/v1/me", token: phone.token).json
      #expect(standing(me) == ["full"])
    }
  }

  @Test("M06 a second proof that is too old limits the session, until another one is given")
  func validity() async throws {
    try await FactorScene.run(mfa: Self.demand) { scene in
      let phone = try await scene.enrol()
      scene.clock.advance(seconds: 7_201)
      let late = try await refreshed(phone.session, scene)
      #expect(standing(late) == ["limited", "verify_mfa"])
      let proven = try await scene.prove(#"{"totp":"\#(scene.code(phone))"}"#, late.accessToken)
      try #require(proven.status == 200, "\(proven.text)")
      #expect(standing(proven.json) == ["full"])
    }
  }

  @Test("M06 a session without a second proof is limited where one is demanded")
  func level() async throws {
    try await FactorScene.run(mfa: Self.demand) { scene in
      let tablet = try await scene.signIn().json
      _ = try await scene.enrol()
      #expect(standing(try await refreshed(tablet, scene)) == ["limited", "verify_mfa"])
    }
  }

  @Test("M05 a remembered device is asked again once the proof that it stands in for is too old")
  func remembered() async throws {
    try await FactorScene.run(mfa: Self.demand) { scene in
      let phone = try await scene.enrol()
      let device = try #require(try await scene.enter(phone, remember: true)["device"]?["id"]?.string)
      let again = try await scene.signIn(device: device)
      #expect(again.status == 200 && standing(again.json) == ["full"], "\(again.text)")
      scene.clock.advance(seconds: 7_201)
      let late = try await scene.signIn(device: device)
      #expect(late.code == "mfa_required", "\(late.text)")
    }
  }
}

extension FactorScene {
  /// The app's policy, with this section of second factors.
  func apply(_ mfa: String) async throws {
    let text = PolicyText.with(mfa: mfa, ProvidedApps.policy(Self.app, try TestLists.policy(Self.app.rawValue)))
    try await provided.serve(text, at: Self.app)
  }
}
