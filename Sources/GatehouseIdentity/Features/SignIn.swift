// Sign-in with a password. An attempt is counted before it is verified; an unknown account costs the same work and gets
// the same answer as a wrong password.

import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum SignIn {
  /// Refuses `invalid_credentials` for an unknown account and a wrong password alike, `too_many_attempts` with the wait,
  /// `account_disabled` to the right password only.
  package static func run(_ input: SignInEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> SessionAnswer
  {
    let store = services.store.open(call.tenant.id)
    // An address that can belong to nobody is counted and hashed like any other.
    let email = call.policy.normalisedEmail(input.email, using: services.facts) ?? input.email
    let key = SignInKey(call.tenant.id, email)
    try await Limiting.reserve(.signIn(key), call, services)
    let stored = try await store.account(email: email)
    try await reserveAttempt(key, stored?.account.id, call, services)
    let verdict = try await services.passwords.verify(
      input.password, against: stored?.passwordHash, for: call.tenant.id)
    guard case .matches(let needsRehash) = verdict, let stored, let hash = stored.passwordHash else {
      try await store.commit([
        .audit(call.entry(.signInFailed, services, account: stored?.account.id, details: ["reason": "credentials"]))
      ])
      throw Refusal(.invalidCredentials)
    }
    guard stored.account.disabledAt == nil else {
      try await store.commit([
        .audit(call.entry(.signInFailed, services, account: stored.account.id, details: ["reason": "disabled"]))
      ])
      throw Refusal(.accountDisabled)
    }
    return try await open(stored.account, outdated: needsRehash ? hash : nil, key, input, call, services)
  }

  private static func open(
    _ account: Account, outdated: String?, _ key: SignInKey, _ input: SignInEndpoint.Input, _ call: Call,
    _ services: Services
  ) async throws -> SessionAnswer {
    let facts = Facts(password: input.password, writer: .user, stored: account.facts)
    let decision = call.policy.decide(.signIn, facts, at: call.now, using: services.facts)
    let device = try await PresentedDevice.recognise(input.device, of: account.id, call, services)
    let opening = try SessionOpening(
      Proof(of: account.id, by: .password, call), account, device: device,
      standing: Standing(access: decision.access, next: decision.next),
      warnings: Warnings.make(decision, call), call, services)
    var changes: [Change] = [.clearFailures(key)]
    if let outdated {
      let stronger = try await services.passwords.hash(input.password, for: call.tenant.id)
      changes.append(.upgradePassword(account.id, old: outdated, phc: stronger))
    }
    let mustChange = decision.next.contains("change_password")
    if mustChange != account.mustChangePassword { changes.append(.setMustChangePassword(account.id, mustChange)) }
    if let compliance = Compliance(decision, by: call.policy, at: call.now) {
      changes.append(.recordCompliance(account.id, compliance))
    }
    changes += opening.changes
    changes.append(
      .audit(
        call.entry(
          .signInSucceeded, services, actor: .user(account.id), account: account.id, session: opening.session.id,
          details: ["device": device.isKnown ? "known" : "new"])))
    do {
      try await commit(changes, notice: Mailing.newDevice(device, to: account, call, services), call, services)
    } catch StoreError.refused(.accountIsEnabled) {
      throw Refusal(.invalidCredentials)  // disabled or deleted while the password was checked
    }
    return opening.answer
  }

  /// The notice is sent as often as its limits allow; the sign-in does not depend on it.
  private static func commit(_ changes: [Change], notice: [Change], _ call: Call, _ services: Services) async throws {
    let store = services.store.open(call.tenant.id)
    do {
      try await store.commit(changes + notice)
    } catch StoreError.limited where !notice.isEmpty {
      try await store.commit(changes)
    }
  }

  /// Counts one attempt, or refuses. Shared with everything else that checks a password.
  static func reserveAttempt(_ key: SignInKey, _ account: AccountID?, _ call: Call, _ services: Services) async throws {
    let store = services.store.open(call.tenant.id)
    let retryAfter: Int
    switch try await store.reserveSignIn(key) {
    case .granted: return
    case .blocked(let seconds): retryAfter = seconds
    case .disabled: retryAfter = 86_400
    }
    try await store.commit([.audit(call.entry(.signInBlocked, services, account: account))])
    throw Refusal(.tooManyAttempts, retryAfter: retryAfter)
  }
}
