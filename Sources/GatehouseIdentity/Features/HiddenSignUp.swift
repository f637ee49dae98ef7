// Sign-up where the tenant hides which addresses exist: the answer is the same for a free and a taken address, and only
// the mail differs. Nothing blocks the address until its owner completes the sign-up from that mail.

package import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum HiddenSignUp {
  /// The sign-up that waits, sealed, until the address is proven.
  struct Waiting: Codable {
    var email: String
    /// The hash of its password; nil where it has a passkey in its place. Releases before had passwords alone, and
    /// refuse to read one without.
    var phc: String?
    var profile: [String: FieldValue]
    var passkey: WaitingPasskey?
  }

  /// Mails the way to complete the sign-up of this id; or, to the owner of a taken address, that a sign-up was tried.
  /// Answers the seconds of the pause between two mails where one runs: nothing is written then.
  static func begin(
    _ id: UUID, _ form: SignUp.Form, _ answer: SignUpAnswer, _ count: SignUpCount, _ call: Call, _ services: Services
  ) async throws -> Int? {
    let store = services.store.open(call.tenant.id)
    // Unique fields are no secret. A taken value is refused now, because a user who completes the sign-up later could
    // no longer choose another one.
    let profile = form.decision.normalised.profile
    if let taken = try await store.taken(UniqueValues.of(profile, call.policy), except: nil).first,
      let refusal = UniqueValues.refusal(.fieldTaken(taken.field), call)
    {
      throw refusal
    }
    var request = Self.request(id, to: form.email, call)
    request.payload = try JSONEncoding.encode(Waiting(form, profile))
    do {
      return try await mail(
        request, isWaiting: true, taking: form.taking, with: call.keeping(answer, status: 202) + count.made, call,
        services)
    } catch let error as StoreError {
      throw SignUp.refusal(error, call)
    }
  }

  private static func request(_ id: UUID, to email: String, _ call: Call) -> CodeRequest {
    var request = CodeRequest(
      .completeSignUp, .verifyEmail, to: .email(email), user: nil,
      linkTTL: call.policy.verification.email.linkTTL)
    request.id = id
    request.isAskedByAnyone = true
    return request
  }

  /// Mails the code of a sign-up, or the notice in its place. The rows and the answer are the same for a free address
  /// and a taken one, and for a sign-up that waits no more.
  private static func mail(
    _ request: CodeRequest, isWaiting: Bool, taking: [Change] = [], with rest: [Change], _ call: Call,
    _ services: Services
  ) async throws -> Int? {
    let email = request.destination.value
    let sent = try await Limiting.pausing(request, call, services) {
      let changes =
        if let owner = try await AddressOwner.find(email, call, services) {
          try Messaging.decoy(request, call, services).changes(sending: Messaging.attempt(at: owner, call, services))
        } else {
          try (isWaiting ? Messaging.code : Messaging.decoy)(request, call, services).changes
        }
      try await services.store.open(call.tenant.id).commitWithinLimits(
        taking + changes + [call.bounded(.verificationSent, services, user: nil)] + rest, as: .anonymous, call, services
      )
    }
    guard case .running(let seconds) = sent else { return nil }
    return seconds
  }

  /// A sign-up whose code was asked for once more.
  package enum Again: Sendable {
    /// It has a new id.
    case sent(UUID)
    /// A mail went out a moment ago; another one can be asked for in so many seconds.
    case paused(Int)
  }

  /// Mails another code for the sign-up of this id. The answer tells neither whether the address has an account nor
  /// whether the sign-up still waits.
  package static func again(_ id: UUID, at typed: String, _ call: Call, _ services: Services) async throws -> Again {
    let email = call.policy.normalisedEmail(typed, using: services.facts) ?? typed
    let next = services.clock.makeID()
    var request = Self.request(next, to: email, call)
    let code = try await services.store.open(call.tenant.id).code(id: id, purpose: .completeSignUp)
    // The row that stands in for a code is at no address, and has a payload of chance.
    var payload: [UInt8]?
    if let code, code.destination.value == email, let waiting = try waiting(code, call) {
      payload = try JSONEncoding.encode(waiting)
    }
    request.payload = payload ?? SecureRandom.bytes(code?.sealedPayload?.count ?? 256)
    let pause = try await mail(request, isWaiting: payload != nil, with: [], call, services)
    return pause.map(Again.paused) ?? .sent(next)
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
    let made = try await account(redeemed, consent, call, services)
    do {
      try await Redemption.commit(redeemed, made.changes, as: .code, call, services)
    } catch let error as StoreError {
      throw refusal(error, call)
    }
  }

  /// The same by the id and the digits, in the browser that signed up: its session begins in the same commit. The
  /// digits prove the address, and the id that the credential is the caller's.
  package static func open<Opened: OpenedSession>(
    _ id: UUID, code: String, at email: String, on device: Device?, _ call: Call, _ services: Services
  ) async throws -> Opened {
    let redeemed = try await Redemption.find(
      TypedCode(code, email: email, call, services), for: .completeSignUp, of: .id(id), call, services)
    let made = try await account(redeemed, .id(id), call, services)
    let decision = call.policy.decide(
      .signIn, Facts(writer: .user, stored: made.user.facts), at: call.now, using: services.facts)
    let completion = Completion(
      account: .new(.init(counters: [.limit(.giveBack(redeemed.returned))])),
      proofs: made.credential.proofs(of: made.user.id, call), user: made.user, decision: decision,
      device: .new(name: DeviceName.of(device, call), of: made.user.id, call, services), authority: .code,
      beforeSession: [redeemed.use] + made.changes)
    do {
      let opened: Opened = try await completion.open(call, services)
      call.tries.forget()
      return opened
    } catch StoreError.refused(.codeIsLive) {
      throw Refusal(.codeUsed)
    } catch let error as StoreError {
      throw refusal(error, call)
    }
  }

  /// The refusal of a commit that makes an account that waited; the error itself where the caller knows better.
  private static func refusal(_ error: StoreError, _ call: Call) -> any Error {
    if error == .exists { return AddPasskey.taken }
    if let refusal = UniqueValues.refusal(error, call) { return refusal }
    return error
  }

  /// The account that a proven code waited for, and the changes that make it.
  private static func account(_ redeemed: Redeemed, _ consent: Consent?, _ call: Call, _ services: Services)
    async throws -> (user: StoredUser, credential: NewCredential, changes: [Change])
  {
    guard let waiting = try waiting(redeemed.code, call) else { throw Refusal(.codeInvalid) }
    let form = StoredUser(
      id: UserID(services.clock.makeID()), email: waiting.email, emailVerifiedAt: call.now,
      // A field may have got another name since.
      profile: call.policy.profile.renaming(waiting.profile), createdAt: call.now, updatedAt: call.now)
    let (credential, returned) = try await waiting.credential(form, redeemed.code, consent, call, services)
    let user = credential.applied(to: form, at: call.now)
    let changes: [Change] =
      [
        .user(.insert(user, unique: UniqueValues.of(user.profile, call.policy))),
        .user(.verifyEmail(user.id, email: waiting.email)), .user(.noteMailProof(user.id)),
      ] + credential.changes(of: user.id, call, services) + [
        .code(.voidSignUps(destination: .email(waiting.email))),
        .limit(.clearFailures(SignInKey(call.tenant, of: user))),
        .audit(call.entry(.userCreated, services, actor: .user(user.id), user: user.id)),
        .audit(call.entry(.emailVerified, services, actor: .user(user.id), user: user.id)),
      ]
    return (user, credential, changes + returned)
  }
}

extension HiddenSignUp.Waiting {
  fileprivate init(_ form: SignUp.Form, _ profile: [String: FieldValue]) {
    self.init(email: form.email, profile: profile)
    switch form.credential {
    case .password(let phc): self.phc = phc
    case .passkey(let made, _): passkey = WaitingPasskey(made)
    }
  }

  /// The credential that the account begins with, and what a right password gives back. By the id it is the one of the
  /// sign-up. A reader of the mail without the id has not shown that the sign-up is theirs: it takes its password, or
  /// another one, which leaves a passkey behind.
  fileprivate func credential(
    _ user: StoredUser, _ code: OneTimeCode, _ consent: HiddenSignUp.Consent?, _ call: Call, _ services: Services
  ) async throws -> (NewCredential, returned: [Change]) {
    if passkey == nil { try demandPassword(call) }
    switch consent {
    case .id(code.id): return (try own(call), [])
    case .id: throw Refusal(.codeInvalid)
    case .password(let typed):
      try demandPassword(call)
      let verified = try await PasswordVerification(password: typed, owner: .signUp(user, phc: phc))
        .verified(call, services)
      return (.password(phc: verified.hash), verified.returned)
    case .newPassword(let chosen):
      try demandPassword(call)
      let (phc, _) = try await NewPassword.judgeAndHash(
        chosen, at: .setPassword, of: user, as: .code, call, services)
      return (.password(phc: phc), [])
    case nil:
      // GUARD: sign-up: the link alone makes nothing
      throw Refusal(.reauthenticationRequired)
    }
  }

  /// The credential of the sign-up, where the policy still has sign-ups by it. The browser that shows the id holds no
  /// key: a passkey has not verified its user now.
  private func own(_ call: Call) throws -> NewCredential {
    if let passkey {
      guard
        call.policy.uses(passkeysFor: .signUp),  // GUARD: passkey: sign-up that waits
        let made = passkey.passkey(at: call.now)
      else { throw Refusal(.codeInvalid) }
      return .passkey(made, isUserVerified: false)
    }
    guard let phc else { throw Refusal(.codeInvalid) }
    return .password(phc: phc)
  }

  private func demandPassword(_ call: Call) throws {
    guard
      call.policy.hasPassword  // GUARD: password door: sign-up that waits
    else {
      throw passkey == nil
        ? Refusal(.codeInvalid)
        : Refusal(.reauthenticationRequired, detail: "Type the code of this mail where the sign-up began.")
    }
  }
}
