// A sign-in with a provider: of a user who is known by issuer and subject, of the owner of an address that has an
// account, or of a new user. An address alone never decides who the user is.

import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

enum FederatedSignIn {
  /// A person at the door.
  struct Arrival {
    var user: ProviderUser
    /// Whether the person signed in at the provider just now; nil where it does not say.
    var isActive: Bool?
    var provider: Provider
    /// The scopes that the provider granted.
    var scopes: [String] = []
    /// Fields for a new account that the provider does not tell.
    var profile: Profile?
    var device: Device?
    /// The only account that may be theirs; nil for any.
    var owner: UserID?
    /// The write that takes the ID token, where it counts: in the first commit that the arrival makes.
    var taking: [Change] = []
    /// The counts of the arrival, which a successful sign-in returns.
    var counted = Counted.none
    /// The provider's tokens, where the policy keeps them.
    var kept: ProviderExchange.Kept?

    var identity: FederatedIdentity {
      FederatedIdentity(provider: provider.name, user: user, scopes: scopes, kept: kept)
    }

    /// Whether the value of a field comes from the provider, and not from the app.
    func isProvided(_ field: String, _ facts: ProviderFacts) -> Bool {
      facts.profile[field] != nil && profile?[field] == nil
    }

    func details(_ more: [String: String] = [:]) -> [String: String] { identity.details(more) }
  }

  /// Signs the person in, up, or in to the account at their address, as the policy has it.
  ///
  /// Refuses `validation_failed` where a door of the policy does not open, `account_exists` where the address has an
  /// account that is not theirs to have, `account_disabled`.
  static func open<Opened: OpenedSession>(
    _ arrival: Arrival, _ call: Call, _ services: Services
  ) async throws -> Opened {
    let store = services.store.open(call.tenant.id)
    let user = arrival.user
    var arrival = arrival
    // Another person may arrive at the same moment, or another request may change what was read: then look again.
    return try await retryOnConflict(changing, attempts: 3) {
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
          throw StoreError.refused(.identityIsFree)
        }
        return try await join(stored, at: email, arrival, call, services)
      }
      if let email, try await comeBack(to: email, &arrival, call, services) {
        throw StoreError.emailTaken  // an account is back at the address
      }
      return try await signUp(arrival, call, services)
    }
  }

  private static func strange(
    _ owner: UserID, _ arrival: Arrival, _ call: Call, _ services: Services
  ) async throws -> Refusal {
    try await services.store.open(call.tenant.id).commit(
      [call.bounded(.signInFailed, services, user: owner, details: arrival.details(["reason": "reauthentication"]))],
      as: .anonymous)
    return Refusal(.providerTokenInvalid)
  }

  private static let changing: [StoreError] = [
    .emailTaken, .refused(.identityIsFree), .refused(.addressIsUnproven), .refused(.userIsEnabled),
    .refused(.accountExists), .refused(.linkExists), .refused(.userIsUnchanged),
  ]

  // MARK: Known

  private static func enter<Opened: OpenedSession>(
    _ user: StoredUser, _ identity: ProviderIdentity, _ arrival: Arrival, _ call: Call, _ services: Services
  ) async throws -> Opened {
    try await demandEnabled(user, arrival, call, services)
    // With new tokens of the provider its scopes are told anew.
    let effects: [SignInEffect] =
      arrival.kept == nil ? [] : [.grant(identity: arrival.identity, linkedAs: identity.provider)]
    return try await signIn(user, effects, arrival, call, services)
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

  /// Opens a session for an account as it will be after `effects`. `reclaiming`: the writes that take it back from its
  /// former holder.
  private static func signIn<Opened: OpenedSession>(
    _ account: StoredUser, _ effects: [SignInEffect], reclaiming: [Change]? = nil, _ arrival: Arrival, _ call: Call,
    _ services: Services
  ) async throws -> Opened {
    let user = effects.reduce(account) { $1.applied(to: $0, at: call.now) }
    let decision = call.policy.decide(
      .signIn, Facts(writer: .user, stored: user.facts), at: call.now, using: services.facts)
    // The devices of a reclaimed account belong to its former holder.
    let device =
      reclaiming == nil
      ? try await PresentedDevice.recognise(arrival.device, of: user, call, services)
      : PresentedDevice.new(name: DeviceName.of(arrival.device, call), of: user.id, call, services)
    // The commit refuses this session when the password or the identities of the account have changed meanwhile.
    let completion = Completion(
      account: reclaiming == nil ? .known : .reclaimed,
      proofs: Proofs(of: user.id, by: .provider, isActive: arrival.isActive, call), user: user, decision: decision,
      device: device, provider: arrival.provider.name, authority: .proven(user.id, epoch: user.epoch),
      beforeSession: arrival.taking + (reclaiming ?? []), afterSession: [.limit(.giveBack(arrival.counted))],
      effects: effects)
    return try await completion.open(call, services)
  }

  // MARK: An account at the same address

  /// Two proofs are needed before the account is joined: that the provider's person reads the address's mail, and that
  /// the account's person does. An account with an unproven address may belong to any person. It becomes the arriving
  /// owner's, and nothing that was put there before opens it any more.
  private static func join<Opened: OpenedSession>(
    _ user: StoredUser, at email: String, _ arrival: Arrival, _ call: Call, _ services: Services
  ) async throws -> Opened {
    // GUARD: reclaim: at all
    let isReclaimed = user.emailVerifiedAt == nil
    // Another person of the same provider has been here with this address: it changed hands there.
    // GUARD: arrival: no identity of the provider is there already
    let isAnothers = !isReclaimed && user.links.contains { $0.provider == arrival.provider.name }
    guard arrival.identity.joins(at: arrival.provider), !isAnothers else {
      await call.note(
        .signInFailed, about: "exists \(user.id.text)", services, user: user.id,
        details: arrival.details(["reason": "account_exists"]))
      throw Refusal(.accountExists)
    }
    try await demandEnabled(user, arrival, call, services)
    guard isReclaimed else {
      return try await signIn(
        user, [.link(identity: arrival.identity, notice: .providerLinked)], arrival, call, services)
    }
    var after = user
    let changes = reclaiming(&after, at: email, arrival, call, services)
    // The address is proven now: this mail is not the one that an unproven address gets.
    return try await signIn(
      after, [.link(identity: arrival.identity, notice: .accountReclaimed)], reclaiming: changes, arrival, call,
      services)
  }

  private static func reclaiming(
    _ user: inout StoredUser, at email: String, _ arrival: Arrival, _ call: Call, _ services: Services
  ) -> [Change] {
    let former = user.links
    user.reclaim(at: call.now)
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

  private static func signUp<Opened: OpenedSession>(
    _ arrival: Arrival, _ call: Call, _ services: Services
  ) async throws -> Opened {
    var provided = arrival.user.facts(arrival.provider, scopes: arrival.scopes, call.policy)
    while true {
      do {
        return try await signUp(arrival, &provided, call, services)
      } catch let error as StoreError {
        // GUARD: arrival: what the provider adds is left out where another account has it
        guard case .fieldTaken(let name) = error, arrival.isProvided(name, provided) else {
          throw UniqueValues.refusal(error, call) ?? error
        }
        provided.profile[name] = nil
      }
    }
  }

  /// The verdict on a new user. Values of the provider that break a rule are left out of `provided`: the user did not
  /// type them. A required field without a value becomes a next step.
  private static func judge(
    _ arrival: Arrival, _ provided: inout ProviderFacts, _ call: Call, _ services: Services
  ) -> Decision {
    while true {
      let facts = Facts(profile: arrival.profile ?? [:], writer: .user, provider: provided)
      let decision = call.policy.decide(.federatedSignUp, facts, at: call.now, using: services.facts)
      let broken = provided.profile.keys.filter { name in
        arrival.isProvided(name, provided) && decision.violations.contains { $0.pointer == Pointer.profile(name) }
      }
      // GUARD: arrival: no sign-in is refused for what the provider adds
      guard !broken.isEmpty else { return decision }
      for name in broken { provided.profile[name] = nil }
    }
  }

  private static func signUp<Opened: OpenedSession>(
    _ arrival: Arrival, _ provided: inout ProviderFacts, _ call: Call, _ services: Services
  ) async throws -> Opened {
    let decision = judge(arrival, &provided, call, services)
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

  private static func open<Opened: OpenedSession>(
    _ arrival: Arrival, _ email: String, _ decision: Decision, _ count: SignUpCount, _ call: Call, _ services: Services
  ) async throws -> Opened {
    var user = StoredUser(
      id: UserID(services.clock.makeID()), email: email,
      emailVerifiedAt: arrival.user.emailVerified ? call.now : nil, profile: decision.normalised.profile,
      createdAt: call.now, updatedAt: call.now, enteredBy: .federatedSignUp)
    let identity = arrival.identity.stored(of: user.id, at: call.now)
    user.links = [identity.link]
    var first: [Change] = arrival.taking
    first += [
      .user(.insert(user, unique: UniqueValues.of(user.profile, call.policy))), .provider(.link(identity)),
      .limit(.clearFailures(SignInKey(call.tenant, of: user))),
      .audit(
        call.entry(
          .userCreated, services, actor: .user(user.id), user: user.id, details: arrival.details())),
    ]
    first += try arrival.identity.keeping(of: user.id, call, services)
    if user.emailVerifiedAt != nil {
      first.append(.audit(call.entry(.emailVerified, services, actor: .user(user.id), user: user.id)))
    }
    let needsProof = user.emailVerifiedAt == nil && call.policy.verification.email.onSignUp
    let completion = Completion(
      account: .new(
        .init(
          mail: needsProof ? try Messaging.verification(of: user, isNew: true, call, services) : [],
          counters: count.made + [.limit(.giveBack(arrival.counted))])),
      proofs: Proofs(of: user.id, by: .provider, isActive: arrival.isActive, call), user: user, decision: decision,
      device: .new(name: DeviceName.of(arrival.device, call), of: user.id, call, services),
      beforeSession: first)
    return try await completion.open(call, services)
  }
}
