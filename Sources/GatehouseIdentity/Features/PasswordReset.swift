// Password reset: known and unknown addresses get the same answer; the new password ends every session and opens none.

package import Foundation
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
    try await ask(input, call, services).answer
  }

  /// A request for a mail, as a page tells of it.
  package struct Asked: Sendable {
    package let answer: RequestPasswordResetEndpoint.Output
    /// Seconds until another mail can be asked for, where one went out a moment ago and none was sent now. It is the
    /// same for every address.
    package let pause: Int?
    /// Whether the id of the answer is that of a new code, or of a row that stands in for one.
    package let isNew: Bool
  }

  /// The same, for a page. `isNew` MUST NOT be told.
  package static func ask(_ input: RequestPasswordResetEndpoint.Input, _ call: Call, _ services: Services)
    async throws -> Asked
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
    let id = services.clock.makeID()
    let answer = RequestPasswordResetEndpoint.Output(
      resendAfter: Int(call.policy.verification.email.resendCooldown), resetID: id.text)
    var mailed = CodeRequest(
      .resetPassword, .resetPassword, to: .email(email), user: nil, linkTTL: linkTTL(call.policy))
    mailed.id = id
    let sent = try await Limiting.pausing(mailed, call, services) {
      try await send(mailed, input, answer, call, services)
    }
    return switch sent {
    case .running(let seconds): Asked(answer: answer, pause: seconds, isNew: false)
    case .over(let isNew): Asked(answer: answer, pause: nil, isNew: isNew)
    }
  }

  /// Mails the code, or its newest forerunner where the recipient's mails have run out. Whether it was the code.
  private static func send(
    _ request: CodeRequest, _ input: RequestPasswordResetEndpoint.Input, _ answer: RequestPasswordResetEndpoint.Output,
    _ call: Call, _ services: Services
  ) async throws -> Bool {
    let store = services.store.open(call.tenant.id)
    var mailed = request
    let look = try await store.signInLook(
      email: mailed.destination.value, device: KnownDevice.hash(presented: input.device?.id))
    let user = look?.user
    mailed.user = user?.id
    mailed.isAskedByAnyone = look?.device == nil  // GUARD: mail: a device of the account
    let fresh =
      if let user, user.disabledAt == nil {
        try Messaging.code(mailed, call, services).changes
      } else {
        // GUARD: enumeration: a reset without an account is written too
        try Messaging.decoy(mailed, call, services).changes
      }
    let rest =
      [call.bounded(.passwordResetRequested, services, user: user?.id)]
      + (try call.keeping(answer, status: RequestPasswordResetEndpoint.status))
    let reached = try await store.commitWithinLimits(fresh + rest, as: .anonymous, call, services)
    if let reached, Limiting.isOfRecipient(reached.name) {
      try await repeatNewest(mailed, rest, store, call, services)
    }
    return reached == nil
  }

  /// Mails the newest living link again: what strangers asked for is the owner's mail, too. The work is the same where
  /// none lives.
  private static func repeatNewest(
    _ mailed: CodeRequest, _ rest: [Change], _ store: any TenantStore, _ call: Call, _ services: Services
  ) async throws {
    let newest = try await store.newestCode(for: .resetPassword, to: mailed.destination, of: nil)
    // After three in an hour nothing is sent.
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
    let phc = try await hash(input.password, of: user, redeemed, call, services)
    try await Redemption.settle(redeemed, about: id, call, services) { user in
      guard user.disabledAt == nil else { throw Refusal(.codeInvalid) }
      return try changes(user, phc: phc, redeemed.code, call, services)
    }
    return Nothing()
  }

  /// The digits of a request, as they were typed, without using them. A right try is given back. Refuses as `confirm`.
  package static func check(_ digits: String, of id: UUID, at email: String, _ call: Call, _ services: Services)
    async throws -> String
  {
    let typed = TypedCode(digits, email: email, call, services)
    let redeemed = try await Redemption.find(typed, for: .resetPassword, of: .id(id), call, services)
    try await Redemption.giveBack(redeemed, call, services)
    return TypedText.code(in: digits, digits: NumericCode.digitCount) ?? digits
  }

  /// The hash of the new password. A password that the policy refuses costs no try at the code, which was right.
  private static func hash(
    _ password: String, of user: StoredUser, _ redeemed: Redeemed, _ call: Call, _ services: Services
  ) async throws -> String {
    do {
      return try await NewPassword.judgeAndHash(password, at: .resetPassword, of: user, as: .code, call, services).phc
    } catch let refusal as Refusal where refusal.code == .validationFailed {
      // GUARD: reset: a refused password costs no try
      try await Redemption.giveBack(redeemed, call, services)
      throw refusal
    }
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
        // Second factors of before the proof may be a stranger's, who would keep the address's owner out with them.
        // GUARD: reset: factors from before the proof
        changes.append(.factor(.removeAll(id)))
        if !user.factors.isEmpty {
          changes.append(
            .audit(call.entry(.factorRemoved, services, user: id, details: ["reason": "unproven"])))
        }
      }
      changes.append(.user(.noteMailProof(id)))
    }
    changes += try Messaging.notice(.passwordChanged, to: told, call, services)
    changes.append(.audit(call.entry(.passwordReset, services, actor: .user(id), user: id)))
    return changes
  }
}
