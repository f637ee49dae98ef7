// A person for whom a provider vouches arrives: one who is known by issuer and subject, the owner of an address that
// has an account, or a new person. An address alone never decides who the person is.

import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

enum FederatedSignIn {
  /// A person at the door.
  struct Arrival {
    var user: ProviderUser
    /// Whether they signed in at the provider just now; nil where it does not say.
    var isActive: Bool?
    var provider: Provider
    /// What the provider lets us do for them.
    var scopes: [String] = []
    /// Fields for a new account that the provider does not tell.
    var profile: Profile?
    var device: Device?
    /// The only account that may be theirs; nil for any.
    var owner: UserID?
    /// The write that takes the ID token, where it counts: in the first commit that the arrival makes.
    var taking: [Change] = []
    /// What the arrival counted against limits, and a person who gets in gives back.
    var counted = Counted.none
    /// What else is written about an identity once it is in the store (what the provider gave).
    var granting: @Sendable (UserID) throws -> [Change] = { _ in [] }

    func identity(of id: UserID, at now: Date) -> ProviderIdentity {
      ProviderIdentity(
        user: id, provider: provider.name, issuer: user.issuer, subject: user.subject, isExclusive: true,
        link: LinkedIdentity(provider: provider.name, scopes: scopes, linkedAt: now))
    }

    func details(_ more: [String: String] = [:]) -> [String: String] {
      more.merging(["method": Proof.Method.provider.reference, "provider": provider.name]) { own, _ in own }
    }
  }

  /// Signs the person in, up, or in to the account at their address, as the policy has it.
  ///
  /// Refuses `validation_failed` where a door of the policy does not open, `account_exists` where the address has an
  /// account that is not theirs to have, `account_disabled`.
  static func open(_ arrival: Arrival, _ call: Call, _ services: Services) async throws -> Opened {
    let store = services.store.open(call.tenant.id)
    let user = arrival.user
    var arrival = arrival
    // Another person may arrive at the same moment, or another request may change what was read: then look again.
    for _ in 0..<3 {
      do {
        let known = try await store.identity(issuer: user.issuer, subject: user.subject)
        if let owner = arrival.owner,
          // GUARD: arrival: a fresh proof is of the account's owner
          known?.user.id != owner
        {
          throw try await strange(owner, arrival, call, services)
        }
        if let known {
          return try await enter(known.user, known.identity, arrival, call, services)
        }
        let email = user.email.flatMap { call.policy.normalisedEmail($0, using: services.facts) }
        if call.policy.privacy.accountExists == .hide,
          // GUARD: arrival: an unproven address where accounts are hidden
          !user.emailVerified
        {
          // Anything else would tell whether the address has an account, or take it from its owner.
          throw Refusal(.forbidden, detail: "The provider has not confirmed your email address.")
        }
        if let email, let stored = try await store.user(email: email)?.user {
          // Between the two looks the same person may have come in by another request.
          if stored.links.contains(where: { $0.provider == arrival.provider.name }),
            try await store.identity(issuer: user.issuer, subject: user.subject) != nil
          {
            continue
          }
          return try await join(stored, at: email, arrival, call, services)
        }
        if let email, try await comeBack(to: email, &arrival, call, services) { continue }
        return try await signUp(arrival, call, services)
      } catch StoreError.emailTaken {
        continue
      } catch StoreError.refused(let condition) where changing.contains(condition) {
        continue
      }
    }
    throw Refusal(.conflict, note: "an account kept changing")
  }

  private static func strange(
    _ owner: UserID, _ arrival: Arrival, _ call: Call, _ services: Services
  ) async throws -> Refusal {
    try await services.store.open(call.tenant.id).commit(
      [call.bounded(.signInFailed, services, user: owner, details: arrival.details(["reason": "reauthentication"]))],
      as: .anonymous)
    return Refusal(.providerTokenInvalid)
  }

  private static let changing: Set<StoreError.Condition> = [
    .identityIsFree, .addressIsUnproven, .userIsEnabled, .accountExists, .linkExists,
    .userIsUnchanged,
  ]

  // MARK: Known

  private static func enter(
    _ user: StoredUser, _ identity: ProviderIdentity, _ arrival: Arrival, _ call: Call, _ services: Services
  ) async throws -> Opened {
    try await demandEnabled(user, arrival, call, services)
    let granted = try arrival.granting(user.id)
    // With what the provider gave anew its scopes are told anew.
    let link: [Change] =
      granted.isEmpty
      ? [] : [.provider(.setLink(user.id, provider: identity.provider, .linked, scopes: arrival.scopes))] + granted
    return try await signIn(user, link, arrival, call, services)
  }

  private static func demandEnabled(
    _ user: StoredUser, _ arrival: Arrival, _ call: Call, _ services: Services
  ) async throws {
    // GUARD: arrival: a disabled person stays out
    guard user.disabledAt != nil else { return }
    try await services.store.open(call.tenant.id).commit(
      [
        call.bounded(
          .signInFailed, services, user: user.id, details: arrival.details(["reason": "disabled"]))
      ], as: .anonymous)
    throw Refusal(.accountDisabled)
  }

  /// Opens a session for an account as it will be after `changes`.
  private static func signIn(
    _ user: StoredUser, _ changes: [Change], isReclaimed: Bool = false, _ arrival: Arrival, _ call: Call,
    _ services: Services
  ) async throws -> Opened {
    let decision = call.policy.decide(
      .signIn, Facts(writer: .user, stored: user.facts), at: call.now, using: services.facts)
    // The devices of a reclaimed account belong to its former holder.
    let device =
      isReclaimed
      ? PresentedDevice.new(name: try DeviceName.of(arrival.device, call), of: user.id, call, services)
      : try await recognise(arrival.device, of: user, call, services)
    // The commit refuses this session when the password or the identities of the account have changed meanwhile.
    let completion = Completion(
      proofs: Proofs(of: user.id, by: .provider, isActive: arrival.isActive, call), user: user, decision: decision,
      device: device,
      arrival: .known(arrival.details()), authority: .proven(user.id, epoch: user.epoch),
      first: arrival.taking + changes, then: { _ in [.limit(.giveBack(arrival.counted))] })
    return try await completion.commit(call, services)
  }

  private static func recognise(
    _ device: Device?, of user: StoredUser, _ call: Call, _ services: Services
  ) async throws -> PresentedDevice {
    let look = try await services.store.open(call.tenant.id).signInLook(
      of: user.id, device: KnownDevice.hash(presented: device?.id))
    // The account was deleted just now.
    guard let look else { throw StoreError.refused(.accountExists) }
    return try PresentedDevice.recognise(device, in: look, call, services)
  }

  // MARK: An account at the same address

  /// Two proofs are needed before the account is joined: that the provider's person reads the address's mail, and that
  /// the account's person does. An account with an unproven address may belong to any person. It becomes the arriving
  /// owner's, and nothing that was put there before opens it any more.
  private static func join(
    _ user: StoredUser, at email: String, _ arrival: Arrival, _ call: Call, _ services: Services
  ) async throws -> Opened {
    // GUARD: reclaim: at all
    let isReclaimed = user.emailVerifiedAt == nil
    // Another person of the same provider has been here with this address: it changed hands there.
    // GUARD: arrival: no identity of the provider is there already
    let isAnothers = !isReclaimed && user.links.contains { $0.provider == arrival.provider.name }
    guard
      // GUARD: arrival: the policy joins addresses
      arrival.provider.existingEmail == .linkIfBothVerified,
      arrival.user.emailVerified,  // GUARD: arrival: the provider proved the address
      !isAnothers
    else {
      await call.note(
        .signInFailed, about: "exists \(user.id.text)", services, user: user.id,
        details: arrival.details(["reason": "account_exists"]))
      throw Refusal(.accountExists)
    }
    try await demandEnabled(user, arrival, call, services)
    let facts = arrival.user.facts(arrival.provider, scopes: arrival.scopes, call.policy)
    let decision = call.policy.decide(
      .link, Facts(provider: facts, stored: user.facts), at: call.now, using: services.facts)
    // GUARD: door: link by address
    guard decision.allow else { throw Refusal(.validationFailed, violations: decision.violations) }
    let identity = arrival.identity(of: user.id, at: call.now)
    var after = user
    var changes: [Change] = isReclaimed ? reclaiming(&after, at: email, arrival, call, services) : []
    after.links.append(identity.link)
    changes.append(.provider(.link(identity)))
    changes += try arrival.granting(user.id)
    changes += call.exceptionsUsed(decision, services, actor: .user(user.id), user: user.id)
    changes.append(
      .audit(
        call.entry(
          .linked, services, actor: .user(user.id), user: user.id,
          details: arrival.details(["reason": "email"]))))
    // Of a reclaimed account the address is proven now: this mail is not the one that an unproven address gets.
    changes += try Messaging.link(
      isReclaimed ? .accountReclaimed : .providerLinked, at: arrival.provider.name, to: after, call, services)
    return try await signIn(after, changes, isReclaimed: isReclaimed, arrival, call, services)
  }

  private static func reclaiming(
    _ user: inout StoredUser, at email: String, _ arrival: Arrival, _ call: Call, _ services: Services
  ) -> [Change] {
    let former = user.links
    user.links = []
    user.emailVerifiedAt = call.now
    user.passwordChangedAt = nil
    user.mustChangePassword = false
    return [
      .provider(.reclaim(user.id, email: email)),
      .device(.forgetAll(user.id, except: nil)),  // GUARD: reclaim: devices
      .session(.endAll(user.id, except: nil, .revoked)),  // GUARD: reclaim: sessions
      .code(.void(user.id, by: .accountReclaimed)),  // GUARD: reclaim: codes
      .limit(.clearAllFailures(SignInKey(call.tenant, of: user))),
      .audit(
        call.entry(
          .accountReclaimed, services, actor: .user(user.id), user: user.id, details: arrival.details())),
    ] + call.unlinked(former, of: user.id, "reclaimed", services) + [
      .audit(call.entry(.emailVerified, services, actor: .user(user.id), user: user.id))
    ]
  }

  /// The owner of an address from which an account was moved away arrives, and the provider vouches for them: that
  /// takes the move back, as the link in their mail would. False where the address is free.
  private static func comeBack(to email: String, _ arrival: inout Arrival, _ call: Call, _ services: Services)
    async throws
    -> Bool
  {
    guard let code = try await services.store.open(call.tenant.id).undoCode(reserving: email), let id = code.user
    else { return false }
    guard
      arrival.user.emailVerified,  // GUARD: reservation: a proven owner alone comes back
      arrival.provider.existingEmail == .linkIfBothVerified
    else {
      throw Refusal(.accountExists)
    }
    do {
      try await UndoEmailChange.restore(
        id, Redeemed(code: code, use: .code(.use(code.id, byToken: true))), with: arrival.taking, call, services)
      arrival.taking = []
    } catch let refusal as Refusal where refusal.code == .codeUsed {}  // The link was pressed at the same moment.
    return true
  }

  // MARK: New

  private static func signUp(_ arrival: Arrival, _ call: Call, _ services: Services) async throws -> Opened {
    let facts = Facts(
      profile: arrival.profile ?? [:], writer: .user,
      provider: arrival.user.facts(arrival.provider, scopes: arrival.scopes, call.policy))
    let decision = call.policy.decide(.federatedSignUp, facts, at: call.now, using: services.facts)
    await call.noteMissingLists(decision, services)
    guard
      decision.allow,  // GUARD: arrival: sign-up passes its door
      let email = decision.normalised.email
    else {
      try await Limiting.reserve(.refusedForm, call, services)
      await call.note(
        .signUpRefused, about: call.address?.text ?? "", services,
        details: [
          "rules": decision.violations.prefix(10).map(\.rule).joined(separator: ","), "provider": arrival.provider.name,
        ])
      throw Refusal(.validationFailed, violations: decision.violations)
    }
    let count = try await SignUpCount.begin(call, services)
    do {
      return try await open(arrival, email, decision, count, call, services)
    } catch {
      throw await count.refused(error, call, services)
    }
  }

  private static func open(
    _ arrival: Arrival, _ email: String, _ decision: Decision, _ count: SignUpCount, _ call: Call, _ services: Services
  ) async throws -> Opened {
    var user = StoredUser(
      id: UserID(services.clock.makeID()), email: email,
      emailVerifiedAt: arrival.user.emailVerified ? call.now : nil, profile: decision.normalised.profile,
      createdAt: call.now, updatedAt: call.now, enteredBy: .federatedSignUp)
    let identity = arrival.identity(of: user.id, at: call.now)
    user.links = [identity.link]
    var first: [Change] = arrival.taking
    first += [
      .user(.insert(user, unique: UniqueValues.of(user.profile, call.policy))), .provider(.link(identity)),
      .limit(.clearFailures(SignInKey(call.tenant, of: user))),
      .audit(
        call.entry(
          .userCreated, services, actor: .user(user.id), user: user.id, details: arrival.details())),
    ]
    first += try arrival.granting(user.id)
    if user.emailVerifiedAt != nil {
      first.append(.audit(call.entry(.emailVerified, services, actor: .user(user.id), user: user.id)))
    }
    let needsProof = user.emailVerifiedAt == nil && call.policy.verification.email.onSignUp
    let completion = Completion(
      proofs: Proofs(of: user.id, by: .provider, isActive: arrival.isActive, call), user: user, decision: decision,
      device: .new(name: try DeviceName.of(arrival.device, call), of: user.id, call, services),
      arrival: .new(
        mail: needsProof ? try Messaging.verification(of: user, isNew: true, call, services) : [],
        counters: count.made + [.limit(.giveBack(arrival.counted))]),
      first: first)
    do {
      return try await completion.commit(call, services)
    } catch let error as StoreError {
      throw UniqueValues.refusal(error, call) ?? error
    }
  }
}
