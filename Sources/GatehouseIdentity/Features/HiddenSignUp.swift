// Sign-up where the tenant hides which addresses exist: the answer is the same for a free and a taken address, and only
// the mail differs. Nothing blocks the address until its owner completes the sign-up from that mail.

import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

enum HiddenSignUp {
  /// The sign-up that waits, sealed, until the address is proven.
  struct Waiting: Codable {
    var email: String
    var phc: String
    var profile: [String: FieldValue]
  }

  /// Mails the way to complete the sign-up of this id; or, to the owner of a taken address, that a sign-up was tried.
  static func begin(
    _ id: UUID, _ user: StoredUser, at email: String, phc: String, _ answer: SignUpAnswer, _ count: SignUpCount,
    _ call: Call,
    _ services: Services
  ) async throws {
    let store = services.store.open(call.tenant.id)
    // Unique fields are no secret. A taken value is refused now, because a user who completes the sign-up later could
    // no longer choose another one.
    if let taken = try await store.taken(UniqueValues.of(user.profile, call.policy), except: nil).first,
      let refusal = UniqueValues.refusal(.fieldTaken(taken.field), call)
    {
      throw refusal
    }
    var request = CodeRequest(
      .completeSignUp, .verifyEmail, to: .email(email), user: nil,
      linkTTL: call.policy.verification.email.linkTTL)
    request.id = id
    request.isAskedByAnyone = true
    request.payload = try JSONEncoding.encode(Waiting(email: email, phc: phc, profile: user.profile))
    let changes =
      if let owner = try await AddressOwner.find(email, call, services) {
        try Messaging.decoy(request, call, services).changes(sending: Messaging.attempt(at: owner, call, services))
      } else {
        try Messaging.code(request, call, services).changes
      }
    try await store.commitWithinLimits(
      changes + [call.bounded(.verificationSent, services, user: nil)] + call.keeping(answer, status: 202)
        + count.made,
      as: .anonymous, call, services)
  }

  /// The proof that the reader of the mail is the person who signed up, or takes the sign-up over.
  enum Consent {
    /// The id that the sign-up answered, with the mail's code or link.
    case id(UUID)
    /// The sign-up's own password.
    case password(String)
    /// Another password, for a profile that the reader has seen.
    case newPassword(String)
  }

  /// The sign-up that a link leads to; nil once it is over.
  static func waiting(_ code: OneTimeCode, _ call: Call) throws -> Waiting? {
    try code.sealedPayload.map { sealed in
      try call.tenant.vault.open(sealed, for: .codePayload(code.id)).expose {
        try StrictDecoder.decode(Waiting.self, from: $0)
      }
    }
  }

  /// Makes the account that a proven code waited for. Refuses `reauthentication_required` without consent: nothing is
  /// made then, and nothing is spent.
  static func complete(_ redeemed: Redeemed, _ consent: Consent?, _ call: Call, _ services: Services) async throws {
    // A waiting sign-up is an account with a password.
    guard
      call.policy.hasPassword,  // GUARD: password door: sign-up that waits
      let waiting = try waiting(redeemed.code, call)
    else { throw Refusal(.codeInvalid) }
    var user = StoredUser(
      id: UserID(services.clock.makeID()), email: waiting.email, emailVerifiedAt: call.now,
      profile: waiting.profile, createdAt: call.now, updatedAt: call.now)
    let (phc, returned) = try await password(of: waiting, user, redeemed.code, consent, call, services)
    user.passwordChangedAt = call.now
    do {
      try await Redemption.commit(
        redeemed,
        [
          .user(.insert(user, unique: UniqueValues.of(user.profile, call.policy))),
          .user(.verifyEmail(user.id, email: waiting.email)), .user(.noteMailProof(user.id)),
          .user(.setPassword(user.id, phc: phc)), .code(.voidSignUps(destination: .email(waiting.email))),
          .limit(.clearFailures(SignInKey(call.tenant, of: user))),
          .audit(call.entry(.userCreated, services, actor: .user(user.id), user: user.id)),
          .audit(call.entry(.emailVerified, services, actor: .user(user.id), user: user.id)),
        ] + returned, as: .code, call, services)
    } catch let error as StoreError {
      throw UniqueValues.refusal(error, call) ?? error
    }
  }

  /// The hash of the password that the account begins with, and what a right one gives back.
  private static func password(
    of waiting: Waiting, _ user: StoredUser, _ code: OneTimeCode, _ consent: Consent?, _ call: Call,
    _ services: Services
  ) async throws -> (phc: String, returned: [Change]) {
    switch consent {
    case .id(code.id): return (waiting.phc, [])
    case .id: throw Refusal(.codeInvalid)
    case .password(let typed):
      let verified = try await PasswordVerification(password: typed, owner: .signUp(user, phc: waiting.phc))
        .verified(call, services)
      return (verified.hash, verified.returned)
    case .newPassword(let chosen):
      let (phc, _) = try await NewPassword.judgeAndHash(
        chosen, at: .setPassword, of: user, as: .code, call, services)
      return (phc, [])
    case nil:
      // GUARD: sign-up: the link alone makes nothing
      throw Refusal(.reauthenticationRequired)
    }
  }
}
