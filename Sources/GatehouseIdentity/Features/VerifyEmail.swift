// Email verification: send the mail (signed in, or by address), and confirm by link or code.

import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum VerifyEmail {
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
    let account = try await call.signedIn(services).account
    guard account.emailVerifiedAt == nil else { throw Refusal(.conflict, detail: "The address is verified already.") }
    do {
      try await services.store.open(call.tenant.id).commit(
        Mailing.verification(of: account, call, services)
          + call.keeping(answer, status: SendEmailVerificationEndpoint.status))
    } catch StoreError.limited(let name, let retryAfter) {
      throw Refusal(name == Limiting.cooldown ? .cooldown : .rateLimited, retryAfter: retryAfter, note: name)
    }
    return answer
  }

  private static func send(toAddress raw: String, keeping: [Change], _ call: Call, _ services: Services) async throws {
    guard let email = call.policy.normalisedEmail(raw, using: services.facts) else { return }
    let store = services.store.open(call.tenant.id)
    let account = try await store.account(email: email)?.account
    // Unknown and proven addresses are counted against the same limits, so that nothing tells them apart.
    let changes =
      if let account, account.emailVerifiedAt == nil, account.disabledAt == nil {
        try Mailing.verification(of: account, call, services)
      } else {
        try Mailing.decoy(
          CodeRequest(
            .verifyEmail, .verifyEmail, to: email, account: nil, linkTTL: call.policy.verification.email.linkTTL),
          call, services)
          + [.audit(call.entry(.verificationSent, services, account: account?.id, details: ["sent": "false"]))]
      }
    do {
      try await store.commit(changes + keeping)
    } catch StoreError.limited {}
  }

  /// Proves the address of an account, or completes a sign-up that waited for this proof.
  package static func confirm(_ input: ConfirmEmailVerificationEndpoint.Input, _ call: Call, _ services: Services)
    async throws -> ConfirmEmailVerificationEndpoint.Output
  {
    let presented = try Presented(token: input.token, email: input.email, code: input.code)
    let redeemed = try await Redemption.find(presented, for: [.verifyEmail, .completeSignUp], call, services)
    if let account = redeemed.code.account {
      do {
        try await Redemption.commit(
          redeemed,
          [
            .verifyEmail(account, email: redeemed.code.destination),
            .audit(call.entry(.emailVerified, services, actor: .user(account), account: account)),
          ], call, services)
      } catch StoreError.refused(.accountExists) {
        throw Refusal(.codeInvalid)  // the account went, or moved to another address
      }
    } else {
      try await HiddenSignUp.complete(redeemed, call, services)
    }
    return ConfirmEmailVerificationEndpoint.Output(emailVerified: true)
  }
}
