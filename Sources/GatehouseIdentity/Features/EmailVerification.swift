// Email verification: send the mail (signed in, or by address), and confirm by link or code.

import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum EmailVerification {
  /// Signed in: sends, or refuses `cooldown` with the seconds left. By address: always the same answer, and nothing is
  /// sent within the cooldown or to an address that is unknown or proven. Either way `rate_limited` where the caller's
  /// address or the tenant has used up its mails.
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
    guard user.email != nil else { throw Refusal(.conflict, detail: "The account has no address.") }
    guard user.emailVerifiedAt == nil else { throw Refusal(.conflict, detail: "The address is verified already.") }
    try await services.store.open(call.tenant.id).commitOrRefuse(
      Messaging.verification(of: user, call, services)
        + call.keeping(answer, status: SendEmailVerificationEndpoint.status),
      as: .caller(me, restingOn: .session))
    return answer
  }

  /// The newest code for the address of the signed-in account, in any state; nil where none was mailed.
  package static func newest(for me: SignedIn, _ call: Call, _ services: Services) async throws -> OneTimeCode? {
    guard let email = me.user.email else { return nil }
    return try await services.store.open(call.tenant.id).newestCode(
      for: .verifyEmail, to: .email(email), of: me.user.id)
  }

  /// A mail that is not sent, to an address that waits for none.
  private static func unmailed(_ email: String, _ call: Call) -> CodeRequest {
    var request = CodeRequest(
      .verifyEmail, .verifyEmail, to: .email(email), user: nil, linkTTL: call.policy.verification.email.linkTTL)
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
        try Messaging.verification(of: user, isAskedByAnyone: true, call, services)
      } else {
        try Messaging.decoy(unmailed(email, call), call, services).changes
          + [call.bounded(.verificationSent, services, user: user?.id, details: ["sent": "false"])]
      }
    try await store.commitWithinLimits(changes + keeping, as: .anonymous, call, services)
  }

  /// Proves the address of an account, or completes a sign-up that waited for this proof.
  ///
  /// The mail alone proves an address and no account: refuses `reauthentication_required` without the account's session
  /// or password, unless the policy is content with a click. Nothing is spent then, and digits are not looked at.
  package static func confirm(_ input: ConfirmEmailVerificationEndpoint.Input, _ call: Call, _ services: Services)
    async throws -> ConfirmEmailVerificationEndpoint.Output
  {
    let signUp = try input.signUp()
    switch (try Presented(input, call, services), signUp) {
    case (.token(let token), _):
      let purposes: [CodePurpose] = signUp == nil ? [.verifyEmail, .completeSignUp] : [.completeSignUp]
      let redeemed = try await Redemption.find(token: token, for: purposes, call, services)
      if let user = redeemed.code.user {
        try await confirm(user, redeemed, password: input.password, call, services)
      } else {
        try await HiddenSignUp.complete(redeemed, consent(input, signUp), call, services)
      }
    // Six digits complete a sign-up only with its id: others at the same address have digits of their own.
    case (.digits(let typed), let id?):
      let redeemed = try await Redemption.find(typed, for: .completeSignUp, of: .id(id), call, services)
      try await HiddenSignUp.complete(redeemed, .id(id), call, services)
    case (.digits(let typed), nil):
      try await confirm(typed, password: input.password, call, services)
    }
    return ConfirmEmailVerificationEndpoint.Output(emailVerified: true)
  }

  /// By digits: the account comes first, so that a stranger uses up no try and learns nothing of a code.
  private static func confirm(_ typed: TypedCode, password: String?, _ call: Call, _ services: Services) async throws {
    if let me = call.caller == nil ? nil : try await call.signedIn(services), me.user.email == typed.email {
      let redeemed = try await Redemption.find(typed, for: .verifyEmail, of: .account(me.user.id), call, services)
      return try await commit(redeemed, of: me.user.id, as: .caller(me, restingOn: .session), call, services)
    }
    if password == nil, call.policy.verification.email.confirm == .click {
      let redeemed = try await Redemption.find(typed, for: .verifyEmail, of: .reader, call, services)
      guard let id = redeemed.code.user else { throw Refusal(.codeInvalid) }
      return try await commit(redeemed, of: id, as: .code, call, services)
    }
    guard password != nil else { throw Refusal(.reauthenticationRequired) }
    let stored = try await services.store.open(call.tenant.id).user(email: typed.email)?.user
    let owner = try await Ownership.demand(password: password, of: stored, at: typed.email, call, services)
    let redeemed = try await Redemption.find(typed, for: .verifyEmail, of: .account(owner.user.id), call, services)
    try await commit(redeemed, of: owner.user.id, as: owner.authority, call, services)
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
    try await commit(redeemed, of: id, as: owner.authority, with: owner.changes, call, services)
  }

  private static func commit(
    _ redeemed: Redeemed, of id: UserID, as authority: Authority, with changes: [Change] = [], _ call: Call,
    _ services: Services
  ) async throws {
    do {
      try await Redemption.commit(
        redeemed,
        [
          .user(.verifyEmail(id, email: redeemed.code.destination.value)), .user(.noteMailProof(id)),
          .audit(call.entry(.emailVerified, services, actor: .user(id), user: id)),
        ] + changes, as: authority, call, services)
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
