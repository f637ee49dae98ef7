import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@testable import GatehouseIdentity

/// A user of messAI, and sign-ins by password that wait for a second proof. No policy asks for one yet: the demand is
/// handed in.
struct PendingScene {
  static let app = App.messai
  static let second = Proof.Method.totp

  let provided: ProvidedApps
  let user: UserID
  /// The access token of the session that the sign-up opened.
  let token: String

  var apps: ThreeApps { provided.apps }
  var services: Services { apps.server.services }
  var email: String { Self.app.email() }

  static func run(
    isProven: Bool = true, more: String = "", _ body: (PendingScene) async throws -> Void
  ) async throws {
    try await ProvidedApps.run(policy: { $0 == app ? PolicyText.withoutTests($1) + more : $1 }) { provided in
      let up = try await provided.apps.signUp(app).json
      if isProven { try await provided.verify(app, app.email()) }
      let user = try #require(UserID(text: up.userID))
      try await body(PendingScene(provided: provided, user: user, token: up.accessToken))
    }
  }

  func call() async throws -> Call { try await apps.operatorCall(Self.app) }

  func store() async throws -> any TenantStore { services.store.open(try await call().tenant.id) }

  func stored() async throws -> StoredUser { try #require(try await store().user(id: user)) }

  func sessions() async throws -> [Session] { try await store().sessions(of: user) }

  func signIns() async throws -> [AuditEntry] { try await rows(.signInSucceeded) }

  func rows(_ event: AuditEvent) async throws -> [AuditEntry] {
    try await store().audit(AuditQuery(event: event.rawValue), limit: 100)
  }

  /// The effect of an arrival by Google at the account's address.
  var link: SignInEffect {
    .link(
      identity: FederatedIdentity(
        provider: "google",
        user: ProviderUser(
          issuer: SigningProviders.google, subject: "g1", email: email, emailVerified: true),
        scopes: [], kept: nil), notice: .providerLinked)
  }

  /// A sign-in by password as far as its first proof.
  func completion(_ effects: [SignInEffect] = [], _ call: Call) async throws -> Completion {
    let verified = try await PasswordVerification(password: App.password, owner: .address(email, device: nil))
      .verified(call, services)
    let account = verified.look.user
    let user = effects.reduce(account) { $1.applied(to: $0, at: call.now) }
    let decision = call.policy.decide(
      .signIn, Facts(writer: .user, stored: user.facts), at: call.now, using: services.facts)
    return Completion(
      account: .known, proofs: Proofs(of: account.id, by: .password, call), user: user, decision: decision,
      device: PresentedDevice.recognise(nil, in: verified.look, call, services),
      provider: effects.isEmpty ? nil : "google",
      password: verified.hash, beforeSession: [.user(.setMustChangePassword(account.id, true))],
      afterSession: verified.returned, effects: effects)
  }

  /// The challenge of a sign-in that waits.
  func begin(_ effects: [SignInEffect] = []) async throws -> Refusal.Challenge {
    let call = try await call()
    let completion = try await completion(effects, call)
    let refusal = try await #require(throws: Refusal.self) {
      let _: SessionAnswer = try await completion.open(demanding: [Self.second], call, services)
    }
    #expect(refusal.code == .mfaRequired)
    return try #require(refusal.challenge)
  }

  func find(_ challenge: Refusal.Challenge, as call: Call? = nil) async throws -> TriedSignIn {
    let call = if let call { call } else { try await self.call() }
    return try await TriedSignIn.find(challenge.id, call, services)
  }

  /// The end of a sign-in by the second proof of its owner.
  @discardableResult
  func finish(_ tried: TriedSignIn, with proofs: Proofs? = nil) async throws -> SessionAnswer {
    let call = try await call()
    return try await Completion.resume(
      tried, with: proofs ?? Proofs(of: user, by: Self.second, call), using: [], call, services)
  }

  /// The code of the refusal with which it ends; nil where it does not end with one.
  func refusal(_ work: () async throws -> Void) async throws -> ErrorCode? {
    do {
      try await work()
      return nil
    } catch let refusal as Refusal {
      return refusal.code
    }
  }
}
