// Sign-up where the tenant hides which addresses exist: the answer is the same for a free and a taken address, and only
// the mail differs. Nothing blocks the address until its owner completes the sign-up from that mail.

import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

enum HiddenSignUp {
  /// What waits, sealed, until the address is proven.
  struct Waiting: Codable {
    var email: String
    var phc: String
    var profile: [String: FieldValue]
  }

  /// Mails the way to complete the sign-up; or, to the owner of a taken address, that somebody tried.
  static func begin(_ account: Account, phc: String, _ answer: SignUpAnswer, _ call: Call, _ services: Services)
    async throws
  {
    let store = services.store.open(call.tenant.id)
    // Unique fields are no secret: whoever completed this later could not choose another one any more.
    if let taken = try await store.taken(UniqueValues.of(account.profile, call.policy), except: nil).first,
      let refusal = UniqueValues.refusal(.fieldTaken(taken.field), call)
    {
      throw refusal
    }
    var request = CodeRequest(
      .completeSignUp, .verifyEmail, to: account.email, account: nil,
      linkTTL: call.policy.verification.email.linkTTL)
    request.payload = try JSONEncoding.encode(Waiting(email: account.email, phc: phc, profile: account.profile))
    let changes =
      if let owner = try await store.account(email: account.email)?.account {
        try Mailing.decoy(
          request, mailing: Mailing.notice(.signUpAttempt, to: owner, call, services), call, services)
      } else {
        try Mailing.code(request, call, services)
      }
    do {
      try await store.commit(
        changes + [.audit(call.entry(.verificationSent, services))] + call.keeping(answer, status: 202))
    } catch StoreError.limited {
      // Within the cooldown nothing is sent, and nobody can tell.
    }
  }

  /// Makes the account that a proven code waited for.
  static func complete(_ redeemed: Redeemed, _ call: Call, _ services: Services) async throws {
    // What waits is an account with a password.
    guard call.policy.hasPassword, let sealed = redeemed.code.sealedPayload else { throw Refusal(.codeInvalid) }
    let waiting = try call.tenant.vault.open(sealed, for: .codePayload(redeemed.code.id)).expose {
      try StrictDecoder.decode(Waiting.self, from: $0)
    }
    let account = Account(
      id: AccountID(services.clock.makeID()), email: waiting.email, emailVerifiedAt: call.now,
      profile: waiting.profile, createdAt: call.now, updatedAt: call.now, passwordChangedAt: call.now)
    do {
      try await Redemption.commit(
        redeemed,
        [
          .insertAccount(account, unique: UniqueValues.of(account.profile, call.policy)),
          .verifyEmail(account.id, email: account.email), .setPassword(account.id, phc: waiting.phc),
          .audit(call.entry(.userCreated, services, actor: .user(account.id), account: account.id)),
          .audit(call.entry(.emailVerified, services, actor: .user(account.id), account: account.id)),
        ], call, services)
    } catch let error as StoreError {
      throw UniqueValues.refusal(error, call) ?? Refusal(error)
    }
  }
}
