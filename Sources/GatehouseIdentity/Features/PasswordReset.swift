// Password reset: known and unknown addresses get the same answer; the new password ends every session and opens none.

import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum PasswordReset {
  /// How long a reset link lives at most: an hour, or the policy's link time when that is shorter.
  static func linkTTL(_ policy: Policy) -> Int64 { min(3600, policy.verification.email.linkTTL) }

  /// Mails a way to set a new password, and answers the id that its digits need. Refuses `validation_failed` for an
  /// address that the policy can never admit, and `rate_limited` by what the caller's address asked for or the tenant
  /// has mailed, never by the address that is asked about.
  package static func request(_ input: RequestPasswordResetEndpoint.Input, _ call: Call, _ services: Services)
    async throws -> RequestPasswordResetEndpoint.Output
  {
    // GUARD: password door: request of a reset
    try call.policy.demandPassword()
    let decision = call.policy.decide(
      .resetPassword, Facts(email: input.email), at: call.now, using: services.facts)
    guard
      decision.allow,  // GUARD: door: request of a reset
      let email = decision.normalised.email
    else {
      throw Refusal(.validationFailed, violations: decision.violations)
    }
    // GUARD: reset: requests of an address are counted
    try await Limiting.reserve(.reset, call, services)
    let store = services.store.open(call.tenant.id)
    let look = try await store.signInLook(email: email, device: KnownDevice.hash(presented: input.device?.id))
    let user = look?.user
    var mailed = CodeRequest(
      .resetPassword, .resetPassword, to: .email(email), user: user?.id, linkTTL: linkTTL(call.policy))
    let id = services.clock.makeID()
    mailed.id = id
    mailed.isAskedByAnyone = look?.device == nil  // GUARD: mail: a device of the account
    let fresh =
      if let user, user.disabledAt == nil {
        try Messaging.code(mailed, call, services).changes
      } else {
        // GUARD: enumeration: a reset without an account is written too
        try Messaging.decoy(mailed, call, services).changes
      }
    let answer = RequestPasswordResetEndpoint.Output(
      resendAfter: Int(call.policy.verification.email.resendCooldown), resetID: id.text)
    let rest =
      [call.bounded(.passwordResetRequested, services, user: user?.id)]
      + (try call.keeping(answer, status: RequestPasswordResetEndpoint.status))
    let reached = try await store.commitWithinLimits(fresh + rest, as: .anonymous, call, services)
    if let reached, Limiting.isOfRecipient(reached.name) {
      try await repeatNewest(mailed, rest, store, call, services)
    }
    return answer
  }

  /// Mails the newest living link again: what strangers asked for is the owner's mail, too. The work is the same where
  /// none lives.
  private static func repeatNewest(
    _ mailed: CodeRequest, _ rest: [Change], _ store: any TenantStore, _ call: Call, _ services: Services
  ) async throws {
    let newest = try await store.newestCode(for: .resetPassword, to: mailed.destination, of: nil)
    // Within the cooldown, and after three in an hour, nothing is sent.
    try await store.commitWithinLimits(
      try Messaging.again(newest, mailed, call, services) + rest, as: .anonymous, call, services)
  }

  /// Sets the new password, which is judged at door `reset_password`; ends all sessions and voids other codes. Digits
  /// need the id that the request for them answered: their tries are its own.
  package static func confirm(_ input: ConfirmPasswordResetEndpoint.Input, _ call: Call, _ services: Services)
    async throws -> Nothing
  {
    // GUARD: password door: reset
    try call.policy.demandPassword()
    let redeemed = try await find(input, call, services)
    let store = services.store.open(call.tenant.id)
    guard let id = redeemed.code.user, let user = try await store.user(id: id) else {
      throw Refusal(.codeInvalid)
    }
    guard user.disabledAt == nil else { throw Refusal(.codeInvalid) }
    let (phc, _) = try await NewPassword.judgeAndHash(
      input.password, at: .resetPassword, of: user, as: .code, call, services)
    try await Redemption.settle(redeemed, about: id, call, services) { user in
      guard user.disabledAt == nil else { throw Refusal(.codeInvalid) }
      return try changes(user, phc: phc, redeemed.code, call, services)
    }
    return Nothing()
  }

  private static func find(_ input: ConfirmPasswordResetEndpoint.Input, _ call: Call, _ services: Services)
    async throws -> Redeemed
  {
    switch try Presented(input, call, services) {
    case .token(let token):
      return try await Redemption.find(token: token, for: [.resetPassword, .setPassword], call, services)
    case .digits(let typed):
      // GUARD: reset: digits with their id alone
      guard let text = input.resetID else {
        throw Refusal.malformed("/reset_id", "give the \"reset_id\" that POST /v1/password-reset answered")
      }
      guard let id = UUID(text: text) else { throw Refusal.malformed("/reset_id", "not a reset id") }
      return try await Redemption.find(typed, for: .resetPassword, of: .id(id), call, services)
    }
  }

  private static func changes(
    _ user: StoredUser, phc: String, _ code: OneTimeCode, _ call: Call, _ services: Services
  ) throws -> [Change] {
    let id = user.id
    var changes = NewPassword.changes(user, phc: phc, keeping: nil, .passwordReset, call)
    // Identities that a stranger may have linked are removed. A link that cannot sign in stays.
    let keeping = call.policy.providers.filter { $0.use == .link }.map(\.name)
    let gone = user.links.filter { !keeping.contains($0.provider) && user.distrusts($0) }
    // GUARD: reset: identities from before the proof
    changes.append(.provider(.unlink(id, .untrusted(keeping: keeping))))
    for link in gone {
      let reason = link.linkedAt < user.emailVerifiedAt ?? .distantFuture ? "unproven" : "linked_since_proof"
      changes += call.unlinked([link], of: id, reason, services)
      changes += try Messaging.link(.providerUnlinked, at: link.provider, to: user, call, services)
    }
    var told = user
    // The mail was read: that proves the address.
    if user.email == code.destination.value {
      told.emailVerifiedAt = user.emailVerifiedAt ?? call.now
      if user.emailVerifiedAt == nil {
        changes += [
          .user(.verifyEmail(id, email: code.destination.value)),
          .audit(call.entry(.emailVerified, services, actor: .user(id), user: id)),
        ]
      }
      changes.append(.user(.noteMailProof(id)))
    }
    changes += try Messaging.notice(.passwordChanged, to: told, call, services)
    changes.append(.audit(call.entry(.passwordReset, services, actor: .user(id), user: id)))
    return changes
  }
}
