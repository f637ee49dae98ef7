// Moving an account to another address: the new address confirms, the old one is told and can take it back (`UndoEmailChange`).

import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum ChangeEmail {
  /// Judges the new address at door `change_email` and mails it a code. A taken address is `account_exists` where the
  /// tenant reveals that; otherwise the answer is the same and its owner is told.
  package static func request(_ input: ChangeEmailEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> ChangeEmailEndpoint.Output
  {
    let signedIn = try await call.signedIn(services)
    let account = signedIn.account
    let decision = call.policy.decide(
      .changeEmail, Facts(email: input.email, stored: account.facts), at: call.now, using: services.facts)
    await call.noteMissingLists(decision, services)
    guard
      decision.allow,  // GUARD: door: change of address
      let email = decision.normalised.email
    else {
      throw Refusal(.validationFailed, violations: decision.violations)
    }
    try await Reauthenticate.demand(password: input.password, signedIn, call, services)
    let store = services.store.open(call.tenant.id)
    let owner = try await AddressOwner.find(email, besides: account.id, call, services)
    if owner != nil,
      // GUARD: enumeration: a taken address is no refusal where accounts are hidden
      call.policy.privacy.accountExists == .reveal
    {
      throw Refusal(.accountExists)
    }
    var request = CodeRequest(
      .changeEmail, .changeEmailConfirm, to: email, account: account.id,
      linkTTL: ResetPassword.linkTTL(call.policy))
    request.newEmail = email
    request.session = signedIn.session.id
    var changes =
      if let owner {
        try Mailing.decoy(request, call, services).changes(mailing: Mailing.attempt(at: owner, call, services))
      } else {
        try Mailing.code(request, call, services).changes
      }
    changes += call.exceptionsUsed(decision, services, actor: .user(account.id), account: account.id)
    changes.append(
      .audit(call.entry(.emailChangeRequested, services, actor: .user(account.id), account: account.id)))
    let answer = ChangeEmailEndpoint.Output(resendAfter: Int(call.policy.verification.email.resendCooldown))
    changes += try call.keeping(answer, status: ChangeEmailEndpoint.status)
    try await store.commitOrRefuse(changes, as: signedIn.proven)
    return answer
  }

  /// Moves the account to the address that got the code: that one, and no other (the code's row carries it). The reader of the mail
  /// shows besides that the account is theirs, so that a click takes over no account that a stranger offers.
  package static func confirm(_ input: ConfirmEmailChangeEndpoint.Input, _ call: Call, _ services: Services)
    async throws -> ConfirmEmailChangeEndpoint.Output
  {
    let presented = try Presented(token: input.token, email: input.email, code: input.code)
    let redeemed = try await Redemption.find(presented, for: [.changeEmail], call, services)
    let store = services.store.open(call.tenant.id)
    guard let id = redeemed.code.account, var account = try await store.account(id: id), account.disabledAt == nil
    else { throw Refusal(.codeInvalid) }
    // The policy may have changed since the mail went out.
    let decision = call.policy.decide(
      .changeEmail, Facts(email: redeemed.code.destination, stored: account.facts), at: call.now,
      using: services.facts)
    // GUARD: door: confirmed change of address
    guard decision.allow else { throw Refusal(.validationFailed, violations: decision.violations) }
    let owner = try await Ownership.demand(
      of: account, password: input.password, by: .asking(redeemed.code.session), call, services)
    let changes: [Change] =
      [
        .account(.setEmail(id, email: redeemed.code.destination)), .account(.noteMailProof(id)),
        .code(.void(id, [.verifyEmail, .resetPassword])),
        .audit(call.entry(.emailChanged, services, actor: .user(id), account: id)),
      ] + owner.changes + call.exceptionsUsed(decision, services, actor: .user(id), account: id)
      + (try UndoEmailChange.offer(account, to: redeemed.code.destination, call, services))
    do {
      try await Redemption.commit(redeemed, changes, as: owner.authority, call, services)
    } catch StoreError.emailTaken {
      throw Refusal(call.policy.privacy.accountExists == .reveal ? .accountExists : .codeInvalid)
    }
    account.email = redeemed.code.destination
    account.emailVerifiedAt = call.now
    account.updatedAt = call.now
    let seen = try await call.sightings(of: id, services)
    return ConfirmEmailChangeEndpoint.Output(user: Views.user(account, seen, call, to: .`self`))
  }
}
