// A fresh proof by mail, for accounts without a password: providers let a browser pass that is signed in there, without
// asking who sits before it. The code belongs to the session that asked for it.

import GatehousePolicy
package import GatehouseWire

extension FreshWay {
  /// Six digits, mailed to the proven address. They are for accounts without a password: beside one they would give a
  /// reader of the mail what only the owner of the password may do.
  package static let code = FreshWay(
    name: "code", members: ["code"],
    isOpen: { user, call, _ in !user.signsInByPassword(call.policy) && user.emailVerifiedAt != nil },
    prove: { input, me, call, services in
      let redeemed = try await ReauthenticationCode.redeem(input.code ?? "", me, call, services)
      return FreshProof(proofs: Proofs(of: me.user.id, by: .emailCode, call), code: redeemed)
    })
}

package enum ReauthenticationCode {
  /// Mails six digits to the proven address of the account. Refuses `reauthentication_required`, with the ways that are
  /// open, where a code is none of them; `cooldown`; `rate_limited`.
  package static func send(_ input: Nothing, _ call: Call, _ services: Services) async throws -> MailSent {
    let me = try await call.signedIn(services)
    let address = try address(of: me, call, services)
    let rules = call.policy.verification.email
    var request = CodeRequest(
      .reauthenticate, .reauthenticate, to: .email(address), user: me.user.id, linkTTL: rules.codeTTL)
    request.session = me.session.id
    request.only = .digits
    let answer = MailSent(resendAfter: Int(rules.resendCooldown))
    try await services.store.open(call.tenant.id).commitOrRefuse(
      Messaging.code(request, call, services).changes
        + [
          .audit(
            call.entry(
              .reauthenticationRequested, services, actor: .user(me.user.id), user: me.user.id,
              session: me.session.id))
        ] + call.keeping(answer, status: SendReauthenticationCodeEndpoint.status),
      as: .caller(me, restingOn: .session))
    return answer
  }

  /// The newest code of the caller's session, where these are its digits. Refuses `code_invalid`, `code_expired`,
  /// `code_used`.
  static func redeem(_ digits: String, _ me: SignedIn, _ call: Call, _ services: Services) async throws -> Redeemed {
    let address = try address(of: me, call, services)
    return try await Redemption.find(
      TypedCode(digits, stored: address), for: .reauthenticate, of: .session(me.session.id, of: me.user.id), call,
      services)
  }

  /// The newest code of the caller's session, in any state; nil where it asked for none.
  package static func newest(for me: SignedIn, _ call: Call, _ services: Services) async throws -> OneTimeCode? {
    guard let address = me.user.email else { return nil }
    let newest = try await services.store.open(call.tenant.id).newestCode(
      for: .reauthenticate, to: .email(address), of: me.user.id)
    return newest?.session == me.session.id ? newest : nil
  }

  /// The address that codes go to, where they are a way to a fresh proof.
  private static func address(of me: SignedIn, _ call: Call, _ services: Services) throws -> String {
    guard
      // GUARD: fresh proof: by a code where there is no password
      me.freshWays(call, services).contains(.code),
      let address = me.user.email
    else { throw Refusal.reauthentication(of: me, call, services) }
    return address
  }
}
