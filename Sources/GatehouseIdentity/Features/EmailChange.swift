// Moving an account to another address: the new address confirms, the old one is told and can take it back
// (`UndoEmailChange`).

import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum EmailChange {
  /// Judges the new address at door `change_email` and mails it a code. A taken address is `account_exists` where the
  /// tenant reveals that; otherwise the answer is the same and its owner is told.
  package static func request(_ input: RequestEmailChangeEndpoint.Input, _ call: Call, _ services: Services)
    async throws
    -> RequestEmailChangeEndpoint.Output
  {
    let signedIn = try await call.signedIn(services)
    let user = signedIn.user
    let decision = call.policy.decide(
      .changeEmail, Facts(email: input.email, stored: user.facts), at: call.now, using: services.facts)
    await call.noteMissingLists(decision, services)
    guard
      decision.allow,  // GUARD: door: change of address
      let email = decision.normalised.email
    else {
      throw Refusal(.validationFailed, violations: decision.violations)
    }
    try await Reauthenticate.demand(password: input.password, signedIn, call, services)
    let store = services.store.open(call.tenant.id)
    let owner = try await AddressOwner.find(email, besides: user.id, call, services)
    if owner != nil,
      // GUARD: enumeration: a taken address is no refusal where accounts are hidden
      call.policy.privacy.accountExists == .reveal
    {
      throw Refusal(.accountExists)
    }
    var request = CodeRequest(
      .changeEmail, .changeEmailConfirm, to: .email(email), user: user.id,
      linkTTL: PasswordReset.linkTTL(call.policy))
    request.newEmail = email
    request.session = signedIn.session.id
    var changes =
      if let owner {
        try Messaging.decoy(request, call, services).changes(sending: Messaging.attempt(at: owner, call, services))
      } else {
        try Messaging.code(request, call, services).changes
      }
    changes += call.exceptionsUsed(decision, services, actor: .user(user.id), user: user.id)
    changes.append(
      .audit(call.entry(.emailChangeRequested, services, actor: .user(user.id), user: user.id)))
    let answer = RequestEmailChangeEndpoint.Output(resendAfter: Int(call.policy.verification.email.resendCooldown))
    changes += try call.keeping(answer, status: RequestEmailChangeEndpoint.status)
    try await store.commitOrRefuse(changes, as: signedIn.proven)
    return answer
  }

  /// Moves the account to the address that got the code: that one, and no other (the code's row carries it). The reader
  /// of the mail shows besides that the account is theirs, so that a click takes over no account that a stranger
  /// offers.
  package static func confirm(_ input: ConfirmEmailChangeEndpoint.Input, _ call: Call, _ services: Services)
    async throws -> ConfirmEmailChangeEndpoint.Output
  {
    switch try Presented(input, call, services) {
    case .token(let token):
      let redeemed = try await Redemption.find(token: token, for: [.changeEmail], call, services)
      guard let id = redeemed.code.user, let user = try await services.store.open(call.tenant.id).user(id: id)
      else { throw Refusal(.codeInvalid) }
      return try await confirm(redeemed, user, call, services) {
        try await Ownership.demand(
          of: user, password: input.password, by: .asking(redeemed.code.session), call, services)
      }
    case .digits(let typed):
      let (user, authority) = try await owner(of: typed, password: input.password, call, services)
      let redeemed = try await Redemption.find(typed, for: .changeEmail, of: .account(user.id), call, services)
      return try await confirm(redeemed, user, call, services) { Ownership(authority: authority, changes: []) }
    }
  }

  /// The account that waits for these digits, which its requester proves.
  private static func owner(of typed: TypedCode, password: String?, _ call: Call, _ services: Services) async throws
    -> (StoredUser, Authority)
  {
    let store = services.store.open(call.tenant.id)
    // GUARD: enumeration: a change to a taken address has its requester
    let decoy = call.hashed(.email(typed.email))
    func requester(_ user: UserID?) async throws -> CodeRequester? {
      try await store.requester(of: .changeEmail, at: .email(typed.email), decoy: decoy, of: user)
    }
    if call.caller != nil {
      let me = try await call.signedIn(services)
      let asked = try await requester(me.user.id)
      if let owner = Ownership.shown(me, of: me.user, by: .asking(asked?.session), call) {
        return (me.user, owner.authority)
      }
    }
    guard password != nil else { throw Refusal(.reauthenticationRequired) }
    let asked = try await requester(nil)
    let stored = try await store.user(id: asked?.user ?? UserID(.random()))
    let owner = try await Ownership.demand(password: password, of: stored, at: typed.email, call, services)
    return (owner.user, owner.authority)
  }

  private static func confirm(
    _ redeemed: Redeemed, _ user: StoredUser, _ call: Call, _ services: Services,
    proving ownership: () async throws -> Ownership
  ) async throws -> ConfirmEmailChangeEndpoint.Output {
    var user = user
    let id = user.id
    guard user.disabledAt == nil else { throw Refusal(.codeInvalid) }
    // The policy may have changed since the mail went out.
    let decision = call.policy.decide(
      .changeEmail, Facts(email: redeemed.code.destination.value, stored: user.facts), at: call.now,
      using: services.facts)
    // GUARD: door: confirmed change of address
    guard decision.allow else { throw Refusal(.validationFailed, violations: decision.violations) }
    let owner = try await ownership()
    let changes: [Change] =
      [
        .user(.setEmail(id, email: redeemed.code.destination.value)), .user(.noteMailProof(id)),
        .code(.void(id, by: .emailChanged)),
        .audit(call.entry(.emailChanged, services, actor: .user(id), user: id)),
      ] + owner.changes + call.exceptionsUsed(decision, services, actor: .user(id), user: id)
      + (try UndoEmailChange.offer(user, to: redeemed.code.destination.value, call, services))
    do {
      try await Redemption.commit(redeemed, changes, as: owner.authority, call, services)
    } catch StoreError.emailTaken {
      throw Refusal(call.policy.privacy.accountExists == .reveal ? .accountExists : .codeInvalid)
    }
    user.email = redeemed.code.destination.value
    user.emailVerifiedAt = call.now
    user.updatedAt = call.now
    let seen = try await call.sightings(of: id, services)
    return ConfirmEmailChangeEndpoint.Output(user: Views.user(user, seen, call, to: .`self`))
  }
}
