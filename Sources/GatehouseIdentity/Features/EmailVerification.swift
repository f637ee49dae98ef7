// Email verification: send the mail (signed in, or by address), and confirm by link or code.

import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum EmailVerification {
  /// Signed in: sends, or refuses `cooldown` with the seconds left. By address: always the same answer, and nothing is
  /// sent within the cooldown or to an address that is unknown or proven.
  package static func send(_ input: SendEmailVerificationEndpoint.Input, _ call: Call, _ services: Services)
    async throws -> SendEmailVerificationEndpoint.Output
  {
    let answer = SendEmailVerificationEndpoint.Output(
      resendAfter: Int(call.policy.verification.email.resendCooldown))
    if let email = input.email {
      try await send(
        toAddress: email, keeping: call.keeping(answer, status: SendEmailVerificationEndpoint.status), call, services)
      return answer
    }
    let me = try await call.signedIn(services)
    let user = me.user
    guard user.emailVerifiedAt == nil else { throw Refusal(.conflict, detail: "The address is verified already.") }
    try await services.store.open(call.tenant.id).commitOrRefuse(
      Mailing.verification(of: user, call, services)
        + call.keeping(answer, status: SendEmailVerificationEndpoint.status),
      as: .caller(me, restingOn: .session))
    return answer
  }

  /// A mail that is not sent, to an address that waits for none.
  private static func unmailed(_ email: String, _ call: Call) -> CodeRequest {
    var request = CodeRequest(
      .verifyEmail, .verifyEmail, to: email, user: nil, linkTTL: call.policy.verification.email.linkTTL)
    request.isAskedByAnyone = true
    return request
  }

  private static func send(toAddress raw: String, keeping: [Change], _ call: Call, _ services: Services) async throws {
    guard let email = call.policy.normalisedEmail(raw, using: services.facts) else { return }
    let store = services.store.open(call.tenant.id)
    let user = try await store.user(email: email)?.user
    // Unknown and proven addresses are counted against the same limits, so that nothing tells them apart.
    let changes =
      if let user, user.emailVerifiedAt == nil, user.disabledAt == nil {
        try Mailing.verification(of: user, isAskedByAnyone: true, call, services)
      } else {
        try Mailing.decoy(unmailed(email, call), call, services).changes
          + [call.bounded(.verificationSent, services, user: user?.id, details: ["sent": "false"])]
      }
    try await store.commitWithinLimits(changes + keeping, as: .anonymous)
  }

  /// Proves the address of an account, or completes a sign-up that waited for this proof.
  ///
  /// The mail alone proves an address and no account: refuses `reauthentication_required` without the account's session
  /// or password, unless the policy is content with a click. Nothing is spent then.
  package static func confirm(_ input: ConfirmEmailVerificationEndpoint.Input, _ call: Call, _ services: Services)
    async throws -> ConfirmEmailVerificationEndpoint.Output
  {
    let signUp = try input.signUp()
    let presented = try Presented(input, signUp: signUp)
    let redeemed = try await Redemption.find(presented, for: purposes(presented, signUp), call, services)
    if let user = redeemed.code.user {
      try await confirm(user, redeemed, password: input.password, call, services)
    } else {
      try await HiddenSignUp.complete(redeemed, consent(input, signUp), call, services)
    }
    return ConfirmEmailVerificationEndpoint.Output(emailVerified: true)
  }

  /// Six digits complete a sign-up only with its id: others at the same address have digits of their own.
  private static func purposes(_ presented: Presented, _ signUp: UUID?) -> [CodePurpose] {
    if signUp != nil { return [.completeSignUp] }
    if case .digits = presented { return [.verifyEmail] }
    return [.verifyEmail, .completeSignUp]
  }

  private static func consent(_ input: ConfirmEmailVerificationEndpoint.Input, _ signUp: UUID?)
    -> HiddenSignUp.Consent?
  {
    signUp.map { .id($0) } ?? input.password.map { .password($0) } ?? input.newPassword.map { .newPassword($0) }
  }

  private static func confirm(
    _ id: UserID, _ redeemed: Redeemed, password: String?, _ call: Call, _ services: Services
  ) async throws {
    guard let user = try await services.store.open(call.tenant.id).user(id: id) else {
      throw Refusal(.codeInvalid)
    }
    // GUARD: verification: takes the account
    let isClick = call.policy.verification.email.confirm == .click
    let owner =
      isClick
      ? Ownership(authority: .code, changes: [])
      : try await Ownership.demand(of: user, password: password, by: .any, call, services)
    do {
      try await Redemption.commit(
        redeemed,
        [
          .user(.verifyEmail(id, email: redeemed.code.destination)), .user(.noteMailProof(id)),
          .audit(call.entry(.emailVerified, services, actor: .user(id), user: id)),
        ] + owner.changes, as: owner.authority, call, services)
    } catch StoreError.refused(.accountExists) {
      throw Refusal(.codeInvalid)  // the account went, or moved to another address
    }
  }
}

extension ConfirmEmailVerificationEndpoint.Input {
  /// The sign-up that this completes; nil for the address of an account. Refuses what is no id, and two ways of
  /// consent.
  fileprivate func signUp() throws -> UUID? {
    guard [signUpID, password, newPassword].count(where: { $0 != nil }) <= 1 else {
      throw Refusal.malformed("", "give one of \"sign_up_id\", \"password\" and \"new_password\"")
    }
    guard let text = signUpID else { return nil }
    guard let id = UUID(text: text) else { throw Refusal.malformed("/sign_up_id", "not a sign-up id") }
    return id
  }
}
