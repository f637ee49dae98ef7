// Sign-up: an account, its credential, its profile, a session, the verification mail and the audit row come into being
// together or not at all.

package import Foundation
package import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum SignUp {
  /// Judges the request at door `sign_up` and makes the account.
  ///
  /// Refuses `validation_failed` with every violation, `account_exists` where the tenant reveals that, `rate_limited`.
  package static func run(_ input: SignUpEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> SignUpAnswer
  {
    let outcome: Outcome<SessionAnswer> = try await open(input, call, services)
    return switch outcome {
    case .opened(let answer): .signedIn(answer)
    case .pending(let id, _): pending(id, call)
    }
  }

  /// The outcome of a sign-up.
  package enum Outcome<Opened: OpenedSession>: Sendable {
    case opened(Opened)
    /// A mail has to be read first: it completes the sign-up of this id. `pause`: seconds until one can be asked for,
    /// where one went out to the address a moment ago. Nothing was kept then, and no mail was sent.
    case pending(UUID, pause: Int?)
  }

  /// The same, for any client.
  package static func open<Opened: OpenedSession>(
    _ input: SignUpEndpoint.Input, _ call: Call, _ services: Services
  ) async throws -> Outcome<Opened> {
    // GUARD: password door: sign-up
    try call.policy.demandPassword()
    let permit = try await services.passwords.permit(for: call.tenant.id)
    let (decision, email, password) = try await judge(input, call, services)
    let count = try await SignUpCount.begin(call, services)
    do {
      // Hashed before any transaction, and whether or not the address is taken: both take the same time.
      let phc = try await services.passwords.hash(password, in: permit)
      return try await Form(
        id: UserID(services.clock.makeID()), email: email, credential: .password(phc: phc), decision: decision,
        device: input.device
      ).open(count, call, services)
    } catch {
      throw await count.refused(error, call, services)
    }
  }

  static func pending(_ id: UUID, _ call: Call) -> SignUpAnswer {
    let next = ["verify_email"]
    return .pending(.init(next: next, requirements: Requirements.make(next, call), signUpID: id.text))
  }

  /// The verdict at door `sign_up` on a request that passes, with its address as it is stored and its password.
  /// Refuses `validation_failed` with every violation, and counts that form.
  @discardableResult
  package static func judge(
    _ input: SignUpEndpoint.Input, _ call: Call, _ services: Services
  ) async throws -> (decision: Decision, email: String, password: String) {
    let facts = Facts(email: input.email, password: input.password, profile: input.profile ?? [:], writer: .user)
    let (decision, email) = try await judge(facts, call, services)
    guard let password = input.password else { throw Refusal(.validationFailed) }
    return (decision, email, password)
  }

  /// The same for any credential.
  static func judge(
    _ facts: Facts, _ call: Call, _ services: Services
  ) async throws -> (decision: Decision, email: String) {
    let decision = call.policy.decide(.signUp, facts, at: call.now, using: services.facts)
    await call.noteMissingLists(decision, services)
    guard
      decision.allow,  // GUARD: door: sign-up
      let email = decision.normalised.email
    else {
      try await Limiting.reserve(.refusedForm, call, services)  // GUARD: sign-up: refused forms are counted
      await call.note(
        .signUpRefused, about: call.address?.text ?? "", services,
        details: ["rules": decision.violations.prefix(10).map(\.rule).joined(separator: ",")])
      throw Refusal(.validationFailed, violations: decision.violations)
    }
    return (decision, email)
  }
}
