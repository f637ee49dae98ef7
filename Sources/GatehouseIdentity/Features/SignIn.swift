// Sign-in with a password. An attempt is counted before it is verified; an unknown account costs the same work and gets
// the same answer as a wrong password.

import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum SignIn {
  /// Refuses `invalid_credentials` for an unknown account and a wrong password alike, `too_many_attempts` with the
  /// wait, `account_disabled` to the right password only.
  package static func run(_ input: SignInEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> SessionAnswer
  {
    try await open(input, call, services)
  }

  /// The same, for any client.
  package static func open<Opened: OpenedSession>(
    _ input: SignInEndpoint.Input, _ call: Call, _ services: Services
  ) async throws -> Opened {
    // GUARD: password door: sign-in
    try call.policy.demandPassword()
    // An address that no account can have is counted and hashed like any other.
    let email = call.policy.normalisedEmail(input.email, using: services.facts) ?? input.email
    let opened: Opened? = try await services.signInQueue.run(SignInKey(call.tenant, email)) {
      try await attempt(email, input, call, services)
    }
    if let opened { return opened }
    // An attempt behind too many others gets no turn and goes on without one. The count of attempts alone decides
    // whether a password may be verified.
    return try await attempt(email, input, call, services)
  }

  private static func attempt<Opened: OpenedSession>(
    _ email: String, _ input: SignInEndpoint.Input, _ call: Call, _ services: Services
  ) async throws -> Opened {
    let verification = PasswordVerification(
      password: input.password, owner: .address(email, device: KnownDevice.hash(presented: input.device?.id)))
    var earlier: VerifiedPassword?
    return try await retryOnConflict(
      [.refused(.passwordIsUnchanged), .refused(.userIsUnchanged)], attempts: 3, note: "a password kept changing"
    ) {
      let verified =
        if let earlier { try await verification.again(earlier, call, services) } else {
          try await verification.verified(call, services)
        }
      earlier = verified
      return try await open(verified, input, call, services)
    }
  }

  private static func open<Opened: OpenedSession>(
    _ verified: VerifiedPassword, _ input: SignInEndpoint.Input, _ call: Call, _ services: Services
  ) async throws -> Opened {
    let user = verified.look.user
    guard user.disabledAt == nil else {
      try await PasswordVerification.noteFailure("disabled", of: user.id, call, services)
      throw Refusal(.accountDisabled)
    }
    let facts = Facts(password: input.password, writer: .user, stored: user.facts)
    let decision = call.policy.decide(.signIn, facts, at: call.now, using: services.facts)
    let device = PresentedDevice.recognise(input.device, in: verified.look, call, services)
    let completion = Completion(
      account: .known, proofs: Proofs(of: user.id, by: .password, call), user: user, decision: decision,
      device: device, password: verified.hash,
      beforeSession: findings(decision, verified.look, call),
      afterSession: verified.returned + (await verified.upgrade(call, services)))
    do {
      return try await completion.open(call, services)
    } catch StoreError.refused(.userIsEnabled) {
      throw Refusal(.invalidCredentials)  // disabled or deleted while the password was checked
    }
  }

  /// The writes of what only a password in clear shows of itself.
  private static func findings(_ decision: Decision, _ look: SignInLookup, _ call: Call) -> [Change] {
    var found: [Change] = []
    let mustChange = decision.next.contains("change_password")
    if mustChange != look.user.mustChangePassword {
      found.append(.user(.setMustChangePassword(look.user.id, mustChange)))
    }
    if let compliance = Compliance(decision, by: call.policy, at: call.now), compliance != look.compliance {
      found.append(.user(.recordCompliance(look.user.id, compliance)))
    }
    return found
  }
}
